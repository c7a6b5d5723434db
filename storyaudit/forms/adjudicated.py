"""One decision an item, adjudicated from those of several annotators by a stated rule."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import pandas as pd

from storyaudit.data.tables import ANNOTATIONS, sort_by_key
from storyaudit.errors import InputError
from storyaudit.forms.questions import BEST, CONFIRMATION
from storyaudit.protocol.human_decisions import Decision, DecisionError, read_decision

MAJORITY = "majority"
MEAN_RANK = "mean-rank"
"""The annotator's name of a decision that several annotators made together."""
OPEN = ("unfinished", "undecided")
"""Outcomes that are no decision."""

Rows = list[tuple[str, str, float]]
"""Kind, story, value."""


class Decided(NamedTuple):
    """One decision an item, and how it came about.

    Attributes:
        annotations: the annotations table with one decision an item, for the protocol.
        how: a row an item: item_id, task, annotators (who decided), agreed (whether they all gave
            the same verdict and first story), ties (neighbours with equal mean ranks), outcome:
            ``one`` (of a single annotator), ``agreed``, ``majority``, ``mean_rank``,
            ``adjudicated``, ``no_majority`` ('unsure', by the protocol), ``undecided`` or
            ``unfinished`` (left out).
    """

    annotations: pd.DataFrame
    how: pd.DataFrame


class _Outcome(NamedTuple):
    rows: Rows
    outcome: str
    ties: int = 0


def decisions(
    annotations: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    adjudicator: str | None = None,
    unfinished: Literal["stop", "leave_out"] = "stop",
) -> Decided:
    """Return one decision an item.

    - The adjudicator's decision, where there is one, is the item's.
    - Rankings are put together by mean rank (Borda 1781). Equal means are parted by the number of
      first places, then of second ones and so on; below the first place then by story ID, which
      is arbitrary and counted as a tie. A tie for the first place is undecided.
    - A confirmation, a rejection or 'unsure' needs more than half of the annotators; without that
      the item is 'unsure', which keeps the judges' ranking. After a rejection the mean rank of
      those who rejected decides; it is undecided if that puts the rejected story first.
    - The human story is best if more than half of the annotators named it; otherwise the item is
      'unsure', which removes it, also where another story was named.

    Args:
        annotations: each annotator's decisions; they stay as they are, for the audit of agreement.
        questions: item_id, task, annotator, asked; see ``storyaudit.forms.key.asked_questions``.
        adjudicator: the annotator who settles what the others disagree on.
        unfinished: whether items that an annotator has not finished, or that stay undecided, stop
            with an error that lists them, or are left out (``how`` has them).

    Raises:
        InputError: an adjudicator who was asked nothing, an item asked in two ways, annotations
            that are no decision or about an item that was not asked, and see ``unfinished``.
    """
    if adjudicator is not None and adjudicator not in set(questions["annotator"]):
        raise InputError(
            f"the keys hold no annotation form of the adjudicator '{adjudicator}'.",
            "Check the name, and give the key of that form too.",
        )
    by_item = dict(list(annotations.groupby("item_id", sort=True)))
    orphans = sorted({str(item) for item in by_item} - set(questions["item_id"]))
    if orphans:
        raise InputError(
            f"item {orphans[0]} has a decision and is on no form of the keys ({len(orphans)} such "
            f"items).",
            "Give the keys of all annotation forms.",
        )
    rows: list[tuple[str, str, str, str, float]] = []
    how: list[tuple[str, str, int, bool, int, str]] = []
    for item, asked in questions.groupby("item_id", sort=True):
        tasks = sorted({str(task) for task in asked["task"]})
        if len(tasks) > 1:
            raise InputError(
                f"item {item} was asked as {' and as '.join(tasks)}.",
                "Give the keys of one of them.",
            )
        given = by_item.get(item, annotations.iloc[:0])
        answers = {str(name): _read(part, str(item)) for name, part in given.groupby("annotator")}
        story = asked["asked"].dropna().min() if asked["asked"].notna().any() else None
        by, result = _settle(
            str(item), tasks[0], story, set(asked["annotator"]), answers, adjudicator
        )
        agreed = len({_verdict(decision) for decision in answers.values()}) <= 1
        rows += [(str(item), by, *row) for row in result.rows]
        how.append((str(item), tasks[0], len(answers), agreed, result.ties, result.outcome))
    outcomes = pd.DataFrame(
        how, columns=["item_id", "task", "annotators", "agreed", "ties", "outcome"]
    )
    if unfinished == "stop":
        _refuse_open(outcomes)
    decided = pd.DataFrame(rows, columns=["item_id", "annotator", "kind", "story_id", "value"])
    return Decided(sort_by_key(decided, ANNOTATIONS), outcomes)


def open_items(unfinished: pd.DataFrame, how: pd.DataFrame) -> pd.DataFrame:
    """Return what is left to do: unfinished items, and those that an adjudicator has to settle.

    Args:
        unfinished: see ``storyaudit.forms.answers.Answers``.
        how: see ``Decided``.

    Returns:
        item_id, task, reason ('unfinished', 'disagreement'), annotator, file, number, cells.
    """
    split = how.loc[~how["agreed"] & (how["outcome"] != "adjudicated"), ["item_id", "task"]]
    rows = pd.concat(
        [unfinished.assign(reason="unfinished"), split.assign(reason="disagreement")],
        ignore_index=True,
    )
    return rows[["item_id", "task", "reason", "annotator", "file", "number", "cells"]].astype(
        {"number": "Int64"}
    )


def mean_rank_order(rankings: Sequence[Sequence[str]]) -> tuple[list[str], list[bool]]:
    """Return the stories by mean rank, and for each but the last whether it ties with the next.

    A tie is an equal mean rank and as many first, second, … places; story IDs part it.

    Args:
        rankings: of the same stories, best first.
    """
    stories = sorted(rankings[0])
    ranks = {story: sorted(ranking.index(story) for ranking in rankings) for story in stories}
    by = {story: (sum(ranks[story]), ranks[story]) for story in stories}
    order = sorted(stories, key=lambda story: (by[story], story))
    return order, [by[one] == by[other] for one, other in pairwise(order)]


def _settle(
    item: str,
    task: str,
    asked: str | None,
    annotators: set[str],
    answers: dict[str, Decision],
    adjudicator: str | None,
) -> tuple[str, _Outcome]:
    """Return who decided an item, and how."""
    if adjudicator is not None and adjudicator in answers:
        result = _together(item, task, asked, [answers[adjudicator]])
        return adjudicator, result._replace(outcome="adjudicated")
    if not answers or annotators - {adjudicator} - set(answers):
        return "", _Outcome([], "unfinished")
    result = _together(item, task, asked, [answers[name] for name in sorted(answers)])
    if len(answers) == 1:
        return min(answers), result._replace(outcome="one")
    return (MAJORITY if task in (CONFIRMATION, BEST) else MEAN_RANK), result


def _together(item: str, task: str, asked: str | None, decisions: Sequence[Decision]) -> _Outcome:
    """Return the decision of one or several annotators on an item."""
    for decision in decisions:
        if not _answers(decision, task, asked):
            raise InputError(
                f"item {item}: expected an answer to the task '{task}', found another.",
                "Give the annotations that were read with these keys.",
            )
    if task == BEST:
        return _best(str(asked), decisions)
    if task == CONFIRMATION:
        return _confirmed(str(asked), decisions)
    if len({frozenset(decision.ranking) for decision in decisions}) > 1:
        raise InputError(
            f"item {item}: annotators ranked different stories.", "Correct the annotations."
        )
    return _ranked([decision.ranking for decision in decisions])


def _answers(decision: Decision, task: str, asked: str | None) -> bool:
    if task == BEST:
        return decision.verdict in ("best", "unsure")
    if task == CONFIRMATION:
        ranked = decision.verdict != "rejected" or bool(decision.ranking)
        return decision.verdict not in (None, "best") and decision.story == asked and ranked
    return decision.verdict is None


def _best(asked: str, decisions: Sequence[Decision]) -> _Outcome:
    votes = Counter(d.story if d.verdict == "best" else None for d in decisions)
    _, most = votes.most_common(1)[0]
    kind = "best" if 2 * votes[asked] > len(decisions) else "unsure"
    return _Outcome([(kind, asked, 1.0)], _how(most, decisions, agreed=len(votes) == 1))


def _confirmed(asked: str, decisions: Sequence[Decision]) -> _Outcome:
    votes = Counter(decision.verdict for decision in decisions)
    verdict, most = votes.most_common(1)[0]
    how = _how(most, decisions, agreed=len(votes) == 1)
    if how == "no_majority" or verdict == "unsure":
        return _Outcome([("unsure", asked, 1.0)], how)
    if verdict == "confirmed":
        return _Outcome([("confirmation", asked, 1.0)], how)
    ranked = _ranked([d.ranking for d in decisions if d.verdict == "rejected"])
    if not ranked.rows or ranked.rows[0][1] == asked:
        return _Outcome([], "undecided", ranked.ties)
    return _Outcome([("confirmation", asked, 0.0), *ranked.rows], how, ranked.ties)


def _how(most: int, decisions: Sequence[Decision], *, agreed: bool) -> str:
    if agreed:
        return "agreed"
    return "majority" if 2 * most > len(decisions) else "no_majority"


def _ranked(rankings: Sequence[Sequence[str]]) -> _Outcome:
    order, ties = mean_rank_order(rankings)
    if ties[0]:
        return _Outcome([], "undecided", sum(ties))
    same = len({tuple(ranking) for ranking in rankings}) == 1
    rows = [("ranking", story, float(rank)) for rank, story in enumerate(order, start=1)]
    return _Outcome(rows, "agreed" if same else "mean_rank", sum(ties))


def _read(rows: pd.DataFrame, item: str) -> Decision:
    try:
        return read_decision(rows)
    except DecisionError as error:
        annotator = rows["annotator"].iloc[0]
        raise InputError(
            f"item {item}, annotator {annotator}: {error}.", "Correct the annotations."
        ) from None


def _verdict(decision: Decision) -> tuple[object, ...]:
    """Return what annotators must share to agree: verdict, its story, story ranked first."""
    return (decision.verdict, decision.story, decision.ranking[:1])


def _refuse_open(how: pd.DataFrame) -> None:
    left = how.loc[how["outcome"].isin(OPEN)]
    if left.empty:
        return
    listed = ", ".join(f"{row.item_id} ({row.outcome})" for row in left.head(10).itertuples())
    raise InputError(
        f"{len(left)} of {len(how)} items are not decided: {listed}"
        + (" …." if len(left) > 10 else "."),
        "Have them finished or adjudicated, or leave them out.",
    )
