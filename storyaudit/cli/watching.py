"""How fast texts pass, and how long it still takes, on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def watching(
    label: str, *, texts: int | None = None, size: int | None = None
) -> Iterator[Callable[[int, int], None]]:
    """Give what is called with the bytes and the number of texts that have passed.

    It shows the rate and the time left on standard error, if that is a terminal, from the first
    second on.

    Args:
        label: what is done.
        texts: how many there will be, if that is known.
        size: of all in bytes, at most.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _bytes, _texts: None
        return
    from rich.console import Console

    status = Console(stderr=True).status("")
    begin = time.monotonic()
    done = done_texts = 0

    def watch(more_bytes: int, more_texts: int) -> None:
        nonlocal done, done_texts
        done += more_bytes
        done_texts += more_texts
        if (seconds := time.monotonic() - begin) >= PATIENCE:
            shown = pace(done, done_texts, seconds, texts=texts, size=size)
            status.update(f"{label}: {shown}")
            status.start()

    try:
        yield watch
    finally:
        status.stop()


def pace(done: int, done_texts: int, seconds: float, *, texts: int | None, size: int | None) -> str:
    """Return how much has passed, how fast, and how long the rest takes.

    Texts are a part of their files, so that a time by the files' size is the most it can be.
    """
    said = f"{done / 1e6:,.0f} MB, {done / 1e6 / max(seconds, 1e-9):,.0f} MB/s"
    if texts is not None:
        share, about = done_texts / max(texts, 1), "about"
    else:
        share, about = done / max(size or 0, 1), "at most"
    if (texts is None and size is None) or not 0 < share < 1:
        return said
    left = round(seconds / share - seconds)
    return f"{said}, {about} {left // 60}:{left % 60:02} left"
