import json
from math import sqrt
from pathlib import Path

import pandas as pd
import pytest

from pipeline.results import main, summarise
from storyaudit.io.files import parquet_bytes


def results(variant: str, seed: int, correct: str) -> list[dict[str, object]]:
    """Items of dimensions creativity, creativity, fluency; the last is Human–LLM."""
    return [
        {
            "variant": variant,
            "model": "m",
            "seed": seed,
            "item_id": f"i{number}",
            "dimension": dimension,
            "origin": origin,
            "correct": right == "1",
            "ties": int(right == "t"),
            "credit": float(right == "1"),
        }
        for number, (right, dimension, origin) in enumerate(
            zip(
                correct,
                ("creativity", "creativity", "fluency"),
                ("llm_llm", "llm_llm", "human_llm"),
                strict=True,
            )
        )
    ]


TABLE = pd.DataFrame(results("b", 2, "110") + results("b", 1, "101") + results("a", 0, "1t0"))


def test_each_run_and_each_variant_are_summarised() -> None:
    summary = {(variant, seed): metrics for variant, seed, metrics in summarise(TABLE)}
    assert list(summary) == [("a", 0), ("a", None), ("b", 1), ("b", 2), ("b", None)]
    # Seed 1: creativity 1/2 and fluency 1/1, so macro 3/4; seed 2: 1 and 0, so 1/2.
    assert summary["b", 1]["accuracy.macro"] == pytest.approx(3 / 4)
    assert summary["b", 2]["accuracy.macro"] == pytest.approx(1 / 2)
    assert summary["b", 1]["accuracy.micro"] == pytest.approx(2 / 3)
    assert summary["b", 1]["accuracy.human_llm"] == 1
    assert summary["a", 0]["ties"] == 1


def test_the_spread_over_seeds_is_that_of_a_sample() -> None:
    whole = summarise(TABLE)[-1][2]
    assert whole["seeds"] == 2
    assert whole["accuracy.macro.mean"] == pytest.approx(5 / 8)
    # Sample SD of 3/4 and 1/2: (1/4) / √2.
    assert whole["accuracy.macro.sd"] == pytest.approx(1 / 4 / sqrt(2))
    assert whole["accuracy.fluency.sd"] == pytest.approx(1 / sqrt(2))


def test_one_seed_has_no_spread() -> None:
    whole = summarise(TABLE)[1][2]
    assert whole["seeds"] == 1 and whole["accuracy.macro.mean"] == pytest.approx(1 / 4)
    assert not [name for name in whole if name.endswith(".sd")]


def test_models_of_one_variant_are_summarised_each() -> None:
    table = TABLE[TABLE["variant"] == "a"]
    other = table.assign(model="n", correct=False)
    summary = {(name, seed): m for name, seed, m in summarise(pd.concat([table, other]))}
    assert list(summary) == [("a/m", 0), ("a/m", None), ("a/n", 0), ("a/n", None)]
    assert summary["a/m", 0]["accuracy.micro"] == pytest.approx(1 / 3)
    assert summary["a/n", None]["accuracy.micro.mean"] == 0


def test_without_results_there_is_nothing_to_summarise() -> None:
    assert summarise(TABLE.iloc[:0]) == []


# One item on each premise, with three words to a story and with two; the gold is the first story.
TABLES = {
    "benchmark": [
        {
            "item_id": item,
            "premise_id": f"p{item}",
            "origin": "llm_llm",
            "chosen_id": f"{item}0",
            "annotation_route": "confirmation",
            "tau_avg": 0.8,
            "dimension": "fluency",
            "dimension_rule": "margin",
        }
        for item in "ij"
    ],
    "candidates": [
        {
            "item_id": item,
            "position": place,
            "story_id": f"{item}{place}",
            "premise_id": f"p{item}",
            "origin": "llm_llm",
        }
        for item in "ij"
        for place in range(4)
    ],
    "premises": [
        {"premise_id": f"p{item}", "text": "A premise.", "language": language, "source": "s"}
        for item, language in (("i", "en"), ("j", "zh"))
    ],
    "stories": [
        {
            "story_id": f"{item}{place}",
            "author_kind": "llm",
            "author": "m",
            "language": "en",
            "text": "One two three." if item == "i" else "One two.",
            "source": "s",
        }
        for item in "ij"
        for place in range(4)
    ],
}
COLUMNS = ["variant", "model", "seed", "item_id", "story_id", "reward"]


def scores(variant: str, rewards: dict[str, float]) -> list[tuple]:
    return [(variant, "m", 1, story[0], story, reward) for story, reward in rewards.items()]


def run_stage(folder: Path, study: list[tuple], experiments: list[tuple]) -> dict:
    tables = {f"data/study/{name}": pd.DataFrame(rows) for name, rows in TABLES.items()}
    tables["data/study/scores"] = pd.DataFrame(study, columns=COLUMNS)
    further = pd.DataFrame(experiments, columns=COLUMNS)
    tables["data/experiments/scores"] = further.astype({"seed": "int64", "reward": "float64"})
    for name, frame in tables.items():
        path = folder / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(parquet_bytes(frame))
    (folder / "params.yaml").write_text("study: demo\nsimulated: []\nseed: 1\n")
    main()
    return json.loads((folder / "runs/results.json").read_text())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


FULL = scores("full", {f"{item}{place}": -place for item in "ij" for place in range(4)})
# Of item j, one story has no reward.
PART = scores("removal/x", {f"{item}{place}": place for item in "ij" for place in range(4)})


def test_the_stage_writes_the_results_of_both_folders(folder: Path) -> None:
    record = run_stage(folder, FULL, PART[:-1])
    study, further = (
        pd.read_parquet(folder / f"data/{name}/results.parquet")
        for name in ("study", "experiments")
    )
    assert study["correct"].tolist() == [True, True]
    assert study["picked_id"].tolist() == ["i0", "j0"]
    assert study["language"].tolist() == ["en", "zh"]
    assert study["length_band"].tolist() == ["long", "short"]
    assert study["annotation_route"].tolist() == ["confirmation"] * 2
    assert further["correct"].tolist() == [False, False]
    assert further["missing"].tolist() == [0, 1]
    assert further["picked_id"].fillna("").tolist() == ["i3", ""]
    runs = {(run["variant"], run["seed"]): run["metrics"] for run in record["runs"]}
    assert list(runs) == [("full", 1), ("full", None), ("removal/x", 1), ("removal/x", None)]
    assert runs["full", 1]["accuracy.language.zh"] == 1
    assert runs["removal/x", 1]["missing"] == 1


def test_there_may_be_no_experiments(folder: Path) -> None:
    record = run_stage(folder, FULL, [])
    assert record["writes"]["data/experiments/results.parquet"]["rows"] == 0
    assert [run["variant"] for run in record["runs"]] == ["full", "full"]


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (scores("full", {"z0": 1.0}), "scored but no candidate"),
        ([*FULL, FULL[0]], "repeat an earlier key"),
        (scores("full", {"i0": float("inf")}), "expected a number in every row"),
    ],
)
def test_scores_that_do_not_fit_stop_the_stage(
    study: list[tuple], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        run_stage(folder, study, [])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (folder / "data/study/results.parquet").exists()
