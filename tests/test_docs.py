"""What the documentation names is there."""

import re
from pathlib import Path

import pytest

from storyaudit.data import tables

ROOT = Path(__file__).parents[1]
DOCS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGES = ("audits", "pipeline", "storyaudit", "tests", "tools", "benchmarks", "expectations")
MODULES = {path.name for name in PACKAGES for path in (ROOT / name).rglob("*.py")}


NAMING = [path for path in DOCS if path.name != "CONTRIBUTING.md"]
"""Those that name modules that are there; recipes name modules to be made."""


@pytest.mark.parametrize("doc", NAMING, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_that_the_documentation_names_are_there(doc: Path) -> None:
    named = re.findall(r"`([\w/]+\.py)`", doc.read_text(encoding="utf-8"))
    gone = [
        name for name in named if not ((ROOT / name).is_file() if "/" in name else name in MODULES)
    ]
    assert gone == []


@pytest.mark.parametrize("doc", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_within_the_repository_lead_to_files(doc: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", doc.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (doc.parent / link).exists()] == []


DECISIONS = ROOT / "docs/decisions"
RECORDS = sorted(DECISIONS.glob("[0-9]*.md"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_decision_has_its_number_its_date_and_its_sections(record: Path) -> None:
    title, date, *sections = re.findall(
        r"^(?:#+ |Date: ).*$", record.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert title.startswith(f"# {record.stem[:4]}. ")
    assert re.fullmatch(r"Date: \d{4}-\d{2}-\d{2}", date)
    assert sections == ["## Context", "## Decision", "## Alternatives", "## Consequences"]
    row = f"| [{record.stem[:4]}]({record.name}) | {title[8:]} | {date[6:]} |"
    assert row in (DECISIONS / "README.md").read_text(encoding="utf-8").splitlines()


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(record.stem[:4]) for record in RECORDS]
    assert numbers == list(range(1, len(RECORDS) + 1))


def documented_columns() -> dict[str, str]:
    """The columns of each table that docs/architecture.md names."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.split("\n## The tables\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| ([^|]+) \|$", section, re.M)
    return {name: columns for name, columns in rows if name != "table"}


@pytest.mark.parametrize(("name", "columns"), documented_columns().items())
def test_a_documented_table_has_these_columns(name: str, columns: str) -> None:
    table = getattr(tables, name.upper())
    shown = [
        (f"**{c.name}**" if c.name in table.key else c.name) + ("?" if c.optional else "")
        for c in table.columns
    ]
    assert columns == ", ".join(shown)


def test_every_table_of_the_study_is_documented() -> None:
    further = {"pair_premises", "pair_stories"}  # as premises and stories
    assert {table.name for table in vars(tables).values() if isinstance(table, tables.Table)} == {
        *documented_columns(),
        *further,
    }
