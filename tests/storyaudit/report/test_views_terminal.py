import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.io.printable import printable
from storyaudit.report.terminal import print_reports, print_summary, print_verdict


def finding(name="a", severity="fail", **more):
    fields = {"id": name, "severity": severity, "statement": "Said."}
    return Finding(**fields | more)


def report(*findings, unchecked=()):
    return Report(study="st", audit="au", findings=list(findings), unchecked=list(unchecked))


def shown(*reports, show=print_reports, **options):
    out = io.StringIO()
    show(reports, Console(file=out, width=200, highlight=False), **options)
    return out.getvalue()


def everywhere(text):
    accepted = finding("a", statement=text, waived=text, evidence=[{text: text}])
    gap = Unchecked(id="u", check=text, reason=text)
    one = report(accepted, finding("b", statement=text), unchecked=[gap])
    return shown(one) + shown(one, show=print_verdict)


@pytest.mark.parametrize(
    "text",
    [
        "[bold]a[/bold]",
        "[/]",
        "[red",
        "a]",
        "\\[b]",
        "end\\",
        "[link=http://x]y[/link]",
        "[@click=app.quit]x[/]",
        ":smile:",
        "12:100:30",
        "{x} %s",
        "https://x.example 'q' 1.5 None",
    ],
)
def test_markup_and_emoji_codes_are_shown_as_they_stand(text):
    output = everywhere(text)
    for line in (
        f"fail waived  {text}",
        f"accepted: {text}",
        f"  {text} {text}",
        f"{text}: {text}.",
        f"fail st/au: {text}",
    ):
        assert line in output


@given(st.text(st.sampled_from("[]/\\:=#@ab12"), min_size=1, max_size=20))
def test_any_brackets_are_shown_as_they_stand(text):
    # Two statements, accepted, evidence's name and value, check, reason, verdict.
    assert everywhere(text).count(text) >= 8


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_no_control_character_reaches_the_terminal(text):
    steering = [c for c in everywhere(text) if unicodedata.category(c)[0] == "C" and c != "\n"]
    assert steering == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2J", "\ufffd[2J"),
        ("a\nb\rc\td", "a\ufffdb\ufffdc\ufffdd"),
        ("\u202eabc", "\ufffdabc"),  # would turn the direction of writing
        ("\x07\x9b\u2028", "\ufffd" * 3),
        ("naïve 中文\u3000१\u00a0½", "naïve 中文\u3000१\u00a0½"),
    ],
)
def test_printable(text, expected):
    assert printable(text) == expected


def test_a_console_with_colours_gets_only_the_houses_own_codes():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="standard", width=200)
    print_reports([report(finding(statement="\x1b[5m[blink]x"))], console)
    assert "\x1b[5m" not in out.getvalue()
    assert "[blink]x" in out.getvalue()
    assert "\x1b[1;31mfail" in out.getvalue()


def test_passes_are_listed():
    assert "Held." in shown(report(finding("x", "pass", statement="Held."), finding()))


def test_evidence_of_fails_and_warns_is_shown_in_part():
    rows = [{"row": f"number{n}"} for n in range(8)]
    output = shown(report(finding(evidence=rows)))
    assert [f"number{n}" in output for n in range(8)] == [True] * 5 + [False] * 3
    assert "3 more rows" in output
    assert "number0" not in shown(report(finding(severity="note", evidence=rows)))


ALL_KINDS = report(
    finding("a"),
    finding("b", statement="Wrong."),
    finding("c", waived="a good reason", statement="Accepted."),
    finding("d", "pass"),
    unchecked=[Unchecked(id="u", check="c", reason="r")],
)


def test_the_summary_counts_waived_findings_apart():
    lines = shown(ALL_KINDS, show=print_summary).splitlines()
    line = next(line for line in lines if " st " in line)
    assert line.replace("│", " ").split() == ["st", "au", "2", "·", "·", "1", "1", "1"]


def test_the_verdict_names_the_open_fails():
    lines = shown(ALL_KINDS, show=print_verdict).splitlines()
    assert lines == [
        "fail st/au: Said.",
        "fail st/au: Wrong.",
        "Verdict: 2 open fails in 1 audits.",
    ]
