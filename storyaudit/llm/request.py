"""What a language model is asked: the part of a call on which its answer depends."""

import hashlib
import json
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator

from storyaudit.runs.params import Params

_ATTEMPT = 100_000
"""Seeds of two attempts lie so far apart; the samples' seeds lie between them."""

Temperature = Annotated[float, Field(ge=0, le=2)]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]
Tokens = Annotated[int, Field(ge=1, le=10_000_000)]


def _encodable(text: str) -> str:
    text.encode()  # a UnicodeEncodeError is a ValueError
    return text


Text = Annotated[str, AfterValidator(_encodable)]
"""Text that UTF-8 can hold: without half a surrogate pair."""


class Message(Params):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: Text


class Request(Params):
    """One request; two with the same content are the same, wherever they are sent.

    Attributes:
        model: the name by which the endpoint knows it.
        messages: the chat so far.
        temperature: None leaves it to the endpoint; some models allow no other.
        seed: of the first sample; see ``seed_sent``. None where the endpoint has none.
        max_tokens: at most so many tokens of an answer.
        sample: which of several answers to the same question, from 0.
        attempt: how often a malformed answer was asked for again.
    """

    model: Annotated[Text, Field(min_length=1)]
    messages: Annotated[tuple[Message, ...], Field(min_length=1, strict=False)]
    temperature: Temperature | None = None
    seed: Seed | None = None
    max_tokens: Tokens | None = None
    sample: Annotated[int, Field(ge=0, lt=_ATTEMPT)] = 0
    attempt: Annotated[int, Field(ge=0, lt=1000)] = 0

    @field_validator("temperature")
    @classmethod
    def _one_zero(cls, temperature: float | None) -> float | None:
        return None if temperature is None else temperature + 0.0  # -0.0 is written otherwise

    @cached_property
    def key(self) -> str:
        """The SHA-256 of the request's canonical JSON, in hexadecimal."""
        return hashlib.sha256(canonical(self.model_dump()).encode()).hexdigest()

    @property
    def seed_sent(self) -> int | None:
        """The seed that is sent: another for every sample and attempt.

        An endpoint that keeps to seeds would give the same answer to all of them otherwise.
        """
        return None if self.seed is None else self.seed + self.sample + _ATTEMPT * self.attempt

    def again(self) -> "Request":
        """Return the request for one attempt more."""
        return Request(**{**self.model_dump(), "attempt": self.attempt + 1})


def canonical(value: object) -> str:
    """Return JSON in one line, the same for equal values: names sorted, no spaces, no escapes."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
