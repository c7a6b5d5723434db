"""docs/ledgers.md: every example is checked, every function, computation and verdict is named."""

import re
from inspect import Parameter
from pathlib import Path
from typing import Any

import pytest
import yaml

from audits.claims.claims_report import check_ledger, claims_report, verdicts
from audits.claims.computations import Data
from audits.claims.computations.all_computations import COMPUTATIONS
from audits.claims.expressions import COUNT, FUNCTIONS, WEIGHTED
from audits.claims.verdict import Checked
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS
from storyaudit.ledger.ledger_file import Ledger, read_ledger
from storyaudit.ledger.printed import parse_printed

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/ledgers.md").read_text("utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def whole_ledgers() -> list[dict[str, Any]]:
    """Return the page's ledgers: a block with ``paper`` starts one, the others extend it."""
    found: list[dict[str, Any]] = []
    for block in BLOCKS:
        content = yaml.safe_load(block)
        if "paper" in content:
            found.append(content)
            continue
        for section, entries in content.items():
            found[-1].setdefault(section, []).extend(entries)
    return found


def said_verdicts() -> dict[str, str]:
    """Return the verdict in the comment behind each entry, by the entry's id."""
    said: dict[str, str] = {}
    for block in BLOCKS:
        entry = ""
        for identifier, verdict in re.findall(r"\bid: ([^\s,}]+)|# verdict: ([^\n]+)", block):
            if identifier:
                entry = identifier
            else:
                assert entry not in said
                said[entry] = verdict.strip()
    return said


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Ledger, list[Checked]]]:
    data = Data(ratings=read_table(ROOT / "data/published/confederacy/ratings.csv", RATINGS).frame)
    found = []
    for number, content in enumerate(whole_ledgers()):
        path = tmp_path_factory.mktemp("page") / f"{number}.yaml"
        path.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), "utf-8")
        ledger = read_ledger(path)
        found.append((ledger, check_ledger(ledger, data, file=path)))
    return found


def test_the_examples_get_the_verdicts_that_stand_behind_them(
    checked: list[tuple[Ledger, list[Checked]]],
) -> None:
    said = said_verdicts()
    found = {
        row.entry: row.verdict
        for ledger, entries in checked
        for row in verdicts(ledger, entries).itertuples()
        if row.section != "conventions"
    }
    assert {name: found[name] for name in said} == said
    # What has a check of its own says what comes of it.
    own = {entry.id for _, entries in checked for entry in entries}
    assert own <= set(said)


def test_every_section_and_kind_of_check_has_an_example() -> None:
    ledgers = whole_ledgers()
    assert set().union(*ledgers) == set(Ledger.model_fields)
    kinds = {entry["check"] for content in ledgers for entry in content.get("possible", [])}
    assert kinds == {"mean", "mean_and_sd", "percentage", "denominators"}


def table_after(heading: str) -> list[list[str]]:
    """Return the rows of the first table after a line."""
    lines = iter(PAGE.partition(heading)[2].splitlines())
    rows = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


def test_the_severities_are_those_of_the_report(
    checked: list[tuple[Ledger, list[Checked]]],
) -> None:
    severity = {
        (section, verdict): severity
        for sections, verdicts_, severity in table_after("## Wording, notes and severities")
        for section in sections.split(", ")
        for verdict in verdicts_.split(", ")
    }
    for ledger, entries in checked:
        report = claims_report(ledger, entries)
        found = {finding.id: finding.severity for finding in report.findings}
        gaps = {gap.id for gap in report.unchecked}
        for entry in entries:
            name = f"{entry.section}-{entry.id}"
            got = found.get(name, "not checked" if name in gaps else "pass")
            assert severity[entry.section, entry.verdict] == got
        for conflict in ledger.conflicts:
            assert severity["conflicts", ""].endswith("second hand")
            assert found[f"conflicts-{conflict.id}"] == "warn"
    # Every verdict that an example gets, and all there are of relations, stand in the table.
    assert {verdict for section, verdict in severity if section == "relations"} == {
        "holds",
        "holds only through rounding",
        "contradicted",
        "undetermined",
    }


def test_what_prints_stand_for() -> None:
    for printed, decimals, meaning in table_after("### Precision"):
        text = printed.strip("`").strip('"')
        number = parse_printed(text, int(decimals) if decimals else None)
        if "to" in meaning.split():
            low, _, high = meaning.partition(":")[0].partition(" to ")
            assert (float(number.interval.low), float(number.interval.high)) == (
                float(low),
                float(high),
            )
        elif meaning.startswith("a bound"):
            assert number.sign == "<"
        elif "sharp" in meaning:
            assert number.interval.high - number.interval.low < 1e-5
        else:
            assert meaning.startswith(f"{number.value}: a whole number is an exact count")
            assert number.exact


def test_every_function_is_described() -> None:
    described = " ".join(row[0] for row in table_after("without thousands separators"))
    assert set(re.findall(r"`([a-z_]+)\(", described)) == {*FUNCTIONS, WEIGHTED, COUNT}


def test_every_computation_is_described_with_its_arguments() -> None:
    rows = {
        row[0].strip("`"): row[1]
        for row in table_after("its entries are *not checked*; with a table that lacks a")
    }
    expected = {}
    for name, named in COMPUTATIONS.items():
        arguments = [
            parameter.name + ("" if parameter.default is Parameter.empty else "?")
            for parameter in named.signature.parameters.values()
        ]
        expected[f"{name}({', '.join(arguments)})"] = named.table
    assert rows == expected


def test_the_rows_of_data_are_those_of_the_published_table(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```csv\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    path = tmp_path / "ratings.csv"
    path.write_text(block)
    example = read_table(path, RATINGS)
    published = read_table(ROOT / "data/published/confederacy/ratings.csv", RATINGS).frame
    columns = list(example.frame.columns)
    assert example.ignored == []
    assert len(example.frame.merge(published[columns], on=columns)) == len(example.frame)
