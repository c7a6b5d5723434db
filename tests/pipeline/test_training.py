import json
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from pydantic import ValidationError

import pipeline.train
from pipeline.reward.folder import load
from pipeline.reward.model import Fit, PairTexts
from pipeline.reward.reward_kinds import KINDS
from pipeline.texts import texts
from pipeline.train import TRAIN_SECTION, all_pairs, of_experiment, train
from storyaudit.data.tables import OVERLAPS, PAIRS
from storyaudit.runs.seeds import stream
from storyaudit.runs.stage import EXPERIMENTS, STUDY

NONE = {"removal": False, "learning_curve": []}
LINEAR = {
    "buckets_log2": 8,
    "ngrams": 1,
    "style": True,
    "maximum_words": None,
    "epochs": 3,
    "l2": 1e-3,
}
PARAMS = {
    "seeds": [1, 2],
    "kind": "linear",
    "linear": LINEAR,
    "drop_overlaps_from": None,
    **NONE,
}
ALL = {"removal": True, "learning_curve": [0.5]}
NAMES = {
    "full",
    *(f"removal/{name}" for name in ("continuation", "llm_llm_size", "rewriting")),
    *(f"replacement/{name}" for name in ("continuation", "rewriting")),
    "human_chosen/continuation",
    "learning_curve/0.5",
}


@pytest.fixture(scope="module")
def tables(corpora) -> dict[str, pd.DataFrame]:
    """Pairs of the small corpora's training stories, by several methods, every fifth held out."""
    stories = corpora.stories[corpora.stories["use"] == "training"].sort_values("story_id")
    rows = [
        {"premise_id": premise, "chosen_id": first, "rejected_id": second}
        for premise, of in stories.dropna(subset=["premise_id"]).groupby("premise_id")
        for first, second in zip(of["story_id"][::2], of["story_id"][1::2], strict=False)
    ]
    pairs = pd.DataFrame(rows[:60]).assign(source="world", language="en")
    pairs["pair_id"] = [f"p{number:03d}" for number in range(len(pairs))]
    pairs["split"] = np.where(np.arange(len(pairs)) % 5 == 4, "validation", "train")
    methods = ["continuation", "llm_llm_size", "rewriting", "human_chosen", "replacement"]
    pairs["method"] = np.repeat([*methods, "replacement"] * 2, 5)
    further = pairs["method"].isin(["human_chosen", "replacement"])
    order = [column.name for column in PAIRS.columns]
    return {"study": pairs.loc[~further, order], "further": pairs.loc[further, order]}


def run(corpora, tables: dict[str, pd.DataFrame], **changes: object) -> dict[tuple[str, int], Any]:
    pairs = all_pairs(tables["study"], tables["further"])
    trained = train(
        pairs,
        PairTexts(
            texts(pairs["premise_id"], "premise_id", corpora.premises),
            texts(pairs["chosen_id"], "story_id", corpora.stories),
            texts(pairs["rejected_id"], "story_id", corpora.stories),
        ),
        TRAIN_SECTION(**{**PARAMS, **changes}),
        lambda purpose: stream(1, "train", purpose),
    )
    return {(model.variant, model.seed): model for model in trained}


def test_the_tables_hold_enough(tables) -> None:
    assert tables["study"].groupby(["method", "split"]).size().tolist() == [8, 2] * 3
    assert tables["further"].groupby(["method", "split"]).size().tolist() == [8, 2, 16, 4]


def test_a_model_for_each_variant_and_seed(corpora, tables) -> None:
    models = run(corpora, tables, **ALL)
    assert set(models) == {(name, seed) for name in NAMES for seed in (1, 2)}
    assert len({model.fit.model.files()["weights.safetensors"] for model in models.values()}) == 16
    again = run(corpora, tables, **ALL, seeds=[2])
    for key, model in again.items():  # a seed does not depend on the others
        assert model.fit.model.files() == models[key].fit.model.files()
        assert model.metrics == models[key].metrics
    # Nor a variant on the others, but for the names of attributions.
    alone = run(corpora, tables)["full", 1]
    assert (alone.fit.model.ngrams == models["full", 1].fit.model.ngrams).all()


def test_each_seed_of_the_learning_curve_draws_pairs_of_its_own(
    corpora, tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, dict[int, np.ndarray]] = {}

    def fit(texts: PairTexts, rows: dict, *_: object) -> Iterator[tuple[str, int, Fit]]:
        given.update(rows)
        return iter(())

    monkeypatch.setattr(KINDS["linear"], "fit", fit)
    run(corpora, tables, learning_curve=[0.5], seeds=list(range(40)))
    drawn = [set(rows.tolist()) for rows in given["learning_curve/0.5"].values()]
    assert [len(rows) for rows in drawn] == [12] * 40
    # Two draws of 12 of 24 pairs share 6 on average, with a variance of 12 · ½ · ½ · 12/23; how
    # many one pair of draws shares says nothing of what another does.
    shared = [len(one & other) for one, other in combinations(drawn, 2)]
    assert abs(np.mean(shared) - 6) < 4 * np.sqrt(36 / 23 / len(shared))


def test_metrics_count_the_pairs(corpora, tables) -> None:
    for (name, _), model in run(corpora, tables, **ALL).items():
        methods = {k: v for k, v in model.metrics.items() if k.startswith("pairs.")}
        held_out = methods.pop("pairs.validation")
        assert held_out == (tables["study"]["split"] == "validation").sum()
        assert model.metrics["pairs"] == sum(methods.values())
        kind, _, method = name.partition("/")
        assert (f"pairs.{method}" in methods) == (kind == "full" and bool(method))
        assert ("pairs.replacement" in methods) == (kind == "replacement")
        assert ("pairs.human_chosen" in methods) == (kind == "human_chosen")


def test_accuracies_are_shares_of_pairs(corpora, tables) -> None:
    trained = run(corpora, tables)["full", 1]
    text = corpora.stories.set_index("story_id")["text"]
    premise = corpora.premises.set_index("premise_id")["text"]
    right: dict[str, list[bool]] = {"train": [], "validation": []}
    for pair in tables["study"].to_dict("records"):
        chosen, rejected = trained.fit.model.score(
            [premise[pair["premise_id"]]] * 2, [text[pair["chosen_id"]], text[pair["rejected_id"]]]
        )
        right[pair["split"]].append(chosen > rejected)
    for split, of in right.items():
        assert trained.metrics[f"pair_accuracy.{split}"] == pytest.approx(sum(of) / len(of))
    assert trained.metrics["pairs"] == len(right["train"])


def test_validation_pairs_are_not_learned_from(corpora, tables) -> None:
    sides = ["chosen_id", "rejected_id"]
    turned = {name: table.copy() for name, table in tables.items()}
    for table in turned.values():
        held_out = table["split"] == "validation"
        table.loc[held_out, sides] = table.loc[held_out, sides[::-1]].to_numpy()
    straight, other = run(corpora, tables, **ALL), run(corpora, turned, **ALL)
    for key, model in straight.items():
        assert other[key].fit.model.files() == model.fit.model.files()
        accuracy = other[key].metrics["pair_accuracy.validation"]
        assert accuracy == pytest.approx(1 - model.metrics["pair_accuracy.validation"])


def test_without_validation_pairs_no_accuracy_is_claimed(corpora, tables) -> None:
    everything = tables | {"study": tables["study"].assign(split="train")}
    metrics = run(corpora, everything)["full", 1].metrics
    assert {name for name in metrics if "accuracy" in name} == {"pair_accuracy.train"}
    assert "pairs.validation" not in metrics


def test_the_order_of_rows_changes_nothing(corpora, tables) -> None:
    mixed = {name: table.sample(frac=1, random_state=3) for name, table in tables.items()}
    one, other = run(corpora, tables, **ALL), run(corpora, mixed, **ALL)
    for key, model in one.items():
        assert other[key].fit.model.files() == model.fit.model.files()


def test_no_further_pairs_are_needed_without_their_variants(corpora, tables) -> None:
    alone = tables | {"further": tables["further"].iloc[:0]}
    found = run(corpora, alone, removal=True, learning_curve=[0.5])
    assert {name for name, _ in found} == {name for name in NAMES if "chosen" not in name} - {
        "replacement/continuation",
        "replacement/rewriting",
    }


def test_truncated_stories_are_counted_once(corpora, tables) -> None:
    assert run(corpora, tables)["full", 1].metrics["truncated_stories"] == 0
    few = run(corpora, tables, linear={**LINEAR, "maximum_words": 5})["full", 1].metrics
    used = tables["study"][tables["study"]["split"] == "train"]
    ids = {*used["chosen_id"], *used["rejected_id"]}
    assert few["truncated_stories"] == len(ids)  # every story of the simulation is longer


@pytest.mark.parametrize(
    "wrong",
    [
        {"seeds": []},
        {"seeds": [1, 1]},
        {"seeds": [-1]},
        {"seeds": [2**32]},
        *(
            {"linear": {**LINEAR, name: value}}
            for name, value in (
                ("buckets_log2", 0),
                ("buckets_log2", 27),
                ("ngrams", 0),
                ("maximum_words", 0),
                ("epochs", 0),
                ("l2", 0.0),
                ("l2", float("nan")),
                ("style", "yes"),
                ("depth", 3),
            )
        ),
        {"linear": None},
        {"kind": "neural"},
        {"kind": ["linear"]},
        {"learning_curve": [1.5]},
        {"removal": None},
    ],
)
def test_parameters_that_train_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        TRAIN_SECTION(**{**PARAMS, **wrong})


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpora, tables) -> Callable[[], dict]:
    """A folder in which the stage runs; calling it runs it and returns the record."""
    monkeypatch.chdir(tmp_path)
    for folder in (STUDY, EXPERIMENTS):
        folder.mkdir(parents=True)
    tables["study"].to_parquet(STUDY / "pairs.parquet")
    tables["further"].to_parquet(EXPERIMENTS / "pairs.parquet")
    for name in ("premises", "stories"):
        frame = getattr(corpora, name)
        moved = frame.index % 2 == 0  # texts made for pairs stand in tables of their own
        frame[~moved].to_parquet(STUDY / f"{name}.parquet")
        frame[moved].to_parquet(STUDY / f"pair_{name}.parquet")
    names = [column.name for column in OVERLAPS.columns]
    for folder in (STUDY, EXPERIMENTS):
        pd.DataFrame(columns=names).to_parquet(folder / "overlaps.parquet")
    top = {"study": "little", "seed": 1, "simulated": []}

    def runs(**changed) -> dict:
        Path("params.yaml").write_text(
            yaml.safe_dump({**top, "train": {**PARAMS, **ALL, **changed}})
        )
        pipeline.train.main()
        return json.loads(Path("runs/train.json").read_text())

    return runs


def test_the_stage_writes_models_that_load(study, corpora) -> None:
    record = study()
    folders = {path.parent for path in Path("models").rglob("model.json")}
    assert {str(folder.relative_to("models")) for folder in folders} == {
        f"{name}/seed-{seed}" for name in NAMES for seed in (1, 2)
    }
    assert len(record["writes"]) == 2 * len(folders)
    story, premise = corpora.stories["text"].iloc[0], corpora.premises["text"].iloc[0]
    rewards = {folder: load(folder).score([premise], [story])[0] for folder in folders}
    assert len(set(rewards.values())) == len(folders)
    attributions = load(Path("models/full/seed-1")).attributions(100)
    assert len(attributions) > 9 and all(np.isfinite(effect) for _, effect in attributions)


def test_the_record_tells_what_was_trained_and_how(study) -> None:
    record = study()
    assert {(r["variant"], r["seed"]) for r in record["runs"]} == {
        (name, seed) for name in NAMES for seed in (1, 2)
    }
    params = record["runs"][0]["params"]
    assert params["loss"] == "Bradley-Terry" and params["optimiser"] == "averaged SGD"
    assert (params["epochs"], params["l2"], params["batch_size"]) == (3, 1e-3, 1)
    assert (params["maximum_words"], params["truncation"]) == (None, "end")
    assert (params["buckets_log2"], params["ngrams"], params["style"]) == (8, 1, True)
    assert set(record["reads"]) == {
        "data/experiments/overlaps.parquet",
        "data/experiments/pairs.parquet",
        *(
            f"data/study/{name}.parquet"
            for name in (
                "overlaps",
                "pairs",
                "premises",
                "stories",
                "pair_premises",
                "pair_stories",
            )
        ),
    }


def test_the_stage_writes_the_same_bytes_again(study) -> None:
    first = study()["writes"]
    assert study()["writes"] == first


def test_pairs_that_overlap_the_benchmark_are_left_out_where_that_is_asked_for(
    study, tables
) -> None:
    trained = tables["study"][tables["study"]["split"] == "train"]
    method = trained["method"].iloc[0]
    leaked = trained.loc[trained["method"] == method, "rejected_id"].iloc[0]
    overlap = {"level": "story", "left_id": "b", "right_id": leaked, "containment": 0.9}
    rows = pd.DataFrame(
        [{**overlap, "jaccard": 0.8, "longest_common_substring": 50, "verified": True}]
    )
    rows.to_parquet(STUDY / "overlaps.parquet")
    holding = trained[(trained["chosen_id"] == leaked) | (trained["rejected_id"] == leaked)]
    whole = study(removal=False)["metrics"]["pairs"]
    record = study(removal=False, drop_overlaps_from=0.9)
    assert record["metrics"]["pairs"] == whole - len(holding)
    assert record["metrics"][f"dropped.{method}"] >= 1
    above = study(removal=False, drop_overlaps_from=0.95)
    assert above["metrics"]["pairs"] == whole


def test_bad_input_ends_the_stage_without_a_traceback(
    study, tables, capsys: pytest.CaptureFixture[str]
) -> None:
    further = tables["further"]
    further[further["method"] == "replacement"].iloc[:1].to_parquet(EXPERIMENTS / "pairs.parquet")
    with pytest.raises(SystemExit) as end:
        study()
    assert end.value.code == 2
    assert "pairs.replacements" in capsys.readouterr().err
    assert not Path("models").exists()


@pytest.mark.parametrize(
    ("variant", "experiment"),
    [
        ("removal/rewriting", "ablation"),
        ("replacement/continuation", "ablation"),
        ("human_chosen/continuation", "human_chosen"),
        ("learning_curve/0.1", "learning_curve"),
    ],
)
def test_an_experiments_runs_are_found_by_one_param(variant: str, experiment: str) -> None:
    assert of_experiment(variant) == {"experiment": experiment}
    assert of_experiment("full") == {}
