"""Work on a stream in threads, with few things in memory."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_order(
    make: Callable[[Given], Made], given: Iterable[Given], threads: int
) -> Iterator[tuple[Given, Made]]:
    """Yield each thing given with what is made of it, in order.

    Each thread holds one, and one more waits. What still waits when the reader stops is not made.
    """
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[Given, Future[Made]]] = deque()
        try:
            for thing in given:
                waiting.append((thing, pool.submit(make, thing)))
                if len(waiting) > threads:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
