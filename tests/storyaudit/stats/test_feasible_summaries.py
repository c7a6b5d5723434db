"""The exact searches against every multiset of scores, and against other people's answers."""

import statistics
import time
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyaudit.ledger.printed import parse_printed
from storyaudit.stats.feasible_summaries import (
    possible_counts,
    possible_denominators,
    possible_deviation,
    possible_squares,
    possible_sums,
)
from storyaudit.stats.rational_intervals import Interval


def printed(text: str) -> Interval:
    """What rounding leaves of a print that drops no zeros."""
    return parse_printed(text, len(text.partition(".")[2])).interval


def roundings(value: Decimal, places: int) -> set[str]:
    """Both prints of a value, the same but for a half."""
    step = Decimal(1).scaleb(-places)
    return {f"{value.quantize(step, rule):f}" for rule in (ROUND_HALF_UP, ROUND_HALF_DOWN)}


@cache
def multisets(n: int, low: int, high: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(low, high + 1), n))


@cache
def squares(n: int, width: int) -> dict[int, set[int]]:
    """Every sum of squares by sum."""
    found: dict[int, set[int]] = {}
    for scores in multisets(n, 0, width):
        found.setdefault(sum(scores), set()).add(sum(score**2 for score in scores))
    return found


SIZES = [(n, width) for n in range(1, 9) for width in range(1, 7) if n * width <= 32]


@pytest.mark.parametrize(("n", "width"), SIZES)
def test_each_sum_of_squares_is_possible_if_some_scores_have_it(n: int, width: int) -> None:
    for total, reached in squares(n, width).items():
        for first in range(-1, n * width**2 + 2):
            for last in (first, first + 1, first + 4):
                expected = any(first <= value <= last for value in reached)
                assert possible_squares(n, width, total, first, last) is expected


def reachable_by_adding_scores(n: int, width: int) -> set[tuple[int, int]]:
    """All pairs of sum and sum of squares, one score at a time."""
    pairs = {(0, 0)}
    for _ in range(n):
        pairs = {
            (total + score, squared + score**2)
            for total, squared in pairs
            for score in range(width + 1)
        }
    return pairs


@pytest.mark.parametrize(("n", "width"), [(30, 3), (20, 4), (14, 6), (40, 2)])
def test_with_more_scores_than_need_be_searched(n: int, width: int) -> None:
    reached = reachable_by_adding_scores(n, width)
    for total in range(n * width + 1):
        for squared in range(total, total * width + 1):
            found = possible_squares(n, width, total, squared, squared)
            assert found is ((total, squared) in reached), (total, squared)


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize(
    ("n", "low", "high", "places"), [(1, 1, 5, 1), (2, 1, 7, 2), (4, 1, 5, 2), (5, -2, 3, 1)]
)
def test_means_and_deviations_are_possible_if_some_scores_print_them(
    n: int, low: int, high: int, places: int, ddof: int
) -> None:
    prints: set[tuple[str, str]] = set()
    for scores in multisets(n, low, high):
        mean = Fraction(sum(scores), n)
        if n > ddof:
            variance = sum((score - mean) ** 2 for score in scores) / (n - ddof)
            root = (Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt()
            exact = Decimal(mean.numerator) / Decimal(mean.denominator)
            prints |= set(product(roundings(exact, places), roundings(root, places)))
    step = 10**places
    means = [f"{Decimal(m) / step:.{places}f}" for m in range(low * step - 3, high * step + 3, 3)]
    deviations = [f"{Decimal(s) / step:.{places}f}" for s in range(0, 4 * step, 7)]
    for mean_print, sd_print in {*product(means, deviations), *prints}:
        found = possible_deviation(printed(mean_print), printed(sd_print), n, low, high, ddof=ddof)
        assert found is ((mean_print, sd_print) in prints), (mean_print, sd_print)


@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 10), min_size=2, max_size=130),
    st.integers(1, 3),
    st.sampled_from([0, 1]),
)
def test_what_real_scores_print_is_possible(scores: list[int], places: int, ddof: int) -> None:
    sd = (statistics.pstdev, statistics.stdev)[ddof](scores)
    mean = printed(f"{statistics.mean(scores):.{places}f}")
    assert possible_sums(mean, len(scores), 1, 10)
    assert possible_deviation(mean, printed(f"{sd:.{places}f}"), len(scores), 1, 10, ddof=ddof)


def test_grim_of_the_package_scrutiny() -> None:
    # Its example: of the means 5.19 to 5.30 for n = 28 only these are possible.
    texts = [f"5.{n}" for n in range(19, 31)]
    assert [text for text in texts if possible_sums(printed(text), 28, 1, 10)] == [
        "5.21",
        "5.25",
        "5.29",
    ]


def test_grimmer_of_the_package_scrutiny() -> None:
    # Its vignette: a mean of 7.3 with an SD of 2.51 for n = 12 is impossible; no score can be far
    # out, so that a scale from -50 to 50 is as good as none.
    assert possible_deviation(printed("7.3"), printed("2.51"), 12, -50, 50, ddof=1) is False
    # A false alarm of its version 0.6.1, which its news corrects: seven 1s and 193 0s have them.
    assert statistics.stdev([1] * 7 + [0] * 193) == pytest.approx(0.1842, abs=5e-5)
    assert possible_deviation(printed("0.03"), printed("0.18"), 200, 0, 1, ddof=1) is True


def shortcut_says_impossible(mean: str, sd: str, n: int) -> bool:
    """The analytic test: no whole sum of squares of the sum's parity gives the printed SD.

    Allard's third test, with one sum only, the one nearest to the mean: its false alarms.
    """
    total = round(Fraction(mean) * n)
    interval = printed(sd)
    least = interval.low**2 * (n - 1) + Fraction(total**2, n)
    most = interval.high**2 * (n - 1) + Fraction(total**2, n)
    return not any((q - total) % 2 == 0 for q in range(-int(-least // 1), int(most // 1) + 1))


def test_a_false_alarm_of_the_shortcut_is_none_here() -> None:
    # With n = 40 and one decimal several sums round to a mean; another than the nearest will do.
    alarms = [
        (f"{mean / 10:.1f}", f"{sd / 10:.1f}")
        for mean in range(10, 51)
        for sd in range(0, 4)
        if shortcut_says_impossible(f"{mean / 10:.1f}", f"{sd / 10:.1f}", 40)
    ]
    real = {
        (f"{statistics.mean(scores):.1f}", f"{statistics.stdev(scores):.1f}")
        for low in range(1, 5)
        for ones in range(41)
        for scores in [[low] * (40 - ones) + [low + 1] * ones]
    }
    false = [pair for pair in alarms if pair in real]
    assert false
    for mean, sd in false:
        assert possible_deviation(printed(mean), printed(sd), 40, 1, 5, ddof=1) is True


def test_deviations_at_the_ends() -> None:
    def possible(mean: str, sd: str, n: int, ddof: int = 1) -> bool | None:
        return possible_deviation(printed(mean), printed(sd), n, 1, 5, ddof=ddof)

    assert possible("3.0", "0.0", 1, ddof=0) is True
    assert possible("3.0", "0.0", 1, ddof=1) is False  # a sample of one has none
    assert possible("1.0", "0.0", 7) is True
    assert possible("5.1", "0.0", 7) is False  # off the scale
    # Half at each end: the largest SD of ten scores is √(10·4/9) = 2.108.
    assert possible("3.0", "2.1", 10) is True
    assert possible("3.0", "2.2", 10) is False
    assert possible("3.0", "-1.0", 10) is False
    assert possible("3.0", "-0.0", 10) is True


@cache
def counts_by_print(denominator: int, places: int) -> dict[str, list[int]]:
    """The counts that print each percentage."""
    found: dict[str, list[int]] = {}
    for count in range(denominator + 1):
        for text in roundings(Decimal(100 * count) / Decimal(denominator), places):
            found.setdefault(text, []).append(count)
    return found


@pytest.mark.parametrize("places", [0, 1, 2])
def test_percentages_are_possible_if_some_count_prints_them(places: int) -> None:
    texts = [f"{Decimal(n).scaleb(-places):f}" for n in range(0, 100 * 10**places + 1, 3**places)]
    for denominator in range(1, 40):
        expected = counts_by_print(denominator, places)
        for text in {*texts, *expected}:
            found = list(possible_counts(printed(text), denominator))
            assert found == expected.get(text, [])


def test_a_percentage_off_the_scale_has_no_count() -> None:
    assert not possible_counts(printed("101"), 30)
    assert not possible_counts(printed("-2"), 30)
    assert list(possible_counts(printed("100"), 30)) == [30]


@settings(max_examples=60)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=3), st.booleans(), st.integers(0, 1))
def test_denominators_are_possible_if_some_counts_print_the_row(
    percentages: list[int], exhaustive: bool, places: int
) -> None:
    row = [f"{Decimal(p * 5) / 2:.{places}f}" for p in percentages]
    expected = [
        denominator
        for denominator in range(1, 25)
        if any(
            not exhaustive or sum(counts) == denominator
            for counts in product(
                *(counts_by_print(denominator, places).get(text, []) for text in row)
            )
        )
    ]
    intervals = [printed(text) for text in row]
    found = possible_denominators(intervals, range(1, 25), exhaustive=exhaustive)
    assert found == expected


def test_a_row_of_percentages_over_100_is_possible_for_few_denominators() -> None:
    # 34 + 34 + 33 = 101 % cannot be of 100 items, each of which is a whole percent.
    row = [printed(text) for text in ("34", "34", "33")]
    found = possible_denominators(row, range(90, 111), exhaustive=True)
    assert 100 not in found
    assert found == [
        n
        for n in range(90, 111)
        for of_34, of_33 in [(counts_by_print(n, 0).get(p, []) for p in ("34", "33"))]
        if any(a + b + c == n for a, b, c in product(of_34, of_34, of_33))
    ]


@pytest.mark.parametrize(
    ("mean", "sd", "n", "low", "high", "answers"),
    [
        ("6.21", "2.04", 130, 1, 10, {True}),
        ("6.21", "4.70", 130, 1, 10, {False}),  # above the largest
        # 65 at either end have an SD of √(65·81/2/129) = 4.5174. The next is that of 1 and 10 at
        # 2 and 9 in their place, √((65·81/2 − 2·8)/129) = 4.5037.
        ("5.500", "4.517", 130, 1, 10, {True}),
        ("5.500", "4.510", 130, 1, 10, {False}),
        ("6.214", "2.041", 10**9, 1, 10, {True}),
        ("6.214", "5.000", 10**9, 1, 10, {False, None}),
        ("500.0", "300.0", 10**9, -(10**6), 10**6, {True}),
        ("0.0", "999999.0", 10**9, -(10**6), 10**6, {True, None}),
        ("500.0", "450.0", 100, 0, 1000, {True, None}),
        ("50.0", "49.0", 60, 0, 100, {True, False, None}),
    ],
)
def test_every_question_is_answered_in_time(
    mean: str, sd: str, n: int, low: int, high: int, answers: set[bool | None]
) -> None:
    started = time.process_time()
    assert possible_deviation(printed(mean), printed(sd), n, low, high, ddof=1) in answers
    assert time.process_time() - started < 10


def test_what_the_confederacy_prints_of_ten_totals_each_is_possible() -> None:
    # Table 2; the released scores have these means and deviations.
    pairs = "80.2 7.3, 74.4 15.9, 70.1 17.4, 69.5 18.4, 63.0 15.4, 60.0 19.2, 59.0 13.8, 48.2 20.1"
    started = time.process_time()
    for pair in pairs.split(", "):
        mean, sd = map(printed, pair.split())
        assert possible_deviation(mean, sd, 10, 10, 100, ddof=1) is True
    assert time.process_time() - started < 5


def test_a_search_that_would_take_too_long_is_not_begun() -> None:
    started = time.process_time()
    # The largest SD of 1000 scores from 0 to 1000 is near 500.25; one just below needs a search.
    near_the_top = printed("500.249")
    assert possible_deviation(printed("500.0"), near_the_top, 1000, 0, 1000, ddof=1) is None
    assert time.process_time() - started < 1
    assert sqrt(1000 / 999) * 500 == pytest.approx(500.250, abs=5e-4)
