import numpy as np
import pytest
from computed import Data, compute, otherwise, ratings
from scipy import stats
from statsmodels.stats.weightstats import ttest_ind

ITEMS = ("1", "2")


def by_rater(seed: int, raters: int = 8, **means: float) -> Data:
    """Each rater scores one story by each author on two items."""
    rng = np.random.default_rng(seed)
    return ratings(
        [
            (str(rater), f"{author}-{rater}", author, item, float(rng.integers(0, 6)) + mean)
            for author, mean in means.items()
            for rater in range(raters)
            for item in ITEMS
        ]
    )


def samples(data: Data, author: str) -> dict[str, np.ndarray]:
    table = data.ratings
    assert table is not None
    own = table[table["author"] == author].sort_values(["rater", "item"])
    scores = own["score"].to_numpy().reshape(-1, 2)
    return {
        "1": scores[:, 0],
        "2": scores[:, 1],
        "overall": scores.sum(axis=1),
        "every score": scores.ravel(),
    }


@pytest.mark.parametrize("item", ["1", "overall", "every score"])
@pytest.mark.parametrize("seed", range(3))
def test_p_values_by_scipy_and_statsmodels(item: str, seed: int) -> None:
    data = by_rater(seed, a=1, b=0)
    x, y = samples(data, "a")[item], samples(data, "b")[item]
    value = compute("p_value", data, author="a", reference="b", item=item)
    assert value == pytest.approx(ttest_ind(x, y, usevar="unequal")[1])
    assert value == pytest.approx(compute("p_value", data, author="b", reference="a", item=item))
    assert otherwise("p_value", data, author="a", reference="b", item=item) == pytest.approx(
        {
            "a one-sided Welch test": value / 2,
            "Student's t test": stats.ttest_ind(x, y).pvalue,
            "the Mann–Whitney test": stats.mannwhitneyu(x, y).pvalue,
            "a t test of differences within raters": stats.ttest_1samp(x - y, 0).pvalue,
            "the Wilcoxon test of differences within raters": stats.wilcoxon(
                x - y, correction=True, method="approx"
            ).pvalue,
        }
    )


def test_the_p_values_that_r_gives_for_its_data_on_sleep() -> None:
    # t.test and wilcox.test of Student's sleep data: extra hours after two drugs, ten patients.
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    data = ratings(
        [
            (str(patient), f"{drug}-{patient}", drug, "1", hours)
            for drug, values in (("a", first), ("b", second))
            for patient, hours in enumerate(values)
        ]
    )
    how = {"author": "a", "reference": "b", "item": "1"}
    assert compute("p_value", data, **how) == pytest.approx(0.07939, abs=5e-6)
    assert otherwise("p_value", data, **how) == {
        "a one-sided Welch test": pytest.approx(0.07939 / 2, abs=5e-6),
        "Student's t test": pytest.approx(0.07919, abs=5e-6),
        "the Mann–Whitney test": pytest.approx(0.06933, abs=5e-6),
        "a t test of differences within raters": pytest.approx(0.002833, abs=5e-7),
        "the Wilcoxon test of differences within raters": pytest.approx(0.009091, abs=5e-7),
    }


def test_who_differs_on_which_side() -> None:
    data = by_rater(0, base=10, far=30, near=10.5, below=-20)
    assert compute("differing", data, reference="base", item="1") == ["below", "far"]
    assert compute("differing", data, reference="base", item="1", side="lower") == ["below"]
    assert compute("differing", data, reference="base", item="1", side="higher") == ["far"]
    assert compute("differing", data, reference="base", item="1", among=["far", "near"]) == ["far"]
    assert compute("differing", data, reference="base", item="overall", alpha=1e-30) == []


@pytest.mark.parametrize("side", ["lower", "higher", "either"])
def test_conventions_of_lists_by_scipy(side: str) -> None:
    data = by_rater(4, base=1, m=2, n=3, o=0, p=1)
    base = samples(data, "base")["overall"]
    found = otherwise("differing", data, reference="base", item="overall", side=side)
    expected: dict[str, list[str]] = {name: [] for name in found}
    for author in "mnop":
        own = samples(data, author)["overall"]
        if (side == "lower" and own.mean() >= base.mean()) or (
            side == "higher" and own.mean() <= base.mean()
        ):
            continue
        p_values = {
            "a one-sided Welch test": stats.ttest_ind(own, base, equal_var=False).pvalue / 2,
            "Student's t test": stats.ttest_ind(own, base).pvalue,
            "the Mann–Whitney test": stats.mannwhitneyu(own, base).pvalue,
            "a t test of differences within raters": stats.ttest_rel(own, base).pvalue,
            "the Wilcoxon test of differences within raters": stats.wilcoxon(
                own, base, correction=True, method="approx"
            ).pvalue,
        }
        for name, p in p_values.items():
            if p < 0.05:
                expected[name].append(author)
    assert found == expected
    assert len({tuple(names) for names in found.values()}) > 1 or side == "lower"


def test_raters_are_paired_by_name_and_not_by_row() -> None:
    data = by_rater(2, a=1, b=0)
    assert data.ratings is not None
    shuffled = Data(ratings=data.ratings.sample(frac=1, random_state=0, ignore_index=True))
    how = {"author": "a", "reference": "b", "item": "every score"}
    assert otherwise("p_value", shuffled, **how) == pytest.approx(otherwise("p_value", data, **how))


def test_unpaired_raters_leave_no_paired_test() -> None:
    cells = [(str(n), f"a{n}", "a", "1", float(n)) for n in range(4)]
    cells += [(str(n + 1), f"b{n}", "b", "1", float(n * n)) for n in range(4)]
    found = otherwise("p_value", ratings(cells), author="a", reference="b", item="1")
    within = {value for name, value in found.items() if "within raters" in name}
    assert all(np.isnan(value) for value in within)
    assert np.isfinite(found["Student's t test"])


def test_where_it_is_undefined() -> None:
    data = by_rater(0, a=1, b=0)
    assert data.ratings is not None
    gap = Data(ratings=data.ratings.iloc[1:])
    for table, item in ((gap, "1"), (gap, "overall"), (data, "9")):
        assert compute("p_value", table, author="a", reference="b", item=item) is None
        assert compute("differing", table, reference="b", item=item) is None
    assert compute("p_value", gap, author="a", reference="b", item="2") is not None
    assert compute("p_value", data, author="a", reference="z", item="1") is None
    constant = ratings([(r, a + r, a, "1", 3.0) for a in "ab" for r in "12"])
    value = compute("p_value", constant, author="a", reference="b", item="1")
    assert np.isnan(value)
    assert compute("differing", constant, reference="a", item="1") == []
