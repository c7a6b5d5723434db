"""Pairs that others made, from preference files."""

from collections.abc import Iterator, Sequence

from pipeline.pairing.pair import Pair, premises_of, stories_of
from pipeline.pairing.pair_filter import PairFilter, text_key
from storyaudit.layouts.preferences import Preferences
from storyaudit.vocabulary import PREFERENCE_FILE


def file_pairs(files: Sequence[Preferences], pair_filter: PairFilter) -> list[Pair]:
    """Return the pairs of preference files.

    Where one pair prefers a story and another the other one, in one file or in two, both are
    dropped, as nothing says which of them is right.
    """
    stated = [pair for file in files for pair in _pairs_of(file)]
    stated.sort(key=lambda pair: (pair.premise, pair.chosen, pair.rejected))
    known = set(map(_keys, stated))
    pairs = []
    for pair in stated:
        chosen, rejected = _keys(pair)
        if chosen != rejected and (rejected, chosen) in known:
            pair_filter.drop(PREFERENCE_FILE, "contradicting")
        elif pair_filter.lets_through(PREFERENCE_FILE, pair.chosen.text, pair.rejected.text):
            pairs.append(pair)
    return pairs


def _keys(pair: Pair) -> tuple[str, str]:
    return text_key(pair.chosen.text), text_key(pair.rejected.text)


def _pairs_of(file: Preferences) -> Iterator[Pair]:
    premises = premises_of(file.corpus.premises)
    stories = {story.story_id: story for story in stories_of(file.corpus.stories)}
    for premise, left, right in file.pairs.itertuples(index=False, name=None):
        chosen, rejected = stories[left], stories[right]
        yield Pair(PREFERENCE_FILE, chosen.source, premises[premise], chosen, rejected)
