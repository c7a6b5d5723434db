"""The claims command: whole ledgers, what is wrong with them, and the template."""

import copy
import csv
import functools
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import prose
import pytest
import yaml
from cli_samples import LEDGER, RATINGS, write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storyaudit.findings import Report
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import Ledger, read_ledger

HEAD = "paper: P\nstudy: p\nsource: s\nhand: first\n"
FIGURES = """\
figures:
- {id: a, printed: "8.70", where: p. 1}
- {id: b, printed: "1.20", where: p. 1}
- {id: n, printed: "28", where: p. 1}
- {id: p, printed: "<.05", where: p. 1}
"""


def refused(outcome, *named: str) -> None:
    """Check for one message of one line that names every part given, and exit 2."""
    assert (outcome.code, outcome.out) == (2, ""), outcome
    assert outcome.err.startswith("Error: ledger.yaml: ") and outcome.err.count("\n") == 1
    assert [part for part in named if part not in outcome.err] == [], outcome.err
    assert len(outcome.err) < 1500


def report_of(outcome) -> Report:
    return Report.model_validate(json.loads(outcome.out))


def entry(section: str, text: str) -> str:
    return f"{HEAD}{FIGURES}{section}:\n- {{id: new, {text}}}\n"


def relation(text: str) -> str:
    return entry("relations", f'statement: S, relation: "{text}"')


def bomb(use: str) -> str:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    return "\n".join(["a0: &a0 [x, x]", *levels, use])


BAD = {
    "an unknown figure": (relation("[c] > 1"), ["relation 'new'", "'c'", "docs/ledgers.md"]),
    "a bound": (relation("[p] < 0.1"), ["relation 'new'", "'p'", "a bound"]),
    "no relation": (relation("[a] + 1"), ["relation 'new'", "expected ="]),
    "a function that is none": (
        relation("sd([a]) > 1"),
        ["relation 'new'", "'sd'", "weighted_mean"],
    ),
    "thousands": (relation("sum([a], 1,133) > 1"), ["relation 'new'", "1133"]),
    "a deep expression": (relation("(" * 9000 + "1"), ["relation 'new'", "nested"]),
    "a long expression": (relation("1" + " + 1" * 4000 + " > 1"), ["relation 'new'", "sum("]),
    "a longer one": (relation("1" + " + 1" * 40_000 + " > 1"), ["'new'", "20000 characters"]),
    "a huge number": (relation(f"[a] > {'9' * 5000}"), ["relation 'new'", "30 digits"]),
    "a negative weight": (
        relation("weighted_mean(1, 2; 3, -1) > 1"),
        ["relation 'new'", "negative"],
    ),
    "a circle": (
        entry("quantities", 'expression: "[y]"').replace("new", "x")
        + '- {id: y, expression: "[x]"}\n',
        ["circle", "'x', 'y'"],
    ),
    "an id twice": (entry("claims", "id: n").replace("id: new, ", ""), ["claims", "'n'"]),
    "an id twice in two sections": (
        entry("quantities", 'expression: "[a]"').replace("id: new", "id: a"),
        ["'a' stands twice"],
    ),
    "no place": (f'{HEAD}figures:\n- {{id: new, printed: "1"}}\n', ["'new'", "where"]),
    "a number without quotes": (
        f"{HEAD}figures:\n- {{id: new, printed: 8.70, where: p}}\n",
        ["'new'", "printed", "quotes"],
    ),
    "an exponent": (
        f'{HEAD}figures:\n- {{id: new, printed: "1e400", where: p}}\n',
        ["'new'", "1e400"],
    ),
    "a long number": (
        f'{HEAD}figures:\n- {{id: new, printed: "{"9" * 5000}", where: p}}\n',
        ["'new'", "printed number"],
    ),
    "a section that is a word": (f"{HEAD}{FIGURES}relations: none\n", ["relations", "list"]),
    "a section that is a mapping": (f"{HEAD}{FIGURES}claims: {{id: x}}\n", ["claims", "list"]),
    "an unknown section": (f"{HEAD}{FIGURES}figurs: []\n", ["figurs"]),
    "a section without a value": (f"{HEAD}figures:\n", ["figures"]),
    "an empty file": ("", ["found nothing", "--template"]),
    "comments alone": ("# nothing yet\n", ["found nothing", "--template"]),
    "a list at the top": ("- a\n- b\n", ["found a list", "--template"]),
    "a bomb of aliases": (bomb("paper: *a29\nfigures: *a29"), ["paper"]),
    "a bomb in an id": (bomb(f"{HEAD}figures: [{{id: *a29, printed: *a29}}]"), ["entry 1"]),
    "a computation that is none": (
        entry("claims", "statement: S, where: p, expects: 1, recompute: {computation: magic}"),
        ["'new'", "'magic'", "mean_of_means"],
    ),
    "arguments that are none": (
        entry("claims", "statement: S, where: p, expects: 1, recompute: {computation: mean}"),
        ["'new'", "mean takes author, item"],
    ),
    "an argument without quotes": (
        entry(
            "claims",
            "statement: S, where: p, expects: 1, "
            "recompute: {computation: mean, author: human, item: 1}",
        ),
        ["'new'", "mean takes no item 1"],
    ),
    "an n that is no count": (
        entry("possible", "check: mean, mean: a, n: b, scale: [1, 10]"),
        ["'new' takes n from 'b', printed 1.20", "count"],
    ),
    "a whole number for a rounded one": (
        entry("possible", "check: mean, mean: n, n: 9, scale: [1, 10]"),
        ["'new' takes 'n'", "decimals"],
    ),
    "no item of the checklist": (
        f'{HEAD}{FIGURES}disclosure:\n- {{item: moon-phase, reported: "no"}}\n',
        ["moon-phase", "checklist"],
    ),
}


@pytest.mark.parametrize(("content", "named"), BAD.values(), ids=BAD)
def test_a_ledger_that_cannot_be_followed(content: str, named: list[str], run) -> None:
    write("ledger.yaml", content.encode())
    write("ratings.csv", RATINGS)
    started = time.process_time()
    refused(run("claims", "ledger.yaml", "--data", "ratings.csv"), *named)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "text",
    [
        "check: mean, mean: a, n: 1000000000, scale: [1, 10]",
        "check: mean_and_sd, mean: a, sd: b, n: 1000000000, scale: [1, 10]",
        "check: mean_and_sd, mean: a, sd: b, n: 1000000000, scale: [-1000000, 1000000]",
        "check: mean_and_sd, mean: a, sd: b, n: 1000, scale: [0, 1000000]",
        "check: percentage, percentage: a, n: 1000000000",
        f"check: denominators, row: [{', '.join(['a'] * 50)}], at_least: 1, at_most: 100000",
    ],
)
def test_a_huge_search_ends_in_time(text: str, run) -> None:
    write("ledger.yaml", entry("possible", text).encode())
    started = time.process_time()
    outcome = run("claims", "ledger.yaml", "--json")
    assert time.process_time() - started < 10
    report = report_of(outcome)
    names = {finding.id for finding in report.findings} | {gap.id for gap in report.unchecked}
    assert names & {"held-possible", "possible-new"}


def test_a_data_file_without_the_column_that_a_computation_needs(run) -> None:
    ledger = LEDGER + "".join(
        f'- {{id: {name}, printed: "300", where: p. 3, recompute: {{computation: {name}}}}}\n'
        for name in ("words_mean",)
    )
    write("ledger.yaml", ledger.encode())
    ratings = write("ratings.csv", RATINGS)
    stories = write("stories.csv", [{"story_id": "s1", "author": "human"}])
    outcome = run("claims", "ledger.yaml", "--data", ratings, "--stories", stories)
    refused(outcome, "'words_mean'", "needs the column words", "--stories", "Add it")
    # Without the table the figure is not checked, and the others are.
    report = report_of(run("claims", "ledger.yaml", "--data", ratings, "--json"))
    assert [gap.id for gap in report.unchecked] == ["figures-words_mean"]
    prose.check("cli/a data file without the column that a computation needs", report.unchecked[0])


def test_a_ratings_table_without_a_column(run) -> None:
    write("ledger.yaml", LEDGER.encode())
    rows = [{k: v for k, v in row.items() if k != "author"} for row in RATINGS]
    outcome = run("claims", "ledger.yaml", "--data", write("ratings.csv", rows))
    assert outcome.code == 2
    assert outcome.err.startswith("Error: ratings.csv: ") and "author" in outcome.err


def test_without_data_figures_to_recompute_are_not_checked(run) -> None:
    write("ledger.yaml", LEDGER.encode())
    report = report_of(outcome := run("claims", "ledger.yaml", "--json"))
    assert outcome.code == 0
    assert report.findings == ()
    assert [gap.id for gap in report.unchecked] == ["figures-human-1"]
    prose.check("cli/no table of ratings", *report.unchecked)


def test_a_contradiction_between_prints_needs_no_data(run) -> None:
    write("ledger.yaml", relation("[a] < [b]").encode())
    outcome = run("claims", "ledger.yaml")
    assert outcome.code == 1
    assert "S: 8.70 < 1.20 is contradicted" in " ".join(outcome.out.split())


def test_the_table_of_verdicts_is_written(run) -> None:
    write("ledger.yaml", relation("[a] > [b]").encode())
    assert run("claims", "ledger.yaml", "--out", "out").code == 0
    rows = list(csv.DictReader(io.StringIO(Path("out/claims.csv").read_text("utf-8"))))
    assert {(row["entry"], row["verdict"]) for row in rows} == {
        ("new", "holds"),
        ("a", "used by a check"),
        ("b", "used by a check"),
        ("n", "not checked"),
        ("p", "not checked"),
    }


ODD = [
    None, "", " ", "x", "a.b", "[a]", "-1", "0", "1e400", "<5", "9" * 40, 0, 1, -1, 2.5, 10**12,
    float("nan"), float("inf"), True, [], ["x"], {}, {"id": "x"}, "[mean.a] / 0", "0.0", "\x1b[2J",
    "a\nb", "overall", "10", ["mean.a"], 10**30, "raters", "p.a-b", "1 = 1",
]  # fmt: skip


def places(content: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside."""
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from places(value, (*at, key))


TEMPLATE = yaml.safe_load(expectations_path("ledger-template.yaml").read_text("utf-8"))


@settings(
    max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    st.lists(
        st.tuples(st.sampled_from(list(places(TEMPLATE))), st.sampled_from(ODD) | st.just("drop")),
        min_size=1,
        max_size=3,
    )
)
def test_a_ledger_with_odd_values_is_checked_or_refused(run, changes: list[Any]) -> None:
    content = copy.deepcopy(TEMPLATE)
    for (*path, last), value in changes:
        try:
            inside = functools.reduce(lambda part, key: part[key], path, content)
            if value == "drop":
                del inside[last]
            else:
                inside[last] = value
        except (TypeError, KeyError, IndexError, AttributeError):
            continue  # an earlier change has removed the place
    write("ledger.yaml", yaml.safe_dump(content, sort_keys=False).encode())
    outcome = run("claims", "ledger.yaml", "--data", write("data.csv", RATINGS), "--json")
    if outcome.code == 2:
        refused(outcome)
    else:
        assert outcome.code == bool(report_of(outcome).fails())


class TestTemplate:
    """``storyaudit claims NEW.yaml --template``."""

    def test_it_can_be_checked_as_it_stands(self, run) -> None:
        outcome = run("claims", "new/my-paper.yaml", "--template")
        assert (outcome.code, outcome.err) == (0, "")
        assert "storyaudit claims new/my-paper.yaml" in outcome.out
        checked = run("claims", "new/my-paper.yaml", "--json")
        report = report_of(checked)
        assert (checked.code, report.study) == (0, "my-paper")
        # Without the tables what follows from data is not checked, and all else holds.
        assert {"figures-humour.a", "claims-best-author"} < {gap.id for gap in report.unchecked}
        held = {f.id: f.numbers for f in report.findings if f.id.startswith("held-")}
        assert set(held) == {"held-relations", "held-possible", "held-p_values"}
        assert all(numbers["held"] == numbers["checked"] > 0 for numbers in held.values())

    def test_it_has_every_section_and_every_kind_of_check(self, run) -> None:
        run("claims", "new.yaml", "--template")
        content = yaml.safe_load(Path("new.yaml").read_text("utf-8"))
        assert set(content) == set(Ledger.model_fields)
        ledger = read_ledger(Path("new.yaml"))
        assert {entry.check for entry in ledger.possible} == {
            "mean",
            "mean_and_sd",
            "percentage",
            "denominators",
        }
        assert {entry.p is None for entry in ledger.p_values} == {True, False}
        for section in ("claims", "quantities", "relations", "differences", "disclosure"):
            assert getattr(ledger, section)
        # The conflict that is commented out is one that loads, too.
        text = Path("new.yaml").read_text("utf-8")
        comment = text.split("conflicts: []\n")[1].split("\n\n")[0]
        lines = [line.removeprefix("# ") for line in comment.splitlines()]
        uncommented = text.replace("conflicts: []\n", "conflicts:\n" + "\n".join(lines) + "\n")
        write("ledger.yaml", uncommented.encode())
        assert len(read_ledger(Path("ledger.yaml")).conflicts) == 1

    @pytest.mark.parametrize("kind", ["file", "folder", "dead link", "link"])
    def test_nothing_is_overwritten(self, kind: str, run) -> None:
        path = Path("mine.yaml")
        if kind == "folder":
            path.mkdir()
        elif kind == "file":
            path.write_text("mine")
        else:
            if kind == "link":
                Path("elsewhere").write_text("mine")
            path.symlink_to("elsewhere")
        outcome = run("claims", path, "--template")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err == (
            "Error: mine.yaml: there is such a file. Choose a new name for the ledger.\n"
        )
        if kind in ("file", "link"):
            assert path.read_text() == "mine"

    def test_a_place_that_cannot_be_written(self, run) -> None:
        Path("file").write_text("mine")
        outcome = run("claims", "file/new.yaml", "--template")
        assert outcome.code == 2
        assert outcome.err.startswith("Error: file/new.yaml: cannot be written (")

    @pytest.mark.parametrize(
        "option", [["--data", "x"], ["--json"], ["--out", "x"], ["--study", "x"]]
    )
    def test_it_goes_alone(self, option: list[str], run) -> None:
        outcome = run("claims", "new.yaml", "--template", *option)
        assert outcome.code == 2 and "--template goes without other options" in outcome.err
        assert not Path("new.yaml").exists()
