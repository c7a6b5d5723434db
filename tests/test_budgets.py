"""The budgets of benchmarks: what is held, and that the documentation states the same."""

import re
from pathlib import Path

import pytest

from benchmarks.budgets import Budget, budgets, held

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs/benchmarks.md"


def stated() -> dict[str, tuple[float, str]]:
    """The budgets of the documentation's tables: a number, and seconds where no unit stands."""
    tables = re.findall(
        r"^\|[^\n]*\| (?:budget|goal) \|\n\|[-|]+\|\n((?:\|.*\n)+)",
        DOC.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    rows = [row.strip("|").split("|") for table in tables for row in table.splitlines()]
    found = {}
    for cells in rows:
        number, _, unit = cells[-1].strip().partition(" ")
        if number:
            name = cells[0].strip().replace("`", "")
            found[name] = (float(number.replace(",", "")), unit or "s")
    return found


def test_the_documentation_states_the_budgets_that_are_held() -> None:
    own = {name: (b.bound, b.unit) for group in budgets().values() for name, b in group.items()}
    assert own == stated()


@pytest.mark.parametrize("benchmark", budgets())
def test_a_benchmark_with_budgets_has_a_module(benchmark: str) -> None:
    text = (ROOT / "benchmarks" / f"{benchmark}.py").read_text(encoding="utf-8")
    assert "\ndef figures(" in text


@pytest.mark.parametrize(
    ("budget", "value", "within"),
    [
        (Budget("s", most=5), 5.0, True),
        (Budget("s", most=5), 5.1, False),
        (Budget("a second", least=2000), 2000.0, True),
        (Budget("a second", least=2000), 1999.0, False),
    ],
)
def test_a_figure_at_its_bound_is_within(
    budget: Budget, value: float, within: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert held({"a": budget}, {"a": value}) is within
    assert capsys.readouterr().out.startswith("within" if within else "OVER")


def test_one_over_is_enough() -> None:
    own = {"a": Budget("s", most=1), "b": Budget("s", most=1)}
    assert not held(own, {"a": 2, "b": 0.5})
    assert held(own, {"a": 1, "b": 0.5})


def test_a_budget_without_a_figure_and_a_figure_without_a_budget_are_refused() -> None:
    own = {"a": Budget("s", most=1)}
    for figures in ({}, {"a": 1.0, "b": 1.0}):
        with pytest.raises(ValueError, match="no budget, or no figure"):
            held(own, figures)


@pytest.mark.parametrize("bounds", [{}, {"most": 1.0, "least": 1.0}])
def test_a_budget_is_one_bound(bounds: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="a most or a least"):
        Budget("s", **bounds)
