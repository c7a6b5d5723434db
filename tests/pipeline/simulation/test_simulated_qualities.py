"""Each hidden quality can be read from the text by a measure that this file computes itself.

The injected qualities are the second source: each dimension is drawn independently and uniformly,
so a measure must rank stories as its own dimension does, and not as another one.
"""

import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import spearmanr

from pipeline.simulation.authors import MODELS
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.story import write_story
from storyaudit.vocabulary import DIMENSIONS

STYLES = ("human", *(model.name for model in MODELS))
STORIES = 300
WORDS = {"en": 250, "zh": 450}  # a Chinese word of the lexicon has two characters, each counted
STAGES = ("arrive", "want", "block", "try", "find", "settle")
REPEATED = {"en": re.compile(r"\b([a-z]+)\W+(?=\1\b)"), "zh": re.compile(r"(.{2})(?=\1)")}


def entries(premise: Premise, *slots: str) -> list[str]:
    return [entry for slot in slots for entry in LANGUAGES[premise.language].words[slot]]


def places(text: str, phrases: list[str], premise: Premise) -> list[tuple[int, str]]:
    """Where any of the phrases stands, and which: English ones between word boundaries."""
    edge = r"\b" if premise.language == "en" else ""
    ordered = sorted(phrases, key=len, reverse=True)
    pattern = re.compile(f"{edge}(?:{'|'.join(map(re.escape, ordered))}){edge}", re.IGNORECASE)
    return [(found.start(), found[0]) for found in pattern.finditer(text)]


def cliches(text: str, premise: Premise) -> float:
    return -len(places(text, entries(premise, "cliche", "stale", "stock"), premise))


def vivid_words(text: str, premise: Premise) -> float:
    vivid = entries(premise, "vivid", "odd")
    plain = entries(premise, "plain_adjective", "plain_noun")
    return len(places(text, vivid, premise)) - len(places(text, plain, premise))


def order_of_beats(text: str, premise: Premise) -> float:
    stage_of = {
        word.casefold(): stage
        for stage, name in enumerate(STAGES)
        for word in entries(premise, name)
    }
    stages = [stage_of[word.casefold()] for _, word in places(text, list(stage_of), premise)]
    return sum(
        np.sign(later - earlier)
        for place, earlier in enumerate(stages)
        for later in stages[place + 1 :]
    ) / max(1, len(stages) * (len(stages) - 1) / 2)


def repeated_words(text: str, premise: Premise) -> float:
    return -len(REPEATED[premise.language].findall(text.casefold()))


def right_names(text: str, premise: Premise) -> float:
    names = [name for _, name in places(text, entries(premise, "women", "men"), premise)]
    return float(np.mean([name in (premise.hero, premise.rival) for name in names] or [0.5]))


def words_of_the_premise(text: str, premise: Premise) -> float:
    phrases = [premise.hero, premise.place, premise.object, premise.goal, premise.obstacle]
    return len(places(text, phrases, premise))


MEASURES: dict[str, tuple[str, Callable[[str, Premise], float], float]] = {
    "clichés": ("creativity", cliches, 0.4),
    "vivid words": ("creativity", vivid_words, 0.7),
    "order of beats": ("coherence", order_of_beats, 0.5),
    "duplicated words": ("fluency", repeated_words, 0.65),
    "right names": ("characterization", right_names, 0.5),
    "words of the premise": ("relevance", words_of_the_premise, 0.65),
}


@pytest.fixture(scope="module", params=sorted(LANGUAGES))
def corpus(request: pytest.FixtureRequest) -> tuple[np.ndarray, list[tuple[str, Premise]]]:
    rng = np.random.default_rng(20)
    injected = rng.random((STORIES, len(DIMENSIONS)))
    written = []
    for number, level in enumerate(injected.tolist()):
        premise = write_premise(rng, request.param)
        style = STYLES[number % len(STYLES)]
        text = write_story(
            premise, Quality(*level), words=WORDS[request.param], style=style, rng=rng
        )
        written.append((text, premise))
    return injected, written


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_a_quality_shows_in_its_measure_and_hardly_in_others(
    measure: str, corpus: tuple[np.ndarray, list[tuple[str, Premise]]]
) -> None:
    own, measured, bound = MEASURES[measure]
    injected, written = corpus
    values = [measured(text, premise) for text, premise in written]
    for place, dimension in enumerate(DIMENSIONS):
        correlation = spearmanr(values, injected[:, place])[0]
        if dimension == own:
            assert correlation > bound
        else:
            assert abs(correlation) < 0.25
