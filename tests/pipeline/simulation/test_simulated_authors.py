import re

import numpy as np
import pytest
from scipy.stats import kurtosis

from pipeline.simulation.authors import AUTHORS, MODELS, draw_length, draw_quality
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.premise import write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_language import Language
from pipeline.simulation.story import write_story
from storyaudit.vocabulary import DIMENSIONS

GOOD = Quality(0.8, 0.8, 1.0, 0.8, 0.8)
SENTENCE = {"en": r"(?<=[.?!])[\"\s]+", "zh": r"(?<=[。？！])[”」\n]*"}
WORD = {"en": r"[\w']+", "zh": r"[一-龥]"}
CONTRACTED = {"en": r"\w'(?:t|ll)\b", "zh": "没(?!有)|别|甭|啥|咱"}
QUOTE = {"en": '"', "zh": "[“「]"}


def qualities(author: str, count: int = 600) -> np.ndarray:
    rng = np.random.default_rng(40)
    drawn = [draw_quality(author, rng) for _ in range(count)]
    return np.array([[getattr(quality, name) for name in DIMENSIONS] for quality in drawn])


def texts(author: str, language: Language, *, count: int = 60, words: int = 250) -> list[str]:
    rng = np.random.default_rng(41)
    return [
        write_story(write_premise(rng, language.code), GOOD, words=words, style=author, rng=rng)
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


def lengths(author: str, median: float, count: int = 2000) -> np.ndarray:
    rng = np.random.default_rng(42)
    return np.array([draw_length(author, rng, median) for _ in range(count)])


def test_lengths_leave_the_filter_of_the_protocol_some_work() -> None:
    for median in (260, 1858):
        for author in AUTHORS:
            too_short = np.mean(lengths(author, median) < 100)
            assert 0.015 < too_short < 0.1 if author == "human" else too_short < 0.012


@pytest.mark.parametrize("median", [260, 1858])
def test_lengths_are_lognormal_about_the_median_asked_for(median: int) -> None:
    drawn = {author: lengths(author, median) for author in AUTHORS}
    for author, numbers in drawn.items():
        logs = np.log(numbers[numbers >= 100])
        # A lognormal's logarithms are symmetric: the mean is the median.
        assert abs(logs.mean() - np.median(logs)) < 0.04
        assert logs.std() < np.log(drawn["human"]).std() or author == "human"
    assert abs(np.median(np.concatenate(list(drawn.values()))) / median - 1) < 0.05


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


def test_pet_phrases_give_a_model_away(language: Language) -> None:
    stories = {author: texts(author, language) for author in AUTHORS}
    for model in MODELS:
        phrases = language.habits[model.name].pet_phrases
        shares = {author: share_of_stories(phrases, written) for author, written in stories.items()}
        own = shares.pop(model.name)
        assert own > 0.6
        assert max(shares.values()) < 0.3


def test_one_model_sets_chinese_quotation_marks_of_its_own() -> None:
    for author in AUTHORS:
        written = "".join(texts(author, LANGUAGES["zh"], count=20))
        marks = "「」" if author == "heron-8b" else "“”"
        assert written.count(marks[0]) == written.count(marks[1]) > 0
        assert not set(written) & (set("“”「」") - set(marks))


def test_people_write_in_bursts_with_dialogue_and_contractions(language: Language) -> None:
    code = language.code

    def sizes(story: str) -> list[int]:
        counts = [len(re.findall(WORD[code], s)) for s in re.split(SENTENCE[code], story)]
        return [count for count in counts if count]

    def spread(stories: list[str]) -> float:
        return float(np.mean([np.std(sizes(story)) for story in stories]))

    def rate(pattern: str, stories: list[str]) -> float:
        return float(np.mean([len(re.findall(pattern, story)) for story in stories]))

    people = texts("human", language, count=100)
    for model in MODELS:
        written = texts(model.name, language, count=100)
        assert spread(people) > spread(written) + 0.5
        assert rate(QUOTE[code], people) > 1.3 * rate(QUOTE[code], written)
        assert rate(CONTRACTED[code], people) > 1.5 * rate(CONTRACTED[code], written)


def burstiness(stories: list[str], code: str) -> float:
    """Mean excess kurtosis of a story's sentence lengths (StoryAlign, appendix H.4, its proxy)."""
    values = []
    for story in stories:
        sentences = re.split(SENTENCE[code], story)
        counts = [len(re.findall(WORD[code], sentence)) for sentence in sentences]
        values.append(kurtosis([count for count in counts if count], bias=False))
    return float(np.mean(values))


def test_people_are_burstier_than_models(language: Language) -> None:
    # In the simulation as drawn, and at lengths that allow a kurtosis: 40 to 60 sentences.
    people = burstiness(texts("human", language, words=800), language.code)
    for model in MODELS:
        written = texts(model.name, language, words=800)
        assert people > burstiness(written, language.code) + 0.3
