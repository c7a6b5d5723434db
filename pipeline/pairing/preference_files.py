"""Pairs that others made, from preference files."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.pairing.filters import Filter, text_key
from pipeline.pairing.pair import Pair, Premise, Story
from storyaudit.readers.preferences import Preferences

METHOD = "preference_file"


class Stated(NamedTuple):
    """A preference with the keys of its texts."""

    pair: Pair
    keys: tuple[str, str]


def file_pairs(files: Sequence[Preferences], keep: Filter) -> list[Pair]:
    """Return the pairs of preference files.

    Where one pair prefers a story and another the other one, in one file or in two, both are
    dropped, as nothing says which of them is right.
    """
    stated = [
        Stated(pair, (text_key(pair.chosen.text), text_key(pair.rejected.text)))
        for file in files
        for pair in _pairs_of(file)
    ]
    stated.sort(key=lambda s: (s.pair.premise, s.pair.chosen, s.pair.rejected))
    known = {keys for _, keys in stated}
    pairs = []
    for pair, keys in stated:
        if keys[0] != keys[1] and keys[::-1] in known:
            keep.drop(METHOD, "contradicting")
        elif keep.take(METHOD, pair.chosen.text, pair.rejected.text) and keep.differ(
            METHOD, pair.chosen.text, pair.rejected.text
        ):
            pairs.append(pair)
    return pairs


def _pairs_of(file: Preferences) -> list[Pair]:
    names = ["premise_id", "text", "language", "source", "provenance"]
    premises = {
        row[0]: Premise(*row)
        for row in file.corpus.premises[names].itertuples(index=False, name=None)
    }
    names = ["story_id", "text", "language", "source", "author_kind", "author", "provenance"]
    stories = {
        row[0]: Story(*row) for row in file.corpus.stories[names].itertuples(index=False, name=None)
    }
    return [
        Pair(
            METHOD,
            stories[chosen].source,
            premises[premise],
            stories[chosen],
            stories[rejected],
        )
        for premise, chosen, rejected in file.pairs.itertuples(index=False, name=None)
    ]
