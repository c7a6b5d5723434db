"""What human annotations add to the judges: confirmations, removals, and the human story."""

from collections import Counter
from collections.abc import Sequence

from audits.protocol.replayed_items import ReplayedItem
from storyaudit.findings import Finding, Unchecked, counted, evidence
from storyaudit.phrasing import k_of_n, percent
from storyaudit.protocol.gold import CANDIDATES_PER_ITEM
from storyaudit.protocol.human_decisions import read_decision
from storyaudit.stats.proportion import proportion
from storyaudit.vocabulary import BY_CONFIRMATION, BY_RANKING, HUMAN_FIRST, UNSURE

CHANCE = 1 / CANDIDATES_PER_ITEM
"""How often a story drawn at random is the one that is first."""


def annotation_findings(
    cases: Sequence[ReplayedItem], *, confidence: float
) -> list[Finding | Unchecked]:
    """Return how often annotators kept the judges' first, removed items, and agree with judges.

    Args:
        cases: every item replayed on human annotations.
        confidence: of every interval.
    """
    return [
        check(cases, confidence)
        for check in (_confirmations, _rankings, _removed, _judges_on_human_stories)
    ]


def _of(cases: Sequence[ReplayedItem], route: str) -> list[ReplayedItem]:
    return [case for case in cases if case.gold is not None and case.gold.route == route]


def _confirmations(cases: Sequence[ReplayedItem], confidence: float) -> Finding | Unchecked:
    verdicts = Counter(
        read_decision(case.item.annotations).verdict for case in _of(cases, BY_CONFIRMATION)
    )
    items = verdicts.total()
    if not items:
        return Unchecked(
            id="confirmations",
            check="how often annotators confirm the judges' first place",
            reason="no item of the annotation route 'confirmation' can be replayed",
        )
    found = {
        name: proportion(verdicts[name], items, confidence)
        for name in ("confirmed", UNSURE, "rejected")
    }
    shown = {name: k_of_n(part, confidence) for name, part in found.items()}
    return Finding(
        id="confirmations",
        severity="note",
        statement=f"Asked to confirm the judges' first place, annotators confirmed it in "
        f"{shown['confirmed']} items. They were unsure, which keeps it, in {shown[UNSURE]}. They "
        f"rejected it in {shown['rejected']}. Wilson intervals over items. Annotators "
        "saw the judges' first place: a confirmation is no independent ranking.",
        numbers={
            **{k: v for name, part in found.items() for k, v in part.numbers(name).items()},
            "confidence": confidence,
        },
    )


def _rankings(cases: Sequence[ReplayedItem], confidence: float) -> Finding | Unchecked:
    """Return how often annotators who ranked all stories put the judges' first story first.

    An item whose judges tie for the first place is left out.
    """
    ranked = [
        case
        for case in _of(cases, BY_RANKING)
        if case.scores is not None and len(case.scores.first) == 1
    ]
    if not ranked:
        return Unchecked(
            id="rankings",
            check="how often annotators who rank all stories put the judges' first story first",
            reason="no annotated ranking of an item with one first place by the judges "
            "can be replayed",
        )
    same = sum(
        case.scores is not None
        and case.gold is not None
        and case.gold.chosen == case.scores.first[0]
        for case in ranked
    )
    found = proportion(same, len(ranked), confidence)
    return Finding(
        id="rankings",
        severity="note",
        statement=f"Where annotators rank all stories, their first is the judges' first in "
        f"{k_of_n(found, confidence)} items, {percent(CHANCE)} expected by chance. Wilson interval "
        f"over items.",
        numbers={**found.numbers("same"), "confidence": confidence},
    )


def _removed(cases: Sequence[ReplayedItem], confidence: float) -> Finding | Unchecked:
    drawn = _of(cases, HUMAN_FIRST)
    if not drawn:
        return Unchecked(
            id="removed-as-unsure",
            check="proportion of Human–LLM items removed as unsure",
            reason="no Human–LLM item can be replayed",
        )
    removed = sum(case.gold is not None and case.gold.chosen is None for case in drawn)
    found = proportion(removed, len(drawn), confidence)
    return Finding(
        id="removed-as-unsure",
        severity="note",
        statement=f"Removed because an annotator was unsure that the human story is the best: "
        f"{k_of_n(found, confidence)} Human–LLM items. Wilson interval over items. Accuracies on "
        "the benchmark do not cover the removed items.",
        numbers={**found.numbers("removed"), "confidence": confidence},
    )


def _judges_on_human_stories(
    cases: Sequence[ReplayedItem], confidence: float
) -> Finding | Unchecked:
    kept: list[bool] = []
    removed: list[bool] = []
    tied = 0
    for case in _of(cases, HUMAN_FIRST):
        if case.scores is None or not case.item.humans <= set(case.scores.stories):
            continue
        first = case.scores.first
        tied += len(first) > 1 and bool(case.item.humans & set(first))
        group = removed if case.gold is not None and case.gold.chosen is None else kept
        group.append(len(first) == 1 and first[0] in case.item.humans)
    everything = [*kept, *removed]
    if not everything:
        return Unchecked(
            id="judges-on-human-stories",
            check="how often the judges' scores alone put the human story first",
            reason="no Human–LLM item whose human story the judges scored can be replayed",
        )
    overall = proportion(sum(everything), len(everything), confidence)
    rows = [
        {"items": name, **proportion(sum(group), len(group), confidence).numbers("human_first")}
        for name, group in (("kept", kept), ("removed as unsure", removed))
    ]
    return Finding(
        id="judges-on-human-stories",
        severity="note",
        statement=f"The judges' mean overall score puts the human story alone in first place in "
        f"{k_of_n(overall, confidence)} Human–LLM items, {percent(CHANCE)} expected by chance. "
        f"It ties for first place in {counted(tied, 'further item')}. Wilson interval over items.",
        numbers={**overall.numbers("human_first"), "tied": tied, "confidence": confidence},
        evidence=evidence(rows),
    )
