"""Files written anew without some rows: every other byte as it was, compressed as it was."""

from collections.abc import Collection, Iterator
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

    with pa.output_stream(str(path), compression=compression_of(path), buffer_size=1 << 20) as sink:
        yield sink


def opening(path: Path) -> bytes:
    """Return the byte-order mark with which a file begins, if it does."""
    first = next(blocks(path), b"")
    return BYTE_ORDER_MARK if first.startswith(BYTE_ORDER_MARK) else b""


def copy_records(
    path: Path, records: Iterator[tuple[int, str, bool]], left_out: Collection[int], out: Path
) -> int:
    """Write the text of records but for those left out, and return how many were kept.

    Args:
        path: of the file that is copied.
        records: number of the row, its text with the line's end, and whether it counts: neither a
            header nor a blank line does.
        left_out: rows.
        out: the new file.

    Raises:
        InputError: what cannot be read.
        OSError: see ``writing``.
    """
    kept = 0
    with writing(out) as sink:
        sink.write(opening(path))
        for row, text, counts in records:
            if row not in left_out:
                sink.write(text.encode())
                kept += counts
    return kept
