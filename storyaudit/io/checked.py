"""What is shared by files and parameters that are checked: ids, and a fault in words."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from pydantic import Field, ValidationError

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.\-]*$", max_length=200)]
"""The name of a study, an audit, a finding: never changes, and is safe as a file's name."""


def first_fault(error: ValidationError) -> str:
    """Return the first fault that a validation found, as 'where: what'."""
    fault = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in fault["loc"]) or "top level"
    return f"{where}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"


def repeated(names: Iterable[str]) -> str | None:
    """Return the first name that stands more than once, or None."""
    return next((name for name, number in Counter(names).items() if number > 1), None)
