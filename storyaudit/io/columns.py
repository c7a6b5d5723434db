"""Find the columns of a file that hold what is wanted: by a given map, or by their names."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from storyaudit.errors import InputError
from storyaudit.former_names import current_columns, note


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
    listed = ", ".join(map(repr, names_there)) or "none"
    check_given(names_there, names, given or {}, file=file)
    found = dict(given or {})
    for ours, guesses in names.items():
        if ours in found:
            continue
        left = [name for name in names_there if name not in found.values()]
        fitting = [name for name in left if name.strip().casefold() in _folded(guesses)]
        if not fitting:
            found |= _by_former_name(ours, guesses, left)
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


def _by_former_name(ours: str, guesses: Collection[str], there: Iterable[str]) -> dict[str, str]:
    """Return the first column that bears a former name of ours or of a guess; none without one."""
    for old, new in current_columns(there, {ours, *guesses}).items():
        note(old, new)
        return {ours: old}
    return {}


def check_given(
    there: Collection[str], names: Collection[str], given: Mapping[str, str], *, file: Path
) -> None:
    """Refuse a column map that names a column of ours or theirs that does not exist.

    Raises:
        InputError: as said.
    """
    for ours, theirs in given.items():
        if ours not in names:
            raise InputError(
                f"the column map names '{ours}', which is not among {', '.join(names)}.",
                "Write {our column: their column}.",
                file=file,
            )
        if theirs not in there:
            raise InputError(
                f"expected the column '{theirs}' for {ours}, found "
                f"{', '.join(map(repr, there)) or 'none'}.",
                "Check the name, in the column map or the option.",
                file=file,
            )


def _folded(names: Collection[str]) -> set[str]:
    return {name.casefold() for name in names}


def taken(columns: Mapping[str, str]) -> str:
    """Return a sentence's part that says which columns were taken."""
    return ", ".join(f"{ours} from '{theirs}'" for ours, theirs in columns.items())
