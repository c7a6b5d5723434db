"""The whole ratings audit on Confederacy's published ratings, valid and with injected errors."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import prose
import pytest
from ratings_samples import REAL, by_id, drawn, parted, published, real
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from audits.ratings.optional_analyses import optional_analyses
from audits.ratings.ratings_report import ratings_report
from storyaudit.findings import Finding, Report, ordered
from storyaudit.io.records import read_records
from storyaudit.layouts.rating_sheets import read_rating_sheets
from storyaudit.layouts.story_files import read_story_files


def audit(table: pd.DataFrame, **more: Any) -> Report:
    more.setdefault("rng", np.random.default_rng(1))
    return ordered(ratings_report(table, scale=(1.0, 10.0), study="confederacy", **more))


@pytest.fixture(scope="module")
def found() -> dict[str, Finding]:
    return by_id(audit(published()).findings)


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """Both raters' scores of each story's item, the odd rater first, by a plain pivot."""
    table = published()
    side = np.where(table["rater"].astype(int) % 2 == 1, "first", "second")
    return table.assign(side=side).pivot(index=["story_id", "item"], columns="side", values="score")


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_by_scikit_learn(
    found: dict[str, Finding], pairs: pd.DataFrame, weights: str | None
) -> None:
    finding = found[f"kappa-{weights or 'unweighted'}"]
    expected = cohen_kappa_score(pairs["first"], pairs["second"], weights=weights)
    assert finding.numbers["kappa"] == pytest.approx(expected, abs=6e-4)
    for row in finding.evidence[1:]:
        part = pairs.xs(row["item"], level="item")
        labels = np.arange(11)  # so that scikit-learn's ranks are the scores
        value = cohen_kappa_score(part["first"], part["second"], weights=weights, labels=labels)
        assert row["kappa"] == pytest.approx(value, abs=6e-4)


def test_the_printed_kappa_is_the_quadratic_one(found: dict[str, Finding]) -> None:
    """Printed: linearly weighted kappa 0.48 [0.43, 0.54] (section 4.1)."""

    def analytic(name: str) -> tuple[float, ...]:
        row = found[name].evidence[0]
        return tuple(
            round(float(row[k] or 0), 2) for k in ("kappa", "analytic_low", "analytic_high")
        )

    assert analytic("kappa-quadratic") == (0.48, 0.43, 0.54)
    assert analytic("kappa-linear") == (0.33, 0.29, 0.38)


def test_the_printed_correlation_of_totals(found: dict[str, Finding], pairs: pd.DataFrame) -> None:
    totals = pairs.groupby("story_id").sum()
    numbers = found["totals-correlation"].numbers
    for kind, function in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ):
        expected = function(totals["first"], totals["second"]).statistic
        assert numbers[kind] == pytest.approx(expected, abs=6e-4)
    assert round(float(numbers["pearson"] or 0), 2) == 0.58  # printed


def row_of(found: dict[str, Finding], author: str, unit: str) -> dict[str, Any]:
    return next(row for row in found[f"comparison-{author}"].evidence if row["unit"] == unit)


def test_comparisons_by_scipy(found: dict[str, Finding]) -> None:
    table = published()
    totals = table.groupby(["author", "story_id", "rater"])["score"].sum()
    stories = totals.groupby(["author", "story_id"]).mean()
    for author in set(table["author"]) - {"human"}:
        for unit, values in (
            ("rating row", totals),
            ("story", stories),
            ("score", table.set_index("author")["score"]),
        ):
            expected = stats.ttest_ind(values[author], values["human"], equal_var=False).pvalue
            assert row_of(found, author, unit)["p"] == pytest.approx(expected, rel=6e-3)


def test_the_printed_comparison_of_single_scores_and_what_the_design_makes_of_it(
    found: dict[str, Finding],
) -> None:
    """Printed: GPT-4 over human, p = 0.00031 with n = 100."""
    scores = row_of(found, "chatgpt-gpt4", "score")
    assert round(float(scores["p"]), 5) == 0.00031 and scores["n"] == 100
    one = found["comparison-chatgpt-gpt4"]
    assert one.severity == "warn" and one.numbers["conclusion"] == "depends"
    assert one.numbers["significant_after_holm"] == 1  # by single scores alone


def test_five_authors_and_not_six_differ_by_the_printed_test(found: dict[str, Finding]) -> None:
    """Printed: by two-tailed t on totals only the six lowest models differ from human."""
    significant = {
        name.removeprefix("comparison-")
        for name, finding in found.items()
        if name.startswith("comparison-") and float(finding.evidence[0]["p"] or 1) < 0.05
    }
    assert significant == {"alpaca", "bard", "dolly", "gpt4all", "stablelm"}  # not oa, p = 0.068
    (by_row,) = [r for r in found["comparisons"].evidence if r["unit"] == "rating row"]
    assert by_row["significant_before_holm"] == 5


def test_groups_cannot_reach_significance(found: dict[str, Finding]) -> None:
    for name, finding in found.items():
        if name.startswith("comparison-"):
            assert {"0.0625"} <= prose.figures(finding)
            prose.check(f"ratings/groups cannot reach significance: {finding.id}", finding)
            assert row_of(found, name.removeprefix("comparison-"), "group")["n"] == 5


def test_the_parts_say_their_sizes(found: dict[str, Finding]) -> None:
    assert found["icc"].numbers["stories"] == 65 and len(found["icc"].evidence) == 5
    prose.check("ratings/the parts say their sizes", found["icc"])
    assert found["variance-components"].numbers["rating_rows"] == 130
    assert found["alpha"].numbers["units"] == 650
    assert found["design-effect"].numbers["scores"] == 1300
    assert found["boxes"].numbers["rating_rows"] == 130


def test_nothing_is_unchecked_but_what_needs_texts() -> None:
    _, unchecked = parted(optional_analyses(published(), np.random.default_rng(1)))
    assert set(unchecked) == {"blinding"}


def test_it_is_the_same_every_time_and_in_any_order_of_rows() -> None:
    table = drawn(1, stories=30, groups=True)
    one = audit(table, rng=np.random.default_rng(7))
    assert one == audit(table.sample(frac=1, random_state=1), rng=np.random.default_rng(7))
    assert one != audit(table, rng=np.random.default_rng(8))
    assert audit(table) == audit(table, rng=np.random.default_rng(1))


def test_options_reach_their_parts() -> None:
    table = drawn(2, stories=30)
    report = audit(table, reference="m1", box_items=("2", "3"), confidence=0.9)
    found = by_id(report.findings)
    assert {"boxes", "boxes-criterion-2", "boxes-criterion-3", "comparison-human"} <= set(found)
    assert found["comparison-human"].numbers["level"] == 0.1
    assert found["kappa-linear"].numbers["confidence"] == 0.9


# --- injected errors, each in a copy of the published ratings


def changed_cell(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(score=table["score"].where(table.index != 30, 11 - table["score"]))


def off_scale(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(score=table["score"].where(table.index != 30, 88.0))


def dropped_row(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(index=30)


def copied_rater(table: pd.DataFrame) -> pd.DataFrame:
    """Rater 2 copies rater 1."""
    first = table[table["rater"] == "1"]
    others = table[table["rater"] != "2"]
    return pd.concat([others, first.assign(rater="2")], ignore_index=True)


def swapped_label(table: pd.DataFrame) -> pd.DataFrame:
    """One row of a human story bears another author."""
    row = table.index[table["author"] == "human"][0]
    return table.assign(author=table["author"].where(table.index != row, "dolly"))


INJECTED: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], str]] = {
    "changed cell": (changed_cell, "kappa-linear"),
    "off scale": (off_scale, "off-scale"),
    "dropped row": (dropped_row, "missing"),
    "copied rater": (copied_rater, "icc"),
    "swapped label": (swapped_label, "one-author"),
}


@cache
def with_injected(name: str) -> dict[str, Finding]:
    return by_id(audit(INJECTED[name][0](published())).findings)


@pytest.mark.parametrize("name", INJECTED)
def test_a_injected_error_shows(name: str, found: dict[str, Finding]) -> None:
    where = INJECTED[name][1]
    assert where in with_injected(name) and with_injected(name)[where] != found.get(where)


def test_a_injected_error_is_named() -> None:
    at = published().loc[30]
    off = with_injected("off scale")["off-scale"]
    assert {"rater": at["rater"], "item": at["item"], "score": 88.0, "scores": 1} in off.evidence
    missing = with_injected("dropped row")["missing"]
    assert missing.evidence == [dict(at[["rater", "story_id", "item"]])]
    copied = with_injected("copied rater")["icc"]
    (block,) = [row for row in copied.evidence if row["raters"] == "1, 2"]
    assert block["agreement"] == block["consistency"] == 1
    label = with_injected("swapped label")["one-author"]
    assert {row["author"] for row in label.evidence} == {"human", "dolly"}


def test_the_story_of_two_authors_is_left_out_of_the_comparisons() -> None:
    now = with_injected("swapped label")
    assert row_of(now, "bing", "story")["n_reference"] == 4
    assert row_of(now, "bing", "story")["n"] == 5


# --- with the authors' own files


class TestReal:
    pytestmark = real

    @pytest.fixture(scope="class")
    def with_files(self) -> dict[str, Finding]:
        names = read_records(REAL / "stories.csv").frame
        stories = read_story_files(
            REAL / "stories", dict(zip(names["file_name"], names["story_id"], strict=True))
        )
        labels = read_rating_sheets(REAL / "RatersSheet-WithResults.xlsx").labels
        report = audit(published(), stories=stories, labels=labels)
        assert report.unchecked == ()
        return by_id(report.findings)

    def test_the_files_need_not_have_kept_raters_blind(
        self, with_files: dict[str, Finding]
    ) -> None:
        one = with_files["blinding"]
        assert one.severity == "warn" and one.numbers["author"] == "human"
        assert one.numbers["stories"] == 5 and one.numbers["others"] == 60
        (rule,) = {str(row["rule"]) for row in one.evidence if row["author"] == "human"}
        assert "curly" in rule
        features = with_files["story-features"]
        assert {"12", "5", "2"} <= prose.figures(features)
        prose.check("ratings/the published files", one, features)

    def test_length_goes_with_the_author(self, with_files: dict[str, Finding]) -> None:
        one = with_files["length"]
        assert one.severity == "note" and one.numbers["stories"] == 65
        assert float(one.numbers["across_low"] or 0) > 0 > float(one.numbers["within_low"] or 0)

    def test_no_story_was_rated_twice(self, with_files: dict[str, Finding]) -> None:
        one = with_files["similar-stories"]
        assert one.severity == "note" and one.numbers["near_duplicates"] == 0

    def test_the_second_list_of_authors_merges_two(self, with_files: dict[str, Finding]) -> None:
        one = with_files["author-labels"]
        assert one.severity == "warn" and one.numbers["contradicted"] == 0
        prose.check("ratings/the published lists of authors", one)

    def test_a_swapped_story_is_found(self) -> None:
        labels = read_rating_sheets(REAL / "RatersSheet-WithResults.xlsx").labels
        two = labels.index[labels["author"].isin(["dolly", "human"])][:2]
        labels.loc[two, "author"] = labels.loc[two, "author"].to_numpy()[::-1]
        one = by_id(audit(published(), labels=labels).findings)["author-labels"]
        assert one.severity == "fail" and one.numbers["contradicted"] == 2
