"""What a language model answered."""

from typing import Annotated, Any, Literal

from pydantic import Field

from storyaudit.llm.request import Text
from storyaudit.runs.params import Params

Kind = Literal["ok", "refused", "truncated"]
Used = Annotated[int, Field(ge=0)]


MOST_TOKENS = 10**12
"""More than that is no count of tokens."""


class Answer(Params):
    """An answer as it is recorded.

    Attributes:
        text: what the model wrote; '' if nothing.
        finish_reason: as reported: 'stop', 'length', 'content_filter', …; '' if not reported.
        refusal: the reason for which it was refused; '' if it was not.
        model: the model that answered, as reported; '' if not reported.
        input_tokens: of the request, as reported; None if not.
        output_tokens: of the answer.
    """

    text: Text
    finish_reason: Text
    refusal: Text
    model: Text
    input_tokens: Used | None
    output_tokens: Used | None

    @property
    def kind(self) -> Kind:
        """Whether the model refused, or was cut off at the limit of tokens."""
        if self.refusal or self.finish_reason == "content_filter":
            return "refused"
        return "truncated" if self.finish_reason == "length" else "ok"


class NoAnswerError(Exception):
    """A response that is no answer to a chat; its text says what is wrong with it."""


def answer_in(completion: Any) -> Answer:
    """Return the answer in a chat completion, the JSON object of the protocol.

    What the protocol calls null is ''. A null content without a refusal is an empty answer, which
    is for the parser to judge.

    Raises:
        NoAnswerError: the object is none of a chat completion with a choice of text.
    """
    content = completion if isinstance(completion, dict) else {}
    choices = content.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        message = error_in(content)[1]
        said = f", but an error: {message}" if message else ""
        raise NoAnswerError(f"no choice with a message{said}")
    usage = content.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Answer(
        text=_text(message, "content"),
        finish_reason=_text(choice, "finish_reason"),
        refusal=_text(message, "refusal"),
        model=_text(content, "model"),
        input_tokens=_count(usage, "prompt_tokens"),
        output_tokens=_count(usage, "completion_tokens"),
    )


def error_in(content: Any) -> tuple[str, str]:
    """Return the code and the message of an error as the protocol writes it; '' where none is."""
    error = content.get("error") if isinstance(content, dict) else None
    if not isinstance(error, dict):
        return "", error if isinstance(error, str) else ""
    code, message = error.get("code"), error.get("message")
    return (code if isinstance(code, str) else ""), (message if isinstance(message, str) else "")


def _text(part: Any, name: str) -> str:
    value = part.get(name)
    if value is not None and not isinstance(value, str):
        raise NoAnswerError(f"'{name}' is no text")
    return encodable(value or "")


def encodable(text: str) -> str:
    """Return text with half surrogate pairs replaced: JSON can write them, UTF-8 cannot."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _count(usage: dict[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None
