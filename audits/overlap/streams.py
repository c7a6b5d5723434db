"""Read large text files piece by piece, compressed or not."""

from collections.abc import Iterator
from pathlib import Path

from storyaudit.errors import InputError

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
"""Endings that follow a format's own, as in ``train.jsonl.zst``."""

_BLOCK = 1 << 20


def ending(path: Path) -> str:
    """Return a file's ending without that of its compression, in small letters."""
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    return inner.suffix.lower()


def blocks(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes, decompressed by its ending, about a mebibyte at once.

    Raises:
        InputError: the file cannot be read, or its compressed data are damaged or cut short; then
            whole blocks before that have been yielded.
    """
    import pyarrow as pa

    compression = COMPRESSIONS.get(path.suffix.lower())
    try:
        with pa.input_stream(str(path), compression=compression) as stream:
            while block := stream.read(_BLOCK):
                yield block
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"cannot be read to its end ({error}).",
            "Check that it is complete, and get it again."
            if compression
            else "Check the path and the file's permissions.",
            file=path,
        ) from None


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line with its number from 1 and its line feed; only that ends a line.

    A byte-order mark is dropped.

    Raises:
        InputError: as ``blocks``, with the line; bytes that are not UTF-8; a NUL byte, which is
            what UTF-16 without a byte-order mark looks like.
    """
    row = 0
    begun: list[bytes] = []
    try:
        for block in blocks(path):
            *ended, rest = block.split(b"\n")
            for part in ended:
                begun.append(part)
                row += 1
                yield row, _decoded(b"".join(begun) + b"\n", path, row)
                begun = []
            begun.append(rest)
    except InputError as error:
        if error.row is not None:
            raise
        raise InputError(error.problem, error.remedy, file=path, row=row + 1) from None
    if last := b"".join(begun):
        yield row + 1, _decoded(last, path, row + 1)


def _decoded(line: bytes, path: Path, row: int) -> str:
    try:
        wrong = line.find(b"\0")
        if wrong < 0:
            return line.decode("utf-8-sig" if row == 1 else "utf-8")
    except UnicodeDecodeError as error:
        wrong = error.start
    raise InputError(
        f"expected UTF-8, found the byte 0x{line[wrong]:02x} where it is not allowed.",
        "Save the file as UTF-8.",
        file=path,
        row=row,
    )
