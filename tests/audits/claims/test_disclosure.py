import json
from pathlib import Path
from typing import Any

import pandas as pd
import prose
import pytest
import yaml

from audits.claims.artefacts import holds
from audits.claims.claims_report import check_ledger, claims_report
from audits.claims.computations import Data
from audits.claims.disclosure import (
    Item,
    artefacts,
    embedded_disclosure,
    paper_disclosure,
    read_checklist,
)
from storyaudit.errors import InputError
from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import Ledger, read_ledger

ROOT = Path(__file__).parents[3]


def ledger(*disclosure: dict[str, Any], **more: Any) -> Ledger:
    figures = [{"id": "n", "printed": "1", "where": "T1"}]
    content = {"paper": "P", "study": "demo", "source": "s", "hand": "second", "figures": figures}
    return Ledger.model_validate(content | {"disclosure": list(disclosure)} | more)


def all_reported(where: str = "p. 1") -> list[dict[str, Any]]:
    return [{"item": item.id, "reported": "yes", "where": where} for item in read_checklist()]


def by_topic(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.id.removeprefix("disclosure-"): finding for finding in findings}


# --- the checklist ---


def test_the_checklist_is_sound() -> None:
    items = read_checklist()
    assert len({item.id for item in items}) == len(items) >= 25
    assert all(item.question.endswith("?") for item in items)
    assert {item.topic for item in items} == {"data", "labels", "training", "evaluation", "release"}
    # A finding shows at most twenty rows: no topic may outgrow that.
    assert pd.Series([item.topic for item in items]).value_counts().max() <= 20


def test_its_artefacts_are_built_by_stages_that_come_before_any_view() -> None:
    stages = yaml.safe_load(
        (ROOT / "dvc.yaml").read_text(encoding="utf-8").replace("${study}", "embedded")
    )["stages"]
    built = {out for stage in stages.values() for out in stage.get("outs", [])}
    for path in artefacts(read_checklist()):
        assert path.as_posix() in built
        assert path.parts[0] in ("data", "runs", "findings")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{}", "expected a list"),
        ("[]", "expected a list"),
        ("- {id: a, topic: t}", "question"),
        ("- {id: a, topic: t, question: q?, extra: 1}", "extra"),
        ("- {id: a, topic: t, question: q?, at: x}", "'at' is a place"),
        ("- {id: a, topic: t, question: q?, artefact: /etc/passwd}", "starts at the study"),
        ("- {id: a, topic: t, question: q?, artefact: ../x}", "starts at the study"),
        ("- {id: a, topic: t, question: q?}\n- {id: a, topic: t, question: r?}", "stands twice"),
    ],
)
def test_a_malformed_checklist_is_refused(tmp_path: Path, content: str, fault: str) -> None:
    path = tmp_path / "checklist.yaml"
    path.write_text(content)
    with pytest.raises(InputError, match=fault):
        read_checklist(path)


# --- a paper ---


def disclosed(ledger: Ledger) -> tuple[list[Finding], list[Unchecked]]:
    report = Report.of(paper_disclosure(ledger), study="s", audit="claims")
    return [*report.findings], [*report.unchecked]


def test_a_paper_that_reports_everything_passes() -> None:
    findings, unchecked = disclosed(ledger(*all_reported()))
    assert {f.severity for f in findings} == {"pass"} and unchecked == []
    assert sum(int(f.numbers["items"] or 0) for f in findings) == len(read_checklist())


@pytest.mark.parametrize(("answer", "words"), [("no", "not reported"), ("partly", "in part")])
def test_one_injected_gap_is_a_warn_of_its_topic(answer: str, words: str) -> None:
    entries = [
        {**entry, "reported": answer} if entry["item"] == "loss" else entry
        for entry in all_reported()
    ]
    found = by_topic(disclosed(ledger(*entries))[0])
    assert {topic for topic, f in found.items() if f.severity != "pass"} == {"training"}
    assert found["training"].severity == "warn"
    prose.check(f"claims/one injected gap is a warn of its topic: {answer}", found["training"])
    row = next(row for row in found["training"].evidence if row["item"] == "loss")
    assert str(row["answer"]).endswith(words)


def test_an_item_that_the_ledger_leaves_out_was_not_looked_for() -> None:
    entries = [entry for entry in all_reported() if entry["item"] != "loss"]
    findings, unchecked = disclosed(ledger(*entries))
    assert {f.severity for f in findings} == {"pass"}
    assert [left.id for left in unchecked] == ["disclosure-not-looked-for"]
    prose.check(
        "claims/an item that the ledger leaves out was not looked for",
        by_topic(findings)["training"],
        unchecked[0],
    )


def test_a_topic_of_which_nothing_was_looked_for_has_no_finding() -> None:
    findings, unchecked = disclosed(ledger({"item": "loss", "reported": "no"}))
    assert set(by_topic(findings)) == {"training"}
    assert {f"{len(read_checklist()) - 1}"} <= prose.figures(unchecked[0])
    prose.check("claims/a topic of which nothing was looked for has no finding", unchecked[0])


def test_a_ledger_without_the_section_says_nothing() -> None:
    assert paper_disclosure(ledger()) == []


def test_what_is_reported_stands_somewhere() -> None:
    for answer in ("yes", "partly"):
        with pytest.raises(ValueError, match="give 'where'"):
            ledger({"item": "loss", "reported": answer})


def test_an_item_that_is_not_on_the_checklist_is_bad_input() -> None:
    demo = ledger({"item": "losss", "reported": "no"})
    with pytest.raises(InputError, match="'losss', which is no item"):
        check_ledger(demo, Data(), file=Path("l.yaml"))


def test_the_report_carries_both() -> None:
    demo = ledger(*all_reported()[1:])
    report = claims_report(demo, check_ledger(demo, Data(), file=Path("l")))
    assert sum(f.id.startswith("disclosure-") for f in report.findings) == 5
    assert "disclosure-not-looked-for" in {left.id for left in report.unchecked}


def test_what_the_notes_on_storyalign_call_unreported_is_unreported() -> None:
    # From the notes' sections 'training settings', 'Best-of-16', 'gaps of reporting' (报告缺口).
    answers = {
        entry.item: entry.reported
        for entry in read_ledger(expectations_path("papers/storyalign.yaml")).disclosure
    }
    for item in (
        "loss",
        "optimiser",
        "maximum-length",
        "seeds-and-runs",
        "hardware-and-time",
        "language-shares",
        "collection-period",
        "deduplication",
        "train-benchmark-overlap",
        "annotator-number",
        "annotator-agreement",
        "intervals",
        "significance",
        "best-of-n-counts",
        "best-of-n-agreement",
        "limitations",
    ):
        assert answers[item] == "no", item
    for item in ("learning-rate", "batch-size", "epochs", "base-models", "averaging"):
        assert answers[item] == "yes", item
    for item in ("pair-sizes", "dimension-rule", "spot-checks", "annotator-pay", "code-and-data"):
        assert answers[item] == "partly", item


# --- a built study ---


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    record = {"params": {"train": {"seeds": [1], "l2": 0.0, "note": None}}, "metrics": {"a.b": 1}}
    record["runs"] = [{"params": {"loss": "hinge"}}]
    (tmp_path / "runs/train.json").write_text(json.dumps(record))
    report = {"study": "s", "audit": "a", "findings": [{"id": "model-x"}]}
    (tmp_path / "runs/findings.json").write_text(json.dumps(report))
    (tmp_path / "params.yaml").write_text("train: {epochs: 5}\n")
    pd.DataFrame({"item_id": ["i"], "ties": [0]}).to_parquet(tmp_path / "results.parquet")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "at", "held"),
    [
        ("runs/train.json", "params/train/seeds", True),
        ("runs/train.json", "params/train/l2", True),  # zero is a value
        ("runs/train.json", "metrics/a.b", True),
        ("runs/train.json", "params/train/note", False),
        ("runs/train.json", "params/train/batch", False),
        ("runs/train.json", "params/train/seeds/1", False),
        ("runs/train.json", "runs/0/params/loss", True),
        ("runs/train.json", "runs/0/params/optimiser", False),
        ("runs/train.json", "runs/1/params/loss", False),
        ("runs/train.json", "runs/-1/params/loss", False),
        ("runs/findings.json", "model-x", True),
        ("runs/findings.json", "model-y", False),
        ("runs/findings.json", "study", False),
        ("params.yaml", "train/epochs", True),
        ("params.yaml", "train/loss", False),
        ("results.parquet", "ties", True),
        ("results.parquet", "credit", False),
    ],
)
def test_where_an_artefact_holds_an_answer(study: Path, name: str, at: str, held: bool) -> None:
    assert holds(study / name, at) is held


@pytest.mark.parametrize("name", ["broken.json", "broken.parquet", "broken.yaml", "notes.txt"])
def test_an_artefact_that_is_not_what_its_name_says_is_bad_input(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{[")
    with pytest.raises(InputError):
        holds(tmp_path / name, "x")


def item(name: str, artefact: str = "", at: str = "", topic: str = "training") -> Item:
    return Item(id=name, topic=topic, question=f"{name}?", artefact=artefact, at=at)


def test_a_built_study_answers_through_its_artefacts(study: Path) -> None:
    checklist = [
        item("seeds", "runs/train.json", "params/train/seeds"),
        item("record", "runs/train.json"),
        item("ties", "results.parquet", "ties", topic="evaluation"),
        item("prompts", topic="evaluation"),
        item("loss", "runs/loss.json", topic="lost"),
        item("batch", "runs/train.json", "params/train/batch", topic="lacking"),
    ]
    report = embedded_disclosure(checklist, study)
    assert (report.study, report.audit) == ("embedded", "disclosure")
    found = by_topic(report.findings)
    assert {topic: f.severity for topic, f in found.items()} == {
        "training": "pass",
        "evaluation": "warn",  # an item without an artefact
        "lost": "fail",  # an artefact that is not there
        "lacking": "fail",  # one that does not hold the answer
    }
    answers = {row["item"]: row["answer"] for f in report.findings for row in f.evidence}
    assert answers == {
        "seeds": "answered",
        "record": "answered",
        "ties": "answered",
        "prompts": "not answered",
        "loss": "its artefact is absent",
        "batch": "its artefact does not hold it",
    }
    assert {"1", "2"} <= prose.figures(found["evaluation"])
    prose.check(
        "claims/a built study answers through its artefacts", found["evaluation"], found["lost"]
    )


def test_a_removed_artefact_is_found(study: Path) -> None:
    checklist = [item("seeds", "runs/train.json", "params/train/seeds")]
    assert embedded_disclosure(checklist, study).fails() == []
    (study / "runs/train.json").unlink()
    assert len(embedded_disclosure(checklist, study).fails()) == 1


def test_artefacts_are_named_once() -> None:
    checklist = [item("a", "x.json"), item("b", "a.json"), item("c", "x.json", "k"), item("d")]
    assert artefacts(checklist) == [Path("a.json"), Path("x.json")]
