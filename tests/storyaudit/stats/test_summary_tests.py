"""Bounds of p values against SciPy's tests on the true samples behind the prints."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from storyaudit.stats.summary_tests import (
    Range,
    Sample,
    Sides,
    Test,
    absolute,
    p_of_chi_squared,
    p_of_statistic,
    p_range,
    welch_freedom,
)

EXACT = 1e-8  # the bounds are drawn wider by 1e-9


def around(value: float, places: int) -> Range:
    """What rounding to so many places leaves of a value."""
    printed = round(value, places)
    half = 0.5 * 10**-places
    return Range(min(printed - half, value), max(printed + half, value))


@st.composite
def samples(draw: st.DrawFn) -> tuple[tuple[float, float, int], Sample]:
    """A sample's true mean, standard deviation and size, and what print leaves of them."""
    mean, sd = draw(st.floats(-20, 20)), draw(st.floats(0.2, 9))
    n, places = draw(st.integers(2, 60)), draw(st.integers(0, 3))
    deviation = around(sd, places)
    return (mean, sd, n), Sample(
        around(mean, places), Range(max(0.0, deviation.low), deviation.high), n
    )


def scipy_p(
    one: tuple[float, float, int], other: tuple[float, float, int], test: Test, sides: Sides
) -> float:
    alternative = "two-sided" if sides == 2 else "greater"
    if test != "z":
        return float(
            stats.ttest_ind_from_stats(
                *one, *other, equal_var=test == "student", alternative=alternative
            ).pvalue
        )
    (m1, s1, n1), (m2, s2, n2) = one, other
    z = (m1 - m2) / (s1**2 / n1 + s2**2 / n2) ** 0.5
    return float(stats.norm.sf(z) if sides == 1 else 2 * stats.norm.sf(abs(z)))


@settings(max_examples=250)
@given(samples(), samples(), st.sampled_from(["welch", "student", "z"]), st.sampled_from([1, 2]))
def test_the_true_p_lies_within_the_bounds(
    one: tuple[tuple[float, float, int], Sample],
    other: tuple[tuple[float, float, int], Sample],
    test: Test,
    sides: Sides,
) -> None:
    found = p_range(one[1], other[1], test, sides)
    if found is None:
        assert one[1].sd.low == other[1].sd.low == 0
        return
    assert found.low <= scipy_p(one[0], other[0], test, sides) <= found.high


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("test", ["welch", "student", "z"])
def test_without_rounding_the_bounds_are_scipys_p(test: Test, sides: Sides) -> None:
    for one, other in (
        ((80.2, 7.3, 10), (70.1, 17.4, 10)),
        ((3.0, 1.0, 5), (3.4, 2.0, 50)),
        ((0.0, 1.0, 2), (0.0, 1.0, 2)),
    ):
        exact = [Sample(Range(m, m), Range(s, s), n) for m, s, n in (one, other)]
        found = p_range(exact[0], exact[1], test, sides)
        assert found is not None
        expected = scipy_p(one, other, test, sides)
        assert (found.low, found.high) == pytest.approx((expected, expected), rel=EXACT)


@pytest.mark.parametrize("test", ["student", "z"])
def test_no_bound_is_wider_than_the_corners(test: Test) -> None:
    # t rises with the difference and falls with each deviation, at fixed degrees of freedom.
    first = Sample(Range(5.15, 5.25), Range(1.05, 1.15), 12)
    second = Sample(Range(4.25, 4.35), Range(0.85, 0.95), 9)
    found = p_range(first, second, test)
    assert found is not None
    low = scipy_p((5.25, 1.05, 12), (4.25, 0.85, 9), test, 2)
    high = scipy_p((5.15, 1.15, 12), (4.35, 0.95, 9), test, 2)
    assert (found.low, found.high) == pytest.approx((low, high), rel=EXACT)


def test_a_difference_that_may_be_zero_allows_a_p_of_one() -> None:
    sample = Sample(Range(2.95, 3.05), Range(0.95, 1.05), 20)
    found = p_range(sample, sample, "welch")
    assert found is not None and found.high == pytest.approx(1) and found.low < 0.9
    one_sided = p_range(sample, sample, "welch", 1)
    assert one_sided is not None and one_sided.low < 0.5 < one_sided.high


def test_deviations_that_may_both_be_zero_leave_p_undetermined() -> None:
    open_ended = Sample(Range(3, 3), Range(0, 0.05), 10)
    fixed = Sample(Range(4, 4), Range(0.95, 1.05), 10)
    assert p_range(open_ended, open_ended, "welch") is None
    assert p_range(open_ended, fixed, "welch") is not None


@given(
    st.tuples(*[st.integers(0, 5000).map(lambda thousandths: thousandths / 1000)] * 4),
    st.integers(2, 40),
    st.integers(2, 40),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_welchs_degrees_of_freedom_lie_within_their_bounds(
    ends: tuple[float, float, float, float], n1: int, n2: int, at1: float, at2: float
) -> None:
    sds = (Range(*sorted(ends[:2])), Range(*sorted(ends[2:])))
    s1, s2 = (sd.low + at * (sd.high - sd.low) for sd, at in zip(sds, (at1, at2), strict=True))
    a, b = s1**2 / n1, s2**2 / n2
    if a + b < 1e-9:
        return
    freedom = (a + b) ** 2 / (a**2 / (n1 - 1) + b**2 / (n2 - 1))
    found = welch_freedom(
        *(Sample(Range(0, 0), sd, n) for sd, n in zip(sds, (n1, n2), strict=True))
    )
    assert found.low * (1 - EXACT) <= freedom <= found.high * (1 + EXACT)
    assert min(n1, n2) - 1 <= found.low * (1 + EXACT) and found.high <= (n1 + n2 - 2) * (1 + EXACT)


def test_p_of_printed_statistics() -> None:
    # statcheck's examples: t(28) = 2.20 has p = 0.0362, Z = −2.42 has p = 0.0155.
    t = p_of_statistic(Range(2.195, 2.205), Range(28, 28))
    assert t.low == pytest.approx(2 * stats.t.sf(2.205, 28), rel=EXACT)
    assert t.high == pytest.approx(2 * stats.t.sf(2.195, 28), rel=EXACT)
    assert (round(t.low, 3), round(t.high, 3)) == (0.036, 0.037)
    z = p_of_statistic(Range(-2.425, -2.415), Range(inf, inf))
    assert (round(z.low, 4), round(z.high, 4)) == (0.0153, 0.0157)
    # McNemar's chi² of 121 and 59: 21.3556 has p = 3.82e-6; 3.84 is the 5 % point.
    chi = p_of_chi_squared(Range(21.35555, 21.35565), Range(1, 1))
    assert chi.low == pytest.approx(stats.chi2.sf(21.35565, 1), rel=EXACT)
    point = p_of_chi_squared(Range(3.84, 3.842), Range(1, 1))
    assert point.low < 0.05 < point.high


def test_open_degrees_of_freedom() -> None:
    t = p_of_statistic(Range(2, 2), Range(8, 9))
    assert t.low == pytest.approx(2 * stats.t.sf(2, 9), rel=EXACT)
    assert t.high == pytest.approx(2 * stats.t.sf(2, 8), rel=EXACT)
    # Below zero the one-sided tail rises with the degrees of freedom.
    lower = p_of_statistic(Range(-2, -2), Range(8, 9), 1)
    assert lower.low == pytest.approx(stats.t.sf(-2, 8), rel=EXACT)
    chi = p_of_chi_squared(Range(5, 5), Range(2, 3))
    assert (chi.low, chi.high) == pytest.approx(
        (stats.chi2.sf(5, 2), stats.chi2.sf(5, 3)), rel=EXACT
    )


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(-3, -2, (2, 3)), (-1, 2, (0, 2)), (2, 3, (2, 3)), (-2, 1, (0, 2))],
)
def test_absolute_values(low: float, high: float, expected: tuple[float, float]) -> None:
    assert absolute(Range(low, high)) == Range(*expected)


def test_degrees_of_freedom_peak_where_variances_of_means_are_as_their_own() -> None:
    # (a + b)² / (a²/2 + b²/1) for n of 3 and 2 is 3, its most, at a = 2b, and less at both ends.
    mean = Range(0, 0)
    first = Sample(mean, Range((3 * 1.9) ** 0.5, (3 * 2.1) ** 0.5), 3)
    found = welch_freedom(first, Sample(mean, Range(2**0.5, 2**0.5), 2))
    ends = [(a + 1) ** 2 / (a**2 / 2 + 1) for a in (1.9, 2.1)]
    assert found.high == 3 > max(ends)
    assert found.low == pytest.approx(min(ends))
