"""A small study built stage by stage: what a stage reads and writes stands in dvc.yaml."""

import importlib
import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from storyaudit.findings import read_reports

CLONE = Path(__file__).parents[2]
STAGES: dict[str, dict[str, Any]] = yaml.safe_load(
    (CLONE / "dvc.yaml").read_text().replace("${study}", "embedded")
)["stages"]
IN_PYTHON = {
    name: stage["cmd"].split()[-1]
    for name, stage in STAGES.items()
    if stage["cmd"].startswith("python -m ")
}
SMALL = {
    "corpora": {"scale": 1 / 50, "training_scale": 1 / 200},
    "pairs": {
        "sizes": {
            "back_generation": 20,
            "rewriting": 60,
            "continuation": 20,
            "llm_llm_judged": 90,
            "llm_llm_size": 90,
        },
        "replacements": 105,
    },
    "train": {
        "linear": {
            "buckets_log2": 10,
            "ngrams": 2,
            "style": True,
            "maximum_words": None,
            "epochs": 10,
            "l2": 1e-4,
        },
        "seeds": [1, 2],
    },
    "pool": {"premises": 3},
    "ablations": {"resamples": 200},
    "best_of_n": {"resamples": 200},
    "accuracy": {"resamples": 200},
    "protocol_audit": {"resamples": 200},
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study's folder after all of its stages have run in the order of dvc.yaml."""
    folder = tmp_path_factory.mktemp("study")
    params = yaml.safe_load((CLONE / "params.yaml").read_text(encoding="utf-8"))
    for section, values in SMALL.items():
        params[section] |= values
    (folder / "params.yaml").write_text(yaml.safe_dump(params))
    shutil.copytree(CLONE / "expectations", folder / "expectations")
    shutil.copytree(CLONE / "data/published", folder / "data/published")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for module in IN_PYTHON.values():
            importlib.import_module(module).main()
    return folder


def record(study: Path, stage: str) -> dict[str, Any]:
    return json.loads((study / f"runs/{stage}.json").read_text(encoding="utf-8"))


def covered(path: str, declared: list[str]) -> bool:
    return any(path == name or path.startswith(f"{name}/") for name in declared)


@pytest.mark.parametrize("stage", IN_PYTHON)
def test_a_stage_reads_what_is_declared(study: Path, stage: str) -> None:
    reads, declared = record(study, stage)["reads"], STAGES[stage]["deps"]
    assert [path for path in reads if not covered(path, declared)] == []
    # As long as everything is simulated, nothing is read from there.
    data = [name for name in declared if Path(name).parts[0] in ("data", "expectations", "models")]
    data = [name for name in data if not name.startswith(("data/raw/", "data/records/"))]
    assert [name for name in data if not any(covered(path, [name]) for path in reads)] == []


@pytest.mark.parametrize("stage", IN_PYTHON)
def test_a_stage_writes_what_is_declared(study: Path, stage: str) -> None:
    writes, declared = record(study, stage)["writes"], STAGES[stage]["outs"]
    assert f"runs/{stage}.json" in declared
    assert STAGES[stage]["metrics"] == [f"runs/metrics/{stage}.json"]
    assert (study / f"runs/metrics/{stage}.json").is_file()
    assert [path for path in writes if not covered(path, declared)] == []
    for name in set(declared) - {f"runs/{stage}.json"}:
        assert any(covered(path, [name]) for path in writes)
        assert (study / name).exists()


@pytest.mark.parametrize("stage", IN_PYTHON)
def test_a_stage_takes_the_parameters_that_are_declared(study: Path, stage: str) -> None:
    used, declared = record(study, stage), STAGES[stage]["params"]
    assert sorted(["study", "simulated", "seed", *used["params"]]) == sorted(declared)


def test_the_audits_find_the_injected_leaks_and_nothing_wrong_with_the_counts(study: Path) -> None:
    reports = {(r.study, r.audit): r for r in read_reports([study / "findings"])}
    declared = {Path(out) for stage in STAGES.values() for out in stage.get("outs", [])}
    assert set(reports) == {
        (out.parent.name, out.stem)
        for out in declared
        if out.parts[0] == "findings" and out.suffix == ".json"
    }
    assert reports["embedded", "counts"].fails() == []
    assert reports["storyalign", "counts"].fails() == []
    # Of the leaks, those whose story is used on both sides.
    leaks = pd.read_parquet(study / "data/world/leaks.parquet")
    pairs = pd.read_parquet(study / "data/study/pairs.parquet")
    items = pd.read_parquet(study / "data/study/benchmark.parquet")["item_id"]
    candidates = pd.read_parquet(study / "data/study/candidates.parquet")
    kept = candidates[candidates["item_id"].isin(items)]["story_id"]
    trained = pd.concat([pairs["chosen_id"], pairs["rejected_id"]])
    live = leaks[leaks["training_id"].isin(trained) & leaks["benchmark_id"].isin(kept)]
    assert len(live) > 0
    found = pd.read_parquet(study / "data/study/overlaps.parquet")
    between = found[(found["level"] == "story") & (found["comparison"] == "train_benchmark")]
    copies = between[between["containment"] >= 0.5]
    assert set(zip(copies["right_id"], copies["left_id"], strict=True)) == set(
        zip(live["training_id"], live["benchmark_id"], strict=True)
    )


def test_a_stage_run_again_writes_the_same_bytes(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(study)
    before = record(study, "pairs")
    importlib.import_module(IN_PYTHON["pairs"]).main()
    assert record(study, "pairs") == before


def test_another_seed_writes_another_study(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study)
    params = Path("params.yaml").read_text()
    before = record(study, "pairs")["writes"]
    try:
        Path("params.yaml").write_text(yaml.safe_dump(yaml.safe_load(params) | {"seed": 1}))
        importlib.import_module(IN_PYTHON["pairs"]).main()
        assert record(study, "pairs")["writes"] != before
    finally:
        Path("params.yaml").write_text(params)
        importlib.import_module(IN_PYTHON["pairs"]).main()
    assert record(study, "pairs")["writes"] == before
