"""``storyaudit track`` into a SQLite store: what arrives there, and that it arrives once."""

import json
import shutil
from pathlib import Path

import pytest
from tracking_samples import (
    COMMIT,
    RESULTS,
    RUNS,
    STUDY,
    TRAIN,
    a_run,
    record,
    write_records,
    write_study,
)

KIND = "storyaudit.kind"


def tracked(outcome) -> tuple[int, str]:
    return outcome.code, outcome.out.split("(")[0].strip()


def runs_of(client, study: str = STUDY) -> list:
    experiment = client.get_experiment_by_name(study)
    return client.search_runs([experiment.experiment_id], max_results=1000) if experiment else []


def named(client, kind: str) -> dict:
    return {r.info.run_name: r for r in runs_of(client) if r.data.tags[KIND] == kind}


def test_a_study_arrives_nested_with_everything_its_records_hold(client, run) -> None:
    write_study()
    assert tracked(run("track")) == (0, "Tracked: 1 new, 0 known already")

    runs = runs_of(client)
    assert len(runs) == RUNS
    assert {r.info.status for r in runs} == {"FINISHED"}
    name = {r.info.run_id: r.info.run_name for r in runs}
    (root,) = named(client, "study").values()
    parents = {
        r.info.run_name: name.get(r.data.tags.get("mlflow.parentRunId", ""), "") for r in runs
    }
    study = root.info.run_name
    assert study.startswith(STUDY)
    assert parents == {
        study: "",
        "train": study,
        "results": study,
        "linear": study,
        "longest": study,
        "linear seed 1": "linear",
        "linear seed 2": "linear",
        "longest seed 0": "longest",
    }

    stage = named(client, "stage")["train"]
    assert stage.data.params == {"train.epochs": "5", "train.seeds": "[1, 2]"}
    assert stage.data.metrics == {"pairs": 90}
    assert {
        (d.tags[0].value, d.dataset.name, d.dataset.digest) for d in stage.inputs.dataset_inputs
    } == {
        ("reads", "data/pairs.parquet", "a" * 32),
        ("writes", "models/linear/seed-1.json", "b" * 32),
    }
    assert (stage.info.start_time, stage.info.end_time) == (1.7e12, 1.7e12 + 30_000)
    tags = stage.data.tags
    assert (tags["git.commit"], tags["git.dirty"], tags["dvc.stage"]) == (COMMIT, "True", "train")
    assert named(client, "stage")["results"].data.tags["git.dirty"] == "False"

    # A seed's run gathers what two stages say of it; the variant's holds what has no seed.
    seed = named(client, "seed")["linear seed 2"]
    assert seed.data.params == {"variant": "linear", "seed": "2", "epochs": "5"}
    assert seed.data.metrics == {"pair_accuracy.train": 0.5, "accuracy.macro": 0.75}
    variant = named(client, "variant")["linear"]
    assert variant.data.metrics == {"accuracy.macro.mean": 0.5, "seeds": 2}

    assert root.data.params == {
        "seed": "7",
        "simulated": "judges, annotators",
        "train.epochs": "5",
        "train.seeds": "[1, 2]",
    }
    assert root.data.metrics == {
        "findings.counts.fail": 0,
        "findings.counts.warn": 1,
        "findings.counts.note": 0,
        "findings.counts.pass": 0,
    }
    assert root.data.tags["git.dirty"] == "True"  # one of its stages was
    kept = {a.path for a in client.list_artifacts(root.info.run_id)}
    assert kept == {"findings", "params.yaml"}
    text = client.download_artifacts(root.info.run_id, "findings/counts.json")
    assert json.loads(Path(text).read_text())["findings"][0]["statement"] == "A sentence."
    assert Path("mlartifacts").is_dir()


def test_sending_again_does_nothing(client, run) -> None:
    write_study()
    run("track")
    before = {r.info.run_id for r in runs_of(client)}
    assert tracked(run("track")) == (0, "Tracked: 0 new, 1 known already")
    assert {r.info.run_id for r in runs_of(client)} == before


def test_a_sidecar_changes_nothing_and_a_record_makes_a_new_build(client, run) -> None:
    write_study()
    run("track")
    sidecar = Path("runs/local/train.json")
    sidecar.write_text(sidecar.read_text().replace("a-host", "another-host"))
    assert "0 new" in run("track").out
    write_records({**TRAIN, "metrics": {"pairs": 91}})
    assert tracked(run("track")) == (0, "Tracked: 1 new, 0 known already")
    assert len(runs_of(client)) == 2 * RUNS
    assert len({r.data.tags["storyaudit.build"] for r in runs_of(client)}) == 2
    assert sorted(
        r.data.metrics["pairs"] for r in runs_of(client) if r.info.run_name == "train"
    ) == [90, 91]


def test_a_changed_finding_makes_a_new_build(client, run) -> None:
    write_study()
    run("track")
    report = Path(f"findings/{STUDY}/counts.json")
    report.write_text(report.read_text().replace("A sentence.", "Another."))
    assert "1 new" in run("track").out


@pytest.mark.parametrize(
    ("method", "call"),
    [
        ("create_run", 1),
        ("create_run", 4),
        ("log_batch", 1),
        ("log_inputs", 2),
        ("log_text", 1),
        ("log_artifact", 1),
        ("set_terminated", RUNS),
    ],
)
def test_a_half_sent_build_is_completed_without_doubles(
    method: str, call: int, client, run, monkeypatch
) -> None:
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    original, calls = getattr(MlflowClient, method), []

    def fail_at_a_call(*arguments: object, **named: object) -> object:
        calls.append(1)
        if len(calls) == call:
            raise MlflowException("the line was cut")
        return original(*arguments, **named)

    write_study()
    with monkeypatch.context() as patch:
        patch.setattr(MlflowClient, method, fail_at_a_call)
        outcome = run("track")
    assert (outcome.code, outcome.out) == (1, "")
    assert "the line was cut" in outcome.err
    assert not [r for r in named(client, "study").values() if r.info.status == "FINISHED"]

    assert "1 new" in run("track").out
    assert len(runs_of(client)) == RUNS
    assert {r.info.status for r in runs_of(client)} == {"FINISHED"}
    assert "0 new" in run("track").out


def test_studies_go_to_experiments_of_their_own(client, run) -> None:
    write_study()
    write_records(record("corpora", study="another"))
    assert tracked(run("track")) == (0, "Tracked: 2 new, 0 known already")
    assert [r.info.run_name for r in runs_of(client, "another")].count("corpora") == 1
    assert len(runs_of(client)) == RUNS


def test_findings_alone_and_records_alone_are_tracked(client, run) -> None:
    write_study()
    shutil.rmtree("runs")
    assert "1 new" in run("track").out
    write_records(RESULTS)
    shutil.rmtree("findings")
    Path("findings/tiny").mkdir(parents=True)  # as a killed audit leaves it
    assert "1 new" in run("track").out
    assert len(named(client, "study")) == 2


def test_what_mlflow_would_refuse_is_cut_or_renamed_and_nothing_is_lost(client, run) -> None:
    names = ["../up", "a//b", "a/b", "a:b", "α (%)", "=cmd|x", ".", "..", " ", "n" * 300, "n" * 301]
    metrics = {name: float(number) for number, name in enumerate(names)}
    many = {f"p{number}": number for number in range(250)} | {"long": "x" * 10_000, "": "empty"}
    variants = ["=cmd|' /C calc'!A0", "模型/一", "v" * 7000, "\x1b[31m"]
    write_records(
        record(
            "train",
            params={"train": many},
            metrics={**metrics, **{f"m{number}": 1.5 for number in range(1200)}},
            runs=[a_run(variant, 1, metrics=metrics) for variant in variants],
        )
    )
    assert tracked(run("track")) == (0, "Tracked: 1 new, 0 known already")
    stage = named(client, "stage")["train"]
    assert len(stage.data.params) == len(many)
    assert stage.data.params["train.p249"] == "249"
    assert stage.data.params["train.long"].startswith("x" * 5000)
    assert len(stage.data.metrics) == len(metrics) + 1200
    assert sorted(stage.data.metrics.values())[-1] == len(names) - 1
    seeds = [r for r in runs_of(client) if r.data.tags[KIND] == "seed"]
    assert len(seeds) == len(variants)
    assert all(sorted(r.data.metrics.values()) == list(metrics.values()) for r in seeds)
    assert {r.data.params["variant"] for r in seeds} >= {"模型/一", "=cmd|' /C calc'!A0"}


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", "{}", '{"stage": "train"}', json.dumps({**TRAIN, "runs": [{}]})],
    ids=["empty", "half", "list", "null", "no-keys", "few-keys", "run"],
)
def test_a_broken_record_is_bad_input(content: str, run) -> None:
    write_study()
    Path("runs/train.json").write_text(content)
    outcome = run("track", "--best-effort")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: runs/train.json: ")
    assert outcome.err.count("\n") == 1


def test_without_records_there_is_nothing_to_track(run) -> None:
    outcome = run("track")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: runs: ")
    assert not Path("mlflow.db").exists()
