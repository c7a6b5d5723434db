"""Stories written independently share almost no five words in a row; edited copies share most."""

import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.simulation.authors import MODELS, draw_length, draw_quality
from pipeline.simulation.edits import lightly_edit
from pipeline.simulation.premise import write_premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_language import Language
from pipeline.simulation.story import write_story

STYLES = ("human", *(model.name for model in MODELS))


def words(text: str) -> list[str]:
    return re.findall(r"[一-龥]|[a-z']+", text.casefold())


def fivegrams(text: str) -> set[tuple[str, ...]]:
    plain = words(text)
    return {tuple(plain[start : start + 5]) for start in range(len(plain) - 4)}


def containment(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> float:
    return len(left & right) / min(len(left), len(right))


def containments(texts: list[str]) -> np.ndarray:
    """Of every text in every other."""
    grams = [fivegrams(text) for text in texts]
    where = defaultdict(list)
    for place, own in enumerate(grams):
        for gram in own:
            where[gram].append(place)
    shares = np.zeros((len(texts), len(texts)))
    for place, own in enumerate(grams):
        for other, count in Counter(other for gram in own for other in where[gram]).items():
            shares[place, other] = count / len(own)
    return shares[~np.eye(len(texts), dtype=bool)]


def stories(
    count: int, language: str, *, one_premise: bool, seed: int, median: int = 260
) -> list[str]:
    rng = np.random.default_rng(seed)
    premise = write_premise(rng, language)
    written = []
    for number in range(count):
        style = STYLES[number % len(STYLES)]
        written.append(
            write_story(
                premise if one_premise else write_premise(rng, language),
                draw_quality(style, rng),
                words=draw_length(style, rng, median),
                style=style,
                rng=rng,
            )
        )
    return written


@pytest.mark.parametrize("one_premise", [False, True])
def test_background_containment_is_far_below_a_tenth(one_premise: bool, language: Language) -> None:
    shares = containments(stories(300, language.code, one_premise=one_premise, seed=30))
    assert np.median(shares) <= 0.01
    assert shares.max() <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize("median", [260, 1858])
def test_it_stays_so_among_many_and_long_stories(median: int, language: Language) -> None:
    # 640,000 and 160,000 ordered pairs.
    count = 800 if median == 260 else 400
    shares = containments(stories(count, language.code, one_premise=False, seed=36, median=median))
    assert shares.max() < 0.1


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_neither_cliches_nor_good_writing_repeat_themselves(
    level: float, language: Language
) -> None:
    rng = np.random.default_rng(32)
    premise = write_premise(rng, language.code)
    quality = Quality(*[level] * 5)
    texts = [write_story(premise, quality, words=120, style=STYLES[1], rng=rng) for _ in range(120)]
    shares = containments(texts)
    assert np.median(shares) <= 0.01
    assert shares.max() <= 0.06


def test_a_light_edit_stays_a_near_duplicate(language: Language) -> None:
    rng = np.random.default_rng(33)
    for text in stories(40, language.code, one_premise=False, seed=34):
        if len(words(text)) < 150:
            continue
        edited = lightly_edit(text, rng, language=language.code)
        assert 0.6 <= containment(fivegrams(text), fivegrams(edited)) <= 0.97
        pairs = list(zip(words(text), words(edited), strict=True))
        changed, meant = sum(a != b for a, b in pairs), round(0.05 * len(pairs))
        if language.code == "en":
            # Each word exchanged is another. A name with its 's is one word here and there.
            assert changed == max(1, round(0.05 * len(text.split())))
        else:
            # Words of two characters are exchanged, and may keep one of them.
            assert 0.5 * meant <= changed <= meant + 1


def test_the_edit_follows_the_seed(language: Language) -> None:
    text = stories(1, language.code, one_premise=True, seed=35)[0]
    edits = [
        lightly_edit(text, np.random.default_rng(seed), language=language.code)
        for seed in (1, 1, 2)
    ]
    assert edits[0] == edits[1] != edits[2]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("One day, the old baker quietly carried a lamp to Wexham and sang.", "en"),
        ("清晨，锈蚀的算盘；某人在唱歌。", "zh"),
    ],
)
def test_the_share_counts_all_words(text: str, code: str) -> None:
    edited = lightly_edit(text, np.random.default_rng(1), share=1.0, language=code)
    changed = [a != b for a, b in zip(words(text), words(edited), strict=True)]
    assert all(changed) if code == "en" else sum(changed) >= len(changed) - 2


@pytest.mark.parametrize("code", ["en", "zh"])
@pytest.mark.parametrize("text", ["", " \n", "— ... !", "“”，。"])
def test_without_words_nothing_changes(text: str, code: str) -> None:
    assert lightly_edit(text, np.random.default_rng(1), language=code) == text


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


@given(
    st.lists(st.sampled_from(["清晨", "锈蚀", "的", "，", "某", "“", "。\n\n", "A"]), min_size=1),
    st.integers(0, 10),
)
def test_a_chinese_edit_keeps_length_and_punctuation(tokens: list[str], seed: int) -> None:
    text = "".join(tokens)
    edited = lightly_edit(text, np.random.default_rng(seed), 0.3, "zh")
    assert len(edited) == len(text)
    assert (edited == text) == (not re.search(r"\w", text))
    for before, after in zip(text, edited, strict=True):
        assert before == after or (before.isalnum() and after.isalnum())
