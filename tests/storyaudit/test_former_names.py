"""What stands for a former name."""

import re
from pathlib import Path

import pytest

from storyaudit import former_names
from storyaudit.former_names import current, current_columns, current_finding

NAMES = {"a": "b", "x-*": "y-*", "x-long-*": "z-*", "x-one": "one"}
TABLES = [
    former_names.OPTIONS, former_names.COMMANDS, former_names.STAGES,
    former_names.IDS, former_names.KEYS, former_names.COLUMNS,
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "now"),
    [
        ("a", "b"),
        ("ab", "ab"),
        ("b", "b"),
        ("x-", "y-"),
        ("x-two", "y-two"),
        ("x-one", "one"),
        ("x-long-a", "z-a"),
        ("ax-two", "ax-two"),
        ("", ""),
    ],
)
def test_a_name_and_what_stands_for_it(name: str, now: str) -> None:
    assert current(name, NAMES) == now


@pytest.mark.parametrize(("path", "now"), [("s/a/i/j", "s/b/k/j"), ("s/a", "s/b/"), ("s", "s//")])
def test_the_parts_of_a_findings_name(path: str, now: str, monkeypatch) -> None:
    monkeypatch.setitem(former_names.STAGES, "a", "b")
    monkeypatch.setitem(former_names.IDS, "i/*", "k/*")
    assert current_finding(path) == now


def test_columns_are_renamed_only_where_the_present_name_is_absent_and_wanted() -> None:
    names = {"old": "new", "older": "new", "other": "gone", "kept": "used"}
    assert current_columns(["old", "kept"], ["new", "used"], names) == {
        "old": "new",
        "kept": "used",
    }
    assert current_columns(["old", "new"], ["new"], names) == {}
    assert current_columns(["old", "older"], ["new"], names) == {"old": "new"}
    assert current_columns(["old", "other"], ["used"], names) == {}
    assert current_columns(["kept"], ["kept", "used"], names) == {}


@pytest.mark.parametrize("names", TABLES)
def test_no_name_is_former_and_present_at_once(names: dict[str, str]) -> None:
    assert not names.keys() & set(names.values())
    assert all(old.endswith("*") == new.endswith("*") for old, new in names.items())


def test_without_standard_error_nothing_is_said(monkeypatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    former_names.note("a", "b")


def test_the_documented_tables_are_those_that_are_accepted() -> None:
    page = Path(__file__).parents[2] / "docs" / "former-names.md"
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", page.read_text(encoding="utf-8"), re.M)
    accepted = [pair for table in TABLES for pair in table.items()]
    assert sorted(rows) == sorted(accepted)
