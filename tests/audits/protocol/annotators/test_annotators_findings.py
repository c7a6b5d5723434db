"""What is said of injected annotators, and of tables that cannot be read."""

import numpy as np
import pandas as pd
import prose
import pytest
from annotator_samples import (
    COLUMNS,
    STORIES,
    candidates_of,
    confirmed,
    found,
    order,
    table_of,
    verdict,
)
from hypothesis import given, settings
from hypothesis import strategies as st


def injected(noise: float, items: int = 60) -> list:
    """Three annotators see an item's qualities with an error, and rank or confirm by them."""
    rng = np.random.default_rng(4)
    rows = []
    for number in range(items):
        quality = rng.normal(0, 1, 4)
        for name in ("anna", "ben", "carla"):
            seen = quality + rng.normal(0, noise, 4)
            best = [STORIES[n] for n in np.argsort(-seen)]
            rows += order(f"r{number:03}", name, best)
            answer = "yes" if seen[0] > seen[1] else "no"
            rows += verdict(f"c{number:03}", name, answer)
    return rows


def test_noisier_annotators_agree_less() -> None:
    noises = (0.2, 0.5, 1.0, 50.0)
    by_noise = [found(injected(noise))[0] for noise in noises]
    for finding, number in (("annotators-confirmation", "alpha"), ("annotators-ranking", "tau")):
        for noise, findings in zip(noises, by_noise, strict=True):
            # Two annotators' differences between two stories correlate by 1 / (1 + noise²), so that
            # they order them equally with probability 1/2 + asin(correlation) / π (Sheppard 1899):
            # less the half, doubled, that is tau, and of two answers as likely also alpha.
            truth = 2 / np.pi * np.arcsin(1 / (1 + noise**2))
            assert findings[finding].numbers[number] == pytest.approx(truth, abs=0.15)
            assert findings[finding].severity == ("warn" if noise == 50 else "note")
    differs = [findings["annotators-majority"].numbers["differs"] for findings in by_noise]
    assert differs == sorted(differs)


def test_the_order_of_rows_changes_nothing() -> None:
    table = table_of(injected(1.0, 15))
    assert found(table) == found(table.sample(frac=1, random_state=1))


@pytest.mark.parametrize("table", [None, table_of([])])
def test_without_the_table_it_is_not_checked(table: pd.DataFrame | None) -> None:
    findings, unchecked = found(table, candidates_of(["i"]))
    assert findings == {} and list(unchecked) == ["annotators"]


def test_without_two_annotators_of_an_item_it_is_not_checked() -> None:
    rows = confirmed([{"anna": "yes"}, {"ben": "no"}])
    findings, unchecked = found(rows)
    assert findings == {}
    assert list(unchecked) == ["annotators"]
    prose.check("protocol/no item of two annotators", *unchecked.values())


HUMAN_LLM = candidates_of(["h"], "human_llm")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (("i", "ben", "confirmation", "i-a", np.nan), "missing"),
        (("i", "ben", "confirmation", None, 1.0), "missing"),
        (("i", "ben", None, "i-a", 1.0), "missing"),
        (("i", None, "confirmation", "i-a", 1.0), "missing"),
        ((None, "ben", "confirmation", "i-a", 1.0), "missing"),
        (("i", "ben", "opinion", "i-a", 1.0), "found opinion"),
        (("i", "ben", "confirmation", "i-a", 0.5), "found confirmation 0.5"),
        (("i", "ben", "confirmation", "i-a", np.inf), "found confirmation inf"),
        (("i", "ben", "ranking", "i-a", 2.0), "expected a ranking"),
        (("i", "ben", "ranking", "i-a", 1.0), "ranking of all candidates"),
        (("i", "ben", "confirmation", "i-z", 1.0), "no candidate"),
        (("i", "ben", "best", "i-a", 1.0), "'best' on an item that is to be confirmed"),
        (("h", "ben", "confirmation", "h-a", 1.0), "whose best story is to be named"),
        (("z", "ben", "confirmation", "z-a", 1.0), "four different candidates"),
        (("j", "ben", "confirmation", "j-a", 1.0), "four different candidates"),
        (("k", "ben", "confirmation", "k-a", 1.0), "one known origin"),
        (("g", "ben", "best", "g-a", 1.0), "one human story in the item, found 0"),
    ],
)
def test_what_cannot_be_read_is_left_out_and_counted(bad: tuple, reason: str) -> None:
    candidates = pd.concat(
        [
            candidates_of(["i", "i2"]),
            HUMAN_LLM,
            candidates_of(["j"]).iloc[:3],
            candidates_of(["k"], "elsewhere"),
            candidates_of(["g"], "human_llm"),
        ]
    )
    rows = [*verdict("i", "anna", "yes"), bad]
    rows += verdict("i2", "anna", "yes") + verdict("i2", "ben", "yes")
    findings, _ = found(rows, candidates, humans={"h-a"})
    left_out = findings["annotators-left-out"]
    assert left_out.severity == "warn"
    prose.check("protocol/a decision that cannot be read", left_out)
    assert left_out.numbers == {"left_out": 1, "decisions": 4}
    assert reason in str(left_out.evidence[0]["reason"])
    assert findings["annotators-confirmation"].numbers["items"] == 1


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (verdict("i", "ben", "yes") * 2, "found 2"),
        (verdict("i", "ben", "yes") + verdict("i", "ben", "unsure"), "found 2"),
        (verdict("i", "ben", "yes") + order("i", "ben", "bacd"), "contradicts"),
        (verdict("i", "ben", "no") + order("i", "ben", "abcd"), "contradicts"),
        (order("i", "ben", "abcd") + order("i", "ben", "abcd"), "expected a ranking"),
        (order("i", "ben", "abca"), "expected a ranking"),
    ],
)
def test_contradictory_decisions_are_left_out(rows: list, reason: str) -> None:
    findings, unchecked = found([*verdict("i", "anna", "yes"), *rows])
    (left_out,) = findings.values()
    assert left_out.numbers["left_out"] == 1 and reason in str(left_out.evidence[0]["reason"])
    assert list(unchecked) == ["annotators"]


@pytest.mark.parametrize("answer", ["no", "unsure", "yes"])
def test_an_order_may_stand_beside_a_verdict(answer: str) -> None:
    stories = "abcd" if answer == "yes" else "bacd"
    rows = [*verdict("i", "anna", "yes"), *verdict("i", "ben", answer), *order("i", "ben", stories)]
    findings, _ = found(rows)
    assert "annotators-left-out" not in findings
    assert findings["annotators-confirmation"].numbers["raw"] == float(answer == "yes")


def test_annotators_who_were_asked_about_different_stories_do_not_disagree() -> None:
    rows = [*verdict("i", "anna", "yes"), ("i", "ben", "confirmation", "i-b", 1.0)]
    findings, unchecked = found(rows)
    assert findings["annotators-left-out"].numbers == {"left_out": 2, "decisions": 2}
    assert list(unchecked) == ["annotators"]


def maybe(*values: object) -> st.SearchStrategy:
    return st.sampled_from([*values, None])


anything = st.lists(
    st.tuples(
        maybe("i", "h", "orphan"),
        maybe("anna", "ben"),
        maybe("confirmation", "best", "unsure", "ranking", "=1+1"),
        maybe("i-a", "i-b", "h-a", "h-b"),
        st.sampled_from([1.0, 2.0, 0.0, -1.0, np.nan, np.inf]),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(anything, st.sampled_from([None, set(), {"h-a"}]))
def test_nothing_is_a_traceback(rows: list, humans: set[str] | None) -> None:
    table = pd.DataFrame(rows, columns=COLUMNS).astype(
        dict.fromkeys(COLUMNS[:4], "str") | {"value": "float64"}
    )
    candidates = pd.concat([candidates_of(["i"]), HUMAN_LLM])
    findings, unchecked = found(table, candidates, humans=humans, resamples=10)
    assert findings or unchecked
