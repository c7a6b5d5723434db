"""Premise back-generation: a premise inferred from two people's stories (StoryAlign, section 3.1).

The story that had more readers is the chosen one.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.pairing.filters import Filter, text_key
from pipeline.pairing.gathering import gather
from pipeline.pairing.pair import Pair, Story, inferred_premise, stories_of
from pipeline.pairing.pair_method import Making, PairMethod
from pipeline.pairing.writers import Couple
from storyaudit.vocabulary import BACK_GENERATION, HUMAN, USE_TRAINING


def couples(
    stories: pd.DataFrame, keep: Filter, rng: np.random.Generator, *, least_readership: int
) -> Iterator[tuple[Story, Story]]:
    """Yield couples of stories of one genre or one column, the more read one first.

    Both are of one source and language, as readers of two platforms cannot be compared. Each story
    stands in one couple at most; its partner is drawn from all that are left.
    """
    known = _with_readership(stories)
    for _ in range(int((known["readership"] < least_readership).sum())):
        keep.drop(BACK_GENERATION, "few_readers")
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
        alike = ((genre == genre[one]) & (genre[one] >= 0)) | (
            (column == column[one]) & (column[one] >= 0)
        )
        partners = np.flatnonzero(free & (place == place[one]) & alike)
        for other in rng.permutation(partners).tolist():
            if readers[one] == readers[other]:
                keep.drop(BACK_GENERATION, "equal_readership")
                continue
            left, right = texts[one], texts[other]
            if keep.lets_through(BACK_GENERATION, left.text, right.text):
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


def _shown(couple: tuple[Story, Story], swap: bool) -> Couple:
    first, second = couple[::-1] if swap else couple
    return Couple((first.story_id, second.story_id), (first.text, second.text), couple[0].language)


class BackGeneration(PairMethod):
    """A premise inferred from two people's stories, the more read one chosen."""

    name = BACK_GENERATION

    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return pairs of people's stories of use 'training' that have no premise, but readers.

        Raises:
            InputError: too few couples.
        """
        keep, makers = making.keep, making.makers
        # Two streams: how many couples are looked at must not move the order of those shown.
        order_rng, couples_rng = rng.spawn(2)

        def inferred(batch: list[tuple[Story, Story]]) -> list[Pair]:
            shown = [_shown(couple, bool(order_rng.integers(2))) for couple in batch]
            pairs = []
            for (chosen, rejected), text in zip(batch, makers.writers.premises(shown), strict=True):
                if text is None or not text_key(text):
                    keep.drop(BACK_GENERATION, "no_premise")
                    continue
                premise = inferred_premise(text, chosen.language)
                pairs.append(Pair(BACK_GENERATION, chosen.source, premise, chosen, rejected))
            return pairs

        least = making.params.least_readership
        return gather(
            couples(making.stories, keep, couples_rng, least_readership=least),
            self.wanted(making),
            inferred,
            once=makers.writers_once,
            parameter=f"pairs.sizes.{BACK_GENERATION}",
        )
