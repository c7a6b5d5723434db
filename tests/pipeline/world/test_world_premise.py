import itertools
import re

import numpy as np

from pipeline.world import lexicon
from pipeline.world.premise import SEEDS, Premise, write_premise


def premises(count: int, seed: int = 11) -> list[Premise]:
    rng = np.random.default_rng(seed)
    return [write_premise(rng) for _ in range(count)]


def fivegrams(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return set(zip(*(words[start:] for start in range(5)), strict=False))


def test_the_seed_decides() -> None:
    assert premises(20) == premises(20)
    assert premises(20) != premises(20, seed=12)


def test_no_two_of_a_thousand_are_the_same() -> None:
    assert len({premise.text for premise in premises(1000)}) == 1000


def test_texts_of_different_premises_hardly_overlap() -> None:
    grams = [fivegrams(premise.text) for premise in premises(200)]
    shares = [
        len(left & right) / min(len(left), len(right))
        for left, right in itertools.combinations(grams, 2)
    ]
    assert np.median(shares) == 0
    assert np.mean(shares) < 0.001
    assert max(shares) < 0.2


def test_the_text_names_all_that_a_story_must_return_to() -> None:
    for premise in premises(200):
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
        assert 15 <= len(premise.text.split()) <= 50


def test_every_theme_and_both_seeds_come_up() -> None:
    written = premises(1000)
    assert {premise.theme for premise in written} == set(lexicon.THEMES)
    assert {premise.seed for premise in written} == set(SEEDS) == {"conflict", "reversal"}
