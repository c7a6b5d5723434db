import json
import math
from datetime import datetime

import numpy as np
import pandas as pd
import prose
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from storyaudit import former_names
from storyaudit.errors import InputError
from storyaudit.findings import (
    EVIDENCE_ROWS,
    Finding,
    Report,
    Unchecked,
    Waiver,
    apply_waivers,
    counted,
    evidence,
    left_out,
    ordered,
    read_report,
    read_reports,
    read_waivers,
    write_report,
)


def finding(name, severity="fail", **more):
    return Finding(id=name, severity=severity, statement="Said.", **more)


def report(*findings, study="s", audit="a", **more):
    return Report(study=study, audit=audit, findings=list(findings), **more)


# What a finding may hold


@pytest.mark.parametrize("name", ["a", "a-b_c.d", "0", "a" * 200])
def test_ids_that_are_allowed(name):
    assert finding(name).id == name


@pytest.mark.parametrize(
    "name", ["", "-a", "A", "a b", "a/b", "../a", "é", "a\n", "<b>", "a" * 201]
)
def test_ids_that_are_not(name):
    with pytest.raises(ValidationError):
        finding(name)
    with pytest.raises(ValidationError):
        report(study=name)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_have_are_refused(number):
    with pytest.raises(ValidationError):
        finding("a", numbers={"n": number})
    with pytest.raises(ValidationError):
        finding("a", evidence=[{"n": number}])


def test_numbers_keep_their_type():
    numbers = finding("a", numbers={"a": True, "b": 1, "c": 1.0, "d": "1", "e": None}).numbers
    assert [type(value) for value in numbers.values()] == [bool, int, float, str, type(None)]


# Evidence


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (math.nan, None),
        (math.inf, None),
        (np.float64("nan"), None),
        (np.float32("-inf"), None),
        (None, None),
        (pd.NA, None),
        (pd.NaT, None),
        (np.datetime64("NaT"), None),
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        ("NaT", "NaT"),
        (2**70, 2**70),
        (pd.Timestamp("2024-01-02"), "2024-01-02 00:00:00"),
        (datetime(2024, 1, 2), "2024-01-02 00:00:00"),
        ([1, 2], "[1, 2]"),
        (np.array([1, 2]), "[1 2]"),
    ],
)
def test_evidence_is_plain(value, plain):
    (row,) = evidence([{"v": value}])
    assert row == {"v": plain}
    assert type(row["v"]) is type(plain)


def test_evidence_of_a_frame():
    frame = pd.DataFrame(
        {
            "text": ["a", None],
            "number": [1.5, math.nan],
            "whole": pd.array([1, None], dtype="Int64"),
            "when": pd.to_datetime(["2024-01-02", None]),
            7: [True, False],
        }
    )
    names = ["text", "number", "whole", "when", "7"]
    assert evidence(frame) == [
        dict(zip(names, ["a", 1.5, 1, "2024-01-02 00:00:00", True], strict=True)),
        dict(zip(names, [None, None, None, None, False], strict=True)),
    ]


@pytest.mark.parametrize("make", [pd.DataFrame, list, iter])
def test_evidence_stops_at_its_limit(make):
    rows = [{"n": n} for n in range(EVIDENCE_ROWS + 5)]
    assert [row["n"] for row in evidence(make(rows))] == list(range(EVIDENCE_ROWS))


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
CELLS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT


@given(st.lists(st.dictionaries(TEXT, CELLS)))
def test_evidence_of_anything_goes_into_a_finding_and_through_json(rows):
    found = finding("a", evidence=evidence(rows))
    text = json.dumps(found.model_dump(), allow_nan=False)
    assert Finding.model_validate(json.loads(text)) == found


def test_one_is_said_as_one() -> None:
    assert [counted(number, "item") for number in (0, 1, 2)] == ["0 items", "1 item", "2 items"]
    assert counted(1, "pool was", "pools were") == "1 pool was"
    assert counted(3, "pool was", "pools were") == "3 pools were"


def test_what_is_left_out_is_counted_and_shown() -> None:
    rows = pd.DataFrame({"item_id": [f"i{n}" for n in range(25)]})
    (found,) = left_out("rows-once", "rows repeat an earlier row and are left out", rows, 90)
    assert (found.id, found.severity) == ("rows-once", "fail")
    assert {"25", "90"} <= prose.figures(found)
    prose.check("findings/what is left out", found)
    assert found.numbers == {"left_out": 25, "of": 90}
    assert found.evidence == [{"item_id": f"i{n}"} for n in range(EVIDENCE_ROWS)]
    assert left_out("a", "b", rows, 90, "warn")[0].severity == "warn"
    assert left_out("a", "b", rows.iloc[:0], 90) == []


def test_a_report_parts_findings_from_what_is_unchecked() -> None:
    gap = Unchecked(id="u", check="c", reason="r")
    parts = (part for part in (finding("b"), gap, finding("a")))
    found = Report.of(parts, study="s", audit="x")
    assert found == report(finding("b"), finding("a"), audit="x", unchecked=[gap])
    assert Report.of([], study="s", audit="x").findings == ()


# Order, writing and reading


def test_findings_go_from_worst_to_best_then_by_id():
    found = ordered(
        report(
            finding("b", "pass"),
            finding("c", "fail"),
            finding("d", "note"),
            finding("a", "pass"),
            finding("e", "warn"),
            finding("a2", "fail"),
            unchecked=[Unchecked(id=name, check="c", reason="r") for name in ("z", "y")],
        )
    )
    assert [f.id for f in found.findings] == ["a2", "c", "e", "d", "a", "b"]
    assert [gap.id for gap in found.unchecked] == ["y", "z"]


def test_two_findings_with_one_id_are_refused(tmp_path):
    twice = report(finding("a"), finding("b"), finding("a", "pass"))
    with pytest.raises(ValueError, match="two findings bear the id a"):
        ordered(twice)
    with pytest.raises(ValueError, match="two findings bear the id a"):
        write_report(tmp_path / "x.json", twice)
    assert list(tmp_path.iterdir()) == []


def test_a_report_is_read_as_it_was_written(tmp_path):
    written = report(
        finding("b", "note", numbers={"n": 1, "x": 0.1, "t": True}, evidence=[{"a": None}]),
        finding("a"),
        unchecked=[Unchecked(id="u", check="c", reason="é\u2028\0")],
    )
    write_report(tmp_path / "x.json", written)
    assert read_report(tmp_path / "x.json") == ordered(written)


def test_an_older_file_is_read_without_the_commands_of_its_findings(tmp_path):
    dumped = report(finding("a"), finding("b")).model_dump()
    del dumped["command"], dumped["schema_version"]
    older = dumped | {"findings": [f | {"command": "dvc repro x"} for f in dumped["findings"]]}
    (tmp_path / "x.json").write_text(json.dumps(older), encoding="utf-8")
    assert read_report(tmp_path / "x.json") == report(finding("a"), finding("b"))


def test_an_older_file_is_read_by_present_names(tmp_path, monkeypatch):
    monkeypatch.setitem(former_names.IDS, "head-to-head-*", "net-win-rate-*")
    monkeypatch.setitem(former_names.KEYS, "told", "significant")
    gap = {"id": "head-to-head-b", "check": "c", "reason": "told"}
    one = {
        "id": "head-to-head-a",
        "severity": "note",
        "statement": "Told.",
        "numbers": {"told": 1, "n": 2},
        "evidence": [{"told": "told"}],
    }
    older = {"study": "s", "audit": "a", "findings": [one], "unchecked": [gap]}
    (tmp_path / "x.json").write_text(json.dumps(older), encoding="utf-8")
    read = read_report(tmp_path / "x.json")
    (found,), (left,) = read.findings, read.unchecked
    assert (found.id, left.id) == ("net-win-rate-a", "net-win-rate-b")
    assert (found.numbers, found.evidence) == (
        {"significant": 1, "n": 2},
        [{"significant": "told"}],
    )
    assert (found.statement, left.reason) == ("Told.", "told")


def test_a_written_file_says_its_version(tmp_path):
    write_report(tmp_path / "x.json", report(finding("a")))
    assert json.loads((tmp_path / "x.json").read_text("utf-8"))["schema_version"] == "1.0"


@pytest.mark.parametrize("version", ["2.0", "1", 1.0, None, [], ""])
def test_an_unknown_version_is_refused_with_what_to_do(version, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(SOUND | {"schema_version": version}), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_report(path)
    assert error.value.file == path
    assert f"expected findings with schema_version 1.0, found {version!r}. Run the audit" in str(
        error.value
    )


def test_names_of_a_file_with_a_version_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.setitem(former_names.IDS, "a", "b")
    write_report(tmp_path / "x.json", report(finding("a")))
    assert read_report(tmp_path / "x.json").findings[0].id == "a"


def test_a_report_never_changes_and_gives_one_with_more():
    one = report(finding("a"))
    gap = Unchecked(id="u", check="c", reason="r")
    more = one.plus([gap, finding("b")])
    assert one == report(finding("a"))
    assert more == report(finding("a"), finding("b"), unchecked=[gap])
    assert more.parts == (finding("a"), finding("b"), gap)
    assert not hasattr(more.findings, "append") and not hasattr(more.unchecked, "append")


def test_fails_are_those_that_nobody_accepted():
    found = report(finding("a"), finding("b", "warn"), finding("c", waived="for a good reason"))
    assert [f.id for f in found.fails()] == ["a"]


SOUND = report(finding("a")).model_dump()


def broken(**changes):
    return json.dumps(SOUND | {"findings": [SOUND["findings"][0] | changes]})


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "not a file of findings"),
        ("{", "not a file of findings"),
        ("[]", "top level"),
        ("null", "top level"),
        ('"text"', "top level"),
        ("[" * 100_000, "not a file of findings"),
        ("1" * 5_000, "not a file of findings"),
        ("{}", "study: field required"),
        (broken(severity="fatal"), "findings.0.severity"),
        (broken(id="<script>"), "findings.0.id"),
        (broken(id="../../etc"), "findings.0.id"),
        (broken(numbers={"n": [1]}), "findings.0.numbers.n"),
        (broken(statement=7), "findings.0.statement"),
        (broken(more=1), "findings.0.more"),
        (broken(statement="\ud800"), "surrogates not allowed"),
        (broken(numbers={"n": math.nan}), "findings.0.numbers.n"),
        (json.dumps(SOUND | {"findings": SOUND["findings"] * 2}), "two findings bear the id a"),
        (json.dumps(SOUND | {"study": "a/b"}), "study"),
        ("\0", "0x00"),
        (broken(waived="because I said so"), "only a file of waivers"),
        (json.dumps(SOUND)[:-1] + ', "study": "other"}', "a name stands twice"),
        ('{"study": "s", "audit": "a"}', "neither a finding nor a check"),
    ],
    ids=lambda text: repr(text[-40:]),
)
def test_what_is_no_report_is_bad_input(tmp_path, content, named):
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_report(path)
    assert error.value.file == path
    assert named in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_reports_come_from_files_and_folders_in_a_fixed_order(tmp_path):
    for folder, study, audit in [("z", "t", "a"), ("y", "s", "b"), ("y", "s", "a")]:
        written = report(finding("a"), study=study, audit=audit)
        write_report(tmp_path / folder / f"{audit}.json", written)
    (tmp_path / "y" / "table.csv").touch()
    found = read_reports([tmp_path / "z" / "a.json", tmp_path / "y"])
    assert [(r.study, r.audit) for r in found] == [("s", "a"), ("s", "b"), ("t", "a")]
    assert read_reports([tmp_path, tmp_path / "y"]) == found  # the same again is no conflict


def test_two_reports_of_one_audit_that_differ_are_refused(tmp_path):
    write_report(tmp_path / "a.json", report(finding("a")))
    write_report(tmp_path / "b.json", report(finding("a", "pass")))
    with pytest.raises(InputError, match="other findings of audit 'a' of study 's'") as error:
        read_reports([tmp_path])
    assert error.value.file == tmp_path / "b.json"


def test_a_folder_without_findings_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="holds no findings"):
        read_reports([tmp_path])


# Waivers


def waivers(folder, text):
    path = folder / "waivers.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_waiver_marks_its_finding_and_a_stale_one_is_returned(tmp_path):
    path = waivers(
        tmp_path,
        "- {finding: s/a/x, reason: known since the first draft}\n"
        "- {finding: s/b/x, reason: an audit that is not here}\n"
        "- {finding: s/a/gone, reason: a finding that is not here}\n",
    )
    reports = [report(finding("x"), finding("y")), report(finding("x"), study="t")]
    marked, stale = apply_waivers(reports, read_waivers(path))
    assert [f.waived for f in marked[0].findings] == ["known since the first draft", None]
    assert marked[1] == reports[1]
    assert [f.id for r in marked for f in r.fails()] == ["y", "x"]
    assert [w.finding for w in stale] == ["s/b/x", "s/a/gone"]
    assert reports[0].findings[0].waived is None


@pytest.mark.parametrize("text", ["", "[]", "# nothing yet\n"])
def test_no_waivers(tmp_path, text):
    assert read_waivers(waivers(tmp_path, text)) == []


SOUND_WAIVER = "- {finding: s/a/x, reason: a reason of some length}\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("- {finding: s/a/x}", "reason: field required"),
        ("- {finding: s/a/x, reason: short}", "reason"),
        ("- {finding: s/a/x, reason: '                '}", "reason"),
        ("- {reason: a reason of some length}", "finding: field required"),
        ("- {finding: s/a/x, reason: a reason of some length, until: 2030}", "until"),
        ("- {finding: [s], reason: a reason of some length}", "finding"),
        ("- s/a/x", "malformed"),
        ("finding: s/a/x", "a list of waivers"),
        ("just words", "a list of waivers"),
        ("- [", "not YAML"),
        ("- {finding: s/a/x, reason: 2024-99-99}", "not YAML"),
        (SOUND_WAIVER * 2, "'s/a/x' is waived twice"),
    ],
)
def test_malformed_waivers_are_bad_input(tmp_path, text, named):
    path = waivers(tmp_path, text)
    with pytest.raises(InputError, match=named) as error:
        read_waivers(path)
    assert error.value.file == path
    assert len(str(error.value).splitlines()) == 1


def test_a_finding_waived_under_its_former_name_as_well_is_waived_twice(tmp_path, monkeypatch):
    monkeypatch.setitem(former_names.IDS, "old", "new")
    monkeypatch.setitem(former_names.STAGES, "was", "is")
    both = SOUND_WAIVER.replace("s/a/x", "s/was/old") + SOUND_WAIVER.replace("s/a/x", "s/is/new")
    with pytest.raises(InputError, match="'s/is/new' is waived twice"):
        read_waivers(waivers(tmp_path, both))


def test_an_older_file_of_an_audit_by_its_former_name_is_of_the_present_one(tmp_path, monkeypatch):
    monkeypatch.setitem(former_names.STAGES, "was", "is")
    gap = {"id": "g", "check": "c", "reason": "r"}
    older = {"study": "s", "audit": "was", "findings": [], "unchecked": [gap]}
    (tmp_path / "x.json").write_text(json.dumps(older), encoding="utf-8")
    assert read_report(tmp_path / "x.json").audit == "is"


def test_a_waiver_needs_a_reason_of_ten_characters():
    assert Waiver(finding="s/a/x", reason="x" * 10).reason == "x" * 10
    with pytest.raises(ValidationError):
        Waiver(finding="s/a/x", reason="x" * 9)
