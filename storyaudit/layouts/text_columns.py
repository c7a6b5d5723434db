"""Where the texts of a file stand: which columns, and what a cell may hold."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from storyaudit.errors import InputError
from storyaudit.io.columns import check_given, find_columns
from storyaudit.layouts.preferences import NAMES as PAIR_NAMES

TEXT_NAMES = ("text", "story", "content")
ID_NAMES = ("story_id", "id", "premise_id")
CHAT_NAMES = ("messages", "conversations")

NAMES: dict[str, tuple[str, ...]] = {
    "text": (*TEXT_NAMES, *CHAT_NAMES),
    "id": (*ID_NAMES, "pair_id"),
    "chosen": PAIR_NAMES["chosen"],
    "rejected": PAIR_NAMES["rejected"],
    "chosen_id": ("chosen_id",),
    "rejected_id": ("rejected_id",),
}
"""Our columns and the names by which they are guessed."""

_ANSWERS = ("assistant", "gpt", "model")


class Layout(NamedTuple):
    """Which columns hold texts.

    Attributes:
        texts: {part: column}; the part is '' where a row is one text, else 'chosen' or 'rejected'.
        ids: {part: column} for parts that have a column of IDs of their own.
        row_id: the column of the rows' IDs, if there is one.
    """

    texts: dict[str, str]
    ids: dict[str, str]
    row_id: str | None

    @property
    def columns(self) -> list[str]:
        """Every column that is needed, each once."""
        ids = [self.row_id] if self.row_id is not None else []
        return list(dict.fromkeys([*self.texts.values(), *self.ids.values(), *ids]))

    def said(self) -> str:
        """Return the columns taken as a part of a sentence."""
        texts = " and ".join(f"'{column}'" for column in self.texts.values())
        ids = list(self.ids.values()) or ([self.row_id] if self.row_id is not None else [])
        named = " and ".join(f"'{column}'" for column in ids)
        return f"texts from {texts}, IDs from {named or 'the rows'}"


def find_layout(names: Sequence[str], given: Mapping[str, str], file: Path) -> Layout:
    """Return where the texts are: in the column that is given, or guessed by name.

    A column of texts goes before chosen and rejected ones, earlier names of ``NAMES`` before later.

    Args:
        names: the file's columns.
        given: {our column of ``NAMES``: their column}.
        file: named in errors.

    Raises:
        InputError: a column given that is not there, or none that could be the texts.
    """
    check_given(names, NAMES, given, file=file)
    row_id = given.get("id") or next((name for name in NAMES["id"] if name in names), None)
    pair = "chosen" in given or "rejected" in given
    text = given.get("text")
    if text is None and not pair:
        text = next((name for name in NAMES["text"] if name in names), None)
    if text is not None:
        return Layout({"": text}, {}, row_id if row_id != text or "id" in given else None)
    wanted = {ours: theirs for ours, theirs in NAMES.items() if ours not in ("text", "id")}
    try:
        found = find_columns(
            names,
            wanted,
            {ours: theirs for ours, theirs in given.items() if ours in wanted},
            required=("chosen", "rejected"),
            file=file,
        )
    except InputError:
        if pair:
            raise
        raise InputError(
            f"expected a column of texts ({', '.join(NAMES['text'])}) or chosen and rejected "
            f"ones, found {', '.join(map(str, names)) or 'none'}.",
            "Name it with --text-column.",
            file=file,
        ) from None
    parts = ("chosen", "rejected")
    own = {part: found[f"{part}_id"] for part in parts if f"{part}_id" in found}
    return Layout(
        {part: found[part] for part in parts}, own if len(own) == len(parts) else {}, row_id
    )


class NoTextError(ValueError):
    """The value is no text, and the message says what it is."""


def texts_of(value: Any) -> list[str | None]:
    """Return the texts of a cell; None is a missing one.

    A cell holds a text, the messages of a chat (also as JSON), or a list of either. The text of
    messages is what the assistant says in them, or all of them where no assistant speaks.

    Raises:
        NoTextError: something else.
    """
    if value is None or isinstance(value, str):
        return [_text(value)]
    if not isinstance(value, list):
        raise NoTextError(type(value).__name__)
    if not value or isinstance(value[0], dict):
        return [_said(value)] if value else [None]
    return [_said(entry) if isinstance(entry, list) else _text(entry) for entry in value]


def _text(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise NoTextError(f"a list with {type(value).__name__}")
    if not value.lstrip().startswith("[{"):
        return value
    try:
        return _said(json.loads(value))
    except (ValueError, RecursionError):  # a story may begin like this
        return value


def _said(messages: list[Any]) -> str:
    said = []
    for message in messages:
        if not isinstance(message, dict):
            raise NoTextError(f"messages with {type(message).__name__}")
        role = message.get("role") or message.get("from")
        content = message["content"] if "content" in message else message.get("value")
        if isinstance(content, list):
            parts = [part.get("text") for part in content if isinstance(part, dict)]
            content = "\n".join(part for part in parts if isinstance(part, str))
        if not isinstance(role, str) or not isinstance(content, str | None):
            raise NoTextError("a list that does not hold messages with a role and a content")
        said.append((role, content or ""))
    answers = [content for role, content in said if role in _ANSWERS]
    return "\n".join(answers or [content for _, content in said])


def id_of(value: Any) -> str | None:
    """Return an ID as text; None where it is missing.

    Raises:
        NoTextError: neither text nor a whole number.
    """
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise NoTextError(f"{type(value).__name__} {value}")
    return str(int(value))
