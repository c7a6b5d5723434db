"""``storyaudit report``: one page and a summary."""

import re
from pathlib import Path

import pytest
from cli_samples import write

from storyaudit.findings import Finding, Report, Unchecked, write_report

FAIL = Finding(
    id="sum",
    severity="fail",
    statement="3 & 4 make <b>8</b>.",
    numbers={"left": 7, "right": 8, "share": None},
    evidence=[{"item": "i<1>", "score": 2.5}, {"item": "i2", "score": None}],
)
HELD = Finding(id="keys", severity="pass", statement="Keys are unique.")
GAP = Unchecked(id="scale", check="the scale's ends", reason="nobody gave them")


@pytest.fixture(autouse=True)
def findings() -> Path:
    report = Report(
        study="study",
        audit="counts",
        findings=[HELD, FAIL],
        unchecked=[GAP],
        command="storyaudit counts 'a & b'",
    )
    write_report(Path("findings/study/counts.json"), report)
    return Path("findings")


def page() -> str:
    return Path("reports/index.html").read_text(encoding="utf-8")


def test_the_page_holds_every_finding_its_evidence_and_what_was_not_checked(run) -> None:
    outcome = run("report", "findings", "--out", "reports")
    assert (outcome.code, outcome.err) == (0, "")
    assert "reports/index.html" in outcome.out
    for part in ("Keys are unique.", "the scale", "nobody gave them", "2.5", "i2", "sum", "keys"):
        assert part in page()


def test_the_page_is_escaped_and_stands_alone(run) -> None:
    run("report", "findings", "--out", "reports")
    assert "3 &amp; 4 make &lt;b&gt;8&lt;/b&gt;." in page()
    assert "i&lt;1&gt;" in page()
    assert "<b>8" not in page()
    assert not re.search(r"""(src|href)=["']?(https?:)?//|@import|<script""", page())


def test_fails_do_not_fail_the_report(run) -> None:
    outcome = run("report", "findings")
    assert outcome.code == 0
    assert "1 open fail " in outcome.out
    assert not Path("reports").exists()


def test_quiet_prints_nothing_and_writes_the_page(run) -> None:
    outcome = run("report", "findings", "--out", "reports", "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert "Keys are unique." in page()


def test_an_accepted_finding_stays_marked_with_its_reason(run) -> None:
    write(
        "expectations/waivers.yaml",
        b"- {finding: study/counts/sum, reason: Printed so by the <paper>.}\n",
    )
    outcome = run("report", "findings", "--out", "reports")
    assert "0 open fails" in outcome.out
    assert "3 &amp; 4 make" in page()
    assert "Printed so by the &lt;paper&gt;." in page()


def test_a_waiver_that_meets_no_finding_is_shown(run) -> None:
    write("w.yaml", b"- {finding: study/counts/gone, reason: It was there once.}\n")
    outcome = run("report", "findings", "--out", "reports", "--waivers", "w.yaml")
    assert outcome.code == 0
    assert "study/counts/gone" in outcome.out
    assert "study/counts/gone" in page()


def test_the_page_does_not_depend_on_the_order_of_the_files(run) -> None:
    other = Report(study="another", audit="ratings", findings=[HELD])
    write_report(Path("more/z.json"), other)
    run("report", "findings", "more", "--out", "reports")
    first = page()
    run("report", "more", "findings/study/counts.json", "--out", "reports")
    assert page() == first


def test_no_findings_are_refused_and_no_page_is_written(run) -> None:
    Path("empty/sub").mkdir(parents=True)
    for path in ("empty", "nowhere", "nowhere.json"):
        outcome = run("report", path, "--out", "reports")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.startswith(f"Error: {path}: ")
    assert not Path("reports").exists()


def test_half_a_file_of_findings_is_refused(run, findings) -> None:
    file = findings / "study/counts.json"
    file.write_bytes(file.read_bytes()[:-30])
    outcome = run("report", "findings", "--out", "reports")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: findings/study/counts.json: ")


def test_an_out_that_is_no_folder_is_refused(run) -> None:
    write("file.txt", b"mine")
    outcome = run("report", "findings", "--out", "file.txt")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: file.txt: ")
    assert Path("file.txt").read_bytes() == b"mine"
