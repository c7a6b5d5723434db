import csv
import statistics
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from audits.claims.recompute import Checked, claims_report, comparison, recompute
from storyaudit.expectations import expectations_path
from storyaudit.ledger import Ledger, read_ledger
from storyaudit.readers.table import read_table
from storyaudit.tables import RATINGS

DATA = Path(__file__).parents[3] / "data/published/confederacy/ratings.csv"
KNOWN_TO_DIFFER = "table-2.average.overall.mean"

Rows = list[dict[str, str]]
Edit = Callable[[Rows], Rows]


@pytest.fixture(scope="module")
def rows() -> Rows:
    with DATA.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return read_ledger(expectations_path("papers/confederacy.yaml"))


def as_table(rows: Rows) -> pd.DataFrame:
    return pd.DataFrame(rows).astype({"score": "float64"})


def by_loops(rows: Rows) -> dict[tuple[str, str], list[Fraction]]:
    """The scores of each author and item, and the totals of full sheets as `overall`."""
    items = {row["item"] for row in rows}
    scores: dict[tuple[str, str], list[Fraction]] = {}
    sheets: dict[tuple[str, str, str], dict[str, Fraction]] = {}
    for row in rows:
        value = Fraction(row["score"])
        scores.setdefault((row["author"], row["item"]), []).append(value)
        sheet = (row["author"], row["rater"], row["story_id"])
        sheets.setdefault(sheet, {})[row["item"]] = value
    for (author, _, _), sheet in sheets.items():
        if set(sheet) == items:
            scores.setdefault((author, "overall"), []).append(sum(sheet.values(), Fraction(0)))
    return scores


def values_by_loops(ledger: Ledger, rows: Rows) -> dict[str, float | Fraction]:
    """Every figure of the ledger with plain Python, means as exact fractions."""
    scores = by_loops(rows)
    values: dict[str, float | Fraction] = {}
    for figure in ledger.figures:
        how = figure.recompute
        assert how is not None
        statistic = statistics.mean if "mean" in how.statistic.split("_of_")[-1] else _deviation
        if how.author is not None:
            values[figure.id] = statistic(scores[how.author, how.item])
        else:
            of_authors = [statistic(s) for (_, item), s in scores.items() if item == how.item]
            values[figure.id] = statistics.mean(of_authors)
    return values


def _deviation(values: list[Fraction]) -> float:
    return statistics.stdev(map(float, values))


def differing_by_loops(ledger: Ledger, rows: Rows) -> set[str]:
    """Figures that do not round to their print, which all stand for one decimal."""
    printed = {figure.id: Fraction(figure.printed) for figure in ledger.figures}
    return {
        name
        for name, value in values_by_loops(ledger, rows).items()
        if abs(Fraction(value) - printed[name]) > Fraction("0.05") + Fraction("1e-9")
    }


def differing(checked: list[Checked]) -> set[str]:
    return {entry.figure.id for entry in checked if entry.verdict == "differs"}


def changed(ledger: Ledger, prints: dict[str, str]) -> Ledger:
    content = ledger.model_dump()
    for figure in content["figures"]:
        figure["printed"] = prints.get(figure["id"], figure["printed"])
    return Ledger.model_validate(content)


def test_every_printed_figure_is_recomputed(ledger: Ledger, rows: Rows) -> None:
    checked = recompute(ledger, as_table(rows))
    expected = values_by_loops(ledger, rows)
    assert len(checked) == len(expected) == 308
    assert {c.figure.id: c.value for c in checked} == pytest.approx(
        {name: float(value) for name, value in expected.items()}, rel=1e-12
    )


def test_one_of_the_308_figures_is_not_reproduced(ledger: Ledger, rows: Rows) -> None:
    # Average of 13 authors' mean totals: 56.508, printed 56.6.
    assert differing_by_loops(ledger, rows) == {KNOWN_TO_DIFFER}
    totals = [sum(s) / len(s) for (_, item), s in by_loops(rows).items() if item == "overall"]
    assert len(totals) == 13 and round(float(sum(totals) / 13), 3) == 56.508
    checked = recompute(ledger, read_table(DATA, RATINGS).frame)
    assert differing(checked) == {KNOWN_TO_DIFFER}
    assert {c.verdict for c in checked} == {"match", "differs"}


EDITS: dict[str, Edit] = {
    "a cell raised": lambda rows: [{**rows[0], "score": "10"}, *rows[1:]],
    "a cell lowered": lambda rows: [*rows[:777], {**rows[777], "score": "-9"}, *rows[778:]],
    "a typing error": lambda rows: [*rows[:-1], {**rows[-1], "score": "60"}],
    "a row dropped": lambda rows: rows[:500] + rows[501:],
    "a sheet dropped": lambda rows: rows[10:],
    "a rater dropped": lambda rows: [row for row in rows if row["rater"] != "3"],
    "all rows in reverse": lambda rows: rows[::-1],
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_changed_data_change_the_verdicts_that_loops_say(
    ledger: Ledger, rows: Rows, edit: Edit
) -> None:
    edited = edit(rows)
    expected = differing_by_loops(ledger, edited)
    assert differing(recompute(ledger, as_table(edited))) == expected
    assert (expected == {KNOWN_TO_DIFFER}) == (edit is EDITS["all rows in reverse"])


def test_each_changed_print_is_found_and_no_other(ledger: Ledger, rows: Rows) -> None:
    # Every seventh figure printed two tenths too high.
    wrong = {f.id: str(Decimal(f.printed) + Decimal("0.2")) for f in ledger.figures[::7]}
    checked = recompute(changed(ledger, wrong), as_table(rows))
    assert differing(checked) == set(wrong) | {KNOWN_TO_DIFFER}


def test_population_deviations_are_not_taken_for_sample_ones(ledger: Ledger, rows: Rows) -> None:
    scores = by_loops(rows)
    population, told_apart = {}, set()
    for figure in ledger.figures:
        how = figure.recompute
        if how is not None and how.statistic == "sd" and how.author is not None:
            values = list(map(float, scores[how.author, how.item]))
            population[figure.id] = f"{statistics.pstdev(values):.1f}"
            if abs(statistics.stdev(values) - float(population[figure.id])) > 0.05 + 1e-9:
                told_apart.add(figure.id)
    checked = recompute(changed(ledger, population), as_table(rows))
    assert differing(checked) == told_apart | {KNOWN_TO_DIFFER}
    # n = 10: they differ by 5 %, which shows at one decimal for most.
    assert len(told_apart) > len(population) / 2


def test_an_absent_author_is_not_computable(ledger: Ledger, rows: Rows) -> None:
    checked = recompute(ledger, as_table([row for row in rows if row["author"] != "koala"]))
    lost = [c for c in checked if c.verdict == "not computable"]
    assert {c.figure.recompute.author for c in lost if c.figure.recompute} == {"koala"}
    assert len(lost) == 22  # ten items and overall, a mean and an SD each
    assert all(c.value is None and "koala" in c.reason for c in lost)
    report = claims_report(ledger, checked, command="show")
    assert {left.id for left in report.unchecked} == {f"figure-{c.figure.id}" for c in lost}
    assert not {left.id for left in report.unchecked} & {f.id for f in report.findings}


def small(*figures: dict[str, Any], hand: str = "first") -> Ledger:
    return Ledger.model_validate(
        {"paper": "P", "study": "demo", "source": "s", "hand": hand, "figures": list(figures)}
    )


def figure(printed: str, statistic: str | None, **how: Any) -> dict[str, Any]:
    name = statistic or "other"
    recomputation = {"recompute": {"statistic": statistic, "item": "1", **how}} if statistic else {}
    return {"id": name.replace("_", "-"), "printed": printed, "where": "T1"} | recomputation


def scores(**of_authors: list[float]) -> pd.DataFrame:
    return pd.DataFrame(
        {"rater": f"r{n}", "story_id": author, "author": author, "item": "1", "score": score}
        for author, given in of_authors.items()
        for n, score in enumerate(given)
    )


def verdicts(ledger: Ledger, table: pd.DataFrame) -> dict[str, tuple[float | None, str]]:
    return {c.figure.id: (c.value, c.verdict) for c in recompute(ledger, table)}


def test_statistics_by_hand() -> None:
    # a: 1, 2, 6: mean 3, squared deviations 4 + 1 + 9 = 14, SD √7 = 2.6458; b: 4, 4: mean 4, SD 0.
    ledger = small(
        figure("3.0", "mean", author="a"),
        figure("2.65", "sd", author="a"),
        figure("3.5", "mean_of_means"),
        figure("1.33", "mean_of_sds"),
    )
    table = scores(a=[1, 2, 6], b=[4, 4])
    assert verdicts(ledger, table) == {
        "mean": (3, "match"),
        "sd": (pytest.approx(7**0.5), "match"),
        "mean-of-means": (3.5, "match"),
        "mean-of-sds": (pytest.approx(7**0.5 / 2), "differs"),  # 1.3229
    }


@pytest.mark.parametrize(
    ("printed", "verdict"),
    # The mean of 2 and 2.5 is 2.25: a half, which rounds either way.
    [("2.2", "match"), ("2.3", "match"), ("2.25", "match"), ("2", "match"), ("2.4", "differs")],
)
def test_a_half_rounds_either_way(printed: str, verdict: str) -> None:
    ledger = small(figure(printed, "mean", author="a"))
    assert verdicts(ledger, scores(a=[2.0, 2.5])) == {"mean": (2.25, verdict)}


@pytest.mark.parametrize("statistic", ["sd", "mean_of_sds"])
def test_one_score_has_no_deviation(statistic: str) -> None:
    how = {"author": "a"} if statistic == "sd" else {}
    ledger = small(figure("0.0", statistic, **how))
    (entry,) = recompute(ledger, scores(a=[3], b=[1, 2]))
    assert (entry.value, entry.verdict) == (None, "not computable")


def test_an_infinite_score_makes_no_figure() -> None:
    checked = recompute(small(figure("3.0", "mean", author="a")), scores(a=[1, float("inf")]))
    assert [c.verdict for c in checked] == ["not computable"]
    assert claims_report(small(figure("3.0", None)), checked, command="show").fails() == []


def test_what_is_not_in_the_ledger_or_the_data_is_not_computable() -> None:
    ledger = small(figure("3.0", "mean", author="z"), figure("3.0", "mean_of_means", item="9"))
    assert set(verdicts(ledger, scores(a=[3])).values()) == {(None, "not computable")}


def test_the_report_states_each_difference() -> None:
    ledger = small(
        figure("3.0", "mean", author="a"),
        figure("9.9", "sd", author="a"),
        figure("12", None),
        hand="second",
    )
    report = claims_report(ledger, recompute(ledger, scores(a=[1, 2, 6])), command="show")
    assert report.study == "demo"
    found = {f.id: f for f in report.findings}
    assert {name: f.severity for name, f in found.items()} == {
        "recomputed": "pass",
        "figure-sd": "fail",
    }
    assert found["recomputed"].numbers == {"figures": 2, "match": 1}
    assert found["figure-sd"].statement == (
        "T1: printed 9.9, recomputed 2.646 (the text is known second hand)."
    )
    assert found["figure-sd"].numbers == {"recomputed": 2.64575}
    assert [left.id for left in report.unchecked] == ["figures-without-recomputation"]
    assert report.unchecked[0].check.startswith("1 further figures")


def test_nothing_reproduced_is_no_pass() -> None:
    ledger = small(figure("9.9", "mean", author="a"))
    found = claims_report(ledger, recompute(ledger, scores(a=[1])), command="show").findings
    assert {f.id: f.severity for f in found} == {"recomputed": "note", "figure-mean": "fail"}


def test_the_comparison_lists_every_figure() -> None:
    ledger = small(figure("3.0", "mean", author="a"), figure("1", "sd", author="z"))
    table = comparison(recompute(ledger, scores(a=[1, 2, 6])))
    assert table.astype("object").where(table.notna(), None).to_dict("records") == [
        {"figure": "mean", "where": "T1", "printed": "3.0", "recomputed": 3.0, "verdict": "match"},
        {
            "figure": "sd",
            "where": "T1",
            "printed": "1",
            "recomputed": None,
            "verdict": "not computable",
        },
    ]
    assert comparison([]).columns.tolist() == table.columns.tolist()
