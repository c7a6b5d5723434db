"""How accurate an external automatic judge is, by the origin of the items."""

from collections.abc import Sequence

import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import conclusion_of
from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY
from storyaudit.findings import Finding, Unchecked, left_out, slugs
from storyaudit.phrasing import estimated, k_of_n, percent, points
from storyaudit.results.selection import select
from storyaudit.results.usable_scores import valid_scores
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
        Findings; valid rows of one run, see ``valid_scores``; why there are none, or ''.
    """
    places = pd.concat([table[CANDIDATE_KEY] for table in candidates]).dropna()
    findings, rows = valid_scores(
        scores, places, name="external", rows_of="scores of the external judge"
    )
    runs = len(rows[RUN_KEY].drop_duplicates())
    if runs == 1:
        return findings, rows, ""
    why = (
        f"the scores are of {runs} judges or runs; one is expected"
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
    compared as independent proportions (Newcombe 1998, method 10).

    Args:
        scores: valid rows of one judge.
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
                check="accuracy of an external judge",
                reason=why or "no item has its score for every candidate",
            )
        ]
    lacking = ~benchmark["item_id"].isin(items["item_id"])
    origins: list[str] = sorted(items["origin"].unique())
    found = {}
    for origin in origins:
        right = items.loc[items["origin"] == origin, "correct"]
        found[origin] = proportion(int(right.sum()), len(right), params.confidence)
    return [
        *(
            _of_origin(origin, found[origin], items, name, params)
            for origin, name in zip(origins, slugs(origins), strict=True)
        ),
        *_by_origin(found, params),
        *left_out(
            "external-complete",
            "items lack the external judge's score of a candidate, or a single chosen story, and "
            "are left out",
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
        statement=f"The external judge scores the chosen story highest on "
        f"{k_of_n(found, params.confidence)} {origin} items (Wilson's interval; chance "
        f"{percent(chance)})." + (" Above-chance accuracy is not shown." if doubtful else ""),
        numbers={**found.numbers("right"), "chance": round(chance, 6)},
    )


def _by_origin(
    by_origin: dict[str, Proportion], params: ExperimentsParams
) -> list[Finding | Unchecked]:
    if not {HUMAN_LLM, LLM_LLM} <= by_origin.keys():
        return [
            Unchecked(
                id="external-origins",
                check="difference of the external judge's accuracy between origins",
                reason=f"it needs items of both origins, {HUMAN_LLM} and {LLM_LLM}",
            )
        ]
    human, models = ((by_origin[name].value, by_origin[name].of) for name in (HUMAN_LLM, LLM_LLM))
    found = newcombe_difference_ci(human, models, params.confidence)
    worse = found.high is not None and found.high < 0
    caution = (
        " The two origins hold different items, so their difficulty may explain the difference."
        if found.excludes_zero()
        else ""
    )
    return [
        Finding(
            id="external-origins",
            severity="warn" if worse else "note",
            statement=f"The external judge's accuracy on {HUMAN_LLM} items minus {LLM_LLM} items: "
            f"{estimated(found, params.confidence, points, unit='points')}, Newcombe's interval "
            f"for different items. {conclusion_of(found, params)}.{caution}",
            numbers={
                **found.numbers("difference", 6),
                "human_items": by_origin[HUMAN_LLM].of,
                "model_items": by_origin[LLM_LLM].of,
            },
        )
    ]
