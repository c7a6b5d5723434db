import csv
import statistics
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from audits.claims.claims_report import check_ledger, claims_report
from audits.claims.computations import Data
from audits.claims.recompute import check_recomputations
from audits.claims.verdict import Checked
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS
from storyaudit.errors import InputError
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import Ledger, read_ledger

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
    """The ledger of A Confederacy of Models, reduced to the figures of its table 2."""
    whole = read_ledger(expectations_path("papers/confederacy.yaml"))
    figures = [figure for figure in whole.figures if figure.id.startswith("table-2.")]
    return Ledger(
        paper=whole.paper, study=whole.study, source=whole.source, hand=whole.hand, figures=figures
    )


def recompute(ledger: Ledger, rows: Rows | pd.DataFrame) -> dict[str, Checked]:
    """The verdicts by figure, without the notes on other conventions."""
    table = pd.DataFrame(rows).astype({"score": "float64"})
    checked = check_recomputations(ledger, Data(ratings=table))
    return {entry.id: entry for entry in checked if entry.section != "conventions"}


def of(checked: dict[str, Checked], outcome: str) -> set[str]:
    return {name for name, entry in checked.items() if entry.outcome == outcome}


def by_loops(rows: Rows) -> dict[tuple[str, str], list[Fraction]]:
    """The scores of each author and item, and the totals of complete rating rows as `overall`."""
    items = {row["item"] for row in rows}
    scores: dict[tuple[str, str], list[Fraction]] = {}
    rating_rows: dict[tuple[str, str, str], dict[str, Fraction]] = {}
    for row in rows:
        value = Fraction(row["score"])
        scores.setdefault((row["author"], row["item"]), []).append(value)
        row_key = (row["author"], row["rater"], row["story_id"])
        rating_rows.setdefault(row_key, {})[row["item"]] = value
    for (author, _, _), given in rating_rows.items():
        if set(given) == items:
            scores.setdefault((author, "overall"), []).append(sum(given.values(), Fraction(0)))
    return scores


def values_by_loops(ledger: Ledger, rows: Rows) -> dict[str, float | Fraction]:
    """Every figure of the ledger with plain Python, means as exact fractions."""
    scores = by_loops(rows)
    values: dict[str, float | Fraction] = {}
    for figure in ledger.figures:
        assert figure.recompute is not None
        name, how = figure.recompute.computation, figure.recompute.arguments
        statistic = {"mean": statistics.mean, "sd": _deviation}[
            name.removeprefix("mean_of_").removesuffix("s")
        ]
        if name.startswith("mean_of_"):
            of_authors = [statistic(s) for (_, item), s in scores.items() if item == how["item"]]
            values[figure.id] = statistics.mean(of_authors)
        else:
            values[figure.id] = statistic(scores[how["author"], how["item"]])
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


def changed(ledger: Ledger, prints: dict[str, str]) -> Ledger:
    content = ledger.model_dump()
    for figure in content["figures"]:
        figure["printed"] = prints.get(figure["id"], figure["printed"])
    return Ledger.model_validate(content)


def test_every_printed_figure_is_recomputed(ledger: Ledger, rows: Rows) -> None:
    checked = recompute(ledger, rows)
    expected = values_by_loops(ledger, rows)
    assert len(checked) == len(expected) == 308
    assert {name: entry.numbers["recomputed"] for name, entry in checked.items()} == pytest.approx(
        {name: float(value) for name, value in expected.items()}, abs=0.51e-5
    )


def test_one_of_the_308_figures_is_not_reproduced(ledger: Ledger, rows: Rows) -> None:
    # Average of 13 authors' mean totals: 56.508, printed 56.6.
    assert differing_by_loops(ledger, rows) == {KNOWN_TO_DIFFER}
    totals = [sum(s) / len(s) for (_, item), s in by_loops(rows).items() if item == "overall"]
    assert len(totals) == 13 and round(float(sum(totals) / 13), 3) == 56.508
    checked = recompute(ledger, read_table(DATA, RATINGS).frame)
    assert of(checked, "fail") == {KNOWN_TO_DIFFER}
    assert len(of(checked, "pass")) == 307


EDITS: dict[str, Edit] = {
    "a cell raised": lambda rows: [{**rows[0], "score": "10"}, *rows[1:]],
    "a cell lowered": lambda rows: [*rows[:777], {**rows[777], "score": "-9"}, *rows[778:]],
    "a typing error": lambda rows: [*rows[:-1], {**rows[-1], "score": "60"}],
    "a rating row dropped": lambda rows: rows[10:],
    "a rater dropped": lambda rows: [row for row in rows if row["rater"] != "3"],
    "all rows in reverse": lambda rows: rows[::-1],
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_changed_data_change_the_verdicts_that_loops_say(
    ledger: Ledger, rows: Rows, edit: Edit
) -> None:
    edited = edit(rows)
    expected = differing_by_loops(ledger, edited)
    checked = recompute(ledger, edited)
    assert of(checked, "fail") == expected and of(checked, "unchecked") == set()
    assert (expected == {KNOWN_TO_DIFFER}) == (edit is EDITS["all rows in reverse"])


def test_a_dropped_row_lets_no_figure_of_its_author_and_item_pass(
    ledger: Ledger, rows: Rows
) -> None:
    author, item = rows[500]["author"], rows[500]["item"]
    checked = recompute(ledger, rows[:500] + rows[501:])
    hit = {
        f"table-2.{author}.{what}.{statistic}"
        for what in (item, "overall")
        for statistic in ("mean", "sd")
    }
    assert hit <= set(checked) and not hit & of(checked, "pass")
    others = {name for name in checked if f".{author}." not in name and "average" not in name}
    assert others <= of(checked, "pass")


def test_each_changed_print_is_found_and_no_other(ledger: Ledger, rows: Rows) -> None:
    # Every seventh figure printed two tenths too high.
    wrong = {f.id: str(Decimal(f.printed) + Decimal("0.2")) for f in ledger.figures[::7]}
    assert of(recompute(changed(ledger, wrong), rows), "fail") == set(wrong) | {KNOWN_TO_DIFFER}


def test_population_deviations_are_not_taken_for_sample_ones(ledger: Ledger, rows: Rows) -> None:
    scores = by_loops(rows)
    population, told_apart = {}, set()
    for figure in ledger.figures:
        how = figure.recompute
        if how is not None and how.computation == "sd":
            values = list(map(float, scores[how.arguments["author"], how.arguments["item"]]))
            population[figure.id] = f"{statistics.pstdev(values):.1f}"
            if abs(statistics.stdev(values) - float(population[figure.id])) > 0.05 + 1e-9:
                told_apart.add(figure.id)
    printed_so = changed(ledger, population)
    assert of(recompute(printed_so, rows), "fail") == told_apart | {KNOWN_TO_DIFFER}
    # n = 10: they differ by 5 %, which shows at one decimal for most.
    assert len(told_apart) > len(population) / 2
    # A note says of each that this convention gives the print.
    table = pd.DataFrame(rows).astype({"score": "float64"})
    notes = {
        entry.id: entry.numbers["matched"]
        for entry in check_recomputations(printed_so, Data(ratings=table))
        if entry.section == "conventions"
    }
    assert {name: notes[name] for name in told_apart} == dict.fromkeys(told_apart, 1)


def test_an_absent_author_is_not_computable(ledger: Ledger, rows: Rows) -> None:
    checked = recompute(ledger, [row for row in rows if row["author"] != "koala"])
    lost = of(checked, "unchecked")
    # Ten items and overall, a mean and an SD each.
    assert lost == {name for name in checked if ".koala." in name} and len(lost) == 22
    report = claims_report(ledger, list(checked.values()))
    assert {left.id for left in report.unchecked} == {f"figures-{name}" for name in lost}
    assert not {left.id for left in report.unchecked} & {f.id for f in report.findings}


def small(*figures: dict[str, Any], **more: Any) -> Ledger:
    content = {"paper": "P", "study": "demo", "source": "s", "hand": "first"}
    return Ledger.model_validate(content | {"figures": list(figures)} | more)


def figure(printed: str, computation: str, **how: Any) -> dict[str, Any]:
    entry = {"id": computation.replace("_", "-"), "printed": printed, "where": "T1"}
    return entry | {"recompute": {"computation": computation, "item": "1", **how}}


def claim(expects: Any, computation: str, **how: Any) -> dict[str, Any]:
    entry = {"id": "claim", "statement": "It is so.", "where": "p. 2", "expects": expects}
    return entry | {"recompute": {"computation": computation, **how}}


def scores(**of_authors: list[float]) -> pd.DataFrame:
    return pd.DataFrame(
        {"rater": f"r{n}", "story_id": author, "author": author, "item": "1", "score": score}
        for author, given in of_authors.items()
        for n, score in enumerate(given)
    )


def verdicts(ledger: Ledger, table: pd.DataFrame) -> dict[str, tuple[object, str]]:
    return {
        name: (entry.numbers.get("recomputed"), entry.outcome)
        for name, entry in recompute(ledger, table).items()
    }


def test_statistics_by_hand() -> None:
    # a: 1, 2, 6: mean 3, squared deviations 4 + 1 + 9 = 14, SD √7 = 2.6458; b: 4, 4: mean 4, SD 0.
    ledger = small(
        figure("3.0", "mean", author="a"),
        figure("2.65", "sd", author="a"),
        figure("3.5", "mean_of_means"),
        figure("1.33", "mean_of_sds"),
    )
    assert verdicts(ledger, scores(a=[1, 2, 6], b=[4, 4])) == {
        "mean": (3, "pass"),
        "sd": (pytest.approx(7**0.5, abs=1e-5), "pass"),
        "mean-of-means": (3.5, "pass"),
        "mean-of-sds": (pytest.approx(7**0.5 / 2, abs=1e-5), "fail"),  # 1.3229
    }


@pytest.mark.parametrize(
    ("printed", "outcome"),
    # The mean of 2 and 2.5 is 2.25: a half, which rounds either way.
    [("2.2", "pass"), ("2.3", "pass"), ("2.25", "pass"), ("2.4", "fail")],
)
def test_a_half_rounds_either_way(printed: str, outcome: str) -> None:
    ledger = small(figure(printed, "mean", author="a"))
    assert verdicts(ledger, scores(a=[2.0, 2.5])) == {"mean": (2.25, outcome)}


@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ({"printed": "2"}, "fail"),  # a whole number is a count
        ({"printed": "2", "decimals": 0}, "pass"),
        ({"printed": "2", "decimals": 1}, "fail"),  # 2.0
        ({"printed": "0", "decimals": -1}, "pass"),  # to tens
        ({"printed": "< 2.5"}, "pass"),
        ({"printed": "< 2.25"}, "fail"),
        ({"printed": "≤ 2.25"}, "pass"),
        ({"printed": "> 2.2"}, "pass"),
    ],
)
def test_what_a_print_stands_for_decides(how: dict[str, Any], outcome: str) -> None:
    ledger = small(figure("2", "mean", author="a") | how)
    assert verdicts(ledger, scores(a=[2.0, 2.5])) == {"mean": (2.25, outcome)}


@pytest.mark.parametrize("computation", ["sd", "mean_of_sds"])
def test_one_score_has_no_deviation(computation: str) -> None:
    how = {"author": "a"} if computation == "sd" else {}
    found = verdicts(small(figure("0.0", computation, **how)), scores(a=[3], b=[1, 2]))
    assert list(found.values()) == [(None, "unchecked")]


@pytest.mark.parametrize("computation", ["mean", "mean_of_means"])
def test_an_infinite_score_makes_no_figure(computation: str) -> None:
    how = {"author": "a"} if computation == "mean" else {}
    ledger = small(figure("3.0", computation, **how))
    checked = recompute(ledger, scores(a=[1, float("inf")]))
    assert [entry.outcome for entry in checked.values()] == ["unchecked"]
    assert claims_report(ledger, list(checked.values())).fails() == []


def test_what_is_not_in_the_data_is_not_computable() -> None:
    ledger = small(figure("3.0", "mean", author="z"), figure("3.0", "mean_of_means", item="9"))
    assert set(verdicts(ledger, scores(a=[3])).values()) == {(None, "unchecked")}


@pytest.mark.parametrize(
    ("how", "option"),
    [
        ({"computation": "mean", "author": "a", "item": "1"}, "--data"),
        ({"computation": "words_mean"}, "--stories"),
    ],
)
def test_without_a_table_nothing_is_computable(how: dict[str, Any], option: str) -> None:
    (entry,) = check_recomputations(small(figure("3.0", "mean") | {"recompute": how}), Data())
    assert entry.outcome == "unchecked" and f"({option})" in entry.sentence


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (figure("3.0", "median", author="a"), "'median' names the computation 'median'; there are"),
        (figure("3.0", "x" * 140), "names the computation 'x{40}'"),
        (figure("3.0", "mean"), "'mean': mean takes author, item"),
        (figure("3.0", "mean", author="a", rater="r"), "'mean': mean takes .*rater"),
        (figure("3.0", "mean", author="a", data="d"), "'mean': mean takes .*data"),
        (figure("3.0", "mean", author=["a"]), "'mean': mean takes no author"),
        (figure("3.0", "mean", author=5), "'mean': mean takes no author 5"),
        (figure("3.0", "top_authors"), "'top-authors' is a number, and top_authors gives none"),
    ],
)
def test_a_recomputation_that_cannot_be_followed_is_bad_input(
    wrong: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as refusal:
        check_ledger(small(wrong), Data(ratings=scores(a=[3])), file=Path("ledger.yaml"))
    assert "ledger.yaml" in str(refusal.value) and refusal.value.remedy


@pytest.mark.parametrize("column", ["author", "item", "score"])
def test_a_table_without_the_column_that_is_needed_is_bad_input(column: str) -> None:
    ledger = small(figure("3.0", "mean", author="a"))
    table = scores(a=[3]).drop(columns=column)
    with pytest.raises(InputError) as refusal:
        check_ledger(ledger, Data(ratings=table), file=Path("ledger.yaml"))
    assert f"'mean': mean needs the column {column}" in str(refusal.value)
    assert "(--data) does not have. Add it to the table, or drop" in str(refusal.value)


@pytest.mark.parametrize(
    ("entry", "outcome", "said"),
    [
        (claim(["a"], "top_authors", item="1"), "pass", "The data give a."),
        (claim(["b"], "top_authors", item="1"), "fail", "Expected b, the data give a."),
        (claim(["a", "b"], "authors_by_mean", item="1"), "pass", "The data give a, b."),
        (claim(["b", "a"], "authors_by_mean", item="1"), "fail", "Expected b, a, the data give"),
        (claim(1, "number_above", author="b", item="1"), "pass", "The data give 1."),
        (claim(2, "number_above", author="b", item="1"), "fail", "Expected 2, the data give 1."),
        (claim(2.5, "mean", author="b", item="1"), "pass", "The data give 2.5."),
        (claim([], "authors_above", author="a", item="1"), "pass", "The data give none."),
        (claim(["c"], "authors_above", author="z", item="1"), "unchecked", "too few values"),
    ],
)
def test_claims(entry: dict[str, Any], outcome: str, said: str) -> None:
    content = small(figure("3.0", "mean", author="a"), claims=[entry])
    found = recompute(content, scores(a=[3, 3], b=[2, 3]))["claim"]
    assert (found.section, found.outcome, found.where) == ("claims", outcome, "p. 2")
    assert said in found.sentence


@pytest.mark.parametrize(
    ("expects", "kinds"),
    [
        ("a", "expects text, and top_authors gives a list"),
        (1, "expects a number, and top_authors gives a list"),
        (True, "expects yes or no, and top_authors gives a list"),
    ],
)
def test_a_claim_that_expects_another_kind_of_answer_is_bad_input(expects: Any, kinds: str) -> None:
    content = small(
        figure("3.0", "mean", author="a"), claims=[claim(expects, "top_authors", item="1")]
    )
    with pytest.raises(InputError, match=f"'claim' {kinds}"):
        check_ledger(content, Data(ratings=scores(a=[3])), file=Path("ledger.yaml"))


def conventions(printed: str, table: pd.DataFrame) -> Checked | None:
    checked = check_recomputations(small(figure(printed, "mean_of_means")), Data(ratings=table))
    notes = [entry for entry in checked if entry.section == "conventions"]
    assert len(notes) == (checked[0].outcome == "fail")
    return notes[0] if notes else None


def test_other_conventions_are_tried_where_the_stated_method_fails() -> None:
    # a: 1, 1, 1, 2: mean 1.25, rounded 1.2; b: 4: the mean of means is 2.625, that of means
    # rounded to one decimal 2.6, that of all scores 9/5 = 1.8.
    table = scores(a=[1, 1, 1, 2], b=[4])
    assert conventions("2.6", table) is None  # 2.625 rounds to it
    assert conventions("2.62", table) is None
    found = conventions("1.8", table)
    assert found is not None
    assert (found.id, found.verdict) == ("mean-of-means", "reproduced only otherwise")
    # The three values span 2.625 − 1.8 = 0.825 and a print takes 0.1: of two that lie anywhere in
    # 0.925, 2 · 0.1 / 0.925 = 0.216 would give it.
    assert found.numbers == {
        "tried": 2,
        "matched": 1,
        "expected_by_chance": 0.22,
        "the mean of all scores": 1.8,
        "the mean of means rounded to one decimal": 2.6,
    }
    assert found.sentence == (
        "T1: of 2 conventions tried instead of the stated method, 1 gives the printed 1.8 "
        "(the mean of all scores). Expected by chance: 0.2."
    )
    none = conventions("9.9", table)
    assert none is not None
    assert none.verdict == "not reproduced"
    assert (
        none.sentence
        == "T1: of 2 conventions tried instead of the stated method, 0 give the printed 9.9."
    )


def test_one_convention_near_the_stated_value_may_match_by_chance() -> None:
    # 1, 2, 6: √(14/2) = 2.646 and √(14/3) = 2.160; 0.1 / (0.486 + 0.1) = 0.171.
    checked = check_recomputations(
        small(figure("2.2", "sd", author="a")), Data(ratings=scores(a=[1, 2, 6]))
    )
    assert [entry.section for entry in checked] == ["figures", "conventions"]
    assert checked[1].numbers["expected_by_chance"] == 0.17
    # To whole numbers, which both are printed as 3 or 2, chance does much.
    (_, note) = check_recomputations(
        small(figure("2", "sd", author="a") | {"decimals": 0}),
        Data(ratings=scores(a=[1, 2, 6])),
    )
    assert note.numbers["expected_by_chance"] == 0.67  # 1 / 1.486


def test_conventions_that_give_nothing_are_not_counted() -> None:
    # One score has no deviation with n − 1; with n it is 0.
    checked = check_recomputations(
        small(figure("9.9", "sd", author="a", ddof=0)), Data(ratings=scores(a=[3]))
    )
    assert [entry.section for entry in checked] == ["figures"]


def test_a_claim_has_conventions_too() -> None:
    table = pd.concat(
        [
            scores(a=[6.0, 5, 7, 6, 5, 7], b=[5.0, 4, 6, 5, 4, 6]).assign(item=str(item))
            for item in (1, 2)
        ]
    )
    entry = claim(["b"], "differing", reference="a", item="1", side="lower")
    checked = check_recomputations(
        small(figure("6.0", "mean", author="a"), claims=[entry]), Data(ratings=table)
    )
    # Welch's test, two-sided: t = 1/√(2·0.8/6) = 1.94 on 10 degrees of freedom, p = 0.082.
    (_, stated, note) = checked
    assert (stated.outcome, note.section, note.outcome) == ("fail", "conventions", "note")
    assert "a one-sided Welch test" in note.sentence
    assert note.numbers["tried"] >= note.numbers["matched"] >= 1
