import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.claims.claims_report import check_ledger, claims_report
from audits.claims.computations import Data
from audits.claims.printed_differences import Z, check_differences, verdict
from storyaudit.errors import InputError
from storyaudit.ledger.ledger_file import Ledger
from storyaudit.ledger.printed import parse_printed
from storyaudit.stats.macro_variance import Setting, highest, lowest, variance_bounds
from storyaudit.stats.rational_intervals import Interval

EXCLUDES = "significant for every pairing"
INCLUDES = "not significant for any pairing"
OPEN = "not determinable from what is reported"


def proportion(low: Any, high: Any = None) -> Interval:
    return Interval(Fraction(low), Fraction(low if high is None else high))


def tables(setting: Setting) -> Iterator[Fraction]:
    """The variances of all tables of whole counts, with every pairing, that agree with it."""
    sizes, k = setting.sizes, len(setting.sizes)
    for counts in product(*(range(n + 1) for n in (*sizes, *sizes))):
        one, two = counts[:k], counts[k:]
        means = [
            sum((Fraction(c, n) for c, n in zip(side, sizes, strict=True)), Fraction(0)) / k
            for side in (one, two)
        ]
        if means[0] not in setting.first or means[1] not in setting.second:
            continue
        # Both right on x items of a dimension, so that a + b − 2x are discordant.
        both = [
            range(max(0, a + b - n), min(a, b) + 1) for a, b, n in zip(one, two, sizes, strict=True)
        ]
        for chosen in product(*both):
            yield (
                sum(
                    (
                        (Fraction(a + b - 2 * x, n) - Fraction(a - b, n) ** 2) / n
                        for a, b, x, n in zip(one, two, chosen, sizes, strict=True)
                    ),
                    Fraction(0),
                )
                / k**2
            )


@pytest.mark.parametrize(
    ("setting", "gap"),
    # The gap is what whole counts leave of the largest bound: the finer they are the smaller.
    [
        (Setting(proportion("3/4"), proportion("1/2"), (4,)), 0),
        (Setting(proportion("1/2", "3/4"), proportion("1/4", "1/2"), (4, 2)), 0.01),
        (Setting(proportion("0.5", "0.7"), proportion("0.4", "0.5"), (5, 3)), 0.15),
        (Setting(proportion("0.7", "0.8"), proportion("0.2", "0.3"), (4, 7)), 0.15),
        (Setting(proportion("0.9", "1"), proportion("0.8", "0.9"), (6, 5)), 0.15),
        (Setting(proportion("0"), proportion("1"), (3, 2)), 0),
        (Setting(proportion("0", "1"), proportion("0", "1"), (3, 2)), 0.05),
        (Setting(proportion("0.6", "0.7"), proportion("0.4", "0.45"), (2, 3, 2)), 0.2),
        (Setting(proportion("0.25", "0.3"), proportion("0.4", "0.5"), (2, 4, 2)), 0.25),
    ],
)
def test_bounds_hold_all_tables_and_nearly_touch_them(setting: Setting, gap: float) -> None:
    found = list(tables(setting))
    allowed = variance_bounds(setting)
    assert found and allowed.low <= min(found)
    # The upper bound is a certificate: not below the largest, and near it.
    assert max(found) <= allowed.high
    scale = float(allowed.high) or 1.0
    assert float(allowed.high - max(found)) <= gap * scale + 1e-9
    assert float(min(found) - allowed.low) <= gap * scale + 1e-9


@pytest.mark.parametrize("sizes", [(12, 6), (12, 6, 24), (12, 12, 12)])
def test_bounds_touch_a_grid_of_shares(sizes: tuple[int, ...]) -> None:
    # Sixths are whole counts. Where the means' bounds are 1/6 over the dimensions, so
    # are the vertices at which the least variance lies: it is on the grid.
    k = len(sizes)
    proportions = np.array(list(product(range(7), repeat=k))) / 6
    one, two = proportions[:, None, :], proportions[None, :, :]
    weights = 1 / np.array(sizes)
    least = ((abs(one - two) - (one - two) ** 2) * weights).sum(axis=2)
    most = ((np.minimum(one + two, 2 - one - two) - (one - two) ** 2) * weights).sum(axis=2)
    sums = [np.round(6 * side.sum(axis=2)).astype(int) for side in (one, two)]
    rng = np.random.default_rng(k)
    for _ in range(40):
        ends = np.sort(rng.integers(0, 6 * k + 1, size=(2, 2)), axis=1)
        agree = np.ones_like(least, dtype=bool)
        for total, (low, high) in zip(sums, ends, strict=True):
            agree &= (total >= low) & (total <= high)
        first, second = (
            proportion(Fraction(int(low), 6 * k), Fraction(int(high), 6 * k)) for low, high in ends
        )
        setting = Setting(first, second, sizes)
        assert float(lowest(setting)) == pytest.approx(least[agree].min(), abs=1e-12)
        largest = most[agree].max()
        assert largest <= float(highest(setting)) + 1e-12
        # The grid is coarse for δ: a difference of 1/6 that two dimensions would best share costs
        # one of them (1/6)² − 2 (1/12)² = 1/72 more.
        assert float(highest(setting)) <= largest + 0.03 * weights.sum()


def test_bounds_of_two_dimensions_by_hand() -> None:
    # Sizes 100 and 50, means 0.75 and 0.70 exactly, so that the δ sum to 0.1.
    setting = Setting(proportion("0.75"), proportion("0.7"), (100, 50))
    # Least: all of it in the larger dimension, 0.1 − 0.1² over 100. A δ of 1 is out of reach:
    # the second system is wrong on no more than 2 − 1.4 = 0.6 dimensions.
    assert lowest(setting) == Fraction(9, 100) / 100
    # Most: they sum to 2.9, so that 1.1 dimensions may be discordant: all of the smaller,
    # 0.1 of the larger. The δ that cost least are as 100 to 50, 1/15 and 1/30.
    most = (Fraction(1, 10) - Fraction(1, 225)) / 100 + (1 - Fraction(1, 900)) / 50
    assert most <= highest(setting) <= most * (1 + Fraction(1, 10**9))


def test_equal_accuracies_may_be_of_equal_outcomes() -> None:
    setting = Setting(proportion("0.5"), proportion("0.5"), (100,))
    assert variance_bounds(setting).low == 0
    assert float(variance_bounds(setting).high) == pytest.approx(1 / 100)  # or of opposite ones


@pytest.mark.parametrize("outside", [("-0.1", "0.5"), ("0.5", "1.1")])
def test_a_setting_is_refused_that_no_table_has(outside: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Setting(proportion(*outside), proportion("0.5"), (10,))
    for sizes in ((), (10, 0)):
        with pytest.raises(ValueError, match="an item at least"):
            Setting(proportion("0.5"), proportion("0.5"), sizes)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_table_consistent_with_the_print_lies_within(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 300), min_size=1, max_size=5))
    decimals = data.draw(st.integers(0, 2))
    variance, means = Fraction(0), [Fraction(0), Fraction(0)]
    for n in sizes:
        a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
        both = data.draw(st.integers(max(0, a + b - n), min(a, b)))
        variance += (Fraction(a + b - 2 * both, n) - Fraction(a - b, n) ** 2) / n
        means = [means[0] + Fraction(a, n), means[1] + Fraction(b, n)]
    k = len(sizes)
    printed = [
        parse_printed(f"{round(100 * float(mean) / k, decimals):.{decimals}f}", decimals).interval
        for mean in means
    ]
    first, second = (
        Interval(max(i.low / 100, Fraction(0)), min(i.high / 100, Fraction(1))) for i in printed
    )
    allowed = variance_bounds(Setting(first, second, tuple(sizes)))
    assert allowed.low <= variance / k**2 <= allowed.high


def ledger(first: str, second: str, *sizes: str, hand: str = "first", **more: Any) -> Ledger:
    figures = [
        {"id": "one", "printed": first, "where": "T1"},
        {"id": "two", "printed": second, "where": "T1"},
        *({"id": f"n{i}", "printed": n, "where": "T2"} for i, n in enumerate(sizes)),
    ]
    entry = {"id": "gap", "where": "T1", "first": "one", "second": "two"}
    entry["items"] = [f"n{i}" for i in range(len(sizes))]
    content = {"paper": "P", "study": "demo", "source": "s", "hand": hand, "figures": figures}
    return Ledger.model_validate(content | {"differences": [entry]} | more)


@pytest.mark.parametrize(
    ("n", "said", "outcome"),
    # One dimension, 90 against 60 % exactly: δ is 0.3, q from 0.3 to min(1.5, 0.5) = 0.5, and the
    # variance from (0.3 − 0.09)/n to (0.5 − 0.09)/n.
    [
        ("100", EXCLUDES, "note"),  # at most √0.0041 = 0.064, and 1.96 · 0.064 = 0.125 < 0.3
        ("10", OPEN, "warn"),  # √0.041 = 0.2025, · 1.96 = 0.397; √0.021 = 0.1449, · 1.96 = 0.284
        ("5", INCLUDES, "warn"),  # at least √0.042 = 0.2049, · 1.96 = 0.402 > 0.3
    ],
)
def test_verdicts_by_hand(n: str, said: str, outcome: str) -> None:
    (checked,) = check_differences(ledger("90", "60", n))
    assert (checked.verdict, checked.outcome) == (said, outcome)
    assert "seeds" in checked.sentence
    low, high = (100 * math.sqrt(v / int(n)) for v in (0.21, 0.41))
    assert checked.numbers == pytest.approx(
        {
            "items": int(n),
            "difference_low": 30,
            "difference_high": 30,
            "se_low": low,
            "se_high": high,
        },
        abs=1e-4,
    )


def test_the_verdict_turns_where_the_interval_touches_zero() -> None:
    z2 = Fraction(Z) ** 2
    d = Fraction(1, 10)
    for factor, said in ((Fraction(999, 1000), EXCLUDES), (Fraction(1001, 1000), OPEN)):
        assert verdict(Interval.point(d), Interval(Fraction(0), d**2 / z2 * factor)) == said
    for factor, said in ((Fraction(999, 1000), OPEN), (Fraction(1001, 1000), INCLUDES)):
        assert verdict(Interval.point(d), Interval(d**2 / z2 * factor, Fraction(1))) == said


def test_rounding_counts_against_the_verdict() -> None:
    # 0.1 would be significant with a standard error of 0.05, 0.09 not.
    variance = Interval.point(Fraction(5, 100) ** 2)
    assert verdict(proportion("0.1"), variance) == EXCLUDES
    assert verdict(proportion("0.09", "0.11"), variance) == OPEN
    assert verdict(proportion("0.07", "0.09"), variance) == INCLUDES


def test_the_lower_figure_may_come_first() -> None:
    (checked,) = check_differences(ledger("60", "90", "100"))
    assert checked.verdict == EXCLUDES
    assert checked.numbers["difference_low"] == -30


def test_a_difference_that_may_be_zero_is_never_told_from_it() -> None:
    # 75.0 and 75.1 may both be 75.05; with other values the difference may be significant or not.
    (checked,) = check_differences(ledger("75.0", "75.1", "1000000"))
    assert checked.verdict == OPEN


def test_accuracies_at_the_end_of_the_scale() -> None:
    # 100.0 may be 99.95; beyond 100 there is nothing.
    (checked,) = check_differences(ledger("100.0", "0.0", "10", "20"))
    assert checked.verdict == EXCLUDES
    assert checked.numbers["difference_high"] == 100
    (checked,) = check_differences(ledger("101.0", "50.0", "10"))
    assert (checked.verdict, checked.outcome) == ("impossible", "fail")


@pytest.mark.parametrize("n", ["10.5", "0", "-3"])
def test_a_denominator_that_is_none_is_bad_input(n: str) -> None:
    with pytest.raises(InputError, match="denominator 'n0'"):
        check_ledger(ledger("75.0", "66.0", n), Data(), file=Path("l.yaml"))


def test_the_report_warns_of_what_is_not_determinable() -> None:
    for n, severity in (("100", "note"), ("10", "warn"), ("5", "warn")):
        demo = ledger("90", "60", n, hand="second")
        report = claims_report(demo, check_ledger(demo, Data(), file=Path("l")))
        found = {f.id: f.severity for f in report.findings}
        assert found["differences-gap"] == severity
        assert not [f for f in report.findings if f.severity in ("pass", "fail")]
