"""The score stage on a small study, with stand-ins for trained models."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from asked_samples import Asked, honest, worths_in
from chat_server import KEY, ChatServer, Reply, asked_for, completion
from click.testing import CliRunner

import pipeline.score
from pipeline.reward.model import RewardModel
from pipeline.score import main
from storyaudit.cli.main import cli
from storyaudit.vocabulary import MEASURES

CLONE = Path(__file__).parents[2]
BASELINES = {"longest", "shortest", "burstiness", "premise_overlap"}
SEEDS = [1, 4]
ITEMS = {"i1": "p1", "i2": "p2", "i3": "p2"}
"""Item i3 is not in the benchmark: nobody decided it."""


class Weighted(RewardModel):
    """A model that gives a story its weight times its length."""

    kind = "weighted"

    def __init__(self, folder: Path) -> None:
        self.weight = json.loads((folder / "model.json").read_text())

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    def score(self, premises, stories):
        return np.array([self.weight * len(story) for story in stories], dtype="float64")


def candidates(items: dict[str, str], number: int) -> pd.DataFrame:
    rows = [
        (item, place, f"{item}-{place}", premise, "llm_llm")
        for item, premise in items.items()
        for place in range(1, number + 1)
    ]
    return pd.DataFrame(rows, columns=["item_id", "position", "story_id", "premise_id", "origin"])


def texts(key: str, ids: list[str]) -> pd.DataFrame:
    worth = "worth" if key == "story_id" else "premise"
    bodies = [f"{worth} {ord(name[-1]) % 4} of it, {'x' * n}" for n, name in enumerate(ids)]
    frame = pd.DataFrame({key: ids, "language": "en", "source": "x", "text": bodies})
    return frame.assign(author="m", author_kind="llm")


def tables() -> dict[str, pd.DataFrame]:
    """The study's tables by path; the pool is one item of five stories."""
    placed, pool = candidates(ITEMS, 4), candidates({"q1": "pq"}, 5)
    judged = [
        (item, story, judge, "1", 1, measure, 5.0)
        for judge in ("j1", "j2")
        for item, story in placed[["item_id", "story_id"]].itertuples(index=False)
        for measure in MEASURES
        if story != "i2-3"
    ]
    names = ["item_id", "story_id", "judge", "prompt_variant", "position", "dimension", "score"]
    benchmark = pd.DataFrame(
        {
            "item_id": ["i1", "i2"],
            "premise_id": ["p1", "p2"],
            "origin": "llm_llm",
            "chosen_id": ["i1-1", "i2-2"],
            "annotation_route": "confirmation",
            "tau_avg": 0.7,
            "dimension": "fluency",
            "dimension_rule": "gap",
        }
    )
    return {
        "study/candidates": placed,
        "study/benchmark": benchmark,
        "study/premises": texts("premise_id", ["p1", "p2"]),
        "study/stories": texts("story_id", placed["story_id"].tolist()),
        "study/judgements": pd.DataFrame(judged, columns=names),
        "pool/candidates": pool,
        "pool/premises": texts("premise_id", ["pq"]),
        "pool/stories": texts("story_id", pool["story_id"].tolist()),
    }


def write_tables(given: dict[str, pd.DataFrame]) -> None:
    for name, frame in given.items():
        path = Path("data") / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_parquet(path)


def change_params(change: Callable[[dict[str, Any]], object]) -> None:
    params = yaml.safe_load(Path("params.yaml").read_text())
    change(params)
    Path("params.yaml").write_text(yaml.safe_dump(params))


def record_by(*models: str) -> None:
    Path("data/records/score").mkdir(parents=True)
    Path("data/records/score/score.jsonl").touch()
    recorded = {
        "models": [{"model": name} for name in models],
        "method": "ranking",
        "both_orders": True,
    }
    change_params(lambda params: params["score"].update(recorded=recorded))


@pytest.fixture(autouse=True)
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)

    monkeypatch.setattr(pipeline.score, "load", Weighted)
    Path("params.yaml").write_text((CLONE / "params.yaml").read_text(encoding="utf-8"))
    change_params(lambda params: params["train"].update(seeds=SEEDS))
    write_tables(tables())
    for variant, weight in (("full", 1), ("removal/rewriting", -1)):
        for seed in SEEDS:
            folder = Path("models", variant, f"seed-{seed}")
            folder.mkdir(parents=True)
            (folder / "model.json").write_text(json.dumps(weight * seed))
    return tmp_path


def scores(folder: str) -> pd.DataFrame:
    return pd.read_parquet(f"data/{folder}/scores.parquet")


def runs(folder: str) -> dict[str, int]:
    found = scores(folder)
    return found.groupby(["variant", "seed"]).size().to_dict()


def record() -> dict[str, Any]:
    return json.loads(Path("runs/score.json").read_text())


def refused(capsys: pytest.CaptureFixture[str], **named: Any) -> str:
    with pytest.raises(SystemExit) as stopped:
        main(**named)
    assert stopped.value.code == 2
    assert not Path("runs").exists() and not Path("data/study/scores.parquet").exists()
    return capsys.readouterr().err


def test_each_table_holds_its_variants() -> None:
    main()
    once = dict.fromkeys(((name, 0) for name in BASELINES), 8)
    seeded = {(name, seed): 8 for name in ("full", "random") for seed in SEEDS}
    # The story i2-3 has no judge's score.
    assert runs("study") == once | seeded | {("judges_mean", 0): 7}
    assert runs("experiments") == {("removal/rewriting", seed): 8 for seed in SEEDS}
    pool = dict.fromkeys(once | seeded, 5)
    assert runs("pool") == pool
    assert set(scores("study")["item_id"]) == {"i1", "i2"}
    full = scores("study").query("variant == 'full'").set_index(["seed", "story_id"])["reward"]
    lengths = tables()["study/stories"].set_index("story_id")["text"].str.len()
    assert all(reward == seed * lengths[story] for (seed, story), reward in full.items())
    found = {(run["variant"], run["seed"]): run["metrics"] for run in record()["runs"]}
    assert found == {("judges_mean", 0): {"missing_rewards": 1}}
    assert "models/removal/rewriting/seed-4/model.json" in record()["reads"]


def test_random_rewards_of_benchmark_and_pool_are_different_draws() -> None:
    main()
    drawn = [scores(folder).query("variant == 'random'")["reward"] for folder in ("study", "pool")]
    assert not set(drawn[0]) & set(drawn[1])


def test_without_pools_and_experiments_their_tables_are_empty() -> None:
    write_tables({name: frame.iloc[:0] for name, frame in tables().items() if "pool" in name})
    for seed in SEEDS:
        Path(f"models/removal/rewriting/seed-{seed}/model.json").unlink()
    main()
    for folder in ("pool", "experiments"):
        assert scores(folder).empty
        assert list(scores(folder).columns) == list(scores("study").columns)


def outs() -> dict[str, str]:
    return {path: facts["md5"] for path, facts in record()["writes"].items()}


def test_the_order_of_rows_changes_no_byte() -> None:
    main()
    before = outs()
    write_tables({name: frame.sample(frac=1, random_state=2) for name, frame in tables().items()})
    main()
    assert outs() == before


def test_recorded_models_are_variants_on_the_benchmark_alone() -> None:
    record_by("big/one")
    main(ask=Asked(honest))
    assert runs("study")["big/one", 0] == 8
    assert ("big/one", 0) not in runs("pool")
    assert record()["metrics"]["big/one.answered"] == 2
    found = {(run["variant"], run["seed"]): run["metrics"] for run in record()["runs"]}
    assert found["big/one", 0] == {"missing_rewards": 0}


def test_an_item_without_an_answer_counts_as_missing() -> None:
    record_by("m")
    premise = tables()["study/premises"]["text"].iloc[1]
    main(ask=Asked(lambda prompt, worths: "?" if premise in prompt else honest(prompt, worths)))
    assert runs("study")["m", 0] == 4
    found = {(run["variant"], run["seed"]): run["metrics"] for run in record()["runs"]}
    assert found["m", 0] == {"missing_rewards": 4}


def test_answers_that_are_not_recorded_are_asked_for(capsys) -> None:
    record_by("m")
    error = refused(capsys)
    assert "2 of 2 answers are not recorded" in error and "storyaudit record score" in error


@pytest.mark.parametrize("name", ["full", "removal/rewriting", "longest", "judges_mean"])
def test_a_language_model_with_a_variants_name_is_refused(name: str, capsys) -> None:
    record_by(name)
    assert f"the model '{name}' bears the name of another variant" in refused(capsys)


def write_file(rows: pd.DataFrame, **entry: str) -> None:
    Path("data/raw/scores").mkdir(parents=True, exist_ok=True)
    rows.to_csv("data/raw/scores/rm.csv", index=False)
    files = [{"path": "data/raw/scores/rm.csv", **entry}]
    change_params(lambda params: params["score"].update(files=files))


def rewarded(*frames: pd.DataFrame) -> pd.DataFrame:
    rows = pd.concat(frames)[["item_id", "story_id"]]
    return rows.assign(reward=np.arange(len(rows), dtype="float64"))


def test_files_of_rewards_are_variants() -> None:
    given = tables()
    # Item i3 is out of the benchmark; of the others' eight stories one has no reward.
    write_file(rewarded(given["study/candidates"], given["pool/candidates"]).iloc[1:], variant="rm")
    main()
    assert runs("study")["rm", 0] == 7
    assert runs("pool")["rm", 0] == 5
    (found,) = [run for run in record()["runs"] if run["variant"] == "rm"]
    assert found["metrics"] == {"missing_rewards": 1}
    assert "rm.csv" in found["params"]["rewards"]


def test_a_file_that_covers_part_of_the_pool_scores_that_part() -> None:
    given = tables()  # what is missing there is for the audit of the pools to report
    write_file(rewarded(given["study/candidates"], given["pool/candidates"].iloc[1:]))
    main()
    assert runs("study")["rm", 0] == 8
    assert runs("pool")["rm", 0] == 4


def test_a_file_on_the_pool_alone_lacks_the_benchmarks_rewards() -> None:
    write_file(rewarded(tables()["pool/candidates"]))
    main()
    assert ("rm", 0) not in runs("study")
    assert runs("pool")["rm", 0] == 5
    (found,) = [run for run in record()["runs"] if run["variant"] == "rm"]
    assert found["metrics"] == {"missing_rewards": 8}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"variant": "random"}, "the variant 'random' is another one's"),
        ({"variant": "m"}, "the variant 'm' is another one's"),
        ({"path": "params.yaml"}, "must lie in data/raw"),
        ({"path": "data/raw/scores/none.csv"}, "there is no such file"),
        ({"variant": ""}, "score.files"),
    ],
)
def test_files_that_do_not_do_are_refused(entry, message: str, capsys) -> None:
    record_by("m")
    write_file(rewarded(tables()["study/candidates"]), **entry)
    assert message in refused(capsys, ask=Asked(honest))


def test_a_story_that_is_not_there_is_refused(capsys) -> None:
    write_tables({"study/stories": tables()["study/stories"].iloc[1:]})
    assert "item_id i1: expected one text of the story_id i1-1, found none" in refused(capsys)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    served = ChatServer()
    yield served
    served.close()


def test_rewards_are_recorded_once_and_replayed_offline(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def behave(body: dict[str, Any], _: int) -> Reply:
        asked = asked_for(body)
        return completion(honest(asked, worths_in(asked)))

    server.behave = behave
    recorded = {"models": [{"model": "m"}], "method": "comparisons", "both_orders": False}
    change_params(lambda params: params["score"].update(recorded=recorded))
    change_params(lambda params: params.update(endpoints=[{"base_url": server.url}]))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    result = CliRunner().invoke(cli, ["record", "score"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert len(server.seen) == 2 * 6  # two items, six story pairs
    before = outs()
    server.close()
    monkeypatch.delenv("OPENAI_API_KEY")
    main()
    assert outs() == before
    # Worths are 0 to 3, a story's reward the number of those of less worth.
    stories = tables()["study/stories"].set_index("story_id")["text"]
    for story, reward in scores("study").query("variant == 'm'")[["story_id", "reward"]].to_numpy():
        assert [reward] == worths_in(stories[story])
