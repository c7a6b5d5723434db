from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyaudit.findings import Finding, Report, Unchecked, Waiver
from storyaudit.io.printable import printable
from storyaudit.report.html import html_page

HOSTILE = [
    "<script>alert(1)</script>",
    "</p></body><script src=//evil.example></script>",
    "\"><img src=x onerror='alert(1)'>",
    "' onmouseover='alert(1)",
    "&lt;script&gt; &amp; &#60;b&#62;",
    "<!-- --><style>*{background:url(http://evil.example)}</style>",
    "{{ 7 * 7 }} {% raw %}",
    "]]>\x00\u202e",
    "javascript:alert(1)",
]


class Page(HTMLParser):
    """A page's tags, attributes, text and table rows."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.attributes, self.text, self.rows = [], [], "", []
        self.in_cell = False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.in_cell = False

    def handle_data(self, data):
        self.text += data
        if self.in_cell:
            self.rows[-1][-1] += data


def finding(name="a", severity="fail", **more):
    fields = {"id": name, "severity": severity, "statement": "Said."}
    return Finding(**fields | more)


def page_with(text):
    """A page with a text in every place that takes any."""
    everywhere = finding(
        statement=text,
        numbers={text: text, "other": 1.5},
        evidence=[{text: text, "n": 1}],
        waived=text,
    )
    report = Report(
        study="s",
        audit="a",
        command=text,
        findings=[everywhere, finding("b", "pass", statement=text)],
        unchecked=[Unchecked(id="u", check=text, reason=text)],
    )
    return html_page([report], stale=[Waiver(finding=text, reason="ten characters")])


PLAIN = Page(page_with("plain"))
# Two statements, a number's name and value, the evidence's name and value, command, reason of the
# waiver, stale waiver, check, and reason why not.
PLACES = 11


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_shown_and_changes_nothing_else(text):
    page = Page(page_with(text))
    assert page.tags == PLAIN.tags
    assert page.attributes == PLAIN.attributes
    assert page.text.count(printable(text)) == PLACES


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_is_shown_and_changes_nothing_else(text):
    page = Page(page_with(text))
    assert page.tags == PLAIN.tags
    assert page.attributes == PLAIN.attributes
    assert page.text.count(printable(text)) >= PLACES


def test_the_page_loads_and_runs_nothing():
    source = page_with("plain")
    for loader in ("http:", "https:", "url(", "@import", "src="):
        assert loader not in source
    loading = {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert loading.isdisjoint(PLAIN.tags)
    for tag, name, value in PLAIN.attributes:
        assert not name.startswith("on")
        assert name != "href" or (tag == "a" and value.startswith("#"))
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert ("meta", "content", policy) in PLAIN.attributes


def test_every_link_meets_its_place_and_no_place_is_twice():
    reports = [
        Report(study=study, audit=audit, findings=[finding("x"), finding("y", "pass")])
        for study in ("s", "t")
        for audit in ("a", "b")
    ]
    page = Page(html_page(reports))
    places = [value for _, name, value in page.attributes if name == "id"]
    links = [value[1:] for _, name, value in page.attributes if name == "href"]
    assert len(links) == 4
    assert set(links) <= set(places)
    assert len(set(places)) == len(places)


def test_the_summary_counts_findings_by_severity_and_waived_ones_apart():
    findings = [finding("a"), finding("b"), finding("c", waived="good"), finding("d", "pass")]
    gaps = [Unchecked(id="u", check="c", reason="r")]
    report = Report(study="s", audit="a", findings=findings, unchecked=gaps)
    heading, row = Page(html_page([report])).rows[:2]
    assert heading == ["study", "audit", "fail", "warn", "note", "pass", "waived", "not checked"]
    assert row == ["s", "a", "2", "0", "0", "1", "1", "1"]


def test_rows_with_different_columns_stay_under_their_headings():
    rows = [{"a": "a1", "b": "b1"}, {"b": "b2", "C": "c2"}, {"a": None, "c": 0}]
    report = Report(study="s", audit="a", findings=[finding(evidence=rows)])
    table = Page(html_page([report])).rows
    start = table.index(["a", "b", "C", "c"])
    assert table[start + 1 : start + 4] == [
        ["a1", "b1", "–", "–"],
        ["–", "b2", "c2", "–"],
        ["–", "–", "–", "0"],
    ]


def test_what_a_reader_must_know_of_a_study_is_said():
    page = Page(html_page([Report(study="s", audit="a", about="All of <it> is simulated.")]))
    assert "All of <it> is simulated." in page.text
