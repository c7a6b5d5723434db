"""Each hidden quality can be read from the text by a measure that this file computes itself.

The planted qualities are the second source: each dimension is drawn independently and uniformly,
so a measure must rank stories as its own dimension does, and not as another one.
"""

import itertools
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import spearmanr

from pipeline.world import lexicon
from pipeline.world.authors import MODELS
from pipeline.world.premise import Premise, write_premise
from pipeline.world.story import DIMENSIONS, Quality, write_story

STYLES = ("human", *(model.name for model in MODELS))
STORIES = 300
WORDS = re.compile(r"\w+")

STAGE_OF = {
    word: stage
    for stage, words in enumerate(
        (
            lexicon.ARRIVE,
            lexicon.WANT,
            lexicon.BLOCK,
            lexicon.TRY,
            lexicon.FIND,
            lexicon.SETTLE,
        )
    )
    for word in words
}


def occurrences(text: str, phrases: tuple[str, ...]) -> int:
    plain = f" {' '.join(WORDS.findall(text.casefold()))} "
    return sum(plain.count(f" {phrase.casefold()} ") for phrase in phrases)


def cliches(text: str, premise: Premise) -> float:
    return -occurrences(text, lexicon.CLICHES + lexicon.STALE + lexicon.STOCK)


def vivid_words(text: str, premise: Premise) -> float:
    words = WORDS.findall(text.casefold())
    vivid = {*lexicon.VIVID_ADJECTIVES, *lexicon.ODD_NOUNS}
    plain = {*lexicon.PLAIN_ADJECTIVES, *lexicon.PLAIN_NOUNS}
    return sum((word in vivid) - (word in plain) for word in words)


def order_of_beats(text: str, premise: Premise) -> float:
    stages = [STAGE_OF[word] for word in WORDS.findall(text.casefold()) if word in STAGE_OF]
    return sum(
        np.sign(later - earlier)
        for place, earlier in enumerate(stages)
        for later in stages[place + 1 :]
    ) / max(1, len(stages) * (len(stages) - 1) / 2)


def doubled_words(text: str, premise: Premise) -> float:
    words = WORDS.findall(text.casefold())
    return -sum(left == right for left, right in itertools.pairwise(words))


def right_names(text: str, premise: Premise) -> float:
    names = [word for word in WORDS.findall(text) if word in lexicon.NAMES]
    return np.mean([name in (premise.hero, premise.rival) for name in names]) if names else 0.5


def words_of_the_premise(text: str, premise: Premise) -> float:
    return occurrences(
        text, (premise.hero, premise.place, premise.object, premise.goal, premise.obstacle)
    )


MEASURES: dict[str, tuple[str, Callable[[str, Premise], float], float]] = {
    "clichés": ("creativity", cliches, 0.4),
    "vivid words": ("creativity", vivid_words, 0.7),
    "order of beats": ("coherence", order_of_beats, 0.5),
    "doubled words": ("fluency", doubled_words, 0.65),
    "right names": ("characterization", right_names, 0.5),
    "words of the premise": ("relevance", words_of_the_premise, 0.65),
}


@pytest.fixture(scope="module")
def corpus() -> tuple[np.ndarray, list[tuple[str, Premise]]]:
    rng = np.random.default_rng(20)
    planted = rng.random((STORIES, len(DIMENSIONS)))
    written = []
    for number, level in enumerate(planted.tolist()):
        premise = write_premise(rng)
        style = STYLES[number % len(STYLES)]
        text = write_story(premise, Quality(*level), words=250, style=style, rng=rng)
        written.append((text, premise))
    return planted, written


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_a_quality_shows_in_its_measure_and_hardly_in_others(
    measure: str, corpus: tuple[np.ndarray, list[tuple[str, Premise]]]
) -> None:
    own, measured, bound = MEASURES[measure]
    planted, written = corpus
    values = [measured(text, premise) for text, premise in written]
    for place, dimension in enumerate(DIMENSIONS):
        correlation = spearmanr(values, planted[:, place])[0]
        if dimension == own:
            assert correlation > bound
        else:
            assert abs(correlation) < 0.25
