"""Names of the version before this one, and what stands for them now.

A former name is accepted for one version, with a note on standard error; then its line here goes.
A name that ends in ``*`` stands for all that begin like it.
"""

import sys
from collections.abc import Collection, Iterable, Mapping

OPTIONS: dict[str, str] = {
    "--clean-from": "--decontaminate-threshold",
    "--copy-from": "--duplicate-threshold",
    "--drivers": "--attributions",
    "--report-from": "--min-containment",
    "--within": "--self",
    "--write-clean": "--decontaminate-to",
}
COMMANDS: dict[str, str] = {}
STAGES: dict[str, str] = {
    "best_of": "best_of_n",
    "experiments": "ablations",
    "overlap_effect": "contamination_effect",
}
"""Of stages, and so of audits."""
IDS: dict[str, str] = {}
"""Of findings, and of checks that could not run."""
KEYS: dict[str, str] = {}
"""Of a finding's numbers and evidence."""
COLUMNS: dict[str, str] = {"longest_run": "longest_common_substring"}
"""Of input tables."""

_noted: set[str] = set()


def current(name: str, names: Mapping[str, str]) -> str:
    """Return what stands for a name now; the name itself where it is no former one."""
    if name in names:
        return names[name]
    prefixes = [old[:-1] for old in names if old.endswith("*") and name.startswith(old[:-1])]
    if not prefixes:
        return name
    longest = max(prefixes, key=len)
    return names[f"{longest}*"].removesuffix("*") + name.removeprefix(longest)


def current_finding(path: str) -> str:
    """Return what stands now for a finding's name, written study/audit/id."""
    study, audit, name = [*path.split("/", 2), "", ""][:3]
    return f"{study}/{current(audit, STAGES)}/{current(name, IDS)}"


def current_columns(
    there: Iterable[object], wanted: Collection[str], names: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return a file's columns that bear a former name of a wanted one, and that one.

    Args:
        there: the file's columns.
        wanted: our columns; one that the file has under its own name is not sought.
        names: former names; ``COLUMNS`` if None.
    """
    there = {str(name) for name in there}
    found: dict[str, str] = {}
    for old, new in (COLUMNS if names is None else names).items():
        taken = new in there or new in found.values()
        if old in there and new in wanted and old not in wanted and not taken:
            found[old] = new
    return found


def note(old: str, new: str) -> None:
    """Say on standard error, once a command, that a name was a former one."""
    if old in _noted or sys.stderr is None:
        return
    _noted.add(old)
    sys.stderr.write(f"'{old}' is called '{new}' now; the old name goes in the next version.\n")


def current_words(words: Iterable[str]) -> list[str]:
    """Return words of a command line with what stands for the former names that were noted."""
    known = {old: new for old, new in (OPTIONS | COMMANDS).items() if old in _noted}
    parted = [word.partition("=") for word in words]
    return [f"{known.get(name, name)}{sign}{value}" for name, sign, value in parted]


def forget_notes() -> None:
    """Begin a new command, in which each note may be said again."""
    _noted.clear()
