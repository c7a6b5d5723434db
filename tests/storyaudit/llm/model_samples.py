"""Questions and answers for tests about language models."""

from collections.abc import Callable

from storyaudit.llm.answer import Answer
from storyaudit.llm.model_params import EndpointParams
from storyaudit.llm.question import MalformedError, Question
from storyaudit.llm.request import Message, Request


def request(content: str = "hello", **named) -> Request:
    """A request to 'm', with a limit of tokens as budgets need it."""
    messages = (Message(role="user", content=content),)
    return Request(**{"model": "m", "messages": messages, "max_tokens": 10, **named})


def answer(text: str = "yes", **named) -> Answer:
    fields = {"finish_reason": "stop", "refusal": "", "model": "m-1", "input_tokens": 7}
    return Answer(**{"text": text, **fields, "output_tokens": 3, **named})


def good(text: str) -> str:
    """A parser that takes all answers but those that say they are bad."""
    if "bad" in text:
        raise MalformedError("it says so")
    return text.upper()


def question(content: str = "hello", parse: Callable[[str], str] = good, **named) -> Question[str]:
    return Question(f"question {content}", request(content, **named), parse)


def endpoint(**named) -> EndpointParams:
    return EndpointParams(**{"base_url": "http://127.0.0.1:9/v1", **named})
