"""The commands of audits that a study's stages run as well: their options and what they refuse."""

import json
from pathlib import Path

import pytest
from cli_samples import (
    ABLATED,
    BY_COMMAND,
    ITEM_STORIES,
    LEDGER,
    OVERLAPS,
    POOL_SCORES,
    STORY,
    write,
)

from audits.ablations.ablation_inputs import parted
from storyaudit.findings import Finding, Report


def report_of(outcome) -> Report:
    assert outcome.code in (0, 1), outcome.err
    return Report.model_validate(json.loads(outcome.out))


def findings(outcome) -> dict[str, Finding]:
    return {finding.id: finding for finding in report_of(outcome).findings}


def unchecked(outcome) -> set[str]:
    return {gap.id for gap in report_of(outcome).unchecked}


def refused(outcome, *said: str) -> None:
    assert (outcome.code, outcome.out) == (2, "")
    assert all(part in outcome.err for part in said), outcome.err


# Accuracy


def test_compare_is_accuracy_under_another_name(run) -> None:
    call = BY_COMMAND["accuracy"].clean()[1:]
    one, other = (report_of(run(name, *call, "--json")) for name in ("accuracy", "compare"))
    assert one.findings == other.findings and one.unchecked == other.unchecked
    assert other.command.startswith("storyaudit compare ")


# Best-of-N


def test_pools_without_scores_and_single_rankings_are_partly_not_checked(run) -> None:
    call = BY_COMMAND["best-of-n"].clean()
    whole = findings(run(*call, "--json"))
    assert {"model-linear", "model-other"} <= whole.keys()
    Path("pools/scores.csv").unlink()
    Path("pools/individual_annotations.csv").unlink()
    outcome = run(*call, "--json")
    assert "models" in unchecked(outcome)
    assert not {"model-linear", "model-other"} & findings(outcome).keys()


def test_scores_of_a_pool_may_lie_elsewhere(run) -> None:
    call = BY_COMMAND["best-of-n"].clean()
    whole = findings(run(*call, "--json"))
    Path("pools/scores.csv").unlink()
    elsewhere = write("elsewhere.csv", POOL_SCORES)
    assert findings(run(*call, "--scores", elsewhere, "--json")) == whole


def test_a_pool_needs_candidates_and_rankings(run) -> None:
    call = BY_COMMAND["best-of-n"].clean()
    Path("pools/annotations.csv").unlink()
    refused(run(*call), "pools: expected the tables candidates and annotations, found candidates")
    refused(run("best-of-n", "nowhere"), "there is no such folder")


# Ablations


def test_ablated_variants_stand_in_the_results_or_in_a_table_of_their_own(run) -> None:
    call = BY_COMMAND["ablations"].clean()
    whole = findings(run(*call, "--json"))
    assert any("removal" in str(finding.evidence) for finding in whole.values())
    write("study/results.csv", [row for row in ABLATED if row["variant"] == "full"])
    ablated = write("a.csv", [row for row in ABLATED if row["variant"] != "full"])
    assert findings(run(*call, "--ablations", ablated, "--json")) == whole


def test_the_reference_may_be_any_variant(run) -> None:
    call = BY_COMMAND["ablations"].clean()
    assert "ablation" not in unchecked(run(*call, "--reference", "removal/rewriting", "--json"))


def test_results_are_parted_into_the_reference_with_rules_and_the_rest() -> None:
    import pandas as pd

    frame = pd.DataFrame({"variant": ["full", "longest", "removal/x", None, "mine"]})
    kept, rest = parted(frame, "mine")
    assert kept["variant"].fillna("").tolist() == ["longest", "", "mine"]
    assert rest["variant"].tolist() == ["full", "removal/x"]


def test_an_external_judge_and_pools_are_read_where_they_are_given(run) -> None:
    call = BY_COMMAND["ablations"].clean()
    rows = [
        {
            "variant": "judge",
            "model": "j",
            "seed": 0,
            "item_id": story["story_id"].rpartition("-")[0],
            "story_id": story["story_id"],
            "reward": float(len(STORY)),
        }
        for story in ITEM_STORIES
    ]
    without = unchecked(run(*call, "--json"))
    given = run(*call, "--external", write("judge.csv", rows), "--json")
    assert without - unchecked(given)
    BY_COMMAND["best-of-n"].clean()
    assert run(*call, "--external", "judge.csv", "--pool", "pools", "--json").code in (0, 1)
    Path("pools/scores.csv").unlink()
    refused(run(*call, "--pool", "pools"), "pools: expected the tables candidates and scores")


def test_ablations_need_the_studys_tables(run) -> None:
    call = BY_COMMAND["ablations"].clean()
    Path("study/stories.csv").unlink()
    refused(
        run(*call),
        "study: expected the tables results, benchmark, candidates and stories",
        "Name the files",
    )


# The effect of contamination


def test_the_trained_variants_are_those_named_or_all_but_rules(run) -> None:
    call = BY_COMMAND["contamination-effect"].clean()
    assert {"effect-full-llm-llm", "effect-removal-rewriting-llm-llm"} <= findings(
        run(*call, "--json")
    ).keys()
    named = findings(run(*call, "--trained", "full", "--json"))
    assert named["contamination-effect"].numbers["comparisons"] == 1
    refused(run(*call, "--trained", "mine"), "no result is of mine", "full, removal/rewriting")


def test_thresholds_and_confidence_are_taken(run) -> None:
    call = [*BY_COMMAND["contamination-effect"].clean(), "--json"]
    copies = findings(run(*call))["overlapping-items"].numbers
    assert (copies["overlapping"], copies["near_duplicates"]) == (8, 8)
    options = ["--min-containment", 0.05, "--duplicate-threshold", 0.95, "--confidence", 0.8]
    outcome = run(*call, *options)
    assert findings(outcome)["overlapping-items"].numbers["near_duplicates"] == 0
    assert findings(outcome)["contamination-effect"].numbers["confidence"] == 0.8
    assert (
        findings(run(*call, "--min-containment", 0.95, "--duplicate-threshold", 0.96))[
            "contamination-effect"
        ].numbers["overlapping"]
        == 0
    )
    refused(
        run(*call, "--min-containment", 0.6),
        "--min-containment must not exceed --duplicate-threshold",
    )


def test_pairs_that_were_left_out_of_the_training_taught_nothing(run) -> None:
    call = [*BY_COMMAND["contamination-effect"].clean(), "--json"]
    left = run(*call, "--decontaminate-threshold", 0.8)
    assert findings(left)["contamination-effect"].numbers["overlapping"] == 0


def test_overlaps_and_results_may_lie_elsewhere(run) -> None:
    call = BY_COMMAND["contamination-effect"].clean()
    whole = findings(run(*call, "--json"))
    for name in ("overlaps", "results"):
        Path(f"study/{name}.csv").rename(f"{name}-elsewhere.csv")
    refused(
        run(*call),
        "study: expected the tables overlaps, pairs, candidates, benchmark and results",
        "found pairs",
    )
    elsewhere = ["--overlaps", "overlaps-elsewhere.csv", "--results", "results-elsewhere.csv"]
    assert findings(run(*call, *elsewhere, "--json")) == whole


# Disclosure

CHECKLIST = """\
- {id: sizes, topic: data, question: How many?, artefact: "data/{study}.json", at: pairs}
- {id: licences, topic: data, question: Which?}
- {id: rule, topic: evaluation, question: When?, artefact: rule.txt}
"""


def test_a_study_is_held_against_a_checklist(run) -> None:
    write("checklist.yaml", CHECKLIST.encode())
    write("mine/data/mine.json", b'{"pairs": 3}')
    call = ["disclosure", "mine", "--checklist", "checklist.yaml", "--json"]
    outcome = run(*call)
    found = findings(outcome)
    assert (outcome.code, report_of(outcome).audit) == (1, "disclosure")
    assert {name: finding.severity for name, finding in found.items()} == {
        "disclosure-data": "warn",
        "disclosure-evaluation": "fail",
    }
    write("mine/rule.txt", b"The highest reward.")
    assert run(*call).code == 0
    assert findings(run(*call, "--study", "other"))["disclosure-data"].severity == "fail"


def test_the_repositorys_own_checklist_is_the_default(run) -> None:
    Path("empty").mkdir()
    outcome = run("disclosure", "empty", "--json")
    assert outcome.code == 1 and report_of(outcome).study == "empty"


def test_a_papers_answers_stand_in_its_ledger(run) -> None:
    root = Path(__file__).parents[2]
    paper = root / "expectations/papers/storyalign.yaml"
    report = report_of(run("disclosure", paper, "--json"))
    assert (report.study, report.audit) == ("storyalign", "disclosure")
    assert all(finding.id.startswith("disclosure-") for finding in report.findings)
    assert report_of(run("disclosure", paper, "--study", "Other", "--json")).study == "other"
    refused(run("disclosure", write("l.yaml", LEDGER.encode())), "l.yaml: expected the section")
    refused(run("disclosure", paper, "--checklist", "c.yaml"), "--checklist is for a folder")
    refused(run("disclosure", "nowhere"), "nowhere: there is no such folder")


def test_overlaps_of_nothing_known_are_no_pass(run) -> None:
    call = [*BY_COMMAND["contamination-effect"].clean(), "--json"]
    write("study/overlaps.csv", [{**row, "comparison": "x"} for row in OVERLAPS])
    assert findings(run(*call))["overlaps-valid"].severity == "fail"


def test_a_reference_must_be_there(run) -> None:
    call = BY_COMMAND["ablations"].clean()
    refused(run(*call, "--reference", "ful"), "--reference must be a variant", "full")


# What every command holds


@pytest.mark.parametrize("command", ["accuracy", "contamination-effect"])
def test_nothing_that_was_read_is_written_over(run, command: str) -> None:
    call = BY_COMMAND[command].clean()
    audit = BY_COMMAND[command].audit
    if command == "accuracy":
        given = Path(str(call[1]))
    else:
        given = Path("study/overlaps.csv")
        call = [*call, "--overlaps", f"out/{audit}-evidence.csv"]
    target = Path(f"out/{audit}-evidence.csv")
    target.parent.mkdir()
    target.write_bytes(given.read_bytes())
    if command == "accuracy":
        call[1] = target
    before = target.read_bytes()
    outcome = run(*call, "--out", "out")
    assert outcome.code == 2 and "would be written over" in outcome.err
    assert target.read_bytes() == before
    assert [path.name for path in Path("out").iterdir()] == [target.name]


@pytest.mark.parametrize("value", ["nan", "0", "-1", "1.1", "inf"])
def test_a_threshold_of_decontamination_is_a_proportion(run, value: str) -> None:
    call = BY_COMMAND["contamination-effect"].clean()
    refused(run(*call, "--decontaminate-threshold", value), "--decontaminate-threshold")


def test_an_option_under_both_its_names_is_refused(run) -> None:
    call = BY_COMMAND["contamination-effect"].clean()
    outcome = run(*call, "--report-from", 0.2, "--min-containment", 0.3)
    refused(outcome, "--report-from and --min-containment are one option")
