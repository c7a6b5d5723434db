"""Files: atomic, deterministic writing, and text that is UTF-8."""

import errno
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.streams import decoded

if TYPE_CHECKING:
    import pandas as pd


def file_name(path: Path, *, ending: bool = True) -> str:
    """Return a file's name for tables and sentences, with � for bytes that are not UTF-8."""
    return decodable(path.name if ending else path.stem)


def decodable(name: str) -> str:
    """Return the name of a file or folder as UTF-8 has it, with � for other bytes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` to a temporary file beside ``path`` and rename it into place.

    A process killed on the way leaves the old file or none. The permissions are those of an
    ordinary new file, since a temporary one is private by default.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def move_folder(made: Path, path: Path) -> None:
    """Move a folder into a free place, or into that of another one, which goes beside ``made``.

    A process killed on the way leaves the old folder, none, or the new one, and never a mixture.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.replace(path)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        path.replace(made.with_name(f"{made.name}.old"))
        made.replace(path)


def write_text(path: Path, content: str) -> None:
    """Write UTF-8 text with line feeds, atomically."""
    write_bytes(path, content.encode("utf-8"))


def json_text(value: Any) -> str:
    """Return JSON that does not depend on dictionary order.

    Raises:
        ValueError: for NaN and infinities, which JSON does not have.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as JSON, atomically and independently of dictionary order."""
    write_text(path, json_text(value))


def parquet_bytes(frame: "pd.DataFrame") -> bytes:
    """Return the Parquet bytes of a frame; equal frames give equal bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    # Without pandas metadata: it carries library versions.
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    pq.write_table(table, sink, compression="zstd", store_schema=False)
    return bytes(sink.getvalue())


def md5(path: Path) -> str:
    """Return a file's MD5 in hexadecimal, the digest DVC records for it."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False))
    return digest.hexdigest()


def md5_of(content: bytes) -> str:
    """Return the same digest of bytes that are not in a file yet."""
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def csv_text(frame: "pd.DataFrame") -> str:
    """Return a frame as CSV in which no text is a formula to a spreadsheet program.

    Text that starts with ``=``, ``+``, ``-``, ``@``, a tab or a line end gets an apostrophe in
    front, unless it is a number. Line ends inside text become line feeds: a lone carriage return
    would not be quoted, and what follows it would start a row.
    """
    safe = frame.map(lambda value: _defused(value) if isinstance(value, str) else value)
    return safe.rename(columns=lambda name: _defused(str(name))).to_csv(
        index=False, lineterminator="\n"
    )


def _defused(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.startswith(("=", "+", "-", "@", "\t", "\n")):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def read_text(path: Path) -> str:
    """Return a file's text, which must be UTF-8; a byte-order mark is dropped.

    Raises:
        InputError: as ``decoded``; more than ``bounds.TEXT`` characters.
    """
    if path.exists() and not path.is_file():
        raise InputError("expected a file.", "Check the path.", file=path)
    parts, held = [], 0
    for part in decoded(path):
        parts.append(part)
        held += len(part)
        if held > bounds.TEXT:
            raise InputError(
                f"expected at most {bounds.TEXT >> 20} million characters, found more.",
                "Part the file; one text or object a line (.jsonl) is read at any size.",
                file=path,
            )
    return "".join(parts)
