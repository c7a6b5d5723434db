"""Files written anew: as they began, compressed as they were."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from storyaudit.io.streams import BYTE_ORDER_MARK, blocks, compression_of


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file to write, compressed by its ending, without a name or a time in it.

    Raises:
        OSError: it cannot be written, or not to its end.
    """
    import pyarrow as pa

    with (
        path.open("wb") as file,  # pyarrow takes no name that is not UTF-8
        pa.output_stream(file, compression=compression_of(path), buffer_size=1 << 20) as sink,
    ):
        yield sink


def opening(path: Path) -> bytes:
    """Return the byte-order mark with which a file begins, if it does."""
    first = next(blocks(path), b"")
    return BYTE_ORDER_MARK if first.startswith(BYTE_ORDER_MARK) else b""
