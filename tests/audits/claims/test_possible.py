from typing import Any

import pytest
from claims_samples import check, figures, ledger

from audits.claims.verdict import Checked
from storyaudit.errors import InputError

OUTCOMES = {"possible": "pass", "impossible": "fail", "undetermined": "unchecked"}


def judged(entry: dict[str, Any], **prints: str) -> Checked:
    content = ledger(figures(**prints), possible=[{"id": "it", **entry}])
    found = check(content)["possible/it"]
    assert found.outcome == OUTCOMES[found.verdict]
    return found


def of_mean(mean: str, n: Any = 28, **prints: str) -> Checked:
    entry = {"check": "mean", "mean": "m", "n": n, "scale": [1, 10]}
    return judged(entry, m=mean, **prints)


def of_both(mean: str, sd: str, n: int, scale: tuple[int, int] = (1, 10), **more: Any) -> Checked:
    entry = {"check": "mean_and_sd", "mean": "m", "sd": "s", "n": n, "scale": list(scale)}
    return judged(entry | more, m=mean, s=sd)


def test_a_mean() -> None:
    assert of_mean("5.21").sentence == "28 whole scores from 1 to 10 can have a mean of 5.21."
    assert of_mean("5.20").sentence == "28 whole scores from 1 to 10 cannot have a mean of 5.20."
    assert of_mean("5.2").verdict == "possible"
    assert of_mean("10.1").verdict == "impossible"
    # A 5 that is 5.00 is 140/28; of 27 scores 5.4 is 146/27, and 5.50 lies between 148 and 149.
    assert of_mean("5~2").verdict == of_mean("5~0").verdict == "possible"
    assert of_mean("5.4", n=27).verdict == "possible"
    assert of_mean("5.50", n=27).verdict == "impossible"
    assert of_mean("7.00", n=9**9).verdict == "possible"


def test_the_number_may_be_a_printed_count() -> None:
    assert of_mean("5.20", n="raters", raters="28").verdict == "impossible"
    assert of_mean("5.20", n="raters", raters="1,000").verdict == "possible"
    for printed in ("28.0", "0", "-5", "9" * 12, "28~0"):
        with pytest.raises(InputError, match=r"'it' takes n from 'raters', printed .*count"):
            of_mean("5.20", n="raters", raters=printed)


def test_a_mean_and_a_standard_deviation() -> None:
    # 1, 1, 2: mean 1.33, SD 0.58 over n − 1 and 0.47 over n.
    assert of_both("1.33", "0.58", 3).verdict == "possible"
    assert of_both("1.33", "0.47", 3).verdict == "possible"
    assert of_both("1.33", "0.47", 3, ddof=0).verdict == "possible"
    assert of_both("1.33", "0.58", 3, ddof=0).sentence == (
        "3 whole scores from 1 to 10 cannot have a mean of 1.33 with a standard deviation of 0.58 "
        "(n)."
    )
    assert of_both("1.33", "0.47", 3, ddof=1).sentence.endswith("of 0.47 (n − 1).")
    assert of_both("1.33", "0.50", 3).verdict == "impossible"


def test_a_search_that_would_take_too_long_is_a_record_of_its_own() -> None:
    found = of_both("500.0", "500.249", 1000, (0, 1000), ddof=1)
    assert found.verdict == "undetermined"
    assert "would take too long" in found.sentence


def test_a_percentage() -> None:
    def of_n(percentage: str, n: int) -> Checked:
        return judged({"check": "percentage", "percentage": "p", "n": n}, p=percentage)

    assert of_n("63.3", 60).sentence == "63.3 % of 60 is 38."
    assert of_n("94~0", 60).verdict == "impossible"  # 56/60 is 93.3 %, 57/60 is 95 %
    assert of_n("63.4", 60).sentence == "No count of 60 gives 63.4 %."
    # 93.5 to 94.5 % of 624 are 583.44 to 589.68.
    assert of_n("94~0", 624).sentence == "94 % of 624 is 584, 585, 586, 587, 588, 589."
    assert of_n("50~0", 10**9).sentence.endswith(", 495000009, ….")
    assert of_n("94~3", 624).verdict == "impossible"  # 94.000 % are 586.56


def test_denominators_of_a_row() -> None:
    def of_row(*row: str, exhaustive: bool = True, at_most: int = 110) -> Checked:
        prints = {f"p{n}": text for n, text in enumerate(row)}
        entry = {"check": "denominators", "row": list(prints), "exhaustive": exhaustive}
        return judged(entry | {"at_least": 90, "at_most": at_most}, **prints)

    # 48, 15 and 38 % sum to 101: not of 100, where each count is its percentage.
    found = of_row("48~0", "15~0", "38~0")
    assert found.verdict == "possible" and " 100," not in found.sentence
    assert of_row("50.0", "25.0", "25.0", at_most=100).sentence == (
        "Of the denominators from 90 to 100, 3 allow 50.0, 25.0, 25.0 %: 92, 96, 100."
    )
    assert of_row("33.3", at_most=91, exhaustive=False).sentence == (
        "Of the denominators from 90 to 91, 1 allow 33.3 %: 90."
    )
    assert of_row("33.33", at_most=92, exhaustive=True).sentence == (
        "No denominator from 90 to 92 allows 33.33 %."
    )


def test_each_place_is_named_once() -> None:
    content = ledger(
        [
            {"id": "m", "printed": "5.2", "where": "table 1"},
            {"id": "s", "printed": "1.1", "where": "table 1"},
        ],
        possible=[
            {"id": "it", "check": "mean_and_sd", "mean": "m", "sd": "s", "n": 9, "scale": [1, 9]}
        ],
    )
    found = check(content)["possible/it"]
    assert (found.where, found.printed) == ("table 1", "5.2, 1.1")
