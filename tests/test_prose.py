"""Every kind of finding has its sentences in ``prose/``, and every sentence there has a test."""

import ast
import re
import statistics
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import prose
import pytest
import yaml

from storyaudit.findings import Finding, Report, Unchecked

ROOT = Path(__file__).parents[1]
FILES = sorted(prose.FOLDER.glob("*.md"))
TREES = {
    file: ast.parse(file.read_text(encoding="utf-8"))
    for package in ("audits", "storyaudit")
    for file in sorted((ROOT / package).rglob("*.py"))
}
ANY = ".*"


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
            yield node


def argument(call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
    named = [keyword.value for keyword in call.keywords if keyword.arg == name]
    if not named and position is not None and position < len(call.args):
        named = [call.args[position]]
    return named[0] if named else None


def functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def patterns(node: ast.expr | None, file: Path) -> set[str]:
    """What a string in a module can be, as patterns."""
    if isinstance(node, ast.IfExp):
        return patterns(node.body, file) | patterns(node.orelse, file)
    if isinstance(node, ast.Name):
        return of_name(node, file)
    return {ANY} if node is None else {prose.pattern(node)}


def literals(node: ast.expr | None) -> set[str]:
    """What an expression can be, where it is a literal or a choice between some."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) | literals(node.orelse)
    return {ANY} if node is None else {prose.pattern(node)}


def of_name(node: ast.Name, file: Path) -> set[str]:
    """What a name stands for: a constant, what calls give as a parameter, a place of tuples."""
    constants = [
        statement.value
        for statement in TREES[file].body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == node.id
    ]
    if constants:
        return patterns(constants[0], file)
    inside = next((f for f in functions(TREES[file]) if node in ast.walk(f)), None)
    if inside is None:
        return {ANY}
    parameters = [parameter.arg for parameter in inside.args.args]
    if node.id in parameters:
        place = parameters.index(node.id)
        callers = [file] if inside.name.startswith("_") else list(TREES)
        return {
            found
            for caller in callers
            for call in calls(TREES[caller], inside.name)
            for found in patterns(argument(call, node.id, place), caller)
        }
    return set(chain.from_iterable(of_loop(node.id, inside, file))) or {ANY}


def of_loop(name: str, function: ast.FunctionDef, file: Path) -> Iterator[set[str]]:
    """What a loop's variable goes through, where tuples of the same function spell it out."""
    targets = [
        node.target
        for node in ast.walk(function)
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Tuple)
    ]
    for target in targets:
        names = [ast.unparse(element) for element in target.elts]
        for node in ast.walk(function):
            if name in names and isinstance(node, ast.Tuple) and len(node.elts) == len(names):
                value = node.elts[names.index(name)]
                if isinstance(value, ast.Constant | ast.JoinedStr):
                    yield patterns(value, file)


def kinds() -> list[tuple[str, str, str]]:
    """The package, the id and the severity of all that code can tell, as patterns."""
    found = set()
    for file, tree in TREES.items():
        parts = file.relative_to(ROOT).parts
        audit = parts[1] if parts[0] == "audits" else ANY
        for what in ("Finding", "Unchecked"):
            for call in calls(tree, what):
                severities = (
                    literals(argument(call, "severity"))
                    if what == "Finding"
                    else {prose.NOT_CHECKED}
                )
                found |= {
                    (audit, name, severity)
                    for name in patterns(argument(call, "id"), file)
                    for severity in severities
                }
    return sorted(found)


def told() -> set[tuple[str, str, str]]:
    """The audit, the id and the severity of every line of the files."""
    return {
        (file.stem, name, severity)
        for file in FILES
        for lines in prose.read(file).values()
        for severity, name in (line.removeprefix("- ").split(" · ")[:2] for line in lines)
    }


TOLD = told()


@pytest.mark.parametrize("kind", kinds(), ids=" ".join)
def test_every_kind_of_finding_has_a_sentence(kind: tuple[str, str, str]) -> None:
    assert any(all(map(re.fullmatch, kind, line)) for line in TOLD)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_case_has_a_test(file: Path) -> None:
    assert [case for case in prose.read(file) if not prose.is_claimed(case)] == []


def test_every_case_has_one_test() -> None:
    claims = prose.claims()
    assert sorted({claim for claim in claims if claims.count(claim) > 1 or claim == ANY}) == []


FOUND = Finding(id="a", severity="note", statement="Two are alike.")
GAP = Unchecked(id="b", check="the rest", reason="it is absent")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(prose, "FOLDER", tmp_path)
    monkeypatch.setattr(prose, "rewriting", False)
    monkeypatch.setattr(prose, "is_claimed", lambda case: "gone" not in case)
    (tmp_path / "x.md").write_text(
        "# x\n\n## x/gone: no more\n\n- fail · a · No.\n\n## x/one: as it is\n\n"
        "- note · a · Two are alike.\n- not checked · b · the rest: it is absent.\n",
        encoding="utf-8",
    )
    return tmp_path


def test_sentences_as_recorded_pass_in_any_order(folder: Path) -> None:
    prose.check("x/one: as it is", GAP, FOUND)
    prose.check(
        "x/one: as it is",
        Report(study="s", audit="x", command="show", findings=[FOUND], unchecked=[GAP]),
    )


@pytest.mark.parametrize(
    ("case", "part", "shown"),
    [
        ("x/one: as it is", FOUND, ["-- not checked · b · the rest: it is absent."]),
        ("x/one: as it is", FOUND.model_copy(update={"severity": "warn"}), ["+- warn · a · Two"]),
        ("x/two: another", FOUND, ["+- note · a · Two are alike.", "--rewrite-prose"]),
        ("y/one: no file", FOUND, ["y/one: no file", "+- note"]),
    ],
)
def test_a_difference_is_shown(folder: Path, case: str, part: Finding, shown: list[str]) -> None:
    with pytest.raises(AssertionError) as stop:
        prose.check(case, part)
    assert all(text in str(stop.value) for text in shown)


def test_a_case_without_any_sentence_fails(folder: Path) -> None:
    with pytest.raises(AssertionError, match="nothing was told"):
        prose.check("x/none: nothing")


def test_rewriting_keeps_other_cases_and_drops_those_without_a_test(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prose, "rewriting", True)
    prose.check("x/another: first", FOUND.model_copy(update={"statement": "Two\nlines."}))
    assert (folder / "x.md").read_text(encoding="utf-8") == (
        "# x\n\n## x/another: first\n\n- note · a · Two\\nlines.\n\n## x/one: as it is\n\n"
        "- note · a · Two are alike.\n- not checked · b · the rest: it is absent.\n"
    )
    monkeypatch.setattr(prose, "rewriting", False)
    prose.check("x/one: as it is", FOUND, GAP)


def test_figures_are_those_that_stand_in_the_sentence() -> None:
    said = "x2 on 3 of 1,133 items, 33.3% (-0.5 to +1.0), 2: i4."
    found = FOUND.model_copy(update={"statement": said})
    assert prose.figures(found) == {"3", "1,133", "33.3%", "-0.5", "+1.0", "2"}


RETIRED = yaml.safe_load((prose.TESTS / "words" / "retired.yaml").read_text(encoding="utf-8"))


def sentences_of(file: Path) -> list[str]:
    """What the findings of a file say, without severity and id."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.split(" · ", 2)[2] for line in lines if line.startswith("- ")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("word", RETIRED, ids=lambda word: word["old"])
def test_no_retired_word_stands_in_a_finding(file: Path, word: dict[str, str]) -> None:
    found = [s for s in sentences_of(file) if re.search(word["old"], s, re.IGNORECASE)]
    assert found == [], f"write: {word['new']}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sentences_are_short(file: Path) -> None:
    sizes = {
        part: len(part.split())
        for statement in sentences_of(file)
        for part in re.split(r"(?<=[.;:?!]) (?=[A-Z\"'])", statement)
    }
    assert {part for part, size in sizes.items() if size > 40} == set()
    assert statistics.median(sizes.values()) <= 18
