"""Recording: ask for what a record lacks, and add each answer to it as it comes."""

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, TypeVar

from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.budget import Budget
from storyaudit.llm.model_params import EndpointParams
from storyaudit.llm.patience import FailedError, Pace, persist
from storyaudit.llm.question import Question, Result, settled
from storyaudit.llm.record_writer import Recording
from storyaudit.llm.request import Request

T = TypeVar("T")
_Open = tuple[Question[T], Request]
"""A question and the request whose answer it needs next."""
FAILURES_IN_A_ROW = 3
"""FailedError requests without an answer between them: then the endpoint is at fault."""


class Progress(NamedTuple):
    """How far a recording is.

    Attributes:
        done: questions that need no further answer, of ``total``.
        tokens: that the record's answers used, and lost ones may have.
        cost: the same in the prices' currency; None without prices.
        seconds_left: at the speed so far.
    """

    done: int
    total: int
    tokens: int
    cost: float | None
    seconds_left: float


def record(
    questions: Sequence[Question[T]],
    path: Path,
    ask: Callable[[Request], Answer],
    params: EndpointParams,
    *,
    attempts: int,
    progress: Callable[[Progress], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], object] | None = None,
) -> list[Result[T]]:
    """Ask for the answers that a record lacks, and return what became of each question, in order.

    Every answer is in the record before its thread goes on. When it ends early, for whatever
    reason, requests on their way are waited for and their answers kept; the same call goes on from
    there. A complete record is sorted, so that its bytes do not depend on how it was made.

    Args:
        questions: of one model; equal requests are sent once.
        path: the record; it is made where there is none.
        ask: sends a request once, see ``storyaudit.llm.endpoint.connect``.
        params: concurrency, pace, retries and budget.
        attempts: how often at most a model is asked for a well-formed answer, from 1.
        progress: called after each answer that settles a question.
        say: called with sentences for people.
        clock: seconds, for the pace and the remaining time.
        pause: sleeps; by default until the recording ends at the latest.

    Raises:
        InputError: the record is not sound or is being written by another process; the budget is
            spent; requests got no answer; or no request can succeed, such as with a wrong key.
    """
    stopping = threading.Event()
    pace = Pace(params.requests_per_minute, clock, pause or stopping.wait)
    models = {question.request.model for question in questions}
    total = len({question.request.key for question in questions})
    with Recording(path, say) as recording:
        paid = [entry for entry in recording.entries if entry[0].model in models]
        budget = Budget(params, paid)

        def work(request: Request) -> None:
            recording.append(request, persist(ask, request, params, pace, budget, stopping))

        def missing() -> deque[_Open[T]]:
            pairs = [(q, settled(q, recording.answers, attempts)) for q in questions]
            wanted = {r.key: (q, r) for q, r in pairs if isinstance(r, Request)}
            return deque(wanted.values())

        started, at_start = clock(), len(missing())
        try:
            # Once more only where two questions read the answer to one request differently.
            while waiting := missing():
                left = len(waiting)
                answered = _as_answered(waiting, work, budget, params.concurrency, stopping, say)
                with closing(answered):
                    for question in answered:
                        result = settled(question, recording.answers, attempts)
                        if isinstance(result, Request):
                            waiting.appendleft((question, result))
                            continue
                        left -= 1
                        seconds = (clock() - started) / max(at_start - left, 1) * left
                        progress(Progress(total - left, total, budget.tokens, budget.cost, seconds))
        except BaseException:
            say(f"{total - len(missing())} of {total} questions are answered in {path}.")
            raise
        recording.sort()
        results = [settled(question, recording.answers, attempts) for question in questions]
        return [result for result in results if isinstance(result, Result)]


def _as_answered(
    waiting: deque[_Open[T]],
    work: Callable[[Request], None],
    budget: Budget,
    concurrency: int,
    stopping: threading.Event,
    say: Callable[[str], None],
) -> Generator[Question[T], None, None]:
    """Work on what is waiting, several at a time, and yield each question that was answered.

    Further work may be added to ``waiting`` meanwhile. However this ends, work on its way is
    waited for, and none is begun.

    Raises:
        InputError: at the end, if requests failed; at once, if several in a row did.
    """
    running: dict[Future[None], Question[T]] = {}
    failures: list[str] = []
    in_a_row = 0
    with ThreadPoolExecutor(concurrency) as pool:
        try:
            while (waiting or running) and in_a_row < FAILURES_IN_A_ROW:
                while waiting and len(running) < concurrency:
                    question, request = waiting[0]
                    if not budget.reserve(request):
                        break  # what is on its way may use less than it reserved
                    waiting.popleft()
                    running[pool.submit(work, request)] = question
                if not running:
                    raise InputError(
                        f"the budget does not allow another request ({budget}).",
                        "Raise it and run the same recording again; what was answered is kept.",
                    )
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    question = running.pop(future)
                    try:
                        future.result()
                    except FailedError as error:
                        failures.append(f"{question.name}: {error}")
                        in_a_row += 1
                    else:
                        in_a_row = 0
                        yield question
            if failures:
                raise InputError(
                    f"{len(failures)} requests got no answer, the first is {failures[0]}.",
                    "Run the same recording again; it asks only for what is missing.",
                )
        except BaseException as error:
            stopping.set()
            if isinstance(error, KeyboardInterrupt):
                say(f"Waiting for {len(running)} answers on their way.")
            raise
