import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import confint_proportions_2indep

from storyaudit.stats.proportion import newcombe_difference_ci, proportion, proportion_ci


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("number", [1, 2, 7, 40])
def test_the_interval_is_scipys_wilson(number: int, confidence: float) -> None:
    for count in range(number + 1):
        theirs = binomtest(count, number).proportion_ci(confidence, method="wilson")
        ours = proportion_ci(count / number, number, confidence)
        assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    # Wilson, 95 %, of tables in print.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals(count: int, of: int, low: float, high: float) -> None:
    found = proportion(count, of, 0.95)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.value == count / of
    assert found.numbers("x") == {
        "x": count, "x_of": of, "x_low": pytest.approx(low), "x_high": pytest.approx(high),
    }  # fmt: skip


def test_a_proportion_of_none_has_no_interval() -> None:
    found = proportion(0, 0, 0.95)
    assert (found.low, found.high) == (None, None) and np.isnan(found.value)


def test_a_mean_over_seeds_has_an_interval_that_holds_more_often() -> None:
    # Items as hard as 0.1 to 0.9, three seeds each: the mean's spread is below that of one seed.
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        hard = rng.uniform(0.1, 0.9, size=60)
        share = (rng.random((60, 3)) < hard[:, None]).mean()
        low, high = proportion_ci(float(share), 60, 0.95)
        held += low <= 0.5 <= high
    assert held / 400 >= 0.95


def test_newcombes_printed_examples() -> None:
    # Newcombe 1998, table II, method 10: 56/70 − 48/80, 9/10 − 3/10, 5/56 − 0/29.
    for (a, m), (b, n), (low, high) in (
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((5, 56), (0, 29), (-0.0381, 0.1926)),
    ):
        found = newcombe_difference_ci((a / m, m), (b / n, n), 0.95)
        assert found.low == pytest.approx(low, abs=5e-5)
        assert found.high == pytest.approx(high, abs=5e-5)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.floats(0.5, 0.99), st.data())
def test_newcombe_is_that_of_statsmodels(
    m: int, n: int, confidence: float, data: st.DataObject
) -> None:
    a, b = data.draw(st.integers(0, m)), data.draw(st.integers(0, n))
    found = newcombe_difference_ci((a / m, m), (b / n, n), confidence)
    expected = confint_proportions_2indep(a, m, b, n, method="newcomb", alpha=1 - confidence)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert found.value == pytest.approx(a / m - b / n)
