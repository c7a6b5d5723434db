"""``make repro`` and ``dvc repro`` in fresh clones: what is built, recorded and reproduced."""

import json
import platform
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from clones import ROOT, stages_of, stages_run

from storyaudit.findings import read_report, read_reports
from storyaudit.runs.processor import processor_family

pytestmark = pytest.mark.slow

STAGES = stages_of(ROOT)
RECORDED = [name for name, stage in STAGES.items() if f"runs/{name}.json" in stage["outs"]]
CODE = ("audits", "pipeline", "storyaudit")


def covers(dep: str, path: str) -> bool:
    return Path(path).is_relative_to(dep)


def test_everything_in_dvc_yaml_is_there_and_nothing_half_written(built) -> None:
    for stage in built.first.stages().values():
        for out in stage["outs"]:
            assert (built.first.path / out).exists(), out
    assert not list(built.first.path.glob("**/.*.tmp"))


def test_make_repro_builds_tracks_and_sums_up(built) -> None:
    assert stages_run(built.printed) == stages_run(built.printed.partition("\nVerdict")[0])
    assert set(stages_run(built.printed)) == set(STAGES)
    assert "new, 0 known already" in built.printed  # the stage
    assert "Tracked: 0 new" in built.printed  # the call after it
    assert "Verdict: " in built.printed
    assert built.printed.rstrip().splitlines()[-1].startswith("Report: reports/index.html")
    assert (built.first.path / "mlflow.db").is_file()


def test_all_stages_but_the_views_leave_a_record() -> None:
    assert set(STAGES) - set(RECORDED) == {"report", "track"}


@pytest.mark.parametrize("name", RECORDED)
def test_a_stage_reads_writes_and_obeys_what_dvc_yaml_says(name: str, built) -> None:
    stage = built.first.stages()[name]
    record = json.loads((built.first.path / f"runs/{name}.json").read_text(encoding="utf-8"))
    assert record["stage"] == name

    real = ("data/raw/", "data/records/")  # read by studies that are not simulated
    data = [
        dep for dep in stage["deps"] if Path(dep).parts[0] not in CODE and not dep.startswith(real)
    ]
    unread = [dep for dep in data if not any(covers(dep, path) for path in record["reads"])]
    undeclared = [p for p in record["reads"] if not any(covers(dep, p) for dep in stage["deps"])]
    assert (unread, undeclared) == ([], [])

    assert {f"runs/{name}.json", f"runs/metrics/{name}.json"} <= set(stage["outs"])
    outs = [out for out in stage["outs"] if not out.startswith("runs/")]
    unwritten = [out for out in outs if not any(covers(out, path) for path in record["writes"])]
    unlisted = [p for p in record["writes"] if not any(covers(out, p) for out in outs)]
    assert (unwritten, unlisted) == ([], [])

    params = yaml.safe_load((built.first.path / "params.yaml").read_text(encoding="utf-8"))
    assert set(stage["params"]) == {"study", "simulated", "seed", *record["params"]}
    obeyed = {name: {**found, **params[name]} for name, found in record["params"].items()}
    assert record["params"] == obeyed
    left_out = {
        key for name, found in record["params"].items() for key in found.keys() - params[name]
    }
    assert left_out <= {"further_languages"}  # which has a default
    assert (record["study"], record["seed"]) == (params["study"], params["seed"])


def test_the_views_depend_on_all_findings_and_records() -> None:
    outs = {out for name in RECORDED for out in STAGES[name]["outs"]}
    findings = {out for out in outs if out.startswith("findings/") and out.endswith(".json")}
    records = {f"runs/{name}.json" for name in RECORDED}
    assert set(STAGES["report"]["deps"]) >= findings
    assert set(STAGES["track"]["deps"]) >= findings | records | set(STAGES["report"]["outs"])


def test_all_findings_can_be_read_and_every_audit_wrote_some(built) -> None:
    reports = read_reports([built.first.path / "findings"])
    written = [out for out in built.first.contents() if out.startswith("findings/")]
    assert len(reports) == len([out for out in written if out.endswith(".json")])
    assert all(report.findings or report.unchecked for report in reports)


def test_the_planted_leaks_are_the_copies_that_are_found_and_there_are_no_others(built) -> None:
    def table(name: str) -> pd.DataFrame:
        return pd.read_parquet(built.first.path / f"data/{name}.parquet")

    leaks, pairs, candidates = (
        table(name) for name in ("world/leaks", "study/pairs", "study/candidates")
    )
    params = yaml.safe_load((built.first.path / "params.yaml").read_text(encoding="utf-8"))
    planted = ("copies", "light_edits", "embedded")
    assert len(leaks) == sum(params["faults"][kind] for kind in planted)
    # A leak is one of the study only if the training story came into a pair, and the other into
    # an item that was kept.
    trained_on = set(pairs["chosen_id"]) | set(pairs["rejected_id"])
    kept = candidates[candidates["item_id"].isin(table("study/benchmark")["item_id"])]
    in_play = leaks[
        leaks["training_id"].isin(trained_on) & leaks["benchmark_id"].isin(kept["story_id"])
    ]
    assert set(in_play["kind"]) == {"copy", "light_edit", "embedded"}

    between = table("study/overlaps").query("comparison == 'train_benchmark'")
    stories = between.query("level == 'story'")
    found = list(zip(stories["right_id"], stories["left_id"], strict=True))
    assert sorted(found) == sorted(
        zip(in_play["training_id"], in_play["benchmark_id"], strict=True)
    )
    assert (stories["containment"] >= 0.5).all()


def test_the_gate_passes_once_the_published_studies_fails_are_left_aside(built) -> None:
    gate = built.first.run("storyaudit", "gate", "--study", "storyalign")
    assert gate.splitlines()[-1].startswith("0 open fails")


def test_a_second_repro_runs_no_stage(built, tmp_path) -> None:
    before = built.first.lock()
    printed = built.first.run("dvc", "repro")
    assert stages_run(printed) == []
    assert "up to date" in printed
    assert built.first.lock() == before


def test_two_clones_are_alike_byte_for_byte(built) -> None:
    first, second = built.first.contents(), built.second.contents()
    assert list(first) == list(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert built.first.lock() == built.second.lock()


def test_no_out_names_the_machine_or_the_folder(built) -> None:
    folders = [str(clone.path).encode() for clone in (built.first, built.second)]
    host = json.dumps(platform.node()).encode()
    for name, content in built.first.contents().items():
        assert not [folder for folder in folders if folder in content], name
        assert host == b'""' or host not in content, name


def test_the_committed_lock_is_the_rebuilt_one(built) -> None:
    recorded = ROOT / "dvc.lock.processor"
    if not recorded.is_file():
        pytest.skip("no dvc.lock.processor says on which processors dvc.lock was made")
    family = recorded.read_text(encoding="utf-8").strip()
    if family != processor_family():
        pytest.skip(f"dvc.lock was made on {family}, this is {processor_family()}")
    assert (ROOT / "dvc.lock").read_bytes() == built.first.lock()


def test_the_recorded_family_is_what_the_module_prints(built) -> None:
    printed = built.first.run(sys.executable, "-m", "storyaudit.runs.processor")
    assert printed == f"{processor_family()}\n"


def test_planted_qualities_and_biases_are_recovered(built) -> None:
    root = built.first.path
    judgements = pd.read_parquet(root / "data/study/judgements.parquet")
    truth = pd.read_parquet(root / "data/world/qualities.parquet").set_index("story_id")
    scored = judgements[judgements["dimension"] != "overall"]
    means = scored.groupby(["story_id", "dimension"])["score"].mean().unstack()
    for dimension in means:
        assert means[dimension].corr(truth.loc[means.index, dimension], method="spearman") > 0.7
    judges = pd.read_parquet(root / "data/world/judges.parquet")
    found = {
        finding.id: finding.numbers
        for finding in read_report(root / "findings/embedded/protocol.json").findings
    }
    for bias in ("position", "length", "family"):
        planted = judges[f"{bias}_bias"].mean()
        numbers = found[f"bias-{bias}"]
        assert numbers["points_low"] <= planted <= numbers["points_high"]
        assert numbers["points_low"] > 0  # told from zero, as it is
