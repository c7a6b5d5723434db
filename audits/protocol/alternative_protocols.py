"""An item's gold under other settings of the protocol, where the annotations determine it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from audits.protocol.replayed_items import ChosenItem
from storyaudit.errors import InputError
from storyaudit.protocol.gold import Gold, checked_scores, item_dimension, item_gold, item_route
from storyaudit.protocol.human_decisions import DecisionError, read_decision
from storyaudit.protocol.judge_scores import ItemScores
from storyaudit.protocol.protocol_items import Item
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import BY_CONFIRMATION, CONFIRMATION


class Outcome(NamedTuple):
    """What a setting makes of an item.

    Attributes:
        gold: None where it is not determinable.
        route: how it gets its chosen story; None where too few judges have scored it.
        first: the judges' first place.
    """

    gold: Gold | None
    route: str | None
    first: list[str]


def under_params(cases: Sequence[ChosenItem], params: ProtocolParams) -> list[Outcome]:
    """Return the golds by the same judgements under another threshold or tie tolerance."""
    return [_under_scores(case, case.scores, params) for case in cases]


def without_judge(cases: Sequence[ChosenItem], judge: str, params: ProtocolParams) -> list[Outcome]:
    """Return the golds that the other judges would have given; two of them must be left."""
    two = params.model_copy(update={"minimum_judges": 2})
    return [_under_scores(case, case.scores.without_judge(judge), two) for case in cases]


def under_variant(
    cases: Sequence[ChosenItem], items: Sequence[Item], params: ProtocolParams
) -> list[Outcome]:
    """Return the golds by the judgements of another prompt variant.

    Args:
        cases: items with a chosen story.
        items: assembled from the other variant's judgements.
        params: with that variant.
    """
    scores = {item.item_id: item.scores for item in items}
    return [_under_scores(case, scores.get(case.item.item_id), params) for case in cases]


def _under_scores(case: ChosenItem, scores: ItemScores | None, params: ProtocolParams) -> Outcome:
    item = replace(case.item, scores=scores)
    try:
        checked = checked_scores(item, params)
    except InputError:
        return Outcome(None, None, [])
    route, tau = item_route(item, checked, params)
    asked_the_same = route == case.gold.route and (
        route != BY_CONFIRMATION or checked.first == case.scores.first
    )
    if asked_the_same:
        dimension = item_dimension(checked, case.chosen, params)
        gold = Gold(case.chosen, route, tau, *dimension)
        return Outcome(gold, route, checked.first)
    return Outcome(decided(item, params), route, checked.first)


def decided(item: Item, params: ProtocolParams) -> Gold | None:
    """Return the gold that an item's annotations give, or None if they do not determine it.

    An annotator who ranked a story first is taken to confirm it where the judges put it first too;
    nothing is taken to follow from a confirmation but the confirmation itself.
    """
    try:
        return item_gold(item, params)
    except InputError:
        pass
    try:
        ranking = read_decision(item.annotations).ranking
        if not ranking:
            return None
        first = item.annotations.iloc[:1].assign(kind=CONFIRMATION, story_id=ranking[0], value=1.0)
        return item_gold(replace(item, annotations=first), params)
    except (DecisionError, InputError):
        return None
