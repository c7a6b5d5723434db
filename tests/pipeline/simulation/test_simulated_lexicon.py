"""What makes two English stories differ: long lists, short entries, slots close together."""

import math

import pytest

from pipeline.simulation.english import lexicon, templates
from pipeline.simulation.english.language import capitalised
from pipeline.simulation.sentence_templates import Template, template
from pipeline.simulation.simulated_language import Language
from pipeline.simulation.slots import Slots

WORDS = lexicon.WORDS
NAMES = WORDS["women"] + WORDS["men"]
LISTS = WORDS | {"names": NAMES}
THREE_WORDS = {"tic", "cliche", "stock", "stale", "cause", "nonseq"}
STAGES = ("arrive", "want", "block", "try", "find", "settle")
PREMISES = ("CONFLICTS", "REVERSALS")
GROUPS = {
    name: value
    for name, value in vars(templates).items()
    if isinstance(value, tuple) and value and isinstance(value[0], Template)
}
IN_STORIES = sorted(set(GROUPS) - {*PREMISES, "PETS"})
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
DRAWN_ONCE = {"my_tic": "tic", "rival_tic": "tic", "my_habit": "habit", "my_hoard": "hoard"}


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
        if name != "names"
        for entry in entries
        for word in entry.split()
    ]
    for stage in STAGES:
        assert [word for word in LISTS[stage] if everywhere.count(word) > 1] == []


def words_and_choices(written: Template, *, premise: bool = False) -> list[object]:
    """For each word at a slot's longest: which free choice it comes from, or None.

    Of a premise every slot is free: another premise has other people and places.
    """
    words: list[object] = [None for word in written.start.split() if word.strip(',.;:?"')]
    for place, (slot, with_article, literal) in enumerate(written.slots):
        words += [None] * with_article
        if slot in PREMISE_WORDS:
            count = PREMISE_WORDS[slot]
            # A place, object, goal or obstacle is put together of two words.
            words += [(place, part) if premise else None for part in range(count)]
        elif slot in ("adj", "noun"):
            words.append(place)
        else:
            entries = LISTS[DRAWN_ONCE[slot]] if slot in DRAWN_ONCE else WORDS[slot]
            words += [place] * longest(entries)
        words += [None for word in literal.replace("'s", " ").split() if word.strip(',.;:?"')]
    return words


@pytest.mark.parametrize(("span", "least"), [(5, 2), (7, 3)])
@pytest.mark.parametrize("group", IN_STORIES)
def test_words_in_a_row_cross_free_choices(group: str, span: int, least: int) -> None:
    for written in GROUPS[group]:
        words = words_and_choices(written)
        for start in range(len(words) - span + 1):
            choices = set(words[start : start + span]) - {None}
            assert len(choices) >= least, (written, start)


HOW_MANY = {
    "hero": len(NAMES),
    "rival": len(NAMES),
    "place": min(len(WORDS["place_modifier"]), len(WORDS["place_noun"])),
    "object": min(len(WORDS["object_modifier"]), len(WORDS["object_noun"])),
    "goal": min(len(WORDS["goal_verb"]), len(WORDS["estate"])),
    "obstacle": min(len(WORDS["obstacle_modifier"]), len(WORDS["obstacle_noun"])),
    "theme": len(lexicon.THEMES),
}


@pytest.mark.parametrize("group", PREMISES)
def test_premises_overlap_by_a_tenth_once_in_millions(group: str) -> None:
    # A tenth of 31 shingles of five words are four of them: as a rule, eight words in a row.
    for written in GROUPS[group]:
        words = words_and_choices(written, premise=True)
        assert len(words) >= 35
        for start in range(len(words) - 8 + 1):
            choices = set(words[start : start + 8]) - {None}
            slots = [written.slots[c[0] if isinstance(c, tuple) else c][0] for c in choices]
            cases = math.prod(HOW_MANY.get(s) or len(WORDS[s]) for s in slots)
            assert cases >= 2_000_000, (written, start)


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


@pytest.mark.parametrize("group", IN_STORIES)
def test_sentences_start_and_end_near_a_free_choice(group: str) -> None:
    for written in GROUPS[group]:
        free = [choice is not None for choice in words_and_choices(written)]
        most = 1 if group in JOINED else 2
        assert any(free[: most + 1]) and any(free[-most - 1 :]), written


def test_every_slot_of_every_language_can_be_filled(slots: Slots, language: Language) -> None:
    groups = {name: value for name, value in vars(language.grammar).items() if name in GROUPS}
    assert groups.keys() == GROUPS.keys()
    for group in groups.values():
        for written in group:
            sentence = written.fill(slots.word_for)
            assert "{" not in sentence and "  " not in sentence
            assert sentence.rstrip('"”')[-1] in ".?。！？"


def test_templates_are_cut_at_their_slots() -> None:
    assert template("{one}, {a:two}.") == Template("", (("one", False, ", "), ("two", True, ".")))
    assert template("no slot") == Template("no slot", ())


def test_articles_fit_the_word_that_follows() -> None:
    written = template("{a:one} and {a:two}.")
    assert written.fill({"one": "oyster", "two": "box"}.__getitem__) == "an oyster and a box."


def test_sentences_get_their_capitals() -> None:
    assert capitalised("then it rained.") == "Then it rained."
    assert capitalised('"yes," he said. "no."') == '"Yes," he said. "No."'
    assert capitalised('"who?" said Mara.') == '"Who?" said Mara.'
