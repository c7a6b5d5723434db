"""What becomes of verdicts: findings, what was not checked, and the table of all verdicts."""

import itertools
from pathlib import Path
from typing import Any

import pandas as pd
import prose
import pytest
from claims_samples import figures, ledger
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.claims.claims_report import check_ledger, claims_report, verdicts
from audits.claims.computations import Data
from audits.claims.disclosure import read_checklist
from audits.claims.verdict import Checked
from storyaudit.errors import InputError
from storyaudit.findings import Report, ordered
from storyaudit.ledger.ledger_file import Ledger

RATINGS = pd.DataFrame(
    {"rater": "r", "story_id": f"s{n}", "author": "a", "item": "1", "score": float(score)}
    for n, score in enumerate([1, 2, 6])  # mean 3, SD √7 = 2.646
)


def checked_and_reported(content: Ledger) -> tuple[list[Checked], Report]:
    checked = check_ledger(content, Data(ratings=RATINGS), file=Path("ledger.yaml"))
    return checked, ordered(claims_report(content, checked))


def report_of(content: Ledger) -> Report:
    return checked_and_reported(content)[1]


def severities(content: Ledger) -> dict[str, str]:
    return {finding.id: finding.severity for finding in report_of(content).findings}


def relation(text: str, name: str = "r", **more: Any) -> dict[str, Any]:
    return {"id": name, "statement": "So it is", "relation": text} | more


MEAN = {"computation": "mean", "author": "a", "item": "1"}
SD = {"computation": "sd", "author": "a", "item": "1"}


def test_the_report_states_what_held_and_each_difference() -> None:
    content = ledger(
        [
            {"id": "mean", "printed": "3.0", "where": "T1", "recompute": MEAN},
            {"id": "sd", "printed": "9.9", "where": "T1", "recompute": SD},
            {"id": "other", "printed": "12"},
        ]
    )
    report = report_of(content)
    assert (report.study, report.audit) == ("demo", "claims")
    found = {finding.id: finding for finding in report.findings}
    assert {name: finding.severity for name, finding in found.items()} == {
        "figures-sd": "fail",
        "conventions-sd": "note",
        "held-figures": "pass",
    }
    assert {"9.9", "2.646"} <= prose.figures(found["figures-sd"])
    prose.check("claims/the report states what held and each difference", report)
    assert found["figures-sd"].numbers == {"recomputed": 2.64575}
    assert found["held-figures"].numbers == {"checked": 2, "held": 1}
    assert found["held-figures"].evidence == [{"entry": "mean", "where": "T1", "printed": "3.0"}]
    assert [gap.id for gap in report.unchecked] == ["unchecked-figures"]


def test_nothing_reproduced_is_no_pass() -> None:
    content = ledger([{"id": "mean", "printed": "9.9", "recompute": MEAN}])
    assert severities(content) == {"figures-mean": "fail", "held-figures": "note"}


def test_each_verdict_has_its_severity() -> None:
    content = ledger(
        figures(a="1.0", b="2.0", zero="0.0", t="2.20", p=".03", five="5.20"),
        relations=[
            relation("[a] < [b]", "fine"),
            relation("[a] > [b]", "wrong"),
            relation("[a] + [b] = 3.1", "rounding"),
            relation("[a] / [zero] > 1", "open"),
        ],
        possible=[{"id": "m", "check": "mean", "mean": "five", "n": 28, "scale": [1, 10]}],
        p_values=[
            {"id": "t-test", "where": "p. 3", "test": "t", "statistic": "t", "df": 28, "p": "p"}
        ],
    )
    report = report_of(content)
    assert {finding.id: finding.severity for finding in report.findings} == {
        "relations-wrong": "fail",
        "relations-rounding": "note",
        "held-relations": "pass",
        "possible-m": "fail",
        "held-possible": "note",
        "p_values-t-test": "fail",
        "held-p_values": "note",
    }
    held = {finding.id: finding.numbers for finding in report.findings if "held" in finding.id}
    assert held["held-relations"] == {"checked": 3, "held": 1}
    gaps = {gap.id: gap for gap in report.unchecked}
    assert list(gaps) == ["relations-open", "unchecked-figures"]
    prose.check("claims/each verdict has its severity", report)


@pytest.mark.parametrize(
    ("hand", "wording", "severity"),
    [
        ("first", False, "fail"),
        ("first", True, "fail"),
        ("second", False, "fail"),
        ("second", True, "warn"),
    ],
)
def test_what_depends_on_the_wording_of_a_text_known_second_hand_warns(
    hand: str, wording: bool, severity: str
) -> None:
    content = ledger(
        [{"id": "mean", "printed": "9.9", "recompute": MEAN, "wording": wording}],
        hand=hand,
        relations=[
            relation("1 = 2", wording=wording),
            relation("1 = 1", "fine", wording=wording),
            relation("[mean] > 9.9", "rounding", wording=wording),
        ],
    )
    found = severities(content)
    assert (found["figures-mean"], found["relations-r"]) == (severity, severity)
    assert (found["held-relations"], found["relations-rounding"]) == ("pass", "note")
    wrong = next(f for f in report_of(content).findings if f.id == "relations-r")
    prose.check(f"claims/what the paper is known by: {hand}, {wording}", wrong)


def test_an_entrys_note_stands_behind_its_finding() -> None:
    content = ledger(figures(a="1"), relations=[relation("[a] = 2", note="Or so it seems.")])
    (finding,) = [f for f in report_of(content).findings if f.id == "relations-r"]
    prose.check("claims/an entrys note stands behind its finding", finding)


@pytest.mark.parametrize(("hand", "severity"), [("first", "fail"), ("second", "warn")])
def test_a_conflict_is_as_sure_as_the_hand_it_comes_from(hand: str, severity: str) -> None:
    content = ledger(
        figures(a="1"),
        hand=hand,
        conflicts=[
            {
                "id": "c",
                "statement": "One and two.",
                "where": ["p. 1", "p. 9"],
                "resolution": "One.",
            }
        ],
    )
    (finding,) = [f for f in report_of(content).findings if f.id == "conflicts-c"]
    assert finding.severity == severity
    assert "One and two" in finding.statement and "p. 1; p. 9" in finding.statement
    prose.check(f"claims/a conflict is as sure as the hand it comes from: {hand}", finding)


def test_ids_of_entries_cannot_collide_with_those_of_the_report() -> None:
    names = ["held", "held-figures", "sd.conventions", "without-check", "figures", "x" * 150]
    content = ledger(
        [
            *({"id": name, "printed": "9.9", "recompute": MEAN} for name in names),
            {"id": "sd", "printed": "2.2", "recompute": SD},
        ],
        claims=[{"id": "unchecked-claims", "statement": "s", "where": "p"}],
        relations=[relation("1 = 2", "relations")],
    )
    found = severities(content)  # ordered() refuses an id twice
    assert {f"figures-{name}" for name in names} <= set(found)


def test_a_figure_that_only_an_undetermined_check_uses_was_not_checked() -> None:
    content = ledger(
        figures(a="1.0", b="0.0", c="2.0"),
        quantities=[{"id": "unused", "expression": "[c] * 2"}],
        relations=[relation("[a] / [b] > 1")],
    )
    checked, report = checked_and_reported(content)
    gaps = {gap.id: gap for gap in report.unchecked}
    assert {"3", "1.0", "0.0", "2.0"} <= prose.figures(gaps["unchecked-figures"])
    prose.check(
        "claims/a figure that only an undetermined check uses was not checked",
        gaps["unchecked-figures"],
    )
    table = verdicts(content, checked).set_index("entry")["verdict"].to_dict()
    assert table == {
        "r": "undetermined",
        "a": "not checked",
        "b": "not checked",
        "c": "not checked",
        "unused": "derived",
    }


def test_a_quantity_that_may_divide_by_zero_is_listed() -> None:
    content = ledger(figures(a="0.0"), quantities=[{"id": "q", "expression": "1 / [a]"}])
    checked, report = checked_and_reported(content)
    parts: list[Any] = [*report.findings, *report.unchecked]
    assert {"quantities-derived", "unchecked-quantities"} <= {part.id for part in parts}
    prose.check("claims/a quantity that may divide by zero", report)
    assert verdicts(content, checked).to_dict("records")[-1] == {
        "section": "quantities",
        "entry": "q",
        "where": "",
        "printed": "1 / [a]",
        "verdict": "undetermined",
    }


def test_the_table_lists_every_verdict() -> None:
    content = ledger(
        [
            {"id": "mean", "printed": "3.0", "where": "T1", "recompute": MEAN},
            {"id": "sd", "printed": "9.9", "where": "T1", "recompute": SD},
            {"id": "used", "printed": "3", "where": "p. 2"},
            {"id": "idle", "printed": "4", "where": "p. 3"},
        ],
        claims=[{"id": "claim", "statement": "It is best.", "where": "p. 4"}],
        relations=[relation("[used] = 3")],
    )
    checked, _ = checked_and_reported(content)
    table = verdicts(content, checked)
    assert list(table.columns) == ["section", "entry", "where", "printed", "verdict"]
    assert list(table.itertuples(index=False, name=None)) == [
        ("figures", "mean", "T1", "3.0", "reproduced"),
        ("figures", "sd", "T1", "9.9", "differs"),
        ("conventions", "sd", "T1", "9.9", "not reproduced"),
        ("relations", "r", "p. 2", "3 = 3", "holds"),
        ("figures", "used", "p. 2", "3", "used by a check"),
        ("figures", "idle", "p. 3", "4", "not checked"),
        ("claims", "claim", "p. 4", "It is best.", "not checked"),
    ]


def test_an_error_names_the_file_the_entry_and_the_remedy() -> None:
    content = ledger(figures(a="1"), relations=[relation("[b] = 1")])
    with pytest.raises(InputError) as error:
        check_ledger(content, Data(), file=Path("my.yaml"))
    assert str(error.value) == (
        "my.yaml: relation 'r' speaks of 'b', which is no figure and no quantity. "
        "docs/ledgers.md shows how to write it."
    )


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    """Ledgers with entries of every section, valid or not, undetermined ones among them."""
    ids = (f"e{n}" for n in itertools.count())
    prints = draw(st.lists(st.sampled_from(["3.0", "9.9", "0.0", "2.65"]), min_size=1, max_size=6))
    entries: list[dict[str, Any]] = []
    for printed in prints:
        how = draw(st.sampled_from([None, None, MEAN, SD, MEAN | {"author": "nobody"}]))
        entry = {"id": next(ids), "printed": printed, "what": "a figure"}
        entries.append(entry | ({"recompute": how} if how else {}))
    names = st.sampled_from([entry["id"] for entry in entries])

    def several(entry: st.SearchStrategy[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"id": next(ids)} | drawn for drawn in draw(st.lists(entry, max_size=3))]

    top = {"computation": "top_authors", "item": "1"}
    expects = st.sampled_from([["a"], ["b"]])
    claim = {"statement": "It is best", "where": "p. 2"}
    quantities = several(st.builds(lambda a, b: {"expression": f"[{a}] / [{b}]"}, names, names))
    known = st.sampled_from([entry["id"] for entry in (*entries, *quantities)])
    sample = st.builds(lambda m, s: {"mean": m, "sd": s, "n": 8}, names, names)
    test = st.builds(
        lambda one, other, verdict: {
            "where": "p. 3",
            "test": "welch",
            "first": one,
            "second": other,
            "significant": verdict,
        },
        sample,
        sample,
        st.booleans(),
    )
    items = st.sampled_from([item.id for item in read_checklist()])
    return ledger(
        entries,
        hand=draw(st.sampled_from(["first", "second"])),
        claims=several(
            st.just(claim) | expects.map(lambda e: claim | {"recompute": top, "expects": e})
        ),
        quantities=quantities,
        relations=several(
            st.builds(
                lambda a, sign, b, wording: {
                    "statement": "So",
                    "relation": f"[{a}] {sign} [{b}]",
                    "wording": wording,
                },
                known,
                st.sampled_from(["=", "<", ">="]),
                known,
                st.booleans(),
            )
        ),
        possible=several(
            st.builds(
                lambda m, s, n: {
                    "check": "mean_and_sd",
                    "mean": m,
                    "sd": s,
                    "n": n,
                    "scale": [1, 10],
                },
                names,
                names,
                st.integers(1, 8),
            )
        ),
        p_values=several(test),
        conflicts=several(st.just({"statement": "One and two", "where": ["p. 1", "p. 2"]})),
        disclosure=[
            {"item": item, "reported": "no"}
            for item in draw(st.lists(items, max_size=3, unique=True))
        ],
    )


@settings(max_examples=150)
@given(ledgers())
def test_every_entry_is_checked_or_listed_as_not_checked(content: Ledger) -> None:
    checked, report = checked_and_reported(content)
    findings = {finding.id: finding for finding in report.findings}
    gaps = {gap.id: gap.check for gap in report.unchecked}

    # What is listed as not checked, the first three by name.
    listed: dict[str, list[str]] = {"figures": [], "claims": [], "quantities": []}

    # A check of its own: counted, or stated, or listed; and where it failed, stated.
    own = {(entry.section, entry.id): entry for entry in checked}
    for section in ("figures", "claims", "relations", "possible", "p_values"):
        entries = [e for e in getattr(content, section) if getattr(e, "recompute", "own")]
        counted = 0
        for entry in entries:
            outcome = own[section, entry.id].outcome
            counted += outcome != "unchecked"
            assert (f"{section}-{entry.id}" in gaps) == (outcome == "unchecked")
            assert (f"{section}-{entry.id}" in findings) == (outcome in ("fail", "note"))
        held = findings.get(f"held-{section}")
        assert counted == (held.numbers["checked"] if held else 0)
    # A figure without one: some check that uses it came to a verdict, or it is listed.
    used = by_hand_used(content, checked)
    for figure in content.figures:
        if figure.recompute is None and figure.id not in used:
            listed["figures"].append(f"{figure.id} ({figure.printed})")
    for claim in content.claims:
        if claim.recompute is None:
            listed["claims"].append(claim.statement)
    for conflict in content.conflicts:
        assert f"conflicts-{conflict.id}" in findings
    for quantity in content.quantities:
        rows = findings["quantities-derived"].evidence
        (row,) = [row for row in rows if row["quantity"] == quantity.id]
        if row["value"] == "undetermined":
            listed["quantities"].append(quantity.id)
    for section, names in listed.items():
        gap = gaps.get(f"unchecked-{section}", "0 none: ")
        assert gap.split()[0] == str(len(names))
        more = [f"and {len(names) - 3} more"] if len(names) > 3 else []
        assert gap.endswith(f": {'; '.join([*names[:3], *more])}")
    for answer in content.disclosure:
        topics = [f for f in report.findings if f.id.startswith("disclosure-")]
        assert [f for f in topics if f"{answer.item}" in f.statement]
    table = verdicts(content, checked)
    sections = {*listed, "relations", "possible", "p_values"}
    rows = {(row.section, row.entry) for row in table.itertuples() if row.section != "conventions"}
    assert rows == {(section, e.id) for section in sections for e in getattr(content, section)}


def by_hand_used(content: Ledger, checked: list[Checked]) -> set[str]:
    """The figures that determined checks use, from the texts of relations and quantities."""
    determined = {entry.id for entry in checked if entry.outcome != "unchecked"}
    texts = [entry.relation for entry in content.relations if entry.id in determined]
    quantities = {quantity.id: quantity.expression for quantity in content.quantities}
    for name, expression in quantities.items():
        texts += [expression for text in list(texts) if f"[{name}]" in text]
    used = {f.id for f in content.figures if any(f"[{f.id}]" in text for text in texts)}
    for entry in content.possible:
        if entry.id in determined:
            used |= {str(entry.mean), str(entry.sd)}
    for test in content.p_values:
        if test.id in determined and test.first and test.second:
            used |= {test.first.mean, test.first.sd, test.second.mean, test.second.sd}
    return used
