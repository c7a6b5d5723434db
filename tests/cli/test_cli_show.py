"""``storyaudit show``: what an audit wrote, whole or one finding of it."""

import json
from pathlib import Path

import pytest

from storyaudit.findings import Finding, Report, Unchecked, read_report, write_report

ROWS = [{"item": f"i{number}", "score": number} for number in range(20)]
SUM = Finding(
    id="sum", severity="fail", statement="3 & 4 make 8.", numbers={"left": 7}, evidence=ROWS
)
KEYS = Finding(id="keys", severity="pass", statement="Keys are unique.")
GAP = Unchecked(id="scale", check="the scale's ends", reason="nobody gave them")


@pytest.fixture(autouse=True)
def written() -> None:
    report = Report.of([KEYS, SUM, GAP], study="study", audit="counts", about="All simulated.")
    report = report.model_copy(update={"command": "storyaudit counts 'a & b'"})
    write_report(Path("findings/study/counts.json"), report)
    other = Report.of([KEYS], study="other", audit="ratings")
    write_report(Path("findings/other/ratings.json"), other)


def test_an_audit_is_shown_with_its_command_and_exits_with_0_at_a_fail(run) -> None:
    outcome = run("show", "study/counts")
    assert (outcome.code, outcome.err) == (0, "")
    for part in ("sum", "keys", "3 & 4 make 8.", "nobody gave them", "All simulated."):
        assert part in outcome.out
    assert outcome.out.count("storyaudit counts 'a & b'") == 1
    assert "i4" in outcome.out and "i5" not in outcome.out  # five rows stand for the rest
    assert "ratings" not in outcome.out


def test_one_finding_is_shown_with_all_that_stands_behind_it(run) -> None:
    outcome = run("show", "study/counts/sum")
    assert outcome.code == 0
    assert "left 7" in outcome.out and "item i19, score 19" in outcome.out
    assert "more rows" not in outcome.out
    assert "keys" not in outcome.out and "the scale" not in outcome.out
    assert "nobody gave them" in run("show", "study/counts/scale").out


def test_json_is_what_the_audit_wrote(run) -> None:
    text = Path("findings/study/counts.json").read_text(encoding="utf-8")
    assert run("show", "study/counts", "--json").out == text
    one = json.loads(run("show", "study/counts/sum", "--json").out)
    assert [finding["id"] for finding in one["findings"]] == ["sum"] and not one["unchecked"]


def test_an_accepted_finding_is_marked_and_its_json_can_be_read_again(run) -> None:
    Path("w.yaml").write_text("- finding: study/counts/sum\n  reason: known and harmless\n")
    assert "known and harmless" in run("show", "study/counts", "--waivers", "w.yaml").out
    printed = run("show", "study/counts", "--waivers", "w.yaml", "--json").out
    Path("again.json").write_text(printed, encoding="utf-8")
    assert read_report(Path("again.json")).fails() == [SUM]


@pytest.mark.parametrize(
    ("name", "wrong", "nearest"),
    [
        ("studi/counts", "studi", "study"),
        ("study/count", "count", "counts"),
        ("study/counts/sun", "sun", "sum"),
        ("study/counts/scales", "scales", "scale"),
        ("study", "", "counts"),
        ("", "", "study"),
        ("/counts", "", "study"),
        ("study//sum", "", "counts"),
        ("study/counts/sum/more", "sum/more", "sum"),
        ("../study/counts", "..", "study"),
        ("study/counts/[red]", "[red]", "keys"),
        ("study/counts/ﬁ\u202e中", "ﬁ", ""),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name, wrong, nearest, run) -> None:
    outcome = run("show", name)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"named '{wrong}" in outcome.err and f"is '{nearest}" in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "\u202e", "\x07"])
def test_a_hostile_name_steers_no_terminal(text, run) -> None:
    for name in (text, f"study/{text}", f"study/counts/{text}"):
        outcome = run("show", name)
        assert (outcome.code, outcome.out) == (2, "")
        assert text not in outcome.err and "�" in outcome.err


def test_no_findings_or_broken_ones_are_bad_input(run) -> None:
    assert run("show", "study/counts", "--findings", "nowhere").code == 2
    Path("findings/study/broken.json").write_text("{")
    outcome = run("show", "study/counts")
    assert outcome.code == 2 and "broken.json" in outcome.err
