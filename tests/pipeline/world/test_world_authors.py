import re

import numpy as np
import pytest

from pipeline.world.authors import AUTHORS, MODELS, draw_length, draw_quality
from pipeline.world.premise import write_premise
from pipeline.world.story import DIMENSIONS, Quality, write_story

GOOD = Quality(0.8, 0.8, 1.0, 0.8, 0.8)


def qualities(author: str, count: int = 600) -> np.ndarray:
    rng = np.random.default_rng(40)
    drawn = [draw_quality(author, rng) for _ in range(count)]
    return np.array([[getattr(quality, name) for name in DIMENSIONS] for quality in drawn])


def texts(author: str, count: int = 60) -> list[str]:
    rng = np.random.default_rng(41)
    return [
        write_story(write_premise(rng), GOOD, words=250, style=author, rng=rng)
        for _ in range(count)
    ]


def test_there_are_four_models_of_growing_size() -> None:
    sizes = [model.billions for model in MODELS]
    assert len(set(AUTHORS)) == 5
    assert sizes == sorted(set(sizes)) and len(sizes) == 4


def test_larger_models_write_better_on_average() -> None:
    means = [qualities(model.name).mean() for model in MODELS]
    assert np.all(np.diff(means) > 0.03)


def test_people_lead_on_two_dimensions_and_vary_more() -> None:
    people = qualities("human")
    for model in MODELS:
        drawn = qualities(model.name)
        for dimension in ("creativity", "characterization"):
            place = DIMENSIONS.index(dimension)
            assert people[:, place].mean() > drawn[:, place].mean() + 0.05
            assert people[:, place].std() > drawn[:, place].std() + 0.03


def test_lengths_leave_the_filter_of_the_protocol_some_work() -> None:
    rng = np.random.default_rng(42)
    for author in AUTHORS:
        lengths = np.array([draw_length(author, rng) for _ in range(1000)])
        too_short = np.mean(lengths < 100)
        assert 0.02 < too_short < 0.09 if author == "human" else too_short == 0
        assert lengths[lengths >= 100].min() >= 120 and lengths.max() <= 420


def test_draws_follow_the_seed() -> None:
    for author in AUTHORS:
        first, again = (np.random.default_rng(43) for _ in range(2))
        assert draw_quality(author, first) == draw_quality(author, again)
        assert draw_length(author, first) == draw_length(author, again)


@pytest.mark.parametrize("draw", [draw_quality, draw_length])
def test_unknown_authors_are_refused(draw: object) -> None:
    assert callable(draw)
    with pytest.raises(ValueError, match="no author 'ghost'"):
        draw("ghost", np.random.default_rng(1))


def share_of_stories(phrases: tuple[str, ...], stories: list[str]) -> float:
    return np.mean([any(phrase in story.casefold() for phrase in phrases) for story in stories])


def test_pet_phrases_give_a_model_away() -> None:
    stories = {author: texts(author) for author in AUTHORS}
    for model in MODELS:
        shares = {
            author: share_of_stories(model.pet_phrases, written)
            for author, written in stories.items()
        }
        own = shares.pop(model.name)
        assert own > 0.6
        assert max(shares.values()) < 0.3


def test_people_write_in_bursts_with_dialogue_and_contractions() -> None:
    def spread(stories: list[str]) -> float:
        sentences = [re.split(r"(?<=[.?])\s+", story) for story in stories]
        return float(np.mean([np.std([len(s.split()) for s in story]) for story in sentences]))

    def rate(pattern: str, stories: list[str]) -> float:
        return float(np.mean([len(re.findall(pattern, story)) for story in stories]))

    people = texts("human")
    for model in MODELS:
        written = texts(model.name)
        assert spread(people) > spread(written) + 0.5
        assert rate('"', people) > 1.5 * rate('"', written)
        assert rate(r"\w'(?:t|ll)\b", people) > 1.5 * rate(r"\w'(?:t|ll)\b", written)
