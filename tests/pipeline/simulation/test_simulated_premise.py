import itertools
import re

import numpy as np
import pytest

from pipeline.simulation.chinese.lexicon import GENRES
from pipeline.simulation.premise import SEEDS, Premise, write_premise
from pipeline.simulation.simulated_language import Language

WORD = {"en": r"\w+", "zh": r"[一-龥]"}


def premises(language: Language, count: int, seed: int = 11) -> list[Premise]:
    rng = np.random.default_rng(seed)
    return [write_premise(rng, language.code) for _ in range(count)]


def fivegrams(premise: Premise) -> set[tuple[str, ...]]:
    words = re.findall(WORD[premise.language], premise.text.casefold())
    return set(zip(*(words[start:] for start in range(5)), strict=False))


def test_the_seed_decides(language: Language) -> None:
    assert premises(language, 20) == premises(language, 20)
    assert premises(language, 20) != premises(language, 20, seed=12)


def test_no_two_of_a_thousand_are_the_same(language: Language) -> None:
    assert len({premise.text for premise in premises(language, 1000)}) == 1000


def test_texts_of_different_premises_hardly_overlap(language: Language) -> None:
    grams = [fivegrams(premise) for premise in premises(language, 300)]
    shares = [
        len(left & right) / min(len(left), len(right))
        for left, right in itertools.combinations(grams, 2)
    ]
    assert np.mean(shares) < 0.001
    assert max(shares) < 0.1


def test_the_text_names_all_that_a_story_must_return_to(language: Language) -> None:
    for premise in premises(language, 200):
        for phrase in (
            premise.hero,
            premise.rival,
            premise.place,
            premise.goal,
            premise.obstacle,
            premise.object,
            premise.theme,
        ):
            assert phrase in premise.text
        assert premise.hero != premise.rival
        assert premise.language == language.code
        assert 35 <= len(re.findall(WORD[language.code], premise.text)) <= 60


def test_every_theme_and_both_seeds_come_up(language: Language) -> None:
    written = premises(language, 1000)
    assert {premise.theme for premise in written} == set(language.themes)
    assert {premise.seed for premise in written} == set(SEEDS) == {"conflict", "reversal"}


def test_themes_can_be_given() -> None:
    rng = np.random.default_rng(13)
    written = [write_premise(rng, "zh", GENRES["武侠"]) for _ in range(60)]
    assert {premise.theme for premise in written} == set(GENRES["武侠"])


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(ValueError, match="no language 'xx': use one of en, zh"):
        write_premise(np.random.default_rng(1), "xx")
