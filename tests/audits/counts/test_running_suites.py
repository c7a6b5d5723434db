"""Great Expectations' silent ways out are closed."""

import os
import subprocess
import sys
from typing import Any

import pandas as pd
import prose
import pytest

from audits.counts import counts_report as findings
from audits.counts.suites import Outcome, run_suite
from storyaudit.errors import InputError

FRAME = pd.DataFrame({"key": ["a", "b", "c"], "number": [1.0, 1.0, 2.0]})


def expect(kind: str, name: str = "rule", **kwargs: Any) -> dict[str, Any]:
    meta = {"id": name, "statement": "It holds."}
    return {"type": f"expect_{kind}", "kwargs": kwargs, "meta": meta}


def run(*expectations: dict[str, Any], frame: pd.DataFrame = FRAME) -> list[Outcome]:
    return run_suite(frame, list(expectations), name="demo", key=["key"])


UNIQUE = expect("column_values_to_be_unique", column="number")


def test_outcomes_come_in_the_order_of_expectations() -> None:
    outcomes = run(
        expect("column_values_to_not_be_null", "z", column="number"),
        expect("column_values_to_be_in_set", "a", column="number", value_set=[1.0]),
        expect("column_values_to_be_unique", "m", column="key"),
    )
    assert [(o.id, o.success, o.unexpected) for o in outcomes] == [
        ("z", True, 0),
        ("a", False, 1),
        ("m", True, 0),
    ]
    assert outcomes[1].rows == [{"key": "c", "number": 2.0}]


def test_an_unknown_type_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"'typo'.*expect_column_values_to_be_uniqe.*unknown"):
        run(UNIQUE, expect("column_values_to_be_uniqe", "typo", column="number"))


@pytest.mark.parametrize(
    "wrong",
    [
        expect("column_values_to_be_unique", colum="number"),
        expect("column_values_to_be_in_set", column="number", value_set=3),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="wrong arguments") as refusal:
        run(wrong)
    assert "expectations/tables/demo.json" in str(refusal.value)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (expect("column_values_to_be_unique", "broken", column="nowhere"), "nowhere"),
        (
            expect("column_values_to_be_in_set", "broken", column="nowhere", value_set=[1]),
            "nowhere",
        ),
        (expect("column_values_to_be_between", "broken", column="key", min_value=0), "same type"),
    ],
)
def test_an_exception_is_an_error_and_no_failed_check(broken: dict[str, Any], message: str) -> None:
    valid, outcome = run(expect("column_values_to_be_unique", column="key"), broken)
    assert valid.success and valid.error is None
    assert not outcome.success and message in (outcome.error or "")


def test_what_could_not_be_evaluated_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = [expect("column_values_to_be_unique", column="nowhere")]
    monkeypatch.setattr(findings, "read_suite", lambda *_: suite)
    pairs = pd.DataFrame({"pair_id": ["1"], "method": ["m"], "split": ["train"]})
    pairs = pairs.assign(premise_id="p", chosen_id="a", rejected_id="b")
    report = findings.counts_report({"pairs": pairs}, study="demo")
    assert "pairs-rule" not in {f.id for f in report.findings}
    left = {left.id: left for left in report.unchecked}["pairs-rule"]
    prose.check("counts/an expectation that could not be evaluated", left)


def test_an_empty_frame_is_refused() -> None:
    with pytest.raises(ValueError, match="passes every expectation"):
        run(UNIQUE, frame=FRAME.head(0))


def test_two_expectations_of_one_id_are_noticed() -> None:
    with pytest.raises(RuntimeError, match="2 went in, 1 came back"):
        run(UNIQUE, expect("column_values_to_be_unique", column="key"))


def test_more_rows_than_are_listed_by_default_are_counted() -> None:
    frame = pd.DataFrame({"key": range(500), "number": [7] * 300 + list(range(100, 300))})
    (outcome,) = run(UNIQUE, frame=frame)
    assert outcome.unexpected == 300
    assert sorted(row["key"] for row in outcome.rows) == list(range(300))


def test_a_missing_value_is_in_no_set() -> None:
    frame = pd.DataFrame({"key": ["a", "b", "c"], "word": ["yes", None, "no"]})
    (outcome,) = run(
        expect("column_values_to_be_in_set", column="word", value_set=["yes"]), frame=frame
    )
    assert not outcome.success and outcome.unexpected == 2
    assert sorted(row["key"] for row in outcome.rows) == ["b", "c"]


NO_NETWORK = """
import os, sys
def forbid(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        os.write(2, f"{event} {arguments}".encode())
        os._exit(9)
sys.addaudithook(forbid)
import pandas as pd
from audits.counts.suites import run_suite
unique = {"type": "expect_column_values_to_be_unique", "kwargs": {"column": "key"},
          "meta": {"id": "rule"}}
print(run_suite(pd.DataFrame({"key": [1, 1]}), [unique], name="demo", key=["key"])[0].unexpected)
"""


def test_a_suite_runs_without_touching_the_network() -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GX_")}
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK], env=plain, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr
