"""The human annotations of one item, read as a decision."""

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from storyaudit.vocabulary import BEST, CONFIRMATION, RANKING, UNSURE

Verdict = Literal["confirmed", "rejected", "best", "unsure"]


class DecisionError(ValueError):
    """Annotations of an item that are no decision: missing, contradictory, or no ranking."""


@dataclass(frozen=True)
class Decision:
    """What the annotators of one item decided.

    Attributes:
        ranking: the stories, best first; empty without a ranking.
        verdict: on one story: 'confirmed' or 'rejected' as first, 'best', or 'unsure'.
        story: that story.
    """

    ranking: tuple[str, ...] = ()
    verdict: Verdict | None = None
    story: str | None = None


def read_decision(rows: pd.DataFrame) -> Decision:
    """Return the decision that one item's annotations state.

    Args:
        rows: the item's rows of the annotations table.

    Raises:
        DecisionError: rows by several annotators; a ranking that contradicts the verdict; ranks
            that are not 1, 2, …; more than one verdict; an unknown kind or value.
    """
    annotators = sorted(set(rows["annotator"].dropna()))
    if len(annotators) > 1:
        raise DecisionError(
            f"expected one annotator's decision, found those of {len(annotators)} "
            f"({', '.join(annotators[:3])}{', …' if len(annotators) > 3 else ''}); adjudicate them"
        )
    decided = list(zip(rows["kind"], rows["story_id"], rows["value"], strict=True))
    ranks = sorted((value, str(story)) for kind, story, value in decided if kind == RANKING)
    ranking = tuple(story for _, story in ranks)
    in_sequence = [value for value, _ in ranks] == list(range(1, len(ranks) + 1))
    if not in_sequence or len(set(ranking)) < len(ranking):
        raise DecisionError(
            "expected a ranking of different stories by 1, 2, … without ties or gaps"
        )
    verdicts = [row for row in decided if row[0] != RANKING]
    if not verdicts:
        return Decision(ranking)
    if len(verdicts) > 1:
        raise DecisionError(f"expected one confirmation, 'best' or 'unsure', found {len(verdicts)}")
    kind, story, value = verdicts[0]
    verdict = _VERDICTS.get((str(kind), float(value)))
    if verdict is None:
        raise DecisionError(
            f"expected 'confirmation' of 1 or 0, 'best' or 'unsure' of 1, found {kind} {value:g}"
        )
    contradicted = verdict != "unsure" and (verdict == "rejected") == (ranking[:1] == (str(story),))
    if ranking and contradicted:
        raise DecisionError(
            f"the ranking contradicts the verdict: {story} is '{verdict}', and {ranking[0]} first"
        )
    return Decision(ranking, verdict, str(story))


_VERDICTS: dict[tuple[str, float], Verdict] = {
    (CONFIRMATION, 1.0): "confirmed",
    (CONFIRMATION, 0.0): "rejected",
    (BEST, 1.0): "best",
    (UNSURE, 1.0): "unsure",
}
