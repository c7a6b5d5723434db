"""What makes two Chinese stories differ: no five characters in a row leave less than 900 cases."""

import itertools
import math
import re

import pytest

from pipeline.simulation.chinese import lexicon, templates
from pipeline.simulation.chinese.habits import HABITS
from pipeline.simulation.chinese.language import CHINESE
from pipeline.simulation.english.habits import HABITS as ENGLISH_HABITS
from pipeline.simulation.sentence_templates import Template
from pipeline.simulation.simulated_language import Kinds

WORDS = lexicon.WORDS
NAMES = WORDS["women"] + WORDS["men"]
LISTS = {slot: entries for slot, entries in WORDS.items() if slot != "hopes"}  # are those of "want"
FOUR = {"cliche", "stale"}
ONE = {
    name
    for name in LISTS
    if name.startswith(("place_", "goal_", "object_", "obstacle_")) or name == "estate"
}
STAGES = ("arrive", "want", "block", "try", "find", "settle")
GROUPS = {
    name: value
    for name, value in vars(templates).items()
    if isinstance(value, tuple) and value and isinstance(value[0], Template)
}
# Characters of what is the same in two stories on one premise. The words of a theme are few.
SET = {"hero": 2, "rival": 2, "place": 2, "object": 2, "goal": 2, "obstacle": 2, "theme": 2}
SET |= {"she": 1, "her": 2}
# The smaller list, where a slot takes one of two; what is drawn once a story.
FREE = {
    "adj": WORDS["plain_adjective"],
    "noun": WORDS["plain_noun"],
    "my_habit": WORDS["habit"],
    "my_hoard": WORDS["hoard"],
    "my_tic": WORDS["tic"],
    "rival_tic": WORDS["tic"],
}
HAN = re.compile(r"[一-龥]")


@pytest.mark.parametrize("name", sorted(LISTS))
def test_lists_are_long_and_their_words_of_one_length(name: str) -> None:
    entries = LISTS[name]
    assert len(entries) >= 30
    assert len(set(entries)) == len(entries)
    assert {len(entry) for entry in entries} == {4 if name in FOUR else 1 if name in ONE else 2}
    # A duplicated character is a slip.
    assert not [entry for entry in entries if re.search(r"(.)\1", entry)]


def test_a_word_stands_in_one_list() -> None:
    everywhere = [entry for name, entries in LISTS.items() if name not in ONE for entry in entries]
    everywhere += [word for words in lexicon.THEMES.values() for word in words]
    assert [word for word in everywhere if everywhere.count(word) > 1] == []
    for stage in STAGES:  # nor within another word: texts have no spaces
        assert [
            word for word in LISTS[stage] if sum(word in other for other in everywhere) > 1
        ] == []


def test_names_differ_in_both_characters() -> None:
    for place in range(2):
        characters = [name[place] for name in NAMES]
        assert len(set(characters)) == len(characters) == 120


def test_genres_share_out_the_themes() -> None:
    shared_out = [theme for themes in lexicon.GENRES.values() for theme in themes]
    assert sorted(shared_out) == sorted(lexicon.THEMES)


Character = tuple[int, tuple[str, ...], int] | None


def characters(written: Template) -> list[Character]:
    """For each character: its slot, the words it can be of and its place in them; None if set."""
    found: list[Character] = [None for _ in HAN.findall(written.start)]
    for place, (slot, _, literal) in enumerate(written.slots):
        if slot in SET:
            found += [None] * SET[slot]
        else:
            entries = FREE.get(slot) or WORDS[slot]
            found += [(place, entries, within) for within in range(len(entries[0]))]
        found += [None for _ in HAN.findall(literal)]
    return found


def choices_and_cases(window: list[Character]) -> tuple[int, int]:
    """How many free choices these characters cross, and how many ways they can come out."""
    seen: dict[int, tuple[tuple[str, ...], list[int]]] = {}
    for character in window:
        if character is not None:
            place, entries, within = character
            seen.setdefault(place, (entries, []))[1].append(within)
    cases = (
        len({tuple(entry[place] for place in places) for entry in entries})
        for entries, places in seen.values()
    )
    return len(seen), math.prod(cases)


def crosses_enough(row: list[Character]) -> bool:
    found = (choices_and_cases(row[start : start + 5]) for start in range(len(row) - 4))
    return all(choices >= 2 and cases >= 900 for choices, cases in found)


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_five_characters_in_a_row_cross_two_free_choices(group: str) -> None:
    for written in GROUPS[group]:
        assert crosses_enough(characters(written)), written


def test_so_they_do_where_one_sentence_follows_another() -> None:
    rows = [
        characters(written)
        for name, group in GROUPS.items()
        if name not in ("CONFLICTS", "REVERSALS")
        for written in group
    ]
    ends = {tuple(renumbered(row[-4:], 0)) for row in rows}
    starts = {tuple(renumbered(row[:4], 100)) for row in rows}
    for end, start in itertools.product(ends, starts):
        assert crosses_enough([*end, *start])


def renumbered(row: list[Character], first: int) -> list[Character]:
    """The same with the choices numbered from `first`, so that rows of one kind are equal."""
    numbers = {
        place: first + number for number, place in enumerate(sorted({c[0] for c in row if c}))
    }
    return [(numbers[c[0]], *c[1:]) if c else None for c in row]


def test_the_measure_of_the_rule_sees_what_breaks_it() -> None:
    # Four set characters and a free one; two halves of words that all have the same end.
    time = [(0, WORDS["time"], 0), (0, WORDS["time"], 1)]
    assert choices_and_cases([None, None, None, None, time[0]])[0] == 1
    similar = tuple(f"{first}子" for first in "甲乙丙")
    assert choices_and_cases([(1, similar, 1), *time, None, None]) == (2, len(WORDS["time"]))


def test_every_author_has_habits_in_both_languages() -> None:
    assert HABITS.keys() == ENGLISH_HABITS.keys()
    words = {word for entries in LISTS.values() for word in entries}
    for habits in HABITS.values():
        assert not {*habits.pet_phrases} & words


def test_text_is_cut_into_known_words_and_characters() -> None:
    kinds: Kinds = CHINESE.kinds
    assert kinds.cut("清晨，锈蚀的算盘。") == ["清", "晨", "，", "锈蚀", "的", "算盘", "。"]
    assert "".join(kinds.cut("a\n\n“锈蚀”")) == "a\n\n“锈蚀”"
