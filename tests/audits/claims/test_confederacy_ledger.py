"""The ledger of A Confederacy of Models against plain Python, the text, and injected errors."""

import copy
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from plain import PUBLISHED, Plain, Row, corner_p_values, read_rows
from real_data import real_path

from audits.claims.claims_report import check_ledger, claims_report
from audits.claims.computations import Data
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS, STORY_FACTS
from storyaudit.findings import Report
from storyaudit.io.expectations import expectations_path
from storyaudit.layouts.story_files import decode_story
from storyaudit.ledger.ledger_file import Figure, Ledger
from storyaudit.text.words import words

REAL = real_path()
TEXTS = REAL / "confederacy/stories"
PAPER = REAL.parent / "papers/confederacy-of-models.zh.txt"
PATH = expectations_path("papers/confederacy.yaml")
HELD_OUT = Path(__file__).with_name("known_discrepancies.yaml")
KNOWN: list[dict[str, Any]] = yaml.safe_load(HELD_OUT.read_text(encoding="utf-8"))
CONTENT: dict[str, Any] = yaml.load(
    PATH.read_text(encoding="utf-8"),
    getattr(yaml, "CSafeLoader", yaml.SafeLoader),  # noqa: S506 - both are safe
)


def named(severity: str) -> set[str]:
    return {name for entry in KNOWN for name in entry.get(severity, [])}


def run(content: dict[str, Any], ratings: pd.DataFrame, stories: pd.DataFrame) -> Report:
    ledger = Ledger.model_validate(content)
    checked = check_ledger(ledger, Data(ratings, stories), file=PATH)
    return claims_report(ledger, checked)


def of(report: Report, *severities: str) -> set[str]:
    return {finding.id for finding in report.findings if finding.severity in severities}


@pytest.fixture(scope="module")
def ratings() -> pd.DataFrame:
    return read_table(PUBLISHED / "ratings.csv", RATINGS).frame


@pytest.fixture(scope="module")
def stories() -> pd.DataFrame:
    return read_table(PUBLISHED / "stories.csv", STORY_FACTS).frame


@pytest.fixture(scope="module")
def report(ratings: pd.DataFrame, stories: pd.DataFrame) -> Report:
    return run(CONTENT, ratings, stories)


@pytest.fixture(scope="module")
def plain() -> Plain:
    return Plain(read_rows("ratings.csv"), read_rows("stories.csv"))


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return Ledger.model_validate(CONTENT)


# The discrepancies.


def test_the_audit_finds_the_known_discrepancies_and_nothing_else(report: Report) -> None:
    assert of(report, "fail") == named("fails")
    assert of(report, "warn") - {"disclosure-lacking"} == named("warns")


def kappa_is_not_linear(plain: Plain) -> None:
    printed = ["0.48", "0.43", "0.54"]
    for weights, expected in (("quadratic", printed), ("linear", ["0.33", "0.29", "0.38"])):
        values = [plain.cohens_kappa(weights)]
        values += [plain.cohens_kappa_end(weights, end) for end in ("low", "high")]
        assert [f"{value:.2f}" for value in values] == expected
    assert plain.cohens_kappa_band("linear") == "fair"


def average_total(plain: Plain) -> None:
    assert f"{float(plain.mean_of_means('overall')):.3f}" == "56.508"


def lengths(plain: Plain) -> None:
    found = [plain.words_mean("human"), plain.words_sd("human"), plain.words_min("human")]
    assert [round(value, 2) for value in found] == [395.95, 234.22, 59]
    assert plain.words_max("human") == 1223


def bing_date(plain: Plain) -> None:
    assert plain.file_dates("bing") == ["2023-04-07", "2023-04-11"]


def scores_of_0(plain: Plain) -> None:
    assert plain.scores_off_scale(1, 10) == 14 == sum(r["score"] == "0" for r in plain.ratings)
    sums = {
        (sum(scores), sum(score * score for score in scores))
        for scores in combinations_with_replacement(range(1, 11), 10)
    }
    printed = {figure["id"]: figure["printed"] for figure in CONTENT["figures"]}

    def possible(author: str, item: str) -> bool:
        cell = f"table-2.{author}.{item}"
        mean, deviation = (Decimal(printed[f"{cell}.{of}"]) for of in ("mean", "sd"))
        half = Decimal("0.05")
        return any(
            abs(Decimal(total) / 10 - mean) <= half
            and max(deviation - half, 0) ** 2
            <= (squares - Decimal(total * total) / 10) / 9
            <= (deviation + half) ** 2
            for total, squares in sums
        )

    cells = {(author, item) for author in plain.authors for item in plain.items}
    impossible = {f"possible-scores.{a}.{i}" for a, i in cells if not possible(a, i)}
    assert impossible == {name for name in named("fails") if name.startswith("possible-")}


def openassistant_not_worse(plain: Plain) -> None:
    assert f"{plain.p_value('oa', 'human', 'overall'):.4f}" == "0.0676"
    assert min(corner_p_values((54.7, 18.0), (70.1, 17.4))) > 0.065
    worse = plain.differing("human", "overall", "lower")
    assert worse == ["alpaca", "bard", "dolly", "gpt4all", "stablelm"]


def koala_not_less_humorous(plain: Plain) -> None:
    assert f"{plain.p_value('koala', 'human', '10'):.4f}" == "0.0565"
    assert f"{plain.p_value('koala', 'chatgpt-gpt4', '10'):.4f}" == "0.0675"
    assert min(corner_p_values((3.4, 3.2), (6.0, 2.8))) > 0.05
    for author in {"claude12", "bing"}:
        assert plain.p_value("koala", author, "10") < 0.05
    others = {*plain.authors} - {"human", "claude12", "bing", "chatgpt-gpt4"}
    assert {*plain.differing("human", "10")} == others - {"koala"}


def one_rater_a_group(plain: Plain) -> None:
    assert (plain.count("rater"), plain.count("group")) == (10, 5)
    assert plain.counts_within("rater", "group") == ["2"]


def bard_behind_open_source(plain: Plain) -> None:
    assert {"koala", "vicuna", "oa"} <= set(plain.authors_above("bard", "overall"))


def people_thanked(plain: Plain) -> None:
    assert (plain.count("rater"), plain.count("story_id", author="human")) == (10, 5)


SHOWN: dict[str, Callable[[Plain], None]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        kappa_is_not_linear,
        average_total,
        lengths,
        bing_date,
        scores_of_0,
        openassistant_not_worse,
        koala_not_less_humorous,
        one_rater_a_group,
        bard_behind_open_source,
        people_thanked,
    )
}


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["id"])
def test_each_discrepancy_is_one_by_plain_python(known: dict[str, Any], plain: Plain) -> None:
    SHOWN[known["id"]](plain)


def matches(figure: Figure, value: Any) -> bool:
    """Whether a value rounds to the print, whose places are the ledger's where it says so."""
    places = figure.decimals
    if places is None:
        places = -int(Decimal(figure.printed).as_tuple().exponent)
    half = Fraction(1, 2) / Fraction(10) ** places
    return abs(Fraction(value) - Fraction(figure.printed)) <= half + Fraction(1, 10**9)


def contradicted(ledger: Ledger, plain: Plain) -> set[str]:
    """What plain Python does not reproduce."""
    found = set()
    entries: list[Any] = [*ledger.figures, *ledger.claims]
    for entry in entries:
        if entry.recompute is None:
            continue
        value = plain(entry.recompute.computation, **entry.recompute.arguments)
        if isinstance(entry, Figure):
            if not matches(entry, value):
                found.add(f"figures-{entry.id}")
        elif value not in (None, entry.expects):
            found.add(f"claims-{entry.id}")
    return found


def test_figures_and_statements_hold_that_hold_by_plain_python(
    ledger: Ledger, plain: Plain, report: Report
) -> None:
    expected = contradicted(ledger, plain)
    reported = {
        name for name in of(report, "fail", "warn") if name.startswith(("figures", "claims"))
    }
    assert reported == expected
    numbers = {finding.id: finding.numbers for finding in report.findings}
    computed = [figure for figure in ledger.figures if figure.recompute is not None]
    differing = sum(name.startswith("figures-") for name in expected)
    assert numbers["held-figures"] == {
        "checked": len(computed),
        "held": len(computed) - differing,
    }
    unchecked = {left.id for left in report.unchecked}
    assert unchecked & {f"claims-{claim.id}" for claim in ledger.claims} == {"claims-table-3.oa"}
    assert plain.file_dates("oa") is None


def test_p_values_follow_where_all_corners_of_rounding_say_so(
    ledger: Ledger, report: Report
) -> None:
    # Ends of the printed figures bound Welch's p but for the peak of its degrees of freedom, which
    # changes nothing here: the verdicts are the same.
    printed = {figure.id: float(figure.number.value) for figure in ledger.figures}
    contradicted, open_ = set(), set()
    for entry in ledger.p_values:
        assert entry.first is not None and entry.second is not None
        first, second = ((printed[s.mean], printed[s.sd]) for s in (entry.first, entry.second))
        significant = {p < 0.05 for p in corner_p_values(first, second)}
        if len(significant) > 1:
            open_.add(f"p_values-{entry.id}")
        elif significant != {entry.significant}:
            contradicted.add(f"p_values-{entry.id}")
    reported = {name for name in of(report, "fail", "warn") if name.startswith("p_values-")}
    assert contradicted == reported
    assert open_ == {left.id for left in report.unchecked if left.id.startswith("p_values-")}


# The ledger and the facts against the text and the released files.


@pytest.mark.real
@pytest.mark.skipif(not PAPER.is_file(), reason=f"the text of the paper is not at {PAPER}")
def test_tables_stand_in_the_text_as_in_the_ledger(ledger: Ledger) -> None:
    printed = {figure.id: figure.printed for figure in ledger.figures}
    lines = [line.split("\t") for line in PAPER.read_text(encoding="utf-8").splitlines()]
    columns = [*map(str, range(1, 11)), "overall"]
    of_text: dict[str, str] = {}
    for name, *cells in (line for line in lines if len(line) == 12 and "$\\pm$" in line[1]):
        for column, cell in zip(columns, cells, strict=True):
            mean, deviation = cell.split("$\\pm$")
            of_text[f"table-2.{name}.{column}.mean"] = mean
            of_text[f"table-2.{name}.{column}.sd"] = deviation
    table = 3
    for name, *cells in (line for line in lines if len(line) == 12 and "$" not in line[1]):
        table += name == "Rubric item" and cells[0] == "1" and bool(of_text) and table < 10
        if name.startswith(("Rater ", "Average")):
            row = name.lower().replace(" ", "-")
            for column, cell in zip(columns, cells, strict=True):
                of_text[f"table-{table - 1}.{row}.{column}"] = cell
    tables = re.compile(r"table-[24-9]\.")
    assert {name: of_text[name] for name in printed if tables.match(name)} == of_text
    assert {name: printed[name] for name in of_text} == of_text
    dates = {line[0]: line[1] for line in lines if len(line) == 2}
    of_ledger = {
        claim.where.removeprefix("Table 3, "): claim.expects[0]
        for claim in ledger.claims
        if claim.id.startswith("table-3.") and isinstance(claim.expects, list)
    }
    assert of_ledger == {n: d for n, d in dates.items() if re.fullmatch(r"2023-\d\d-\d\d", d)}


@pytest.mark.real
@pytest.mark.skipif(not TEXTS.is_dir(), reason=f"the released texts are not at {TEXTS}")
def test_facts_of_stories_are_those_of_the_released_texts(stories: pd.DataFrame) -> None:
    assert len(stories) == 65 == len(list(TEXTS.glob("*.txt")))
    for row in stories.to_dict("records"):
        content = (TEXTS / row["file_name"]).read_bytes()
        text = decode_story(content, TEXTS)[0].replace("\r\n", "\n")
        facts = (len(text.split()), len(words(text)), len(text))
        assert (row["words"], row["text_words"], row["characters"]) == facts
        # A second count: words are runs of what is no ASCII white space, in any encoding.
        assert row["words"] == len(re.findall(rb"[^ \t\r\n]+", content))


def test_facts_of_stories_agree_with_the_ratings(
    ratings: pd.DataFrame, stories: pd.DataFrame
) -> None:
    key = ["story_id", "author", "group"]
    rated = ratings[key].drop_duplicates().sort_values(key, ignore_index=True)
    pd.testing.assert_frame_equal(rated, stories[key].sort_values(key, ignore_index=True))


# Injected errors: each is found by its id, and nothing else is.


def figure_of(content: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(f for f in content["figures"] if f["id"] == name)
    return found


def printed_so(*prints: str) -> Callable[[dict[str, Any]], None]:
    """Figures and what to print for each, in turn."""

    def edit(content: dict[str, Any]) -> None:
        for name, printed in zip(prints[::2], prints[1::2], strict=True):
            figure_of(content, name)["printed"] = printed

    return edit


def expecting(name: str, expected: Any) -> Callable[[dict[str, Any]], None]:
    def edit(content: dict[str, Any]) -> None:
        next(claim for claim in content["claims"] if claim["id"] == name)["expects"] = expected

    return edit


def verdict_turned(name: str) -> Callable[[dict[str, Any]], None]:
    def edit(content: dict[str, Any]) -> None:
        entry = next(entry for entry in content["p_values"] if entry["id"] == name)
        entry["significant"] = not entry["significant"]

    return edit


IN_THE_LEDGER: dict[str, tuple[Callable[[dict[str, Any]], None], set[str]]] = {
    "a total of Table 2 off by 0.3": (
        printed_so("table-2.vicuna.overall.mean", "59.3"),
        {"figures-table-2.vicuna.overall.mean"},  # ten item means: 59.0 ± 0.5 leaves the sum open
    ),
    "two totals of Table 2 exchanged": (
        printed_so("table-2.koala.overall.mean", "59.0", "table-2.vicuna.overall.mean", "60.0"),
        {
            "figures-table-2.koala.overall.mean",
            "figures-table-2.vicuna.overall.mean",
            "relations-table-2.koala.sum",
            "relations-table-2.vicuna.sum",
            "relations-table-2.order",
            "relations-repeats.koala",
        },
    ),
    "a cell of Table 2 with the SD of a population": (
        printed_so("table-2.koala.10.sd", "3.0"),
        # p of Koala against GPT-4 is then no longer above 0.05 whatever rounding left.
        {"figures-table-2.koala.10.sd", "p_values-welch.humor.koala.chatgpt-gpt4"},
    ),
    "a score of Table 4 changed": (
        printed_so("table-4.rater-1.3", "8"),
        {
            "figures-table-4.rater-1.3",
            "relations-table-4.rater-1.sum",
            "relations-table-4.average.3.of-two",
        },
    ),
    "an average of Table 8 rounded": (
        printed_so("table-8.average.4", "6"),
        {
            "figures-table-8.average.4",
            "relations-table-8.average.4.of-two",
            # 59.0 is the sum of ten averages with ±0.05 each: 59.5 lies on the edge.
        },
    ),
    "a one-sided p value printed as two-sided": (
        printed_so("gpt4-p", "0.00016"),
        {"figures-gpt4-p"},
    ),
    "a wrong number of stories": (
        printed_so("stories", "66"),
        {
            "figures-stories",
            "relations-stories-sum",
            "relations-stories-in-groups",
            "relations-median-stories",
        },
    ),
    "a correlation of Spearman's": (printed_so("pearson", "0.57"), {"figures-pearson"}),
    "an impossible deviation": (
        printed_so("table-2.alpaca.5.sd", "0.2"),
        {
            "figures-table-2.alpaca.5.sd",
            "possible-scores.alpaca.5",
            "relations-table-2.average.5.sd-of-rows",
        },
    ),
    "a date": (expecting("table-3.bard", ["2023-04-12"]), {"claims-table-3.bard"}),
    "the best author of an item": (expecting("best-humor", ["human"]), {"claims-best-humor"}),
    "a significance": (verdict_turned("welch.epic.bing"), {"p_values-welch.epic.bing"}),
}


@pytest.mark.parametrize("error", IN_THE_LEDGER)
def test_an_error_planted_in_the_ledger_is_found_and_nothing_else(
    error: str, ratings: pd.DataFrame, stories: pd.DataFrame, report: Report
) -> None:
    edit, expected = IN_THE_LEDGER[error]
    content = copy.deepcopy(CONTENT)
    edit(content)
    found = run(content, ratings, stories)
    assert of(found, "fail", "warn") ^ of(report, "fail", "warn") == expected


def edited(ratings: pd.DataFrame, story: str, rater: str, item: str, score: float) -> pd.DataFrame:
    """The ratings with one other score."""
    row = (ratings["story_id"] == story) & (ratings["rater"] == rater) & (ratings["item"] == item)
    assert row.sum() == 1
    return ratings.assign(score=ratings["score"].mask(row, score))


def as_rows(ratings: pd.DataFrame) -> list[Row]:
    return [
        {str(name): str(value) for name, value in row.items()}
        for row in ratings.assign(score=ratings["score"].astype(int)).to_dict("records")
    ]


IN_THE_RATINGS: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], set[str]]] = {
    # Rater 7 on item 9 of Dolly's fourth story, which no table prints.
    "a changed cell": (
        lambda ratings: edited(ratings, "U0OX", "7", "9", 10),
        {"figures-table-2.dolly.9.mean", "figures-table-2.dolly.overall.mean"},
    ),
    "a changed cell of the worst story": (
        lambda ratings: edited(ratings, "9189", "2", "5", 2),
        {
            "figures-table-9.rater-2.5",
            "figures-table-9.rater-2.overall",
            "figures-table-9.average.5",
            "figures-table-9.average.overall",
            "figures-table-2.alpaca.5.mean",
            "figures-table-2.alpaca.overall.mean",
        },
    ),
    "a score off the scale": (
        lambda ratings: edited(ratings, "U0OX", "7", "9", 11),
        {"figures-table-2.dolly.9.mean"},
    ),
    "two raters exchanged": (
        lambda ratings: ratings.assign(
            rater=ratings["rater"].map({"3": "4", "4": "3"}).fillna(ratings["rater"])
        ),
        {"figures-table-7.rater-3.2", "figures-table-7.rater-4.overall", "figures-pearson"},
    ),
    "the labels of two stories swapped": (
        lambda ratings: ratings.assign(
            author=ratings["story_id"]
            .map({"7UKN": "alpaca", "9189": "chatgpt-gpt4"})
            .fillna(ratings["author"])
        ),
        {
            "claims-table-4.author",
            "claims-table-9.author",
            "figures-table-2.alpaca.overall.mean",
            "figures-table-2.chatgpt-gpt4.overall.mean",
        },
    ),
}


@pytest.mark.parametrize("error", IN_THE_RATINGS)
def test_an_error_planted_in_the_ratings_is_found_where_plain_python_finds_it(
    error: str,
    ledger: Ledger,
    plain: Plain,
    ratings: pd.DataFrame,
    stories: pd.DataFrame,
    report: Report,
) -> None:
    edit, some = IN_THE_RATINGS[error]
    changed = edit(ratings)
    before, after = of(report, "fail", "warn"), of(run(CONTENT, changed, stories), "fail", "warn")
    recomputed = {name for name in after if name.startswith(("figures-", "claims-"))}
    assert recomputed == contradicted(ledger, Plain(as_rows(changed), plain.files))
    assert some <= recomputed - before
    # What is computed from printed figures alone does not see the data.
    assert after - recomputed == {n for n in before if not n.startswith(("figures-", "claims-"))}


def test_a_dropped_row_is_found_by_counting_and_makes_no_figure_pass(
    ratings: pd.DataFrame, stories: pd.DataFrame, report: Report
) -> None:
    row = (ratings["story_id"] == "U0OX") & (ratings["rater"] == "7") & (ratings["item"] == "9")
    after = run(CONTENT, ratings[~row].reset_index(drop=True), stories)
    new = of(after, "fail", "warn") - of(report, "fail", "warn")
    assert new == {"claims-scores-each-model", "figures-scores-a-model"}
    assert of(report, "fail") - of(after, "fail") == {
        "figures-table-2.average.overall.mean",
        "claims-total-worse",
    }  # unchecked now
    unchecked = {left.id for left in after.unchecked}
    for cell in ("9.mean", "9.sd", "overall.mean", "overall.sd"):
        assert {f"figures-table-2.dolly.{cell}", f"figures-table-2.average.{cell}"} <= unchecked
    others = {left for left in unchecked if left.startswith("figures-table-2.")}
    assert {name.split(".")[1] for name in others} == {"dolly", "average"}
    # What compares all authors or ranks all stories is unchecked as well, and does not pass.
    assert {"claims-best-total", "claims-table-2-order", "claims-table-4.author"} <= unchecked
    # 649 pairs leave the agreement where it was.
    assert "figures-pearson" not in unchecked
