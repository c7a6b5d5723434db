"""What an automatic judge of another make is worth, by who wrote the items' chosen stories."""

from collections.abc import Sequence

import pandas as pd

from audits.experiments.experiment_params import ExperimentsParams
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY
from storyaudit.findings import Finding, Unchecked, left_out, slugs
from storyaudit.phrasing import UNTOLD, count_of, interval, level, points
from storyaudit.results.selection import select
from storyaudit.results.usable_scores import sound_scores
from storyaudit.stats.proportion import Proportion, newcombe_difference_ci, proportion
from storyaudit.vocabulary import HUMAN_LLM, LLM_LLM


def one_judges_scores(
    scores: pd.DataFrame, candidates: Sequence[pd.DataFrame]
) -> tuple[list[Finding], pd.DataFrame, str]:
    """Return findings on an external judge's table, and its rows that can be used.

    Args:
        scores: the judge's table; it may have no rows.
        candidates: every table of candidates that it may score.

    Returns:
        Findings; sound rows of one run, see ``sound_scores``; why there are none, or ''.
    """
    places = pd.concat([table[CANDIDATE_KEY] for table in candidates]).dropna()
    findings, rows = sound_scores(
        scores, places, name="external", rows_of="scores of the external judge"
    )
    runs = len(rows[RUN_KEY].drop_duplicates())
    if runs == 1:
        return findings, rows, ""
    why = (
        f"the scores are of {runs} judges or runs, and one is expected"
        if runs
        else "no external judge scored the stories"
    )
    return findings, rows.iloc[:0], why


def accuracy_findings(
    scores: pd.DataFrame,
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    why: str,
    params: ExperimentsParams,
) -> list[Finding | Unchecked]:
    """Return the external judge's accuracy by origin, and how its accuracies differ.

    An item is right if the chosen story alone has the highest score. Items without a score for
    every candidate are left out. Origins have different items, so that their accuracies are
    compared as independent shares (Newcombe 1998, method 10).

    Args:
        scores: sound rows of one judge.
        benchmark: the benchmark table.
        candidates: the candidates table.
        why: there are no scores, or ''.
        params: confidence.
    """
    items = _items(scores, benchmark, candidates)
    if items.empty:
        return [
            Unchecked(
                id="external-accuracy",
                check="how often an external judge prefers the chosen story",
                reason=why or "no item has its score for every candidate",
            )
        ]
    lacking = ~benchmark["item_id"].isin(items["item_id"])
    origins: list[str] = sorted(items["origin"].unique())
    shares = {}
    for origin in origins:
        right = items.loc[items["origin"] == origin, "correct"]
        shares[origin] = proportion(int(right.sum()), len(right), params.confidence)
    return [
        *(
            _of_origin(origin, shares[origin], items, name, params)
            for origin, name in zip(origins, slugs(origins), strict=True)
        ),
        *_by_origin(shares, params),
        *left_out(
            "external-complete",
            "items lack the external judge's score of a candidate, or one chosen story; they are "
            "left out",
            benchmark.loc[lacking, ["item_id"]].sort_values("item_id"),
            len(benchmark),
            "warn",
        ),
    ]


def _items(scores: pd.DataFrame, benchmark: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the results, and number of candidates, of the items that are scored as a whole."""
    places = candidates[CANDIDATE_KEY].dropna().drop_duplicates()
    gold = benchmark.dropna(subset=["item_id", "origin", "chosen_id"])
    gold = gold.drop_duplicates("item_id", keep=False)
    chosen = gold[["item_id", "chosen_id"]].rename(columns={"chosen_id": "story_id"})
    gold = gold[gold["item_id"].isin(chosen.merge(places, on=CANDIDATE_KEY)["item_id"])]
    places = places[places["item_id"].isin(gold["item_id"])]
    results = select(scores.merge(places, on=CANDIDATE_KEY), places, gold)
    sizes = places["item_id"].value_counts()
    return results[results["missing"] == 0].assign(size=lambda items: items["item_id"].map(sizes))


def _of_origin(
    origin: str, found: Proportion, items: pd.DataFrame, name: str, params: ExperimentsParams
) -> Finding:
    chance = float((1 / items.loc[items["origin"] == origin, "size"]).mean())
    doubtful = found.low is None or found.low <= chance
    return Finding(
        id=f"external-accuracy-{name}",
        severity="warn" if doubtful else "note",
        statement=f"The external judge scores the chosen story highest in {count_of(found)} of the "
        f"{origin} items ({level(params.confidence)} interval by Wilson; chance {chance:.0%})"
        + (
            ": not told to be better than chance, so that its scores say little about such stories."
            if doubtful
            else "."
        ),
        numbers={**found.numbers("right"), "chance": round(chance, 6)},
    )


def _by_origin(
    shares: dict[str, Proportion], params: ExperimentsParams
) -> list[Finding | Unchecked]:
    if not {HUMAN_LLM, LLM_LLM} <= shares.keys():
        return [
            Unchecked(
                id="external-origins",
                check="whether the external judge is as good where a person wrote the chosen story",
                reason=f"it takes items of both origins, {HUMAN_LLM} and {LLM_LLM}",
            )
        ]
    human, models = ((shares[name].value, shares[name].of) for name in (HUMAN_LLM, LLM_LLM))
    found = newcombe_difference_ci(human, models, params.confidence)
    worse = found.high is not None and found.high < 0
    if worse:
        verdict = "it is worse there, and its scores say less about stories like people's."
    elif found.excludes_zero():
        verdict = "it is better there."
    else:
        verdict = f"whether it is worse there {UNTOLD}."
    return [
        Finding(
            id="external-origins",
            severity="warn" if worse else "note",
            statement=f"Where a person wrote the chosen story, the external judge's accuracy "
            f"differs by {points(found.value)} points from that on models' items "
            f"({interval(found, params.confidence)}, unpaired: the items are "
            f"different ones): {verdict}",
            numbers={
                **found.numbers("difference", 6),
                "human_items": shares[HUMAN_LLM].of,
                "model_items": shares[LLM_LLM].of,
            },
        )
    ]
