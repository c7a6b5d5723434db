"""What an automatic judge of another make is worth, by who wrote the items' chosen stories."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audits.experiments.params import ExperimentsParams
from audits.experiments.wording import confidence, points
from storyaudit.findings import Finding, Unchecked, evidence, slugs
from storyaudit.selection import RUN
from storyaudit.shares import Share, newcombe, share

KEY = ["item_id", "story_id"]
HUMAN, MODELS = "human_llm", "llm_llm"


def usable_scores(
    scores: pd.DataFrame, candidates: Sequence[pd.DataFrame], command: str
) -> tuple[pd.DataFrame, list[Finding], str]:
    """Return an external judge's rewards by item and story, and findings on rows left out.

    Args:
        scores: the judge's table; it may have no rows.
        candidates: every table of candidates that it may score.
        command: shows the findings again.

    Returns:
        Rows of KEY and reward, finite ones only; findings; and why there are none, or ''.
    """
    runs = scores[RUN].drop_duplicates()
    if len(runs) != 1:
        why = (
            "no external judge scored the stories"
            if scores.empty
            else (f"the scores are of {len(runs)} judges or runs, and one is expected")
        )
        return scores[[*KEY, "reward"]].iloc[:0], [], why
    places = pd.concat([table[KEY] for table in candidates]).dropna().drop_duplicates()
    known = pd.MultiIndex.from_frame(scores[KEY]).isin(pd.MultiIndex.from_frame(places))
    twice = scores.duplicated(KEY, keep=False)
    findings = [
        Finding(
            id=name,
            severity="fail",
            statement=f"{len(rows)} of {len(scores)} scores of the external judge {problem}; they "
            f"are left out.",
            numbers={"rows": len(rows)},
            evidence=evidence(rows[[*KEY, "reward"]].sort_values(KEY)),
            command=command,
        )
        for name, rows, problem in (
            ("external-known", scores[~known], "are of stories that are no candidates"),
            ("external-once", scores[twice], "score a candidate more than once"),
        )
        if len(rows)
    ]
    finite = np.isfinite(scores["reward"].to_numpy(dtype="float64", na_value=np.nan))
    return scores.loc[known & ~twice & finite, [*KEY, "reward"]], findings, ""


def accuracy_findings(
    scores: pd.DataFrame,
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    params: ExperimentsParams,
    command: str,
) -> list[Finding | Unchecked]:
    """Return the external judge's accuracy by origin, and how its accuracies differ.

    An item is right if the chosen story alone has the highest score. Items without a score for
    every candidate are left out. Origins have different items, so that their accuracies are
    compared as independent shares (Newcombe 1998, method 10).

    Args:
        scores: usable scores.
        benchmark: the benchmark table.
        candidates: the candidates table.
        params: confidence.
        command: shows the findings again.
    """
    items, left_out = _items(scores, benchmark, candidates)
    if items.empty:
        return [
            Unchecked(
                id="external-accuracy",
                check="how often an external judge prefers the chosen story",
                reason="no item has its score for every candidate",
            )
        ]
    origins: list[str] = sorted(items["origin"].unique())
    shares = {}
    for origin in origins:
        right = items.loc[items["origin"] == origin, "correct"]
        shares[origin] = share(int(right.sum()), len(right), params.confidence)
    return [
        *(
            _of_origin(origin, shares[origin], items, name, params, command)
            for origin, name in zip(origins, slugs(origins), strict=True)
        ),
        *_by_origin(shares, params, command),
        *_left_out(left_out, len(items), command),
    ]


def _items(
    scores: pd.DataFrame, benchmark: pd.DataFrame, candidates: pd.DataFrame
) -> tuple[pd.DataFrame, int]:
    """Return origin, number of candidates and outcome of each scored item, and how many are not."""
    gold = benchmark.dropna(subset=["item_id", "origin", "chosen_id"])
    gold = gold.drop_duplicates("item_id", keep=False)[["item_id", "origin", "chosen_id"]]
    places = candidates[KEY].dropna().drop_duplicates().merge(gold, on="item_id")
    rows = places.merge(scores, on=KEY, how="left")
    rows["chosen"] = rows["story_id"] == rows["chosen_id"]
    grouped = rows.groupby("item_id")
    highest = rows["reward"] == grouped["reward"].transform("max")
    alone = highest.groupby(rows["item_id"]).transform("sum") == 1
    rows["right"] = highest & rows["chosen"] & alone
    items = grouped.agg(
        origin=("origin", "first"),
        size=("story_id", "size"),
        scored=("reward", "count"),
        gold=("chosen", "sum"),
        correct=("right", "any"),
    )
    complete = items[(items["scored"] == items["size"]) & (items["gold"] == 1)]
    return complete, len(benchmark) - len(complete)


def _of_origin(
    origin: str,
    found: Share,
    items: pd.DataFrame,
    name: str,
    params: ExperimentsParams,
    command: str,
) -> Finding:
    chance = float((1 / items.loc[items["origin"] == origin, "size"]).mean())
    doubtful = found.low is None or found.low <= chance
    return Finding(
        id=f"external-accuracy-{name}",
        severity="warn" if doubtful else "note",
        statement=f"The external judge scores the chosen story highest in {found} of the {origin} "
        f"items ({confidence(params)} interval by Wilson; chance {chance:.0%})"
        + (
            ": not told to be better than chance, so that its scores say little about such stories."
            if doubtful
            else "."
        ),
        numbers={**found.numbers("right"), "chance": round(chance, 6)},
        command=command,
    )


def _by_origin(
    shares: dict[str, Share], params: ExperimentsParams, command: str
) -> list[Finding | Unchecked]:
    if not {HUMAN, MODELS} <= shares.keys():
        return [
            Unchecked(
                id="external-origins",
                check="whether the external judge is as good where a person wrote the chosen story",
                reason=f"it takes items of both origins, {HUMAN} and {MODELS}",
            )
        ]
    found = newcombe(shares[HUMAN], shares[MODELS])
    worse = found.high is not None and found.high < 0
    if worse:
        verdict = "it is worse there, and its scores say little about stories like people's."
    elif found.excludes_zero():
        verdict = "it is better there."
    else:
        verdict = "whether it is worse there cannot be told from this data."
    ends = [points(end) for end in (found.low, found.high) if end is not None]
    return [
        Finding(
            id="external-origins",
            severity="warn" if worse else "note",
            statement=f"Where a person wrote the chosen story, the external judge's accuracy "
            f"differs by {points(found.value)} points from that on models' items "
            f"({confidence(params)} interval {' to '.join(ends)}, unpaired: the items are "
            f"different ones): {verdict}",
            numbers={
                **found.numbers("difference", 6),
                "human_items": shares[HUMAN].of,
                "model_items": shares[MODELS].of,
            },
            command=command,
        )
    ]


def _left_out(left_out: int, items: int, command: str) -> list[Finding]:
    if not left_out:
        return []
    return [
        Finding(
            id="external-complete",
            severity="warn",
            statement=f"{left_out} of {left_out + items} items lack the external judge's "
            f"score of a candidate, or one chosen story; they are left out.",
            numbers={"left_out": left_out, "items": items},
            command=command,
        )
    ]
