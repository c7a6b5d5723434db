"""When to ask again: a pace that all threads keep, and bounded tries."""

import threading
from collections.abc import Callable
from itertools import count

from storyaudit.errors import InputError
from storyaudit.llm.answer import Answer
from storyaudit.llm.budget import Budget
from storyaudit.llm.model_params import EndpointParams
from storyaudit.llm.request import Request


class PassingError(Exception):
    """An answer that did not come, and may come when asked for again.

    Attributes:
        wait: seconds that the endpoint asked to wait; None if it said nothing.
        lost: whether it may have been answered, and paid for.
    """

    def __init__(self, reason: str, *, wait: float | None = None, lost: bool = False) -> None:
        super().__init__(reason)
        self.wait, self.lost = wait, lost


class FailedError(Exception):
    """A request that got no answer and is not sent again; others may go on.

    Attributes:
        lost: whether it may have been answered, and paid for.
    """

    def __init__(self, reason: str, *, lost: bool = False) -> None:
        super().__init__(reason)
        self.lost = lost


class StoppedError(Exception):
    """The recording ends; the request was not sent again."""


class Pace:
    """Keeps the starts of requests apart; shared by all threads.

    Args:
        requests_per_minute: at most; None for no such limit.
        clock: seconds.
        pause: sleeps for so many seconds, or until the recording ends.
    """

    def __init__(
        self,
        requests_per_minute: int | None,
        clock: Callable[[], float],
        pause: Callable[[float], object],
    ) -> None:
        self._interval = 60 / requests_per_minute if requests_per_minute else 0.0
        self._clock, self._pause = clock, pause
        self._next = clock()
        self._one_at_a_time = threading.Lock()

    def wait(self) -> None:
        """Return when the next request may start."""
        with self._one_at_a_time:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._interval
        if start > now:
            self._pause(start - now)

    def hold(self, seconds: float) -> None:
        """Let no further request start for so many seconds."""
        with self._one_at_a_time:
            self._next = max(self._next, self._clock() + seconds)


def persist(
    ask: Callable[[Request], Answer],
    request: Request,
    params: EndpointParams,
    pace: Pace,
    budget: Budget,
    stopping: threading.Event,
) -> Answer:
    """Return the answer to a request for which the budget has made room, after bounded tries.

    Waits double from one second, up to ``longest_wait``, unless the endpoint says how long.

    Raises:
        FailedError: no answer after ``retries`` further tries, or no budget for another.
        StoppedError: the recording ends before the next try.
        InputError: the endpoint asks to wait longer than ``longest_wait``, or ``ask`` says that no
            request can succeed.
    """
    for number in count():
        pace.wait()
        if stopping.is_set():
            raise StoppedError
        try:
            answer = ask(request)
        except PassingError as trouble:
            budget.release(request, lost=trouble.lost)
            if number == params.retries:
                times = f", {number + 1} times" if number else ""
                raise FailedError(f"{trouble}{times}") from None
            wait = min(2.0**number, params.longest_wait) if trouble.wait is None else trouble.wait
            if wait > params.longest_wait:
                raise InputError(
                    f"{trouble}, and the endpoint asks to wait {wait:.0f} seconds.",
                    "Run the same recording again later, or raise longest_wait.",
                ) from None
            pace.hold(wait)
            if not budget.reserve(request):
                raise FailedError(f"{trouble}, and the budget does not allow another try") from None
        except FailedError as error:
            budget.release(request, lost=error.lost)
            raise
        else:
            budget.settle(request, answer)
            return answer
    raise AssertionError  # count() does not end
