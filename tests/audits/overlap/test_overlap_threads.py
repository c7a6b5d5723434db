"""Work in threads on a stream."""

import threading
from collections.abc import Iterator

import pytest

from audits.overlap.threads import in_order


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_things_come_in_their_order_and_few_at_a_time(threads: int) -> None:
    taken: list[int] = []

    def given() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    for place, (number, made) in enumerate(in_order(lambda n: n * n, given(), threads)):
        assert (number, made) == (place, place * place)
        assert len(taken) <= place + threads + 1
    assert taken == list(range(20))


def test_what_waits_when_a_thing_fails_is_not_made() -> None:
    begun: list[int] = []
    held = threading.Event()

    def make(number: int) -> int:
        begun.append(number)
        if number == 0:
            held.wait(10)
            raise ValueError("zero")
        return number

    def given() -> Iterator[int]:
        for number in range(10):
            if number == 1:
                threading.Timer(0.05, held.set).start()
            yield number

    with pytest.raises(ValueError, match="zero"):
        list(in_order(make, given(), 1))
    assert set(begun) <= {0, 1}  # of one thread, at most the next had begun
