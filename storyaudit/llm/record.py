"""The record: one line of JSON a request, with its answer."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from storyaudit.errors import InputError, refusing
from storyaudit.io.checked import first_fault
from storyaudit.io.streams import split_lines
from storyaudit.llm.answer import Answer
from storyaudit.llm.request import Request, canonical
from storyaudit.llm.strict_json import strict_json
from storyaudit.runs.params import Params

VERSION = 1
_RESTORE = "Restore the version that DVC or Git keeps, or delete the line and record again."


class Entry(Params):
    """One line; ``key`` is the request's, so that a changed request shows."""

    version: Literal[1]
    key: str
    request: Request
    answer: Answer


def read_record(path: Path) -> dict[str, Answer]:
    """Return the answers of a record by their requests' keys; none where there is no such file.

    The same line twice is harmless: two records of a study may have been joined.

    Raises:
        InputError: a line that the recorder did not write or did not finish, another version, a
            key that does not fit its request, two different answers to one request.
    """
    entries, unfinished = parsed(content_of(path), path)
    if unfinished:
        raise InputError(
            "the last line is unfinished: the recording was killed while writing it.",
            "Run the same recording again; it asks only for what is missing.",
            file=path,
            row=len(entries) + 1,
        )
    return by_key(entries, path)


def line_of(request: Request, answer: Answer) -> bytes:
    """Return a line with its end; the same for equal requests and answers."""
    entry = {
        "version": VERSION,
        "key": request.key,
        "request": request.model_dump(),
        "answer": answer.model_dump(),
    }
    return canonical(entry).encode() + b"\n"


def content_of(path: Path) -> bytes:
    """Return a record's bytes; none where there is no such file.

    Raises:
        InputError: it cannot be read, or the record lies where it lay before it had a folder.
    """
    if path.stem == path.parent.name:
        before = path.parent.with_name(path.name)
        for old in (before, before.with_name(f"{before.name}.dvc")):
            if old.exists():
                raise InputError(
                    f"expected the record in {path}.",
                    "Move it there, so that nothing is asked for again; where a record is there "
                    "already, join their lines.",
                    file=old,
                )
    with refusing("cannot be read", "Check the path.", path), suppress(FileNotFoundError):
        return path.read_bytes()
    return b""


def parsed(content: bytes, path: Path) -> tuple[list[tuple[int, Entry]], bytes]:
    """Return the entries with their lines' numbers, and what a killed writer left at the end.

    Raises:
        InputError: a line that the recorder did not write.
    """
    entries = []
    for row, line in split_lines([content], b"\n", path):
        try:
            entries.append((row, _entry(line, path, row)))
        except _NotJsonError:  # a line that is JSON was written to its end; its faults are others
            if line.endswith(b"\n"):
                raise
            return entries, line
    return entries, b""


class _NotJsonError(InputError):
    pass


def _entry(line: bytes, path: Path, row: int) -> Entry:
    try:
        content = strict_json(line.decode("utf-8"))
    except ValueError as error:
        raise _NotJsonError(
            f"expected a request and its answer in JSON, found a line that is none ({error}).",
            _RESTORE,
            file=path,
            row=row,
        ) from None
    try:
        entry = Entry.model_validate(content)
    except ValidationError as error:
        raise InputError(
            f"expected a request and its answer of version {VERSION}: {first_fault(error)}.",
            _RESTORE,
            file=path,
            row=row,
        ) from None
    if entry.key != entry.request.key:
        raise InputError(
            "the key does not fit the request: one of them was changed.",
            _RESTORE,
            file=path,
            row=row,
        )
    return entry


def by_key(entries: Iterable[tuple[int, Entry]], path: Path) -> dict[str, Answer]:
    """Return the answers of numbered lines by their requests' keys.

    Raises:
        InputError: two different answers to one request.
    """
    answers: dict[str, Answer] = {}
    first: dict[str, int] = {}
    for row, entry in entries:
        if answers.setdefault(entry.key, entry.answer) != entry.answer:
            raise InputError(
                f"another answer to the request of line {first[entry.key]}.",
                "Keep the one that the study was built from.",
                file=path,
                row=row,
            )
        first.setdefault(entry.key, row)
    return answers
