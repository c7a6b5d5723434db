"""Stories that stand as plain text or as the messages of a chat."""

import json
from typing import Any, NamedTuple

import numpy as np

from storyaudit.data.corpus import tidy


class Turn(NamedTuple):
    """What a user asked for, if the messages say it, and what was answered (None: no answer)."""

    request: str | None
    answer: str | None


class NotATurnError(ValueError):
    """The value is neither text nor one request and one answer; the message says what it is."""


def read_turn(value: Any) -> Turn:
    """Return request and answer of a cell: text is an answer, messages are one or both.

    Messages are ``[{"role": …, "content": …}, …]`` with at most one of the user and one of the
    assistant, in this order; a table of text holds them as JSON. White space around a text goes.

    Raises:
        NotATurnError: something else.
    """
    if isinstance(value, str):
        if not value.lstrip().startswith("[{"):
            return Turn(None, tidy(value))
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return Turn(None, tidy(value))
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list):
        raise NotATurnError("nothing" if value is None or value != value else type(value).__name__)
    roles = []
    for message in value:
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str) or not isinstance(message.get("content"), str):
            raise NotATurnError("a list that does not hold messages with a role and a content")
        roles.append(role)
    if roles not in (["user"], ["assistant"], ["user", "assistant"]):
        raise NotATurnError(f"messages by {', '.join(roles) or 'nobody'}")
    texts = {message["role"]: tidy(message["content"]) for message in value}
    return Turn(texts.get("user"), texts.get("assistant"))
