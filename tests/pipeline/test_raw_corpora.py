"""Real corpora in place of simulated ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from pydantic import ValidationError

import pipeline.corpora
from pipeline.corpora import CorporaStageParams, require_texts_once
from pipeline.raw_corpora import CorpusFile, imagined_qualities, read_raw_corpora
from pipeline.simulation.fault_params import FaultsParams, refuse_faults_in_real_data
from storyaudit.errors import InputError
from storyaudit.vocabulary import DIMENSIONS


@pytest.fixture(autouse=True)
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two small corpora in data/raw, as working directory."""
    raw = tmp_path / "data/raw/corpora"
    raw.mkdir(parents=True)
    texts = [f"Once, {number} foxes met a crow and said nothing." for number in range(12)]
    pd.DataFrame(
        {
            "prompt": [f"Premise {number // 3}" for number in range(12)],
            "output": texts,
            "model": [f"model-{number % 3}" for number in range(12)],
        }
    ).to_csv(raw / "models.csv", index=False)
    pd.DataFrame(
        {"text": ["很久以前有一座山", "短"], "author": ["甲", "乙"], "author_kind": "human"}
    ).to_csv(raw / "zh.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def models(**changes: Any) -> CorpusFile:
    columns = {"text": "output", "premise": "prompt", "author": "model"}
    given = {
        "path": "data/raw/corpora/models.csv",
        "reader": "table",
        "source": "wp",
        "use": "benchmark",
    }
    return CorpusFile(
        **{**given, "language": "en", "columns": columns, "author_kind": "llm", **changes}
    )


CHINESE = CorpusFile(
    path="data/raw/corpora/zh.csv",
    reader="table",
    source="platform",
    use="training",
    minimum_words=3,
)


def read(*files: CorpusFile, screening: pd.DataFrame | None = None, seed: int = 1) -> Any:
    return read_raw_corpora(files, screening, np.random.default_rng(seed))


def test_corpora_are_joined_and_what_is_dropped_is_counted() -> None:
    premises, stories, counts = read(models(), CHINESE)
    assert sorted(premises["text"]) == [f"Premise {n}" for n in range(4)]
    assert stories.groupby("source").size().to_dict() == {"wp": 12, "platform": 1}
    assert stories.groupby("language").size().to_dict() == {"en": 12, "zh": 1}
    # 很久以前有一座山 is eight characters; 短 is one, and three are asked for.
    assert stories.set_index("source")["words"]["platform"] == 8
    assert (counts["platform.read"], counts["platform.short"]) == (2, 1)


def test_a_sample_is_of_premises_with_all_their_stories() -> None:
    premises, stories, counts = read(models(sample_premises=2))
    assert len(premises) == 2 and counts["wp.not_drawn"] == 6
    assert stories["premise_id"].value_counts().to_dict() == dict.fromkeys(
        premises["premise_id"], 3
    )
    drawn = {tuple(sorted(read(models(sample_premises=2), seed=s)[0]["text"])) for s in range(40)}
    assert len(drawn) == 6  # every pair of the four premises is drawn at times
    with pytest.raises(InputError, match=r"expected 5 premises of the source 'wp' .* found 4"):
        read(models(sample_premises=5))


def test_files_of_one_source_are_one_corpus_and_are_sampled_together(study: Path) -> None:
    human = pd.DataFrame(
        {
            "premise": [f"Premise {number}" for number in range(4)],
            "text": [f"Ann's tale of {number}." for number in range(4)],
            "author": "ann",
        }
    )
    human.to_csv(study / "data/raw/corpora/human.csv", index=False)
    people = CorpusFile(
        path="data/raw/corpora/human.csv",
        reader="table",
        source="wp",
        use="benchmark",
        language="en",
        author_kind="human",
        sample_premises=3,
    )
    premises, stories, counts = read(models(), people)
    assert len(premises) == 3
    # Each premise keeps its three models' stories and the person's.
    assert stories.groupby("premise_id")["author"].nunique().tolist() == [4, 4, 4]
    assert counts["wp.not_drawn"] == 4 and counts["repeated_in_another_file"] == 0
    both = read(models(), models())
    assert len(both[1]) == 12 and both[2]["repeated_in_another_file"] == 12
    with pytest.raises(InputError, match="sample_premises of the source 'wp' is both 2 and 3"):
        read(models(sample_premises=2), people)


def test_flagged_stories_are_dropped_and_the_unscreened_counted() -> None:
    _, stories, _ = read(models())
    verdicts = pd.DataFrame(
        {"story_id": stories["story_id"].iloc[:3], "screening": ["flagged", "clear", "clear"]}
    )
    _, kept, counts = read(models(), screening=verdicts)
    assert set(stories["story_id"]) - set(kept["story_id"]) == {verdicts["story_id"].iloc[0]}
    assert (counts["wp.screened_out"], counts["wp.unscreened"]) == (1, 9)


def test_imagined_qualities_are_of_every_story_and_do_not_depend_on_the_order_of_rows() -> None:
    _, stories, _ = read(models(), CHINESE)
    qualities = imagined_qualities(stories, np.random.default_rng(3))
    assert sorted(qualities["story_id"]) == sorted(stories["story_id"])
    assert qualities[list(DIMENSIONS)].stack().between(0, 1).all()
    again = imagined_qualities(stories.iloc[::-1], np.random.default_rng(3))
    pd.testing.assert_frame_equal(again, qualities)


@pytest.mark.parametrize(
    ("fault", "simulated", "refused"),
    [
        ("copies", ["training texts", "annotators", "judges"], True),
        ("swapped_labels", ["benchmark texts", "training texts", "judges"], True),
        ("order_biased_judge", ["annotators"], True),
        ("doubled_items", ["training texts"], True),
        ("swapped_labels", ["annotators"], False),
        ("copies", ["benchmark texts", "training texts"], False),
    ],
)
def test_no_fault_is_injected_into_real_data(fault: str, simulated: Any, refused: bool) -> None:
    faults = FaultsParams(**NONE | {fault: 1.0 if fault == "order_biased_judge" else 1})
    if not refused:
        refuse_faults_in_real_data(faults, simulated)
        return
    with pytest.raises(InputError, match=f"faults.{fault} asks for faults, and '.*' are not"):
        refuse_faults_in_real_data(faults, simulated)


@pytest.mark.parametrize("path", ["/etc/passwd", "data/raw/corpora/../study/x.csv", "corpus.csv"])
def test_a_corpus_lies_in_the_folder_that_dvc_watches(path: str) -> None:
    with pytest.raises(ValidationError, match="must lie in data/raw"):
        models(path=path)


NONE: dict[str, Any] = dict.fromkeys(FaultsParams.model_fields, 0) | {
    "edit_share": 0.05,
    "order_biased_judge": 0.0,
}
ALL: list[Any] = ["benchmark texts", "training texts"]
WRITTEN = {"model": {"model": "muse"}, "themes": ["rain"], "per_theme": 1}
WRITERS = {"models": [{"model": "ink"}], "words": 300}
SIZES: dict[str, Any] = {
    "scale": 0.002,
    "training_scale": 0.0001,
    "chinese_share": 0.0,
    "median_words": 100,
}
NO_WRITERS: dict[str, Any] = {
    "written_premises": None,
    "writers": {"models": [], "words": 300},
    "screening": None,
}


def texts(*files: CorpusFile, **written: Any) -> CorporaStageParams:
    return CorporaStageParams(**{**SIZES, **NO_WRITERS, **written, "files": list(files)})


@pytest.mark.parametrize(
    ("simulated", "params", "problem"),
    [
        (
            ALL,
            texts(models()),
            "'benchmark texts' are simulated, and corpora.files has data/raw/corpora/models",
        ),
        (
            ALL,
            texts(CHINESE),
            "'training texts' are simulated, and corpora.files has data/raw/corpora/zh.csv",
        ),
        (
            ALL,
            texts(models(use="pool")),
            "of use 'pool'. Name it under pool",
        ),
        ([], texts(models(use="pool")), "has data/raw/corpora/models.csv of use 'pool'"),
        ([], texts(CHINESE), "'benchmark texts' are not simulated"),
        (ALL, texts(written_premises=WRITTEN), "corpora.written_premises has some"),
        (ALL, texts(writers=WRITERS), "corpora.writers has models"),
    ],
)
def test_texts_come_from_one_place(simulated: Any, params: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        require_texts_once(simulated, params)


def test_texts_may_come_from_the_simulation_or_from_files_or_in_part() -> None:
    require_texts_once(ALL, texts())
    require_texts_once(ALL[1:], texts(models(), writers=WRITERS))
    require_texts_once(ALL[1:], texts(written_premises=WRITTEN, writers=WRITERS))
    require_texts_once([], texts(models(), CHINESE))
    # Pairs can come from preference files instead.
    require_texts_once([], texts(models()))
    require_texts_once(ALL[:1], texts())


@pytest.mark.parametrize(
    ("simulated", "files", "uses"),
    [
        ([], [models()], {"benchmark"}),
        (["training texts"], [models()], {"benchmark", "training"}),
        (["benchmark texts"], [], {"benchmark"}),
        (["benchmark texts"], [CHINESE], {"benchmark", "training"}),
    ],
)
def test_the_stage_writes_what_there_is(
    study: Path, simulated: Any, files: list[CorpusFile], uses: set[str]
) -> None:
    params = {
        "study": "small",
        "simulated": simulated,
        "seed": 1,
        "corpora": SIZES | NO_WRITERS | {"files": [file.model_dump() for file in files]},
        "faults": NONE,
    }
    (study / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    pipeline.corpora.main()
    stories = pd.read_parquet("data/study/stories.parquet")
    assert set(stories["use"]) == uses
    named = pd.read_parquet("data/study/premises.parquet")["premise_id"]
    assert set(stories["premise_id"].dropna()) == set(named)
    qualities = pd.read_parquet("data/world/qualities.parquet")
    assert set(qualities["story_id"]) == set(stories["story_id"])
    # Only simulated authors were told what to write about.
    briefs = pd.read_parquet("data/world/briefs.parquet")
    by_simulation = stories[stories["source"].str.startswith("simulated-")]
    assert set(briefs["brief_id"]) == {
        *by_simulation["premise_id"].dropna(),
        *by_simulation.loc[by_simulation["premise_id"].isna(), "story_id"],
    }
    assert pd.read_parquet("data/world/leaks.parquet").empty
    readers = stories["readership"].notna() if "readership" in stories else stories["words"] < 0
    assert set(stories.loc[readers, "source"]) == (
        {"simulated-platform"} if "training texts" in simulated else set()
    )
