"""``storyaudit gate``: the exit code before a release."""

import json
from pathlib import Path

import pytest
from cli_samples import write

from storyaudit.findings import Finding, Report, write_report
from storyaudit.vocabulary import Severity


def finding(name: str, severity: Severity = "fail") -> Finding:
    return Finding(id=name, severity=severity, statement=f"About {name}.")


@pytest.fixture(autouse=True)
def findings() -> None:
    """Two studies: ``broken`` with two fails, ``sound`` with none."""
    broken = [finding("one"), finding("two"), finding("three", "warn")]
    sound = [finding("one", "warn"), finding("two", "note"), finding("three", "pass")]
    for study, found in (("broken", broken), ("sound", sound)):
        path = Path(f"findings/{study}/counts.json")
        write_report(path, Report(study=study, audit="counts", findings=found))


def waive(*names: str, path: str = "expectations/waivers.yaml") -> Path:
    entries = [{"finding": name, "reason": "Known, and printed beside it."} for name in names]
    return write(path, json.dumps(entries).encode())  # JSON is YAML


def test_an_open_fail_closes_the_gate(run) -> None:
    outcome = run("gate")
    assert (outcome.code, outcome.err) == (1, "")
    assert "2 open fails in 2 audits." in outcome.out
    assert "About one." in outcome.out
    assert "About three." not in outcome.out


def test_a_study_without_fails_passes(run) -> None:
    outcome = run("gate", "--study", "sound")
    assert (outcome.code, outcome.err) == (0, "")
    assert "0 open fails in 1 audits." in outcome.out


def test_only_the_named_study_counts(run) -> None:
    assert run("gate", "--study", "broken").code == 1


def test_an_unknown_study_is_bad_usage_and_the_known_ones_are_named(run) -> None:
    outcome = run("gate", "--study", "nobody")
    assert (outcome.code, outcome.out) == (2, "")
    assert "'nobody'" in outcome.err
    assert "broken, sound" in outcome.err


def test_a_gate_opens_once_every_fail_is_accepted(run) -> None:
    waive("broken/counts/one")
    assert run("gate").code == 1
    waive("broken/counts/one", "broken/counts/two")
    outcome = run("gate")
    assert outcome.code == 0
    assert "0 open fails" in outcome.out


def test_a_waiver_names_study_audit_and_finding(run) -> None:
    waive("sound/counts/one", "broken/overlap/one", "one", "broken/counts/ONE")
    assert "2 open fails" in run("gate").out


def test_waivers_can_lie_elsewhere(run) -> None:
    path = waive("broken/counts/one", "broken/counts/two", path="accepted.yaml")
    assert run("gate").code == 1
    assert run("gate", "--waivers", path).code == 0


@pytest.mark.parametrize(
    "content",
    [
        b"a: [",
        b"a: b",
        b"- finding: broken/counts/one\n",
        b"- {finding: broken/counts/one, reason: short}\n",
        b"- {finding: a, reason: long enough}\n- {finding: a, reason: long enough too}\n",
    ],
    ids=["syntax", "mapping", "no-reason", "short-reason", "twice"],
)
def test_broken_waivers_are_bad_input(content: bytes, run) -> None:
    write("expectations/waivers.yaml", content)
    outcome = run("gate")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: expectations/waivers.yaml: ")
    assert outcome.err.count("\n") == 1


def test_waivers_that_were_named_must_be_there(run) -> None:
    outcome = run("gate", "--waivers", "nowhere.yaml")
    assert (outcome.code, outcome.out) == (2, "")
    assert "nowhere.yaml" in outcome.err


def test_findings_come_from_the_paths_given(run) -> None:
    assert run("gate", "findings/sound").code == 0
    assert run("gate", "findings/sound/counts.json", "findings/broken").code == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"study": "x"}', b"\xff", b"[" * 9999],
    ids=["empty", "half", "list", "keys", "encoding", "deep"],
)
def test_what_are_no_findings_is_bad_input(content: bytes, run) -> None:
    write("findings/x.json", content)
    outcome = run("gate")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: findings/x.json")
    assert outcome.err.count("\n") == 1


def test_no_findings_at_all_is_no_pass(run) -> None:
    Path("empty").mkdir()
    for path in ("empty", "nowhere"):
        outcome = run("gate", path)
        assert (outcome.code, outcome.out) == (2, "")
        assert path in outcome.err


def test_one_audit_given_twice_with_other_findings_is_refused(run) -> None:
    report = Report(study="sound", audit="counts", findings=[finding("other")])
    write_report(Path("again.json"), report)
    outcome = run("gate", "findings", "again.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert "again.json" in outcome.err
