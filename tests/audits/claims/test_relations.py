from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from claims_samples import check, figures, ledger, printed_truths, terms
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from audits.claims.verdict import Checked
from storyaudit.errors import InputError

TRUE_OF: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
OUTCOMES = {
    "holds": "pass",
    "holds only through rounding": "note",
    "contradicted": "fail",
    "undetermined": "unchecked",
}


def judged(relation: str, quantities: dict[str, str] | None = None, **prints: str) -> Checked:
    content = ledger(
        figures(**prints),
        relations=[{"id": "r", "statement": "So it is.", "relation": relation}],
        quantities=[{"id": n, "expression": text} for n, text in (quantities or {}).items()],
    )
    found = check(content)["relations/r"]
    assert found.outcome == OUTCOMES[found.verdict]
    return found


@settings(max_examples=150)
@given(st.data(), st.booleans())
def test_no_verdict_is_false_of_the_true_values(data: st.DataObject, named: bool) -> None:
    drawn = {name: data.draw(printed_truths()) for name in ("a", "b")}
    drawn["w"] = data.draw(printed_truths(low=0))
    truths = {name: entry.pop("true") for name, entry in drawn.items()}
    left, right = data.draw(terms(truths)), data.draw(terms(truths))
    assume(left.value is not None and right.value is not None)
    assert left.value is not None and right.value is not None
    sign = data.draw(st.sampled_from(sorted(TRUE_OF)))
    content = ledger(
        ({"id": name} | entry for name, entry in drawn.items()),
        quantities=[{"id": "q", "expression": left.text}] if named else [],
        relations=[
            {
                "id": "r",
                "statement": "So it is",
                "relation": f"{'[q]' if named else left.text} {sign} {right.text}",
            }
        ],
    )
    verdict = check(content)["relations/r"].verdict
    event(verdict)
    true = TRUE_OF[sign](left.value, right.value)
    assert not (true and verdict == "contradicted")
    # An equation also holds if the prints satisfy it, whatever the truth behind them.
    assert true or verdict != "holds" or sign == "="


@settings(max_examples=100)
@given(st.data())
def test_a_value_printed_of_what_it_is_computed_from_is_never_contradicted(
    data: st.DataObject,
) -> None:
    drawn = {name: data.draw(printed_truths()) for name in ("a", "b")}
    drawn["w"] = data.draw(printed_truths(low=0))
    truths = {name: entry.pop("true") for name, entry in drawn.items()}
    term = data.draw(terms(truths))
    assume(term.value is not None)
    drawn["c"] = data.draw(printed_truths(st.just(term.value)))
    del drawn["c"]["true"]
    content = ledger(
        ({"id": name} | entry for name, entry in drawn.items()),
        relations=[{"id": "r", "statement": "So it is", "relation": f"[c] = {term.text}"}],
    )
    assert check(content)["relations/r"].outcome != "fail"


@pytest.mark.parametrize(
    ("relation", "prints", "verdict"),
    [
        # Whole numbers are exact.
        ("[a] + [b] = [c]", {"a": "624", "b": "509", "c": "1,133"}, "holds"),
        ("[a] + [b] = [c]", {"a": "624", "b": "508", "c": "1,133"}, "contradicted"),
        ("[a] != [b]", {"a": "624", "b": "533"}, "holds"),
        ("[a] != [b]", {"a": "624", "b": "624"}, "contradicted"),
        # 8.7 + 8.6 = 17.3 as printed; 17.2 to 17.4 behind it.
        ("[a] + [b] = [c]", {"a": "8.7", "b": "8.6", "c": "17.3"}, "holds"),
        ("[a] + [b] = [c]", {"a": "8.7", "b": "8.6", "c": "17.4"}, "holds only through rounding"),
        ("[a] + [b] = [c]", {"a": "8.7", "b": "8.6", "c": "17.5"}, "contradicted"),
        # The mean of the prints is 8.65, which rounds to 8.6 or 8.7.
        ("mean([a], [b]) = [c]", {"a": "8.7", "b": "8.6", "c": "8.6"}, "holds"),
        ("[c] = mean([a], [b])", {"a": "8.7", "b": "8.6", "c": "8.7"}, "holds"),
        # It is from 8.6 to 8.7, and 8.8 stands for 8.75 or more.
        ("mean([a], [b]) = [c]", {"a": "8.7", "b": "8.6", "c": "8.8"}, "contradicted"),
        ("mean([a], [b]) = [c]", {"a": "8.7", "b": "8.6", "c": "8.5"}, "contradicted"),
        # 75.0 is 74.95 to 75.05.
        ("[a] > [b]", {"a": "75.0", "b": "74.8"}, "holds"),
        ("[a] > [b]", {"a": "75.0", "b": "74.9"}, "holds only through rounding"),
        ("[a] >= [b]", {"a": "75.0", "b": "74.9"}, "holds"),
        ("[a] > [b]", {"a": "75.0", "b": "75.0"}, "holds only through rounding"),
        ("[a] >= [b]", {"a": "75.0", "b": "75.0"}, "holds only through rounding"),
        ("[a] <= [b]", {"a": "75.0", "b": "75.0"}, "holds only through rounding"),
        ("[a] >= [b]", {"a": "75", "b": "75"}, "holds"),
        ("[a] > [b]", {"a": "75.0", "b": "75.1"}, "contradicted"),
        ("[a] >= [b]", {"a": "75.0", "b": "75.1"}, "holds only through rounding"),
        ("[a] >= [b]", {"a": "75.0", "b": "75.2"}, "contradicted"),
        ("[a] > [b]", {"a": "75", "b": "75"}, "contradicted"),
        # An ordering is as good as its worst link.
        ("[a] > [b] > [c]", {"a": "9.0", "b": "8.0", "c": "7.0"}, "holds"),
        ("[a] > [b] > [c]", {"a": "9.0", "b": "8.0", "c": "8.0"}, "holds only through rounding"),
        ("[a] > [b] > [c]", {"a": "9.0", "b": "8.0", "c": "8.9"}, "contradicted"),
        ("[a] > [b] > [a]", {"a": "9.0", "b": "9.0"}, "holds only through rounding"),
        ("[a] = [a] / [b] > 1", {"a": "9.0", "b": "0.0"}, "undetermined"),
        ("[a] / [b] > 1 > 2", {"a": "9.0", "b": "0.0"}, "contradicted"),
        # About 100,000 with decimals -5 is 50,000 to 150,000.
        ("[about] = [n]", {"about": "100,000~-5", "n": "93,729"}, "holds"),
        ("[about] = [n]", {"about": "100,000~-4", "n": "93,729"}, "contradicted"),
        # 100 · 38 / 60 = 63.33…
        ("percent(38, [n]) = [p]", {"n": "60", "p": "63.3"}, "holds"),
        ("percent(38, [n]) = [p]", {"n": "60", "p": "63.4"}, "contradicted"),
        # 1.0149 / 0.8999 = 1.12779: up by 12.8 %.
        ("change([x], [y]) = [c]", {"x": "1.0149", "y": "0.8999", "c": "12.8"}, "holds"),
        ("change([x], [y]) = [c]", {"x": "1.0149", "y": "0.8999", "c": "12.9"}, "contradicted"),
        # (94 · 624 + 54 · 509) / 1133 = 76.03
        (
            "weighted_mean([x], [y]; [m], [n]) = [c]",
            {"x": "94~0", "y": "54~0", "m": "624", "n": "509", "c": "76.0"},
            "holds",
        ),
        ("mean([x], [y]) = [c]", {"x": "94~0", "y": "54~0", "c": "76.0"}, "contradicted"),
        ("count([a] > [b], [c] > [b]) = 2", {"a": "9.0", "b": "8.0", "c": "8.5"}, "holds"),
        ("count([a] > [b], [c] > [b]) = 2", {"a": "9.0", "b": "8.0", "c": "7.5"}, "contradicted"),
        (
            "count([a] > [b], [c] > [b]) >= 2",
            {"a": "9.0", "b": "8.0", "c": "8.1"},
            "holds only through rounding",
        ),
        ("2 + 2 = 4", {"a": "1"}, "holds"),
    ],
)
def test_verdicts_by_hand(relation: str, prints: dict[str, str], verdict: str) -> None:
    assert judged(relation, **prints).verdict == verdict


def test_the_published_mean_over_authors_holds_only_through_rounding() -> None:
    # A Confederacy of Models, table 2: mean totals of 13 authors, average printed 56.6. Their mean
    # is 734.6/13 = 56.508, at most 56.558; 56.6 stands for 56.55 or more.
    totals = [
        "80.2",
        "74.4",
        "70.1",
        "69.5",
        "63.0",
        "60.0",
        "59.0",
        "54.7",
        "48.2",
        "46.8",
        "38.7",
        "37.9",
        "32.1",
    ]
    prints = {f"m{n}": total for n, total in enumerate(totals)}
    relation = f"mean({', '.join(f'[{name}]' for name in prints)}) = [average]"
    assert judged(relation, **prints, average="56.5").verdict == "holds"
    assert judged(relation, **prints, average="56.6").verdict == "holds only through rounding"
    assert judged(relation, **prints, average="56.7").verdict == "contradicted"


@pytest.mark.parametrize(
    ("relation", "verdict"),
    [
        ("[q] = [c]", "holds only through rounding"),
        ("[c] = [q]", "holds only through rounding"),
        ("[a] + [b] = [c]", "holds only through rounding"),
        ("[c] = [a] + [b]", "holds only through rounding"),
        ("[q] = [d]", "holds"),
        ("[d] = [q]", "holds"),
    ],
)
def test_a_quantity_is_judged_as_the_expression_it_names(relation: str, verdict: str) -> None:
    # 1.0 + 1.0 is 2.0 as printed; from 1.9 to 2.1. A value of 2.0 does not round to 2.1.
    found = judged(relation, {"q": "[a] + [b]"}, a="1.0", b="1.0", c="2.1", d="2.0")
    assert found.verdict == verdict


@pytest.mark.parametrize("relation", ["[q] > 1", "[s] > 1", "1 < count([s] > 1)", "[a] = [q] * 0"])
def test_a_quantity_that_may_divide_by_zero_leaves_relations_undetermined(relation: str) -> None:
    quantities = {"s": "2 * [q]", "q": "[a] / [b]"}
    found = judged(relation, quantities, a="9.0", b="0.0")
    assert (found.verdict, found.numbers) == ("undetermined", {})
    assert "a divisor may be zero" in found.sentence


def test_a_verdict_says_where_it_stands_and_what_the_sides_are() -> None:
    content = ledger(
        [
            {"id": "a", "printed": "624", "where": "p. 3"},
            {"id": "b", "printed": "508", "where": "p. 4"},
            {"id": "c", "printed": "1,133", "where": "p. 3"},
        ],
        quantities=[{"id": "q", "expression": "[a] + [b]"}],
        relations=[{"id": "r", "statement": "The parts make the whole.", "relation": "[q] = [c]"}],
    )
    found = check(content)["relations/r"]
    assert found.where == "p. 3; p. 4"
    assert found.printed == "[q] = 1,133"
    assert found.sentence == (
        "The parts make the whole: [q] = 1,133 is contradicted (left side 1132, right side 1133)."
    )
    assert found.numbers == {
        "left_low": 1132,
        "left_high": 1132,
        "right_low": 1133,
        "right_high": 1133,
    }


def test_rounded_sides_are_shown_with_their_ends() -> None:
    found = judged("[a] + [b] = [c]", a="8.7", b="8.6", c="17.5")
    assert found.sentence == (
        "So it is: 8.7 + 8.6 = 17.5 is contradicted "
        "(left side 17.2 to 17.4, right side 17.45 to 17.55)."
    )


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        ("weighted_mean(1, 2; [w], [v]) = 1", "relation 'r': a weight is negative"),
        ("*".join(["[v]"] * 200) + " > 1", "relation 'r': it grows beyond all measure"),
    ],
)
def test_a_relation_that_cannot_be_computed_is_bad_input(relation: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        judged(relation, w="-1.0", v="9" * 30)


def test_no_relation_no_verdict() -> None:
    content: Any = ledger(figures(a="1"))
    assert check(content) == {}
