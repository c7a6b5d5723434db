"""Holds the sentences of findings against the files in ``prose/``, which a person can read.

Tests assert numbers and severities; what a finding says stands here, in a file an audit. After
a sentence was changed, ``pytest --rewrite-prose`` writes the files anew from what the tests
produce, and the difference is for a person to read.
"""

import ast
import re
from collections.abc import Sequence
from difflib import unified_diff
from functools import cache
from pathlib import Path

from filelock import FileLock

from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.vocabulary import SEVERITIES

TESTS = Path(__file__).parent
FOLDER = TESTS / "prose"
NOT_CHECKED = "not checked"

Cases = dict[str, list[str]]
"""The lines of a file by the name of their case."""

rewriting = False
"""Whether ``check`` writes what it is given; set by ``--rewrite-prose``."""


def check(case: str, *parts: Finding | Unchecked | Report) -> None:
    """Hold the sentences of findings, and of checks that could not run, against a case's.

    Args:
        case: 'audit/what: when', a literal or an f-string; the audit names the file.
        parts: findings, checks that could not run, and whole reports.
    """
    told = lines(parts)
    file = FOLDER / f"{case.split('/')[0]}.md"
    if rewriting:
        _rewrite(file, case, told)
    recorded = read(file).get(case, [])
    difference = "\n".join(unified_diff(recorded, told, file.name, "told", lineterm="", n=0))
    if not told or difference:
        raise AssertionError(
            f"{case}\n{difference or 'nothing was told'}\n"
            "If the sentences are meant, run pytest --rewrite-prose on this test and read what it "
            "changes."
        )


def lines(parts: Sequence[Finding | Unchecked | Report]) -> list[str]:
    """What is told, a line each: severity, id and sentence, from worst to best, then by id."""
    told = [single for part in parts for single in _singles(part)]
    return [
        f"- {severity} · {name} · {sentence}".replace("\n", "\\n")
        for severity, name, sentence in sorted(
            told, key=lambda line: ([*SEVERITIES, NOT_CHECKED].index(line[0]), *line[1:])
        )
    ]


def _singles(part: Finding | Unchecked | Report) -> list[tuple[str, str, str]]:
    if isinstance(part, Report):
        return [one for inner in (*part.findings, *part.unchecked) for one in _singles(inner)]
    if isinstance(part, Unchecked):
        return [(NOT_CHECKED, part.id, f"{part.check}: {part.reason}.")]
    return [(part.severity, part.id, part.statement)]


def read(file: Path) -> Cases:
    """The cases of a file; none if there is no file."""
    cases: Cases = {}
    for line in file.read_text(encoding="utf-8").split("\n") if file.exists() else []:
        if line.startswith("## "):
            inside = cases.setdefault(line.removeprefix("## "), [])
        elif line.startswith("- "):
            inside.append(line)
    return cases


def _rewrite(file: Path, case: str, told: list[str]) -> None:
    """Put a case into its file, and drop those that no test claims any more."""
    FOLDER.mkdir(exist_ok=True)
    # Each worker of xdist writes its own cases.
    with FileLock(file.with_name(f".{file.name}.lock")):
        cases = read(file) | {case: told}
        blocks = [
            "\n".join([f"## {name}", "", *cases[name]])
            for name in sorted(cases)
            if name == case or is_claimed(name)
        ]
        file.write_text("\n\n".join([f"# {file.stem}", *blocks]) + "\n", encoding="utf-8")


def is_claimed(case: str) -> bool:
    """Whether a test holds findings against this case."""
    return any(re.fullmatch(pattern, case) for pattern in claims())


@cache
def claims() -> list[str]:
    """Patterns of the cases that stand in calls of ``check`` in tests."""
    return [
        pattern(node.args[0])
        for file in sorted(TESTS.rglob("*.py"))
        if file != TESTS / "test_prose.py"  # which invents its cases
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "prose.check"
    ]


def pattern(node: ast.expr) -> str:
    """What a literal matches, an f-string with anything in its gaps; else anything."""
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.JoinedStr(values=values):
            return "".join(pattern(value) for value in values)
    return ".*"


def figures(part: Finding | Unchecked) -> set[str]:
    """The figures as they stand in a sentence, for those that a finding's numbers lack."""
    ((_, _, sentence),) = _singles(part)
    found = re.finditer(r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?%?", sentence)
    return {match[0].rstrip(",") for match in found}
