"""Files as bytes, characters and lines, piece by piece, compressed or not."""

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, AnyStr

from storyaudit.errors import InputError, refusing
from storyaudit.io import bounds

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
"""Endings that follow a format's own, as in ``train.jsonl.zst``."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_BLOCK = 1 << 20


def ending(path: Path) -> str:
    """Return a file's ending without that of its compression, in small letters."""
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    return inner.suffix.lower()


def compression_of(path: Path) -> str | None:
    """Return the name of a file's compression by its ending, None where there is none."""
    return COMPRESSIONS.get(path.suffix.lower())


def check_file(path: Path) -> None:
    """Refuse what is no file or is empty.

    Raises:
        InputError: see above.
    """
    if not path.is_file():
        problem = "expected a file, found a folder." if path.is_dir() else "there is no such file."
        raise InputError(problem, "Check the path.", file=path)
    if path.stat().st_size == 0:
        raise empty_file(path)


def empty_file(path: Path) -> InputError:
    """Return the error that says that a file holds nothing."""
    return InputError("the file is empty.", "Check how it was made, or remove it.", file=path)


def blocks(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes, decompressed by its ending, about a mebibyte at once.

    Raises:
        InputError: the file cannot be read; its compressed data are damaged or cut short, or
            unpack to more than ``bounds.expanded``; then whole blocks before that were yielded.
    """
    compression = compression_of(path)
    remedy = "Check the path and the file's permissions."
    with refusing("cannot be read", remedy, path), path.open("rb") as file:
        if compression is None:
            while block := file.read(_BLOCK):
                yield block
        else:
            yield from _unpacked(path, file, compression)


def _unpacked(path: Path, file: IO[bytes], compression: str) -> Iterator[bytes]:
    import pyarrow as pa

    left = bounds.expanded(path)
    try:
        with pa.input_stream(file, compression=compression) as stream:
            while block := stream.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    raise too_large(path, "its compressed data unpack")
                yield block
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"cannot be read to its end ({error}).",
            "Check that it is complete, and get it again.",
            file=path,
        ) from None


def too_large(path: Path, what: str) -> InputError:
    """Return the refusal of a small file that would become a large one in memory."""
    return InputError(
        f"{what} to more than {bounds.expanded(path) >> 20} MiB, over {bounds.EXPANSION} times "
        "the file.",
        "Check where it is from; an honest one is read once it is unpacked or written plainly.",
        file=path,
    )


def decoded(path: Path) -> Iterator[str]:
    """Yield a file's characters, one or more at once; a byte-order mark is dropped.

    Raises:
        InputError: as ``blocks``; bytes that are not UTF-8, with their line; a NUL byte, which is
            what UTF-16 without a byte-order mark looks like.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    row = 1
    for block in blocks(path):
        wrong = block.find(b"\0")
        try:
            text = decoder.decode(block if wrong < 0 else block[:wrong])
        except UnicodeDecodeError as error:
            raise _not_utf8(path, error.object, error.start, row) from None
        row += text.count("\n")
        if wrong >= 0:
            raise _not_utf8(path, b"\0", 0, row)
        if text:
            yield text
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error.object, error.start, row) from None


def _not_utf8(path: Path, content: bytes, wrong: int, row: int) -> InputError:
    return InputError(
        f"expected UTF-8, found the byte 0x{content[wrong]:02x} where it is not allowed.",
        "Save the file as UTF-8; spreadsheet programs call it 'CSV UTF-8'.",
        file=path,
        row=row + content[:wrong].count(b"\n"),
    )


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line with its number from 1 and its line feed; only that ends a line.

    Raises:
        InputError: as ``decoded``, with the line; one longer than ``bounds.LINE``.
    """
    row = 0
    try:
        for row, line in split_lines(decoded(path), "\n", path):
            yield row, line
    except InputError as error:
        if error.row is not None:
            raise
        raise InputError(error.problem, error.remedy, file=path, row=row + 1) from None


def split_lines(
    parts: Iterable[AnyStr], line_feed: AnyStr, path: Path
) -> Iterator[tuple[int, AnyStr]]:
    """Yield the lines of what comes in parts, with their numbers and line feeds.

    Raises:
        InputError: one longer than ``bounds.LINE``.
    """
    row = 1
    begun = nothing = line_feed[:0]
    for part in parts:
        ends = part.split(line_feed)
        for end in ends[:-1]:
            yield row, begun + end + line_feed
            row, begun = row + 1, nothing
        begun += ends[-1]
        if len(begun) > bounds.LINE:
            raise too_long(path, "a line", row)
    if begun:
        yield row, begun


def too_long(path: Path, what: str, row: int) -> InputError:
    """Return the refusal of a line, a record or an object beyond ``bounds.LINE``."""
    return InputError(
        f"expected {what} of at most {bounds.LINE >> 20} million characters, found a longer one.",
        "Part the text, or check for a quote that does not close and for missing line ends.",
        file=path,
        row=row,
    )
