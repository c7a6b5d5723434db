"""Stories written independently share almost no five words in a row; edited copies share most."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.world.authors import MODELS, draw_length, draw_quality
from pipeline.world.edits import lightly_edit
from pipeline.world.premise import write_premise
from pipeline.world.story import Quality, write_story

STYLES = ("human", *(model.name for model in MODELS))
PAIRS = 40_000


def words(text: str) -> list[str]:
    dropped = (re.sub(r"[^\w]", "", token) for token in text.casefold().split())
    return [word for word in dropped if word]


def fivegrams(text: str) -> set[tuple[str, ...]]:
    plain = words(text)
    return {tuple(plain[start : start + 5]) for start in range(len(plain) - 4)}


def containment(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> float:
    return len(left & right) / min(len(left), len(right))


def stories(count: int, *, one_premise: bool, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    premise = write_premise(rng)
    written = []
    for number in range(count):
        style = STYLES[number % len(STYLES)]
        written.append(
            write_story(
                premise if one_premise else write_premise(rng),
                draw_quality(style, rng),
                words=draw_length(style, rng),
                style=style,
                rng=rng,
            )
        )
    return written


@pytest.mark.parametrize("one_premise", [False, True])
def test_background_containment_is_far_below_a_tenth(one_premise: bool) -> None:
    grams = [fivegrams(text) for text in stories(300, one_premise=one_premise, seed=30)]
    rng = np.random.default_rng(31)
    left = rng.integers(300, size=PAIRS)
    right = (left + rng.integers(1, 300, size=PAIRS)) % 300
    shares = [
        containment(grams[i], grams[j]) for i, j in zip(left.tolist(), right.tolist(), strict=True)
    ]
    assert np.median(shares) <= 0.01
    assert max(shares) <= 0.05


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_neither_cliches_nor_good_writing_repeat_themselves(level: float) -> None:
    rng = np.random.default_rng(32)
    premise = write_premise(rng)
    grams = [
        fivegrams(write_story(premise, Quality(*[level] * 5), words=120, style=STYLES[1], rng=rng))
        for _ in range(120)
    ]
    shares = [containment(a, b) for place, a in enumerate(grams) for b in grams[:place]]
    assert np.median(shares) <= 0.01
    assert max(shares) <= 0.05


def test_a_light_edit_stays_a_near_duplicate() -> None:
    rng = np.random.default_rng(33)
    for text in stories(40, one_premise=False, seed=34):
        if len(words(text)) < 150:
            continue
        edited = lightly_edit(text, rng)
        assert 0.6 <= containment(fivegrams(text), fivegrams(edited)) <= 0.95
        pairs = list(zip(words(text), words(edited), strict=True))
        assert sum(a != b for a, b in pairs) == max(1, round(0.05 * len(text.split())))


def test_the_edit_follows_the_seed() -> None:
    text = stories(1, one_premise=True, seed=35)[0]
    edits = [lightly_edit(text, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert edits[0] == edits[1] != edits[2]


def test_the_share_counts_all_words() -> None:
    text = "One day, the old baker quietly carried a lamp to Wexham and sang."
    edited = lightly_edit(text, np.random.default_rng(1), share=1.0)
    assert all(a != b for a, b in zip(words(text), words(edited), strict=True))


@pytest.mark.parametrize("text", ["", " \n", "— ... !"])
def test_without_words_nothing_changes(text: str) -> None:
    assert lightly_edit(text, np.random.default_rng(1)) == text


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_lie_between_0_and_1(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        lightly_edit("Two words", np.random.default_rng(1), share=share)


@given(
    st.lists(st.sampled_from(["Hello", "the", "rain.", "'quietly,'", "7", "naïve"]), min_size=1),
    st.integers(0, 10),
)
def test_an_edit_changes_words_and_nothing_else(tokens: list[str], seed: int) -> None:
    text = "  ".join(tokens) + "\n\n"
    edited = lightly_edit(text, np.random.default_rng(seed))
    changed = [(a, b) for a, b in zip(tokens, edited.split(), strict=True) if a != b]
    assert len(changed) == max(1, round(0.05 * len(tokens)))
    assert re.findall(r"\s+", edited) == re.findall(r"\s+", text)
    for before, after in changed:
        assert re.sub(r"\w", "", before) == re.sub(r"\w", "", after)
        assert before[0].isupper() == after[0].isupper()
