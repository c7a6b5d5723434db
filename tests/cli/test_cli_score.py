"""``storyaudit score``, with stand-ins for saved models where a real one is not the point."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pipeline.reward.folder
from pipeline.reward.linear.linear_reward import LinearReward, StyleWeights
from pipeline.reward.linear.reward_settings import Settings
from pipeline.texts import texts_of
from storyaudit.data.tables import SCORES
from storyaudit.layouts.benchmark_file import read_benchmark

ITEMS = [
    {"prompt": f"premise {n}", "chosen": f"good {n}", "rejected": [f"{bad} {n}" for bad in "abc"]}
    for n in range(40)
]
MODEL = "models/removal/rewriting/seed-3"


class Lengths:
    """A model that rewards characters of story and premise."""

    kind, effects = "lengths", "An effect is made up."
    called: list[int]

    def __init__(self) -> None:
        self.called = []

    def score(self, premises, stories):
        self.called.append(len(stories))
        pairs = zip(premises, stories, strict=True)
        return np.array([len(story) + len(premise) / 100 for premise, story in pairs])

    def attributions(self, most):
        return [("words", 1.5), ("the [bold]sea\x1b[2J", -0.25)][:most]


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> Lengths:
    model = Lengths()
    monkeypatch.setattr(pipeline.reward.folder, "load", lambda folder: model)
    return model


def write_items(items, name: str = "items.jsonl") -> Path:
    Path(name).write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return Path(name)


def write_study(items: dict[str, int], *, gold: list[str] | None = None) -> Path:
    """Write a folder of tables: items with so many candidates each."""
    folder = Path("study")
    folder.mkdir()
    rows = [
        {"item_id": item, "position": n, "story_id": f"{item}{n}", "premise_id": "p", "origin": "x"}
        for item, number in items.items()
        for n in range(1, number + 1)
    ]
    common = {"language": "en", "source": "x"}
    stories = [
        {"story_id": row["story_id"], "text": f"t{row['story_id']}", "author": "m"}
        | {"author_kind": "llm", **common}
        for row in rows
    ]
    tables = {
        "candidates": rows,
        "stories": stories,
        "premises": [{"premise_id": "p", "text": "a premise", **common}],
    }
    if gold is not None:
        tables["benchmark"] = [{"item_id": item, "chosen_id": f"{item}1"} for item in gold]
    for name, content in tables.items():
        pd.DataFrame(content).to_parquet(folder / f"{name}.parquet")
    return folder


def read(path: str) -> pd.DataFrame:
    if path.endswith(".parquet"):
        return pd.read_parquet(path)
    return pd.read_json(path, lines=True) if path.endswith(".jsonl") else pd.read_csv(path)


def refused(outcome, *named: str) -> None:
    assert outcome.code == 2, outcome
    assert outcome.out == "" and "Traceback" not in outcome.err
    for part in named:
        assert part in outcome.err


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet", ".CSV"])
def test_every_candidate_is_scored_for_its_premise(ending: str, lengths, run) -> None:
    items = write_items(ITEMS)
    outcome = run("score", MODEL, items, "--out", f"out/scores{ending}")
    assert outcome.code == 0, outcome
    scores = read(f"out/scores{ending}")
    assert list(scores.columns) == [column.name for column in SCORES.columns]
    assert set(scores["variant"]) == {"removal/rewriting"} and set(scores["seed"]) == {3}
    assert set(scores["model"]) == {"lengths"}
    benchmark = read_benchmark(items)
    stories = benchmark.stories.set_index("story_id")["text"]
    premises = benchmark.premises.set_index("premise_id")["text"]
    expected = {
        (item, story): len(stories[story]) + len(premises[premise]) / 100
        for item, _, story, premise, _ in benchmark.candidates.itertuples(index=False)
    }
    found = scores.set_index(["item_id", "story_id"])["reward"].to_dict()
    assert found == pytest.approx(expected)
    assert len(scores) == 160 and sum(lengths.called) == 160
    # Columns that were guessed are named, and what was written.
    assert "premise from 'prompt'" in outcome.out
    assert "160 rewards of 40 items" in outcome.out and "seed 3" in outcome.out


def test_chunks_of_another_size_give_the_same_scores(lengths, run, monkeypatch) -> None:
    items = write_items(ITEMS)
    run("score", MODEL, items, "--out", "one.csv")
    monkeypatch.setattr("storyaudit.cli.score.CHUNK", 7)
    run("score", MODEL, items, "--out", "other.csv")
    assert Path("one.csv").read_bytes() == Path("other.csv").read_bytes()
    assert max(lengths.called[3:]) == 7


def test_a_folder_of_tables_is_scored_on_the_items_of_its_gold(lengths, run) -> None:
    outcome = run("score", MODEL, write_study({"i": 4, "j": 3}, gold=["i"]), "--out", "s.parquet")
    assert outcome.code == 0, outcome
    assert set(read("s.parquet")["item_id"]) == {"i"}


def test_a_pool_without_gold_is_scored_whole(lengths, run) -> None:
    outcome = run("score", MODEL, write_study({"i": 16, "j": 3}), "--out", "s.parquet")
    assert outcome.code == 0, outcome
    assert len(read("s.parquet")) == 19


def test_the_stages_folder_names_the_run_from_within(lengths, run, monkeypatch) -> None:
    items = write_items(ITEMS[:1]).resolve()
    Path(MODEL).mkdir(parents=True)
    monkeypatch.chdir(MODEL)
    run("score", ".", items, "--out", "../s.csv")
    assert set(read("../s.csv")["variant"]) == {"removal/rewriting"}


def test_attributions_need_no_benchmark_and_are_printed_safely(lengths, run) -> None:
    outcome = run("score", MODEL, "--attributions", 5)
    assert outcome.code == 0
    assert "words" in outcome.out and "+1.5000" in outcome.out and "-0.2500" in outcome.out
    assert "the [bold]sea" in outcome.out and "\x1b" not in outcome.out
    assert "sea" not in run("score", MODEL, "--attributions", 1).out


def test_json_says_what_was_done(lengths, run) -> None:
    items = write_items(ITEMS[:2])
    outcome = run("score", MODEL, items, "--out", "s.csv", "--attributions", 1, "--json")
    told = json.loads(outcome.out)
    assert told["attributions"] == [{"feature": "words", "effect": 1.5}]
    assert told["scores"] == {
        "file": "s.csv",
        "variant": "removal/rewriting",
        "seed": 3,
        "items": 2,
        "rewards": 8,
        "read": read_benchmark(items).found,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a BENCHMARK"),
        (["--out", "s.csv"], "give a BENCHMARK"),
        (["--out", "s.csv", "--attributions", "3"], "give a BENCHMARK"),
        (["items.jsonl"], "--out must name"),
        (["items.jsonl", "--attributions", "3"], "--out must name"),
        (["items.jsonl", "--out", "s.xlsx"], "expected a file ending in .csv"),
        (["items.jsonl", "--out", "s"], "expected a file ending in .csv"),
        (["items.jsonl", "--out", "elsewhere.txt/s.csv"], "cannot be written"),
        (["items.jsonl", "--attributions", "0"], "--attributions"),
        (["none.jsonl", "--out", "s.csv"], "there is no such file"),
    ],
)
def test_usage_that_makes_no_sense_is_refused(arguments, message: str, lengths, run) -> None:
    write_items(ITEMS)
    Path("elsewhere.txt").touch()
    refused(run("score", MODEL, *arguments), message)
    assert not Path("s.csv").exists()


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({**ITEMS[0], "rejected": ["a", "b"]}, "row 2"),
        ({**ITEMS[0], "chosen": " "}, "found an empty text"),
        ({**ITEMS[0], "prompt": ""}, "one premise, found none"),
        (ITEMS[1], "found that of row 1 again"),
    ],
)
def test_bad_items_are_refused_at_their_row(item, message: str, lengths, run) -> None:
    path = write_items([ITEMS[1], item])
    refused(run("score", MODEL, path, "--out", "s.csv"), str(path), message)
    assert not Path("s.csv").exists()


def test_an_empty_file_is_refused(lengths, run) -> None:
    Path("items.jsonl").touch()
    refused(run("score", MODEL, "items.jsonl", "--out", "s.csv"), "empty")


def test_ids_that_csv_would_change_are_refused_there_alone(lengths, run) -> None:
    study = write_study({"=1+1": 4})
    refused(run("score", MODEL, study, "--out", "s.csv"), "item_id =1+1", ".jsonl or .parquet")
    assert run("score", MODEL, study, "--out", "s.jsonl").code == 0
    assert set(read("s.jsonl")["item_id"]) == {"=1+1"}


def test_hostile_stories_do_not_reach_the_output(lengths, run) -> None:
    hostile = "\x1b]0;owned\x07 [bold red]{0}$(x)"
    rejected = [hostile * number for number in (2, 3, 4)]
    items = [{"prompt": hostile, "chosen": hostile, "rejected": rejected}]
    outcome = run("score", MODEL, write_items(items), "--out", "s.csv")
    assert outcome.code == 0, outcome
    assert "owned" not in outcome.out and "\x1b" not in outcome.out


def test_rewards_that_are_no_numbers_are_refused(lengths, run, monkeypatch) -> None:
    monkeypatch.setattr(lengths, "score", lambda premises, stories: np.full(len(stories), np.inf))
    refused(run("score", MODEL, write_items(ITEMS), "--out", "s.csv"), "reward", "inf")


def saved(folder: Path) -> LinearReward:
    """Save a real model with random weights of n-grams."""
    settings = Settings(buckets_log2=8, ngrams=2, style=False, maximum_words=None)
    weights = np.random.default_rng(1).normal(size=2**8).astype("float32")
    none = np.zeros(0)
    model = LinearReward(settings, weights, StyleWeights(none, none, none), (("the sea", 0.5),))
    folder.mkdir(parents=True)
    for name, content in model.files().items():
        (folder / name).write_bytes(content)
    return model


def test_a_saved_model_scores_as_it_did(run, monkeypatch) -> None:
    model = saved(Path(MODEL))
    items = write_items(ITEMS)
    benchmark = read_benchmark(items)
    texts = texts_of(benchmark.candidates, benchmark.premises, benchmark.stories)
    expected = model.score(texts.premises, texts.stories)
    monkeypatch.setattr("storyaudit.cli.score.CHUNK", 7)
    outcome = run("score", MODEL, items, "--out", "s.parquet", "--attributions", 1)
    assert outcome.code == 0, outcome
    assert "the sea" in outcome.out
    found = read("s.parquet").set_index(["item_id", "story_id"])["reward"]
    places = benchmark.candidates[["item_id", "story_id"]].itertuples(index=False, name=None)
    assert [found[place] for place in places] == expected.tolist()
    assert found.nunique() > 100


@pytest.mark.parametrize("content", [None, "nothing", "a file", "foreign", "link", "json", "cut"])
def test_a_folder_that_holds_no_model_is_refused(content: str | None, run) -> None:
    folder = Path("mine")
    if content == "a file":
        folder.write_text("x")
    elif content == "nothing":
        folder.mkdir()
    elif content is not None:
        saved(folder)
    model, weights = folder / "model.json", folder / "weights.safetensors"
    if content == "foreign":
        (folder / "model.pkl").write_bytes(b"")
    elif content == "link":
        model.rename("elsewhere.json")
        model.symlink_to(Path("elsewhere.json").resolve())
    elif content == "json":
        model.write_text("{}")
    elif content == "cut":
        weights.write_bytes(weights.read_bytes()[:-4])
    refused(run("score", folder, "--attributions", 3), "mine")


@pytest.mark.parametrize(
    ("benchmark", "out"),
    [
        ("items.jsonl", "items.jsonl"),
        ("items.jsonl", "./here/../items.jsonl"),
        ("items.jsonl", f"{MODEL}/scores.csv"),
        ("study", "study/benchmark.parquet"),
    ],
)
def test_what_is_read_is_never_written_over(benchmark: str, out: str, lengths, run) -> None:
    write_items(ITEMS)
    Path("here").mkdir()
    write_study({"i1": 4}, gold=["i1"])
    Path(MODEL).mkdir(parents=True)
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    refused(run("score", MODEL, benchmark, "--out", out), "another place")
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_names_that_are_not_utf_8_are_replaced_where_they_are_written(lengths, run) -> None:
    items = write_items(ITEMS, os.fsdecode(b"it\xff.jsonl"))
    model = os.fsdecode(b"models/v\xff/seed-1")
    outcome = run("score", model, items, "--out", "s.csv")
    assert outcome.code == 0, outcome
    assert set(read("s.csv")["variant"]) == {"v�"}
    evaluated = run("evaluate", "s.csv", "--benchmark", items)
    assert evaluated.code in (0, 1) and "Traceback" not in evaluated.err
    Path(os.fsdecode(b"mine\xff.csv")).write_text(
        read("s.csv").drop(columns=["variant"]).to_csv(index=False)
    )
    evaluated = run("evaluate", os.fsdecode(b"mine\xff.csv"), "--benchmark", items)
    assert "mine�: macro" in evaluated.out
