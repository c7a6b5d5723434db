"""Premise back-generation: a premise inferred from two people's stories (StoryAlign, section 3.1).

The story that had more readers is the chosen one.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.pairing.pair import Pair, Story, inferred_premise, stories_of
from pipeline.pairing.pair_filter import PairFilter, text_key
from pipeline.pairing.pair_method import Making, PairMethod
from pipeline.pairing.pair_sampling import sample_until
from pipeline.pairing.writers import StoryPair
from storyaudit.vocabulary import BACK_GENERATION, HUMAN, USE_TRAINING


def story_pairs(
    stories: pd.DataFrame,
    pair_filter: PairFilter,
    rng: np.random.Generator,
    *,
    least_readership: int,
) -> Iterator[tuple[Story, Story]]:
    """Yield story pairs of one genre or one column, the more read one first.

    Both are of one source and language, as readers of two platforms cannot be compared. Each story
    stands in one story pair at most; its partner is drawn from all that are left.
    """
    known = _with_readership(stories)
    for _ in range(int((known["readership"] < least_readership).sum())):
        pair_filter.drop(BACK_GENERATION, "few_readers")
    read = known[known["readership"] >= least_readership].sort_values("story_id")
    texts = stories_of(read)
    readers = read["readership"].to_numpy()
    place, genre, column = (
        _codes(read, names) for names in (["source", "language"], ["genre"], ["column_id"])
    )
    free = np.ones(len(read), dtype=bool)
    for one in rng.permutation(len(read)).tolist():
        if not free[one]:
            continue
        free[one] = False
        comparable = ((genre == genre[one]) & (genre[one] >= 0)) | (
            (column == column[one]) & (column[one] >= 0)
        )
        partners = np.flatnonzero(free & (place == place[one]) & comparable)
        for other in rng.permutation(partners).tolist():
            if readers[one] == readers[other]:
                pair_filter.drop(BACK_GENERATION, "equal_readership")
                continue
            left, right = texts[one], texts[other]
            if pair_filter.lets_through(BACK_GENERATION, left.text, right.text):
                free[other] = False
                yield (left, right) if readers[one] > readers[other] else (right, left)
                break


def _with_readership(stories: pd.DataFrame) -> pd.DataFrame:
    """Return people's training stories without premise that have a readership."""
    full = stories.reindex(columns=[*stories, *{"genre", "column_id", "readership"} - {*stories}])
    return full[
        (full["use"] == USE_TRAINING)
        & (full["author_kind"] == HUMAN)
        & full["premise_id"].isna()
        & full["readership"].notna()
    ]


def _codes(frame: pd.DataFrame, names: list[str]) -> NDArray[np.int64]:
    """Return a number a distinct row; -1 where a value is missing."""
    codes = frame.groupby(names, dropna=True).ngroup().fillna(-1)
    return np.asarray(codes, dtype=np.int64)


def _shown(story_pair: tuple[Story, Story], swap: bool) -> StoryPair:
    first, second = story_pair[::-1] if swap else story_pair
    return StoryPair(
        (first.story_id, second.story_id), (first.text, second.text), story_pair[0].language
    )


class BackGeneration(PairMethod):
    """A premise inferred from two people's stories, the more read one chosen."""

    name = BACK_GENERATION

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return pairs of people's stories of use 'training' that have no premise, but readers.

        Raises:
            InputError: too few story pairs.
        """
        pair_filter, generators = making.pair_filter, making.generators
        # Two streams: how many story pairs are looked at must not move the order of those shown.
        order_rng, story_pairs_rng = rng.spawn(2)

        def inferred(batch: list[tuple[Story, Story]]) -> list[Pair]:
            shown = [_shown(story_pair, bool(order_rng.integers(2))) for story_pair in batch]
            pairs = []
            for (chosen, rejected), text in zip(
                batch, generators.writers.premises(shown), strict=True
            ):
                if text is None or not text_key(text):
                    pair_filter.drop(BACK_GENERATION, "no_premise")
                    continue
                premise = inferred_premise(text, chosen.language)
                pairs.append(Pair(BACK_GENERATION, chosen.source, premise, chosen, rejected))
            return pairs

        least = making.params.least_readership
        return sample_until(
            story_pairs(making.stories, pair_filter, story_pairs_rng, least_readership=least),
            self.wanted(making),
            inferred,
            once=generators.writers_once,
            parameter=f"pairs.sizes.{BACK_GENERATION}",
        )
