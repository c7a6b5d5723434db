"""Pairs as tables."""

from collections.abc import Sequence

import pandas as pd

from pipeline.pairing.pair import Pair, Story
from pipeline.pairing.pair_filter import measured
from storyaudit.data.tables import PAIR_PREMISES, PAIR_STORIES, PAIRS
from storyaudit.errors import InputError
from storyaudit.runs.stage import PARAMS
from storyaudit.vocabulary import USE_TRAINING


def pairs_table(pairs: Sequence[Pair], splits: Sequence[str], *, prefix: str) -> pd.DataFrame:
    """Return the pairs table; IDs are the prefix and a number in the pairs' order."""
    return pd.DataFrame(
        [
            (
                f"{prefix}{number:06d}",
                pair.method,
                pair.source,
                split,
                pair.premise.premise_id,
                pair.chosen.story_id,
                pair.rejected.story_id,
                pair.chosen.language,
            )
            for number, (pair, split) in enumerate(zip(pairs, splits, strict=True), start=1)
        ],
        columns=PAIRS.names,
    )


def premises_table(
    pairs: Sequence[Pair], known: set[str], provenance: str | None = None
) -> pd.DataFrame:
    """Return the premises of pairs that are not among the corpora's.

    Args:
        pairs: that use them.
        known: IDs of the corpora's premises.
        provenance: of those that no file brought.
    """
    new = {
        premise.premise_id: {
            **premise._asdict(),
            "use": USE_TRAINING,
            "provenance": premise.provenance or provenance,
        }
        for premise in (pair.premise for pair in pairs)
        if premise.premise_id not in known
    }
    return pd.DataFrame(list(new.values()), columns=PAIR_PREMISES.names)


def stories_table(
    pairs: Sequence[Pair], known: set[str], provenance: str | None = None
) -> pd.DataFrame:
    """Return the stories of pairs that are not among the corpora's; see ``premises_table``.

    Raises:
        InputError: a text is given two languages.
    """
    _refuse_two_languages(pairs)
    new = {
        story.story_id: {
            **story._asdict(),
            "premise_id": pair.premise.premise_id,
            "use": USE_TRAINING,
            "words": measured(story.text)[1],
            "provenance": story.provenance or provenance,
        }
        for pair in pairs
        for story in (pair.chosen, pair.rejected)
        if story.story_id not in known
    }
    names = {*Story._fields, "premise_id", "use", "words"}
    columns = [name for name in PAIR_STORIES.names if name in names]
    return pd.DataFrame(list(new.values()), columns=columns)


def _refuse_two_languages(pairs: Sequence[Pair]) -> None:
    languages: dict[str, str] = {}
    for pair in pairs:
        for story in (pair.chosen, pair.rejected):
            first = languages.setdefault(story.story_id, story.language)
            if first != story.language:
                raise InputError(
                    f"pairs.files: the story {story.story_id} is said to be in {first} and in "
                    f"{story.language}.",
                    "Give files that share texts one language.",
                    file=PARAMS,
                )
