"""A rewriting is worse in one respect and otherwise the person's story."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.requests.writing import DEGRADATIONS, Degradation
from pipeline.simulation.authors import draw_quality
from pipeline.simulation.degradations import cut, join, make_worse
from pipeline.simulation.languages import LANGUAGES
from pipeline.simulation.premise import Premise, write_premise
from pipeline.simulation.simulated_language import Language
from pipeline.simulation.story import write_story

MODEL = "heron-8b"


def tokens(text: str) -> list[str]:
    return re.findall(r"[一-龥]|[a-z']+", text.casefold())


def fivegrams(text: str) -> set[tuple[str, ...]]:
    plain = tokens(text)
    return {tuple(plain[start : start + 5]) for start in range(len(plain) - 4)}


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in cut(text)]


def told_by_people(language: str, count: int = 25, words: int = 300) -> list[tuple[Premise, str]]:
    rng = np.random.default_rng(60)
    written = []
    for _ in range(count):
        premise = write_premise(rng, language)
        quality = draw_quality("human", rng)
        written.append(
            (premise, write_story(premise, quality, words=words, style="human", rng=rng))
        )
    return written


@pytest.fixture(scope="module", params=sorted(LANGUAGES))
def people(request: pytest.FixtureRequest) -> list[tuple[Premise, str]]:
    return told_by_people(request.param)


def worse(premise: Premise, story: str, degradation: Degradation, seed: int = 1) -> str:
    return make_worse(story, degradation, premise, MODEL, np.random.default_rng(seed))


@given(st.text(alphabet='Aa .?!"\n。？！“”「」', max_size=40))
def test_the_sentences_joined_are_the_text(text: str) -> None:
    assert join(cut(text)) == text.strip()
    assert all(sentence.text.strip() == sentence.text != "" for sentence in cut(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two? Three!\n\nFour.", ["One.", "Two?", "Three!", "Four."]),
        ('"Who?" said Ann. "Me." Two.', ['"Who?" said Ann.', '"Me."', "Two."]),
        ("一。二？\n\n“三！”他说。四", ["一。", "二？", "“三！”他说。", "四"]),
        ("No end\n\nA fragment", ["No end", "A fragment"]),
        ("", []),
    ],
)
def test_a_story_is_cut_into_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize("degradation", DEGRADATIONS)
def test_it_is_another_story_and_still_mostly_the_same(
    degradation: Degradation, people: list[tuple[Premise, str]]
) -> None:
    shares = []
    for premise, story in people:
        rewritten = worse(premise, story, degradation)
        assert tokens(rewritten) != tokens(story)
        assert abs(len(tokens(rewritten)) / len(tokens(story)) - 1) < 0.35
        shares.append(len(fivegrams(rewritten) & fivegrams(story)) / len(fivegrams(rewritten)))
    assert min(shares) > 0.5
    assert np.median(shares) > 0.7


@pytest.mark.parametrize("degradation", DEGRADATIONS)
def test_the_seed_decides(degradation: Degradation, people: list[tuple[Premise, str]]) -> None:
    premise, story = people[0]
    assert worse(premise, story, degradation) == worse(premise, story, degradation)
    assert worse(premise, story, degradation, 2) != worse(premise, story, degradation)


def test_another_ending_leaves_what_came_before(people: list[tuple[Premise, str]]) -> None:
    for premise, story in people:
        before, after = sentences(story), sentences(worse(premise, story, "ending"))
        kept = len(before) - max(1, round(0.2 * len(before)))
        assert after[:kept] == before[:kept]
        assert not set(before[kept:]) & set(after[kept:])


def test_another_turn_leaves_beginning_and_end(people: list[tuple[Premise, str]]) -> None:
    for premise, story in people:
        before, after = sentences(story), sentences(worse(premise, story, "plot"))
        many = max(1, round(0.2 * len(before)))
        start = max(1, (len(before) - many) // 2)
        end = len(before) - start - many
        assert after[:start] == before[:start]
        assert after[-end:] == before[-end:]
        assert after[start] not in before


def lost_and_new(expected: list[str], text: str) -> tuple[int, list[str]]:
    """How many sentences a text lacks, in this order, and what it has between the others."""
    lost, new, place = 0, [], 0
    for sentence in expected:
        found = text.find(sentence, place)
        if found < 0:
            lost += 1
            continue
        new.append(text[place:found])
        place = found + len(sentence)
    return lost, [between for between in [*new, text[place:]] if tokens(between)]


def test_flat_words_stand_in_the_place_of_others(people: list[tuple[Premise, str]]) -> None:
    slots = LANGUAGES[people[0][0].language].words
    flat = re.compile("|".join(map(re.escape, slots["flat"] + slots["bland"])), re.IGNORECASE)
    for premise, story in people:
        before = sentences(story)
        rewritten = worse(premise, story, "motivation")
        assert rewritten.startswith(before[0])
        lost, new = lost_and_new(before, rewritten)
        assert lost == max(1, round(0.2 * len(before)))
        assert 1 <= len(new) <= lost
        assert all(flat.search(between) for between in new)
        assert rewritten.count("\n\n") == story.count("\n\n")


def test_the_end_comes_before_the_middle(people: list[tuple[Premise, str]]) -> None:
    for premise, story in people:
        before = sentences(story)
        rewritten = worse(premise, story, "causality")
        third, thirds = len(before) // 3, 2 * len(before) // 3
        lost, breaks = lost_and_new(
            [*before[:third], *before[thirds:], *before[third:thirds]], rewritten
        )
        assert (lost, len(breaks)) == (0, max(1, round(0.1 * len(before))))
        assert rewritten.count("\n\n") == story.count("\n\n")


def test_slips_change_words_within_sentences(people: list[tuple[Premise, str]]) -> None:
    slipped = []
    for premise, story in people:
        before, after = sentences(story), sentences(worse(premise, story, "language"))
        assert len(after) == len(before)
        slipped.append(
            np.mean([tokens(old) != tokens(new) for old, new in zip(before, after, strict=True)])
        )
        # Words go, come twice, change places or forms; none is of another story.
        new, old = Counter(tokens(" ".join(after))), Counter(tokens(story))
        assert sum((new - old).values()) < 0.25 * sum(old.values())
    assert np.mean(slipped) > 0.35


@pytest.mark.parametrize("degradation", DEGRADATIONS)
@pytest.mark.parametrize("code", sorted(LANGUAGES))
@pytest.mark.parametrize("length", [1, 15, 60])
def test_short_stories_of_one_paragraph_are_rewritten_too(
    degradation: Degradation, code: str, length: int
) -> None:
    for seed, (premise, story) in enumerate(told_by_people(code, count=12, words=length)):
        text = story.replace("\n\n", LANGUAGES[code].space)
        rewritten = worse(premise, text, degradation, seed)
        assert tokens(rewritten) != tokens(text)
        assert rewritten == rewritten.strip()
        if degradation not in ("language", "causality"):  # which has no middle of two sentences
            assert rewritten.startswith(sentences(text)[0])


@pytest.mark.parametrize("degradation", DEGRADATIONS)
def test_a_story_without_words_gets_some(degradation: Degradation, language: Language) -> None:
    premise = write_premise(np.random.default_rng(1), language.code)
    for text in ("", "…", "\n\n", " ."):
        assert tokens(worse(premise, text, degradation))
