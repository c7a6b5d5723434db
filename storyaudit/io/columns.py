"""Find the columns of a file that hold what is wanted: by a given map, or by their names."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from storyaudit.errors import InputError
from storyaudit.io.row_batches import Fits


def find_columns(
    there: Iterable[object],
    names: Mapping[str, tuple[str, ...]],
    given: Mapping[str, str] | None,
    *,
    required: Collection[str],
    file: Path,
) -> dict[str, str]:
    """Return the file's column for each of ours that it has.

    Args:
        there: the names of the file's columns.
        names: the names by which each of our columns is guessed, without regard to case.
        given: {our column: their column}; goes before guesses.
        required: ours that must be found.
        file: named in errors.

    Raises:
        InputError: a name in ``given`` that is none of ours or not in the file, two columns that
            could be the same, or a required one that is not found.
    """
    names_there = [str(name) for name in there]
    listed = ", ".join(map(repr, names_there))
    for ours, theirs in (given or {}).items():
        if ours not in names:
            raise InputError(
                f"the column map names '{ours}', which is not among {', '.join(names)}.",
                "Write {our column: their column}.",
                file=file,
            )
        if theirs not in names_there:
            raise InputError(
                f"expected the column '{theirs}' for {ours}, found {listed}.",
                "Correct the column map.",
                file=file,
            )
    found = dict(given or {})
    for ours, guesses in names.items():
        if ours in found:
            continue
        fitting = [
            name
            for name in names_there
            if name.strip().casefold() in _folded(guesses) and name not in found.values()
        ]
        if not fitting:
            continue
        if len(fitting) > 1:
            raise InputError(
                f"expected one column for {ours}, found {', '.join(map(repr, fitting))}.",
                f"Rename or drop the others, or name the right one in the column map of "
                f"params.yaml, as {{{ours}: {fitting[0]}}}.",
                file=file,
            )
        found[ours] = fitting[0]
    absent = [ours for ours in required if ours not in found]
    if absent:
        raise InputError(
            f"expected a column for {absent[0]} ({', '.join(names[absent[0]])}), found {listed}.",
            f"Rename the column to '{absent[0]}', or name it in the column map of params.yaml, as "
            f"{{{absent[0]}: …}}.",
            file=file,
        )
    return found


def finds(
    names: Mapping[str, tuple[str, ...]],
    given: Mapping[str, str] | None,
    *,
    required: Collection[str],
    file: Path,
) -> Fits:
    """Return what says whether ``find_columns`` finds the columns among some names."""

    def fits(there: list[str]) -> bool:
        try:
            find_columns(there, names, given, required=required, file=file)
        except InputError:
            return False
        return True

    return fits


def _folded(names: Collection[str]) -> set[str]:
    return {name.casefold() for name in names}


def taken(columns: Mapping[str, str]) -> str:
    """Return a sentence's part that says which columns were taken."""
    return ", ".join(f"{ours} from '{theirs}'" for ours, theirs in columns.items())
