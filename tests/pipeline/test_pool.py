"""Best-of-16 pools: simulated, from files, and what is refused."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from pydantic import ValidationError
from real_data import real_path

from pipeline.pool import PoolParams, draw_pools, main, pool_candidates, require_pools_once
from pipeline.simulation.simulated_corpora import Corpora
from pipeline.simulation.simulated_pool import AUTHOR, simulate_pools
from pipeline.simulation.truth_tables import POOL_QUALITIES
from storyaudit.data.table_files import read_valid_table
from storyaudit.data.tables import POOL_CANDIDATES, POOL_PREMISES, POOL_STORIES, Table
from storyaudit.errors import InputError
from storyaudit.text.words import words
from storyaudit.vocabulary import DIMENSIONS

REAL = real_path()

PLAIN: dict[str, Any] = {
    "premises": 4,
    "stories": 3,
    "files": [],
    "writer": None,
    "words": 60,
}
FILE = {
    "path": "data/raw/pool/corpora/mine.csv",
    "reader": "table",
    "source": "mine",
    "use": "pool",
}


def simulate(premises: int, stories: int, seed: int = 1):
    return simulate_pools(premises, stories, 60, np.random.default_rng(seed))


def run(simulated: list[str], **pool: Any) -> dict[str, Any]:
    """Run the stage in the working directory; return its record."""
    params = {"study": "mine", "simulated": simulated, "seed": 1, "pool": PLAIN | pool}
    Path("params.yaml").write_text(yaml.safe_dump(params))
    main()
    return json.loads(Path("runs/pool.json").read_text())


def table(kind: Table, folder: str = "data/pool") -> pd.DataFrame:
    return read_valid_table(Path(folder) / f"{kind.name}.parquet", kind)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data/raw/pool/corpora").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_simulated_pools_are_sound_and_hold_what_was_asked_for(folder: Path) -> None:
    record = run(["pools"], premises=5, stories=16)
    premises, stories = table(POOL_PREMISES), table(POOL_STORIES)
    candidates = table(POOL_CANDIDATES)
    assert record["metrics"]["premises"] == len(premises) == 5
    assert record["metrics"]["stories"] == len(stories) == 80
    assert stories["text"].nunique() == 80 and premises["text"].nunique() == 5
    assert set(stories["author"]) == {AUTHOR} and set(stories["author_kind"]) == {"llm"}
    assert set(stories["use"]) == set(premises["use"]) == {"pool"}
    assert [len(words(text)) for text in stories["text"]] == stories["words"].tolist()
    assert record["metrics"]["words"] == stories["words"].sum()
    assert set(candidates["story_id"]) == set(stories["story_id"])
    assert set(candidates["origin"]) == {"llm_llm"}
    of = dict(zip(stories["story_id"], stories["premise_id"], strict=True))
    assert candidates["story_id"].map(of).tolist() == candidates["premise_id"].tolist()
    for item, own in candidates.groupby("item_id"):
        assert sorted(own["position"]) == list(range(1, 17))
        assert set(own["premise_id"]) == {str(item).removeprefix("b-")}
    qualities = table(POOL_QUALITIES, "data/world/pool")
    assert set(qualities["story_id"]) == set(stories["story_id"])
    values = qualities[list(DIMENSIONS)]
    assert values.min().min() >= 0 and values.max().max() <= 1
    assert (values.std() > 0.05).all()  # one model, and no two stories equal


def test_pools_share_no_id_and_no_text_with_the_study(corpora: Corpora) -> None:
    pools = simulate(20, 4)
    for ours, theirs, key in (
        (pools.premises, corpora.premises, "premise_id"),
        (pools.stories, corpora.stories, "story_id"),
    ):
        for column in (key, "text"):
            assert not set(ours[column]) & set(theirs[column])


def test_one_premise_or_story_more_leaves_the_others_as_they_are() -> None:
    small, more, longer = simulate(3, 2), simulate(4, 2), simulate(3, 3)
    pd.testing.assert_frame_equal(more.stories[:6], small.stories)
    kept = longer.stories.groupby("premise_id").head(2).reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, small.stories)
    pd.testing.assert_frame_equal(longer.premises, small.premises)
    assert not set(simulate(3, 2, seed=2).stories["text"]) & set(small.stories["text"])


def test_positions_are_drawn_at_random() -> None:
    stories = pd.DataFrame(
        [(f"p{p:03d}", f"s{p:03d}{s}") for p in range(400) for s in range(4)],
        columns=["premise_id", "story_id"],
    )
    candidates = pool_candidates(stories, np.random.default_rng(1))
    first = candidates[candidates["position"] == 1]["story_id"].str[-1]
    # 100 of 400 each; 5 SD of a binomial are 43.
    assert all(57 < count < 143 for count in Counter(first).values())
    again = pool_candidates(stories.sample(frac=1, random_state=2), np.random.default_rng(1))
    pd.testing.assert_frame_equal(again, candidates)


@pytest.mark.parametrize(
    ("simulated", "pool"),
    [(["pools"], {}), ([], {}), ([], {"files": [FILE]})],
    ids=["simulated", "none", "files that nobody reads"],
)
def test_without_pools_the_tables_are_empty(
    folder: Path, simulated: list[str], pool: dict[str, Any]
) -> None:
    record = run(simulated, premises=0, **pool)
    for kind in (POOL_PREMISES, POOL_STORIES, POOL_CANDIDATES):
        assert table(kind).empty
    assert table(POOL_QUALITIES, "data/world/pool").empty
    assert record["metrics"] == {"premises": 0, "stories": 0, "words": 0}
    assert record["reads"] == {}


@pytest.mark.parametrize(
    ("simulated", "pool", "problem"),
    [
        (
            ["pools"],
            {"files": [FILE]},
            "'pools' are simulated, and pool.files has data/raw/pool/corpora/mine",
        ),
        (["pools"], {"writer": {"model": "ink"}}, "'pools' are simulated, and pool.writer is ink"),
        ([], {}, "pool.files names no corpus"),
        ([], {"writer": {"model": "ink"}}, "pool.files names no corpus"),
    ],
)
def test_pools_come_from_one_place(simulated: Any, pool: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        require_pools_once(simulated, PoolParams(**PLAIN | pool))


@pytest.mark.parametrize(
    "wrong",
    [
        {"premises": -1},
        {"premises": 2.5},
        {"stories": 1},
        {"stories": 65},
        {"words": 0},
        {"files": [FILE | {"use": "benchmark"}]},
        {"files": [FILE | {"path": "data/study/stories.parquet"}]},
        {"files": [FILE | {"sample_premises": 3}]},
        {"writer": {"model": ""}},
        {"story": 16},
    ],
)
def test_parameters_that_make_no_pools_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PoolParams(**PLAIN | wrong)
    PoolParams(**PLAIN)


def corpus() -> pd.DataFrame:
    """Stories as a user has them: on how many of six premises are there three by models?"""
    rows = [
        *(("full", f"Full story {n}.", "llm") for n in range(5)),
        *(("just", f"Just story {n}.", "llm") for n in range(3)),
        # Two texts by models, a third by a person.
        *(("few", f"Few story {n}.", "llm") for n in range(2)),
        ("few", "A person's story.", "human"),
        # Three, two of which differ in white space alone.
        *(("twice", text, "llm") for text in ("It  rained.", "It\nrained.", "It snowed.")),
        # Three, one without a word.
        *(("mute", text, "llm") for text in ("It rained.", "It snowed.", "… — …")),
        *((None, f"Nowhere {n}.", "llm") for n in range(4)),
        # Whoever wrote it.
        *(("mixed", f"Mixed story {n}.", "llm") for n in range(4)),
    ]
    frame = pd.DataFrame(rows, columns=["premise", "text", "author_kind"])
    return frame.assign(author=[f"m{n % 3}" for n in range(len(frame))], language="en")


FULL = {"full", "just", "mixed"}


def put(frame: pd.DataFrame) -> None:
    frame.to_csv("data/raw/pool/corpora/mine.csv", index=False)


def test_pools_of_files_are_those_premises_that_have_enough_stories_by_models(
    folder: Path,
) -> None:
    put(corpus())
    metrics = run([], premises=3, files=[FILE])["metrics"]
    premises, stories = table(POOL_PREMISES), table(POOL_STORIES)
    assert set(premises["text"]) == FULL
    assert stories.groupby("premise_id").size().tolist() == [3, 3, 3]
    assert set(stories["author_kind"]) == {"llm"}
    assert set(table(POOL_QUALITIES, "data/world/pool")["story_id"]) == set(stories["story_id"])
    assert len(table(POOL_CANDIDATES)) == 9
    counts = {name: metrics[f"stories.{name}"] for name in ("not_by_models", "empty", "repeated")}
    assert counts == {"not_by_models": 1, "empty": 1, "repeated": 1}
    assert metrics["stories.short_premises"] == 3
    assert metrics["mine.no_premise"] == 4


def test_pools_of_files_do_not_depend_on_the_order_of_rows(folder: Path) -> None:
    written = []
    for seed in range(3):
        put(corpus().sample(frac=1, random_state=seed))
        run([], premises=2, files=[FILE])
        drawn = [set(table(kind)["text"]) for kind in (POOL_PREMISES, POOL_STORIES)]
        written.append((drawn, table(POOL_CANDIDATES).to_csv()))
    assert written[0] == written[1] == written[2]


def test_premises_and_stories_are_drawn_at_random() -> None:
    stories = pd.DataFrame(
        [(f"p{p}", f"s{p}{s}", f"text {p} {s}") for p in range(4) for s in range(4)],
        columns=["premise_id", "story_id", "text"],
    ).assign(author_kind="llm", words=3)
    params = PoolParams(**PLAIN | {"premises": 2, "stories": 2})
    rng = np.random.default_rng(3)
    seen: Counter[str] = Counter()
    for _ in range(200):
        drawn, _ = draw_pools(stories, params, rng)
        assert drawn.groupby("premise_id").size().tolist() == [2, 2]
        seen.update(drawn["story_id"])
    # Each story with probability 1/2 · 1/2: 50 of 200; 5 SD of a binomial are 31.
    assert len(seen) == 16 and all(19 < count < 81 for count in seen.values())


@pytest.mark.parametrize(
    ("pool", "problem"),
    [
        ({"premises": 4}, "expected 4 premises with 3 different stories by language models, found"),
        ({"premises": 1, "stories": 6}, "found 0 among 6"),
        ({"files": [FILE | {"path": "data/raw/pool/corpora/absent.csv"}]}, "there is no such file"),
        ({"files": [FILE | {"use": "training"}]}, "must be of use 'pool'"),
        ({"stories": 1}, "pool.stories"),
    ],
)
def test_what_makes_no_pools_stops_with_a_remedy(
    folder: Path, pool: dict[str, Any], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(corpus())
    with pytest.raises(SystemExit) as stopped:
        run([], **{"premises": 3, "files": [FILE]} | pool)
    error = capsys.readouterr().err
    assert stopped.value.code == 2
    assert problem in error and "Traceback" not in error
    assert not Path("data/pool").exists()


def test_people_alone_make_no_pool(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(corpus().assign(author_kind="human"))
    with pytest.raises(SystemExit):
        run([], premises=1, files=[FILE])
    assert "found 0 among 0" in capsys.readouterr().err


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=f"the public data are not at {REAL}")
def test_released_stories_become_pools(folder: Path) -> None:
    (folder / "data/raw/pool/corpora").rmdir()
    (folder / "data/raw/pool/corpora").symlink_to(REAL)
    hanna = {
        "path": "data/raw/pool/corpora/hanna/hanna_llm_stories.csv",
        "reader": "hanna",
        "source": "hanna",
    }
    metrics = run([], premises=96, stories=6, files=[hanna | {"use": "pool"}])["metrics"]
    # 96 premises, each with a person's story and six models'.
    counts = {name: metrics[name] for name in ("stories", "stories.not_by_models", "authors")}
    assert counts == {"stories": 576, "stories.not_by_models": 96, "authors": 6}
