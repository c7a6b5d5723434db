import time
from fractions import Fraction

import pytest
from claims_samples import figures, ledger

from audits.claims.quantities import (
    LedgerError,
    parse_quantities,
    parse_relations,
    resolve,
    rests_on,
)
from storyaudit.ledger.ledger_file import Ledger
from storyaudit.stats.rational_intervals import Interval

PRINTS = {"a": "8.7", "b": "2.0", "n": "4", "small": "0.0", "p": "<0.05"}


def of(quantities: dict[str, str], relations: dict[str, str] | None = None) -> Ledger:
    return ledger(
        figures(**PRINTS),
        quantities=[{"id": name, "expression": text} for name, text in quantities.items()],
        relations=[
            {"id": name, "statement": "It holds", "relation": text}
            for name, text in (relations or {}).items()
        ],
    )


def values(content: Ledger) -> dict[str, Interval]:
    return resolve(content, {figure.id: figure.interval for figure in content.figures})


def test_quantities_are_resolved_in_the_order_of_need() -> None:
    content = of({"third": "[second] * 2", "second": "[first] + 1", "first": "[n] / 8"})
    assert list(parse_quantities(content)) == ["first", "second", "third"]
    known = values(content)
    # 4/8 = 1/2, 1/2 + 1 = 3/2, 3/2 · 2 = 3
    assert [known[name] for name in ("first", "second", "third")] == [
        Interval.point(Fraction(1, 2)),
        Interval.point(Fraction(3, 2)),
        Interval.point(3),
    ]


def test_what_may_divide_by_zero_is_left_out_with_all_that_needs_it() -> None:
    content = of({"ratio": "[a] / [small]", "of-it": "2 * [ratio]", "other": "[a] - [b]"})
    assert set(values(content)) == {*PRINTS, "other"}


@pytest.mark.parametrize(
    ("quantities", "relations", "message"),
    [
        ({"q": "[a"}, {}, "quantity 'q': cannot read '[a'"),
        ({"q": "[a] = 1"}, {}, "quantity 'q': expected the end"),
        ({"q": "[nothing]"}, {}, "quantity 'q' speaks of 'nothing'"),
        ({"q": "[p] * 2"}, {}, "quantity 'q' reckons with 'p', of which a bound is printed"),
        ({}, {"r": "[a]"}, "relation 'r': expected =, !="),
        ({}, {"r": "[nothing] > 1"}, "relation 'r' speaks of 'nothing', which is no figure"),
        ({}, {"r": "[p] < 0.1"}, "relation 'r' reckons with 'p'"),
        ({"q": "[q]"}, {}, "in a circle: 'q'"),
        ({"q": "[r] + 1", "r": "[s]", "s": "[q]", "t": "[q]"}, {}, "in a circle: 'q', 'r', 's'"),
        ({"q": "weighted_mean(1, 2; 1, 0 - 1)"}, {}, "quantity 'q': a weight is negative"),
    ],
)
def test_what_cannot_be_followed_is_named(
    quantities: dict[str, str], relations: dict[str, str], message: str
) -> None:
    content = of(quantities, relations)
    with pytest.raises(LedgerError) as error:
        values(content)
        parse_relations(content)
    assert message in str(error.value)
    assert error.value.remedy


def test_doubling_without_end_is_refused_in_time() -> None:
    chain = {"q0": "[a] * [a]"} | {f"q{n}": f"[q{n - 1}] * [q{n - 1}]" for n in range(1, 60)}
    started = time.process_time()
    with pytest.raises(LedgerError, match=r"quantity 'q1?[0-9]': it grows beyond all measure"):
        values(of(chain))
    assert time.process_time() - started < 2


def test_a_long_chain_of_needs_is_followed_in_time() -> None:
    chain = {f"q{n}": f"[q{n + 1}] + 1" for n in range(2000)} | {"q2000": "[n]"}
    started = time.process_time()
    assert values(of(chain))["q0"] == Interval.point(2004)
    assert time.process_time() - started < 2  # trying all for each takes a minute


def test_what_entries_rest_on() -> None:
    content = of({"q": "[a] / [b]", "r": "[q] + [n]"}, {"s": "[r] > [small] + 1", "t": "2 > 1"})
    assert rests_on(content) == {
        "q": {"a", "b"},
        "r": {"q", "a", "b", "n"},
        "s": {"r", "q", "a", "b", "n", "small"},
        "t": set(),
    }
