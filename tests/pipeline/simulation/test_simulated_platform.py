from dataclasses import astuple

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from pipeline.simulation.chinese.lexicon import GENRES
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_platform import (
    UNSEEN_READERS,
    WRITERS,
    PlatformStory,
    draw_readership,
    draw_writers,
    write_platform,
)


@pytest.fixture(scope="module")
def platform() -> list[PlatformStory]:
    return list(write_platform(400, 60, np.random.default_rng(50)))


def test_the_seed_decides_and_more_stories_keep_the_first(platform) -> None:
    assert list(write_platform(20, 60, np.random.default_rng(50))) == platform[:20]
    assert list(write_platform(20, 60, np.random.default_rng(51))) != platform[:20]


def test_writers_have_a_column_each() -> None:
    writers = draw_writers(np.random.default_rng(52))
    assert len({writer.name for writer in writers}) == WRITERS
    assert len({writer.column_id for writer in writers}) == WRITERS
    assert {writer.genre for writer in writers} == set(GENRES)


def test_columns_hold_several_stories_mostly_of_one_genre(platform) -> None:
    columns: dict[str, list[PlatformStory]] = {}
    for story in platform:
        columns.setdefault(story.writer.column_id, []).append(story)
    # 400 stories by 300 writers of very different activity.
    assert 100 < len(columns) < 250
    assert sum(len(stories) >= 2 for stories in columns.values()) > 50
    own = np.mean([story.genre == story.writer.genre for story in platform])
    # 0.8, and an eighth of the others by chance; the standard error is 0.02.
    assert abs(own - (0.8 + 0.2 / 8)) < 0.07


def test_a_story_is_on_a_theme_of_its_genre(platform) -> None:
    for story in platform:
        assert story.premise.theme in GENRES[story.genre]
        assert story.premise.language == "zh"
    assert {story.genre for story in platform} == set(GENRES)


def test_readers_follow_quality_and_writers_but_not_blindly(platform) -> None:
    seen = [story for story in platform if story.readership >= UNSEEN_READERS]
    readers = [story.readership for story in seen]
    quality = spearmanr(readers, [np.mean(astuple(story.quality)) for story in seen])[0]
    following = spearmanr(readers, [story.writer.following for story in seen])[0]
    assert 0.25 < quality < 0.75
    assert 0.35 < following < 0.85


def test_two_stories_of_a_genre_are_ordered_by_readers_more_often_than_not(platform) -> None:
    # What the pairs of StoryAlign's premise back-generation rest on (section 3.1).
    taus = []
    for genre in GENRES:
        stories = [story for story in platform if story.genre == genre]
        quality = [np.mean(astuple(story.quality)) for story in stories]
        taus.append(kendalltau([story.readership for story in stories], quality)[0])
    assert np.mean(taus) > 0.15


def test_readership_has_a_heavy_tail_and_some_that_nobody_saw(platform) -> None:
    readers = np.array([story.readership for story in platform])
    unseen = np.mean(readers < UNSEEN_READERS)
    assert abs(unseen - 0.12) < 0.06  # standard error 0.016
    seen = readers[readers >= UNSEEN_READERS]
    assert readers.min() >= 0
    assert seen.mean() > 1.5 * np.median(seen)
    assert seen.max() > 10 * np.median(seen)


def test_a_better_story_or_a_better_known_writer_has_more_readers() -> None:
    def median(level: float, following: float) -> float:
        rng = np.random.default_rng(53)
        quality = Quality(*[level] * 5)
        return float(np.median([draw_readership(quality, following, rng) for _ in range(500)]))

    assert median(0.3, 0.0) < median(0.5, 0.0) < median(0.8, 0.0)
    assert median(0.5, -1.0) < median(0.5, 0.0) < median(0.5, 1.0)


def test_lengths_spread_like_those_of_the_papers_training_stories(platform) -> None:
    # StoryAlign, table 9: mean 2,802 words and median 1,858, a ratio of 1.51. The mean of 400
    # lognormal draws at this spread has a standard error of 6 %.
    lengths = np.array([len(story.text) for story in platform])
    assert 1.25 < lengths.mean() / np.median(lengths) < 1.8
