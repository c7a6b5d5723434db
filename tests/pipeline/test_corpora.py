import hashlib

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.corpora import LEAKS, QUALITIES, CorporaParams, simulate_corpora, story_id
from pipeline.world.authors import MODELS
from storyaudit.tables import DIMENSIONS, PREMISES, STORIES, require_sound

SMALL = {
    "premises_llm": 2,
    "premises_human": 2,
    "premises_training": 3,
    "copies": 1,
    "light_edits": 2,
    "edit_share": 0.1,
}


def simulate(*seeds: int, **changes: float) -> tuple[pd.DataFrame, ...]:
    premises, stories, leaks = map(np.random.default_rng, seeds or (1, 2, 3))
    params = CorporaParams(**{**SMALL, **changes})
    return simulate_corpora(params, premises_rng=premises, stories_rng=stories, leaks_rng=leaks)


def test_the_tables_are_sound(corpora) -> None:
    for frame, table in zip(corpora, (PREMISES, STORIES, QUALITIES, LEAKS), strict=True):
        require_sound(frame, table, file="table")
    assert corpora.stories["story_id"].is_unique
    assert corpora.premises["text"].is_unique
    assert set(corpora.qualities["story_id"]) == set(corpora.stories["story_id"])
    assert corpora.qualities[list(DIMENSIONS)].stack().between(0, 1).all()


def test_every_premise_has_its_stories(corpora) -> None:
    sources = corpora.premises["source"].value_counts().to_dict()
    assert sources == {"simulated-llm": 12, "simulated-human": 12, "simulated-training": 40}
    models = sorted(model.name for model in MODELS)
    source = corpora.premises.set_index("premise_id")["source"]
    for premise, group in corpora.stories.groupby("premise_id"):
        human = ["human"] if source[premise] == "simulated-human" else []
        assert sorted(group["author"]) == sorted(human + models)
        assert set(group["source"]) == {source[premise]}
    by_kind = corpora.stories.groupby("author_kind")["author"].unique()
    assert list(by_kind["human"]) == ["human"] and sorted(by_kind["llm"]) == models


def test_an_id_comes_from_content_and_source_alone(corpora) -> None:
    digest = hashlib.sha256(b"my source\x00A story.").hexdigest()
    assert story_id("A story.", "my source") == "s" + digest[:12]
    texts = zip(corpora.stories["text"], corpora.stories["source"], strict=True)
    assert corpora.stories["story_id"].tolist() == [story_id(*pair) for pair in texts]


def test_the_same_seeds_give_the_same_tables() -> None:
    for first, second in zip(simulate(), simulate(), strict=True):
        pd.testing.assert_frame_equal(first, second)


def test_another_seed_gives_other_texts(corpora, another_world) -> None:
    assert not set(corpora.stories["text"]) & set(another_world.stories["text"])
    assert not set(corpora.premises["text"]) & set(another_world.premises["text"])


def test_each_stream_moves_only_its_own() -> None:
    premises, stories, _, leaks = simulate(1, 2, 3)
    assert simulate(1, 9, 3)[0].equals(premises)
    moved = simulate(1, 2, 9)
    assert not moved[3].equals(leaks)
    training = stories["source"] == "simulated-training"
    assert moved[1][~training].equals(stories[~training])


def test_leaks_are_what_they_claim(corpora) -> None:
    stories = corpora.stories.set_index("story_id")
    assert corpora.leaks["kind"].value_counts().to_dict() == {"copy": 3, "light_edit": 4}
    assert corpora.leaks["training_id"].is_unique and corpora.leaks["benchmark_id"].is_unique
    for training_id, benchmark_id, kind in corpora.leaks.itertuples(index=False):
        training, benchmark = stories.loc[training_id], stories.loc[benchmark_id]
        assert training["source"] == "simulated-training" != benchmark["source"]
        ours, theirs = training["text"].split(), benchmark["text"].split()
        changed = sum(one != other for one, other in zip(ours, theirs, strict=True))
        # A dash alone is no word: of words, a twentieth is exchanged.
        words = sum(any(map(str.isalnum, token)) for token in theirs)
        assert changed == (0 if kind == "copy" else round(0.05 * words))


def test_no_other_training_story_stands_in_the_benchmark(corpora) -> None:
    training = corpora.stories[corpora.stories["source"] == "simulated-training"]
    benchmark = corpora.stories[corpora.stories["source"] != "simulated-training"]
    equal = training.merge(benchmark, on="text", suffixes=("", "_benchmark"))
    copies = corpora.leaks[corpora.leaks["kind"] == "copy"]
    assert set(zip(equal["story_id"], equal["story_id_benchmark"], strict=True)) == set(
        zip(copies["training_id"], copies["benchmark_id"], strict=True)
    )


def test_a_leak_is_as_good_as_the_story_it_was_copied_from(corpora) -> None:
    qualities = corpora.qualities.set_index("story_id")
    pd.testing.assert_frame_equal(
        qualities.loc[corpora.leaks["training_id"]].reset_index(drop=True),
        qualities.loc[corpora.leaks["benchmark_id"]].reset_index(drop=True),
    )


def test_a_study_without_leaks_has_an_empty_table_of_them() -> None:
    *_, leaks = simulate(copies=0, light_edits=0)
    assert leaks.empty and leaks.columns.tolist() == ["training_id", "benchmark_id", "kind"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"copies": 12, "light_edits": 1},  # of 12 training stories
        {"premises_training": 0},
        {"copies": -1},
        {"edit_share": 1.1},
        {"premises_llm": 1.5},
    ],
)
def test_parameters_that_make_no_study_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        CorporaParams(**{**SMALL, **wrong})
    CorporaParams(**SMALL)
