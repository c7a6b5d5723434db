"""One item's gold: its chosen story and the dimension that sets it apart."""

from typing import NamedTuple

from storyaudit.errors import InputError
from storyaudit.protocol.dimension import Dimension, distinguishing_dimension
from storyaudit.protocol.human_decisions import Decision, DecisionError, read_decision
from storyaudit.protocol.judge_agreement import tau_average
from storyaudit.protocol.judge_scores import ItemScores
from storyaudit.protocol.protocol_items import Item
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.protocol.ranking import route
from storyaudit.vocabulary import (
    BY_RANKING,
    DIMENSIONS,
    HUMAN_FIRST,
    HUMAN_LLM,
    HUMANS_OF_ORIGIN,
    UNSCORED,
    Route,
)

CANDIDATES_PER_ITEM = 4


class Gold(NamedTuple):
    """An item's gold.

    Attributes:
        chosen: the chosen story; None where an unsure annotator removed the item.
        route: the annotation route; column 'annotation_route' of the benchmark.
        tau_avg: mean tau over pairs of judges.
        dimension: on which the chosen story stands out.
        rule: which decided the dimension.
    """

    chosen: str | None
    route: Route
    tau_avg: float
    dimension: str
    rule: str


def item_gold(item: Item, params: ProtocolParams) -> Gold:
    """Return an item's gold by StoryAlign's protocol (section 2.2, appendices B and C).

    Annotators rank LLM–LLM items whose judges disagree (tau_avg below the threshold) or tie for
    the first place. Of the others they confirm the judges' first; 'unsure' keeps it, and a
    rejection brings a ranking of the annotator's own. In Human–LLM items the human story is first
    if an annotator finds it best; 'unsure' removes the item; tau_avg is that of the three model
    stories.

    Raises:
        InputError: not four different candidates, scores or decisions missing, or decisions that
            contradict the protocol; the message names the item.
    """
    scores = checked_scores(item, params)
    if item.annotations.empty:
        raise refusal(item, "there is no human annotation")
    try:
        decision = read_decision(item.annotations)
    except DecisionError as error:
        raise refusal(item, str(error)) from None
    by, tau = item_route(item, scores, params)
    if by == HUMAN_FIRST:
        chosen = _human_first(item, decision)
        if chosen is None:
            return Gold(None, by, tau, UNSCORED, UNSCORED)
    elif by == BY_RANKING:
        chosen = _first_ranked(item, decision)
    else:
        chosen = _confirmed(item, scores.first[0], decision)
    return Gold(chosen, by, tau, *item_dimension(scores, chosen, params))


def item_route(item: Item, scores: ItemScores, params: ProtocolParams) -> tuple[Route, float]:
    """Return an item's annotation route, and its ``tau_avg``."""
    if item.origin == HUMAN_LLM:
        return HUMAN_FIRST, tau_average(scores.only(set(item.stories) - item.humans).overall)
    return route(scores.overall, tau_threshold=params.tau_threshold)


def item_dimension(scores: ItemScores, chosen: str, params: ProtocolParams) -> Dimension:
    """Return the dimension of an item and the rule that decided it; both 'unscored' where no
    judge scored the chosen story."""
    if chosen not in scores.stories:
        return Dimension(UNSCORED, UNSCORED)
    index = scores.stories.index(chosen)
    others = [i for i in range(len(scores.stories)) if i != index]
    means = scores.dimensions
    return distinguishing_dimension(
        means[:, index],
        means[:, others],
        DIMENSIONS,
        tolerance=params.tie_tolerance,
        priority=params.priority,
    )


def checked_scores(item: Item, params: ProtocolParams) -> ItemScores:
    """Return the scores by which an item is ranked.

    Raises:
        InputError: not four different candidates, not one human story in a Human–LLM item or one
            in another, or scores missing.
    """
    candidates = set(item.stories)
    if len(item.stories) != CANDIDATES_PER_ITEM or len(candidates) != CANDIDATES_PER_ITEM:
        raise refusal(
            item,
            f"expected {CANDIDATES_PER_ITEM} different candidates, found {len(item.stories)}, "
            f"{len(candidates)} of them different",
        )
    humans = HUMANS_OF_ORIGIN.get(item.origin, 0)
    if len(item.humans) != humans:
        raise refusal(
            item,
            f"expected {humans} human {'story' if humans == 1 else 'stories'} in an item of "
            f"origin '{item.origin}', found {len(item.humans)}",
        )
    needed = candidates if params.judge_human_story else candidates - item.humans
    scores = item.scores
    if scores is None or not needed <= set(scores.stories):
        missing = sorted(needed - set(scores.stories if scores else ()))
        raise refusal(item, f"the candidate {missing[0]} has no scores")
    if not set(scores.stories) <= candidates:
        orphan = min(set(scores.stories) - candidates)
        raise refusal(item, f"story {orphan}, which is no candidate, has scores")
    if len(scores.judges) < params.minimum_judges:
        raise refusal(
            item,
            f"expected complete scores by {params.minimum_judges} judges "
            f"(protocol.minimum_judges), found {len(scores.judges)}"
            + (f"; incomplete: {', '.join(scores.left_out)}" if scores.left_out else ""),
            "Complete their scores on every dimension and overall, or ask for fewer judges.",
        )
    return scores


def _human_first(item: Item, decision: Decision) -> str | None:
    if decision.verdict not in ("best", "unsure") or decision.story not in item.humans:
        raise refusal(item, "expected an annotator who finds the human story best, or is unsure")
    return decision.story if decision.verdict == "best" else None


def _first_ranked(item: Item, decision: Decision) -> str:
    if set(decision.ranking) != set(item.stories):
        raise refusal(item, "expected one ranking of its four candidates by the numbers 1 to 4")
    return decision.ranking[0]


def _confirmed(item: Item, first: str, decision: Decision) -> str:
    if decision.verdict not in ("confirmed", "rejected", "unsure") or decision.story != first:
        raise refusal(item, f"expected one confirmation of story {first}, the judges' first")
    return _first_ranked(item, decision) if decision.verdict == "rejected" else first


def refusal(
    item: Item,
    problem: str,
    remedy: str = "Correct its rows: a benchmark must not be built on them.",
) -> InputError:
    """Return the error that says why an item has no gold."""
    return InputError(f"item {item.item_id}: {problem}.", remedy)
