"""A question to a language model, what became of it, and replaying answers from a record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, Literal, Protocol, TypeVar

from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.record import read_record
from storyaudit.llm.request import Request

T = TypeVar("T")
Outcome = Literal["answered", "malformed", "refused", "truncated"]


class MalformedError(Exception):
    """An answer that does not say what it was asked for; the text is the reason."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """A request and how its answer is read.

    Attributes:
        name: for people, such as 'judging of item i-7'; no part of the request.
        request: its first attempt.
        parse: turns the answer's text into a value, or raises ``MalformedError``.
    """

    name: str
    request: Request
    parse: Callable[[str], T]


@dataclass(frozen=True)
class Result(Generic[T]):
    """What became of a question.

    Attributes:
        request: the last attempt.
        answer: to it.
        outcome: 'answered' with a value; 'malformed' after as many attempts as are allowed;
            'refused' and 'truncated' (at the limit of tokens) are not asked again.
        value: None unless answered.
        reason: why the answer is malformed; '' otherwise.
    """

    request: Request
    answer: Answer
    outcome: Outcome
    value: T | None = None
    reason: str = ""


class Ask(Protocol):
    """What gets answers to questions: from a record, or from an endpoint into a record."""

    def __call__(self, questions: Sequence[Question[T]], *, attempts: int) -> list[Result[T]]:
        """Return what became of each question, in their order."""
        ...


def settled(
    question: Question[T], answers: Mapping[str, Answer], attempts: int
) -> Result[T] | Request:
    """Return what became of a question, or the request whose answer is still missing.

    Args:
        question: to settle.
        answers: by the requests' keys.
        attempts: how often at most a model is asked for a well-formed answer, from 1.
    """
    request = question.request
    while (answer := answers.get(request.key)) is not None:
        kind = answer.kind
        if kind != "ok":
            return Result(request, answer, kind)
        try:
            return Result(request, answer, "answered", question.parse(answer.text))
        except MalformedError as error:
            if request.attempt + 1 >= attempts:
                return Result(request, answer, "malformed", reason=str(error))
        request = request.again()
    return request


def counts(results: Sequence[Result[T]]) -> dict[str, int]:
    """Return how many questions came to which outcome, and how many were asked more than once."""
    outcomes = [result.outcome for result in results]
    return {
        "answered": outcomes.count("answered"),
        "malformed": outcomes.count("malformed"),
        "retried": sum(result.request.attempt > 0 for result in results),
        "refused": outcomes.count("refused"),
        "truncated": outcomes.count("truncated"),
    }


def answers(
    ask: Ask, questions: Sequence[Question[T]], attempts: int, totals: dict[str, int], prefix: str
) -> list[T | None]:
    """Return each answer's value, None where nothing is usable, and add to the totals.

    Args:
        ask: returns answers.
        questions: of one model.
        attempts: see ``settled``.
        totals: what became of the questions is added to it, see ``counts``.
        prefix: of the names there.
    """
    results = ask(questions, attempts=attempts)
    for name, number in counts(results).items():
        totals[f"{prefix}{name}"] = totals.get(f"{prefix}{name}", 0) + number
    return [result.value for result in results]


def replaying(record: Path, command: str) -> Ask:
    """Return what replays answers from a record; see ``replay``."""
    return partial(replay, record=record, command=command)


def replay(
    questions: Sequence[Question[T]], record: Path, *, attempts: int, command: str
) -> list[Result[T]]:
    """Return what became of each question, in their order, from the record alone.

    Args:
        questions: of one model or of several.
        record: as ``storyaudit.llm.recorder`` wrote it.
        attempts: see ``settled``.
        command: that records what is missing, for the error.

    Raises:
        InputError: an answer is not recorded, or the record is not sound (see ``read_record``).
    """
    answers = read_record(record)
    results, missing = [], []
    for question in questions:
        result = settled(question, answers, attempts)
        if isinstance(result, Request):
            missing.append(question.name)
        else:
            results.append(result)
    if missing:
        raise InputError(
            f"{len(missing)} of {len(questions)} answers are not recorded, "
            f"the first is: {missing[0]}.",
            f"Record them: {command}",
            file=record,
        )
    return results
