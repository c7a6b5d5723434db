"""What people's decisions add to the judges': confirmations, removals, and the human story."""

from collections import Counter
from collections.abc import Sequence

from audits.protocol.replayed_items import Case
from storyaudit.findings import Finding, Unchecked, evidence
from storyaudit.phrasing import count_of
from storyaudit.protocol.human_decisions import read_decision
from storyaudit.stats.proportion import proportion
from storyaudit.vocabulary import BY_CONFIRMATION, BY_RANKING, HUMAN_FIRST, UNSURE


def people_findings(cases: Sequence[Case], *, confidence: float) -> list[Finding | Unchecked]:
    """Return how often people kept the judges' first, removed items, and what judges would say.

    Args:
        cases: every item replayed on people's decisions.
        confidence: of every interval.
    """
    return [
        check(cases, confidence)
        for check in (_confirmations, _rankings, _removed, _judges_on_human_stories)
    ]


def _of(cases: Sequence[Case], protocol: str) -> list[Case]:
    return [case for case in cases if case.gold is not None and case.gold.protocol == protocol]


def _confirmations(cases: Sequence[Case], confidence: float) -> Finding | Unchecked:
    verdicts = Counter(
        read_decision(case.item.annotations).verdict for case in _of(cases, BY_CONFIRMATION)
    )
    items = verdicts.total()
    if not items:
        return Unchecked(
            id="confirmations",
            check="how often people confirm the judges' ranking",
            reason="no item that people were to confirm can be replayed",
        )
    shares = {
        name: proportion(verdicts[name], items, confidence)
        for name in ("confirmed", UNSURE, "rejected")
    }
    return Finding(
        id="confirmations",
        severity="note",
        statement=f"Of {items} items that people were to confirm, the judges' first is the chosen "
        f"story unless rejected: confirmed {count_of(shares['confirmed'])}, unsure and so kept "
        f"{count_of(shares[UNSURE])}, rejected {count_of(shares['rejected'])} (Wilson intervals "
        "over items). A person who sees a ranking and confirms it has not ranked the stories.",
        numbers={
            **{k: v for name, s in shares.items() for k, v in s.numbers(name).items()},
            "confidence": confidence,
        },
    )


def _rankings(cases: Sequence[Case], confidence: float) -> Finding | Unchecked:
    """Return how often people who ranked without the judges' ranking put the judges' first first.

    An item whose judges tie for the first place says nothing and is left out.
    """
    ranked = [
        case
        for case in _of(cases, BY_RANKING)
        if case.scores is not None and len(case.scores.first) == 1
    ]
    if not ranked:
        return Unchecked(
            id="rankings",
            check="how often people who rank all stories put the judges' first first",
            reason="no item that people ranked, and whose judges have one first, can be replayed",
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
        statement=f"Where the judges disagree and people rank, the people's first is the judges' "
        f"first in {count_of(found)} (Wilson interval over items; 25% by chance).",
        numbers={**found.numbers("same"), "confidence": confidence},
    )


def _removed(cases: Sequence[Case], confidence: float) -> Finding | Unchecked:
    drawn = _of(cases, HUMAN_FIRST)
    if not drawn:
        return Unchecked(
            id="removed-as-unsure",
            check="how many Human–LLM items were removed as unsure",
            reason="no Human–LLM item can be replayed",
        )
    removed = sum(case.gold is not None and case.gold.chosen is None for case in drawn)
    found = proportion(removed, len(drawn), confidence)
    return Finding(
        id="removed-as-unsure",
        severity="note",
        statement=f"Of the Human–LLM items {count_of(found)} were removed because a person was "
        "unsure that the human story is best (Wilson interval over items). The others are those "
        "in which the rule 'the human story is first' met no doubt: accuracies on them speak of "
        "no others.",
        numbers={**found.numbers("removed"), "confidence": confidence},
    )


def _judges_on_human_stories(cases: Sequence[Case], confidence: float) -> Finding | Unchecked:
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
            check="how often the judges alone would put the human story first",
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
        statement=f"The judges alone put the human story first in {count_of(overall)} of the "
        f"Human–LLM items (Wilson interval over items; 25% by chance; a further {tied} tie for "
        "the first place): in the others the gold rests on the rule and its verification, "
        "against the judges' scores.",
        numbers={**overall.numbers("human_first"), "tied": tied, "confidence": confidence},
        evidence=evidence(rows),
    )
