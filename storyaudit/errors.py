"""The one error that bad input raises: where, what was expected, what was found, what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class InputError(Exception):
    """Input that cannot be read or must not be built upon.

    Commands print it as one message and exit with status 2; no traceback is shown.

    Args:
        problem: what was expected and what was found, as a clause.
        remedy: what the person can do about it, as a sentence.
        file: the file at fault.
        row: its row as the person counts them: spreadsheet rows for CSV and XLSX (the header
            is row 1), lines for JSONL, records from 1 for Parquet.
        column: the column at fault.
    """

    def __init__(
        self,
        problem: str,
        remedy: str,
        *,
        file: str | Path | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        self.problem, self.remedy = problem, remedy
        self.file, self.row, self.column = file, row, column
        place = ", ".join(
            part
            for part in (
                str(file) if file is not None else "",
                f"row {row}" if row is not None else "",
                f"column '{column}'" if column is not None else "",
            )
            if part
        )
        super().__init__(f"{place + ': ' if place else ''}{problem} {remedy}")


@contextmanager
def refusing(problem: str, remedy: str, file: Path | None = None) -> Iterator[None]:
    """Turn an error of the operating system into one of bad input.

    Args:
        problem: such as 'cannot be read'; the system's reason follows.
        remedy: what the person can do about it, as a sentence.
        file: the file at fault; the one that the error names if None.
    """
    try:
        yield
    except OSError as error:
        where = error.filename if file is None else file
        raise InputError(f"{problem} ({error.strerror}).", remedy, file=where) from None
