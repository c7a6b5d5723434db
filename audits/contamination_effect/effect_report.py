"""The effect of contamination: accuracy on items whose texts models saw, and on the others."""

from collections.abc import Collection
from typing import NamedTuple

import pandas as pd

from audits.contamination_effect.accuracy import (
    adjusted_findings,
    control_findings,
    effect_findings,
)
from audits.contamination_effect.contrasts import Contrasts
from audits.contamination_effect.effect_phrasing import FEW, some, thresholds
from audits.contamination_effect.leaderboard_shift import leaderboard_findings
from audits.contamination_effect.model_answers import Answers, answers
from audits.contamination_effect.rejected_picks import picks_findings
from audits.contamination_effect.seen_items import (
    LEVELS,
    Seen,
    golds,
    groups,
    seen_texts,
)
from storyaudit.data.tables import BENCHMARK, CANDIDATES, OVERLAPS, PAIRS, RESULTS
from storyaudit.findings import Finding, Report, Unchecked, counted, evidence
from storyaudit.overlap.decontamination import drop_overlapping, with_training
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.phrasing import level, points
from storyaudit.results.usable_results import valid_results
from storyaudit.runs.params import Confidence, Params
from storyaudit.vocabulary import TRAIN

AUDIT = "contamination_effect"
EFFECT = "contamination-effect"
CHECK = "the contamination effect on accuracy"
Parts = list[Finding | Unchecked]


class EffectParams(Params):
    """The ``contamination_effect`` section of ``params.yaml``.

    Attributes:
        confidence: of every interval.
    """

    confidence: Confidence = 0.95


class Tables(NamedTuple):
    """What the audit reads; its content need not be valid.

    Attributes:
        overlaps: benchmark texts on the left and training texts on the right count alone.
        pairs: those that models were trained on, with their split.
        candidates: of the benchmark.
        benchmark: with the gold.
        results: of every model.
    """

    overlaps: pd.DataFrame
    pairs: pd.DataFrame
    candidates: pd.DataFrame
    benchmark: pd.DataFrame
    results: pd.DataFrame


READ = (OVERLAPS, PAIRS, CANDIDATES, BENCHMARK, RESULTS)
"""The tables of ``Tables``, in its order."""


def trained_on(tables: Tables, dropped_from: float | None) -> Tables:
    """Return the tables with the pairs that were trained on.

    Args:
        tables: with all pairs.
        dropped_from: containment from which overlapping pairs were left out; None if none were.
    """
    if dropped_from is None:
        return tables
    return tables._replace(pairs=drop_overlapping(tables.pairs, tables.overlaps, dropped_from)[0])


def effect_report(
    tables: Tables,
    overlap: OverlapParams,
    params: EffectParams,
    *,
    trained: Collection[str],
    study: str,
) -> Report:
    """Return how contamination and accuracy go together.

    Args:
        tables: of the study.
        overlap: thresholds of containment.
        params: confidence.
        trained: the variants of the results that were trained on the pairs of split 'train'.
        study: the study's name.
    """
    parts = _parts(tables, overlap, params.confidence, trained)
    return Report.of(parts, study=study, audit=AUDIT)


def _parts(
    tables: Tables, params: OverlapParams, confidence: float, trained: Collection[str]
) -> Parts:
    gold = golds(tables.benchmark)
    gold = gold[gold["item_id"].isin(tables.candidates["item_id"])].reset_index(drop=True)
    if gold.empty:
        return [_unchecked("no item has exactly one gold story and candidates")]
    if not (tables.pairs["split"] == TRAIN).any():
        return [_unchecked(f"the pairs table has no pair of the split '{TRAIN}'")]
    overlaps = with_training(tables.overlaps)
    low = overlaps["containment"].between(0, params.min_containment, inclusive="left")
    seen = seen_texts(overlaps[~low], tables.pairs, tables.candidates, gold)
    parts = [*_unusable(overlaps, seen), *_items(seen, gold, params)]
    if seen.rows.empty:
        return parts
    faults, valid = valid_results(tables.results)
    answered = answers(valid, gold, trained)
    if answered is None:
        return [*parts, *faults, _unchecked("no item has a gold story and an outcome of every run")]
    levels = thresholds(seen.rows["containment"].tolist(), params)
    found = Contrasts.made(answered, seen, levels, confidence)
    if not found.origins:
        return [*parts, *faults, _unchecked("no contaminated item has an outcome of every run")]
    models = answered.of_role("trained")
    parts += [*faults, *_left_out(answered), *_summary(found, models)]
    parts += effect_findings(found, answered.of_role("trained", "unknown"))
    parts += control_findings(found, answered.of_role("control"))
    if models:
        parts += adjusted_findings(found, models)
        parts += picks_findings(valid, answered, seen, tables.candidates, gold, levels, confidence)
    for threshold in levels:
        contaminated = answered.among(seen.items(threshold.least))
        parts += leaderboard_findings(answered, contaminated, threshold, confidence)
    return [*parts, _CONFOUNDED]


_CONFOUNDED = Unchecked(
    id="confounding",
    check="whether contaminated items differ from uncontaminated ones in other respects",
    reason="contamination was not randomised; the accuracy of models trained on no pair shows "
    "some such differences, not all",
)


def _unchecked(reason: str) -> Unchecked:
    return Unchecked(id=EFFECT, check=CHECK, reason=reason)


def _unusable(overlaps: pd.DataFrame, seen: Seen) -> Parts:
    """Return what is to say of overlaps that are left out."""
    parts: Parts = []
    if seen.invalid:
        parts.append(
            Finding(
                id="overlaps-valid",
                severity="fail",
                statement=f"{seen.invalid} of {len(overlaps)} overlaps lack a part of their key, "
                f"a known comparison or a containment between 0 and 1. They are left out.",
                numbers={"rows": seen.invalid},
            )
        )
    others = sorted(set(overlaps["level"].dropna()) - set(LEVELS))
    if others:
        parts.append(
            Unchecked(
                id="overlap-levels",
                check="the effect on accuracy of overlaps at "
                f"{'level' if len(others) == 1 else 'levels'} {', '.join(map(repr, others))}",
                reason=f"only overlaps of {' and '.join(LEVELS)} say which items are contaminated",
            )
        )
    return parts


def _items(seen: Seen, gold: pd.DataFrame, params: OverlapParams) -> list[Finding]:
    """Return which items are contaminated, or that none is."""
    apart = [
        f" Overlap with {what} alone: {counted(number, 'item')}, counted as uncontaminated."
        for number, what in (
            (seen.validation, "pairs held out for validation"),
            (seen.unused, "texts of no pair"),
        )
        if number
    ]
    aside = "".join(apart)
    sides = {"items": len(gold), "validation": seen.validation, "unused": seen.unused}
    if seen.rows.empty:
        return [
            Finding(
                id=EFFECT,
                severity="pass",
                statement=f"None of {counted(len(gold), 'item')} overlaps with the training pairs "
                f"(containment ≥ {params.min_containment:g}), so that there is no "
                f"contamination effect to estimate.{aside}",
                numbers={**sides, "overlapping": 0},
            )
        ]
    kinds = {name: len(items) for name, items in groups(seen.rows, params.min_containment).items()}
    duplicates = len(seen.items(params.duplicate_threshold))
    sizes = gold["origin"].value_counts().sort_index()
    by_origin = seen.rows.drop_duplicates("item_id")["origin"].value_counts()
    origins = ", ".join(f"{by_origin.get(o, 0)} of {size} {o}" for o, size in sizes.items())
    return [
        Finding(
            id="overlapping-items",
            severity="note",
            statement=f"{kinds['overlapping']} of {counted(len(gold), 'item')} "
            f"{'is' if kinds['overlapping'] == 1 else 'are'} contaminated by overlaps with the "
            f"training pairs (containment ≥ {params.min_containment:g}; {origins}). Of "
            f"these, {duplicates} {'has' if duplicates == 1 else 'have'} a near-duplicate in "
            f"training (containment ≥ {params.duplicate_threshold:g}). Of the stories, only "
            f"the chosen one overlaps in {kinds['chosen']} and only rejected ones in "
            f"{kinds['rejected']}; only the premise overlaps in {kinds['premise']}. In "
            f"{kinds['toward']} every overlapping story has the same label (chosen or rejected) "
            f"in training as in the gold, in {kinds['against']} the opposite label.{aside}",
            numbers={**sides, "near_duplicates": duplicates, **kinds},
            evidence=evidence(seen.rows.drop(columns="origin")),
        )
    ]


def _left_out(answered: Answers) -> list[Finding]:
    if not answered.left_out:
        return []
    return [
        Finding(
            id="items-common",
            severity="warn",
            statement=f"{counted(answered.left_out, 'item')} of the results "
            f"{'lacks' if answered.left_out == 1 else 'lack'} a gold story or an outcome of some "
            f"run. All figures are over the other {len(answered.items)}.",
            numbers={"left_out": answered.left_out, "items": len(answered.items)},
        )
    ]


def _summary(found: Contrasts, models: list[int]) -> Parts:
    """Return how many of the trained models' differences are significant."""
    if not models:
        return [_unchecked("no variant of the results was trained on the pairs")]
    compared = found.of_all(models)
    significant = [one for one in compared if one.contrast.significant]
    few = sum(one.contrast.few for one in compared)
    named = [
        f"{found.answers.names[one.model]} on {one.origin} items with {one.threshold.kind}, "
        f"{points(one.contrast.estimate.value)} points"
        for one in significant
    ]
    left = len(compared) - len(significant)
    without = f" ({few} {FEW.replace('no CI', 'without CI')})" if few else ""
    sentences = [
        f"Accuracy differs significantly between contaminated and uncontaminated items in "
        f"{len(significant)} of {counted(len(compared), 'comparison')} "
        f"({level(found.confidence)} CI excludes 0). Each compares the items of one origin for one "
        f"trained model."
    ]
    if named:
        sentences.append(f"Significant: {some(named, '; ')}.")
    if left:
        sentences.append(
            f"No conclusion for {counted(left, 'comparison')}: the data neither show nor rule out "
            f"an effect{without}."
        )
    sentences.append(
        "The CIs are over items, for these trained models, without adjustment for multiple "
        "comparisons."
    )
    return [
        Finding(
            id=EFFECT,
            severity="warn",
            statement=" ".join(sentences),
            numbers={
                "comparisons": len(compared),
                "significant": len(significant),
                "rises": sum(one.contrast.estimate.value > 0 for one in significant),
                "too_few": few,
                "confidence": found.confidence,
            },
        )
    ]
