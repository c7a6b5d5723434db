"""What makes two stories differ: long lists, short entries, slots close together."""

import pytest

from pipeline.world import lexicon, templates
from pipeline.world.slots import Slots
from pipeline.world.templates import Template

LISTS = {
    name: value
    for name, value in vars(lexicon).items()
    if isinstance(value, tuple) and name != "THEMES"
}
THREE_WORDS = {"TICS", "CLICHES", "STOCK", "STALE", "CAUSES", "NONSEQUITURS"}
STAGES = ("ARRIVE", "WANT", "BLOCK", "TRY", "FIND", "SETTLE")
GROUPS = {
    name: value
    for name, value in vars(templates).items()
    if isinstance(value, tuple) and value and isinstance(value[0], Template)
}
# The longest phrase of each slot that is the same in two stories on one premise.
PREMISE_WORDS = {
    "hero": 1,
    "rival": 1,
    "place": 2,
    "object": 2,
    "goal": 2,
    "obstacle": 2,
    "she": 1,
    "her": 1,
    "theme": 1,
}
DRAWN_ONCE = {"my_tic": "TICS", "rival_tic": "TICS", "my_habit": "HABITS", "my_hoard": "HOARDS"}


def longest(entries: tuple[str, ...]) -> int:
    return max(len(entry.split()) for entry in entries)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_lists_are_long_and_their_entries_short(name: str) -> None:
    entries = LISTS[name]
    assert len(entries) >= 30
    assert len(set(entries)) == len(entries)
    assert longest(entries) <= (3 if name in THREE_WORDS else 2)


def test_the_words_of_a_stage_occur_nowhere_else() -> None:
    # Else the order of the plot could not be read from a text.
    everywhere = [
        word
        for name, entries in LISTS.items()
        if name != "NAMES"
        for entry in entries
        for word in entry.split()
    ]
    for stage in STAGES:
        assert [word for word in LISTS[stage] if everywhere.count(word) > 1] == []


def words_and_choices(written: Template) -> list[int | None]:
    """For each word at a slot's longest: which free choice it comes from, or None."""
    words: list[int | None] = []
    for place, literal in enumerate(written.literals):
        words += [None for word in literal.replace("'s", " ").split() if word.strip(',.;:?"')]
        if place == len(written.slots):
            break
        with_article, slot = written.slots[place]
        words += [None] * with_article
        if slot in PREMISE_WORDS:
            words += [None] * PREMISE_WORDS[slot]
        elif slot in ("adj", "noun"):
            words.append(place)
        else:
            entries = LISTS[DRAWN_ONCE[slot]] if slot in DRAWN_ONCE else lexicon.SLOTS[slot]
            words += [place] * longest(entries)
    return words


@pytest.mark.parametrize(("span", "least"), [(5, 2), (7, 3)])
@pytest.mark.parametrize("group", sorted(GROUPS))
def test_words_in_a_row_cross_free_choices(group: str, span: int, least: int) -> None:
    for written in GROUPS[group]:
        words = words_and_choices(written)
        for start in range(len(words) - span + 1):
            choices = set(words[start : start + span]) - {None}
            assert len(choices) >= least, (written, start)


# Sentences that follow a connective or a joint, and so must not start with set words themselves.
JOINED = {
    "ARRIVALS",
    "WANTS",
    "BLOCKS",
    "TRIES",
    "FINDS",
    "CONFLICT_FINDS",
    "REVERSAL_FINDS",
    "SETTLEMENTS",
    "SCENES",
}


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_sentences_start_and_end_near_a_free_choice(group: str) -> None:
    for written in GROUPS[group]:
        free = [choice is not None for choice in words_and_choices(written)]
        most = 1 if group in JOINED else 2
        assert any(free[: most + 1]) and any(free[-most - 1 :]), written


def test_every_slot_can_be_filled(slots: Slots) -> None:
    for group in GROUPS.values():
        for written in group:
            sentence = written.fill(slots.word_for)
            assert "{" not in sentence and "  " not in sentence
            assert sentence.rstrip('"')[-1] in ".?"


def test_articles_fit_the_word_that_follows() -> None:
    written = templates.template("{a:one} and {a:two}.")
    assert written.fill({"one": "oyster", "two": "box"}.__getitem__) == "an oyster and a box."


def test_sentences_get_their_capitals() -> None:
    assert templates.capitalised("then it rained.") == "Then it rained."
    assert templates.capitalised('"yes," he said. "no."') == '"Yes," he said. "No."'
    assert templates.capitalised('"who?" said Mara.') == '"Who?" said Mara.'
