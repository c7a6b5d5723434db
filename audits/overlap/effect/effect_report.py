"""Does overlap matter: are models that saw benchmark texts more often right on their items?"""

from collections.abc import Collection
from typing import NamedTuple

import pandas as pd

from audits.overlap.effect.accuracy import adjusted_findings, control_findings, effect_findings
from audits.overlap.effect.contrasts import Contrasts
from audits.overlap.effect.effect_phrasing import Threshold, thresholds
from audits.overlap.effect.leaderboard_shift import standing_findings
from audits.overlap.effect.model_answers import Answers, answers
from audits.overlap.effect.rejected_picks import picks_findings
from audits.overlap.effect.seen_items import (
    LEVELS,
    Seen,
    golds,
    groups,
    seen_texts,
)
from audits.overlap.overlap_params import OverlapParams
from storyaudit.data.decontamination import drop_overlapping, with_training
from storyaudit.data.tables import BENCHMARK, CANDIDATES, OVERLAPS, PAIRS, RESULTS
from storyaudit.findings import Finding, Report, Unchecked, counted, evidence
from storyaudit.phrasing import points
from storyaudit.results.usable_results import sound_results
from storyaudit.runs.params import Confidence, Params
from storyaudit.vocabulary import TRAIN

AUDIT = "overlap_effect"
EFFECT = "overlap-effect"
CHECK = "whether models are more often right on items that overlap with what they were trained on"
Parts = list[Finding | Unchecked]


class EffectParams(Params):
    """The ``overlap_effect`` section of ``params.yaml``.

    Attributes:
        confidence: of every interval.
    """

    confidence: Confidence = 0.95


class Tables(NamedTuple):
    """What the audit reads; its content need not be sound.

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
    """Return what overlap does to accuracy.

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
        return [_unchecked("no item has one gold and candidates")]
    if not (tables.pairs["split"] == TRAIN).any():
        return [_unchecked(f"no pair of the split '{TRAIN}' says what was trained on")]
    overlaps = with_training(tables.overlaps)
    low = overlaps["containment"].between(0, params.report_from, inclusive="left")
    seen = seen_texts(overlaps[~low], tables.pairs, tables.candidates, gold)
    parts = [*_doubtful(overlaps, seen), *_items(seen, gold, params)]
    if seen.rows.empty:
        return parts
    faults, sound = sound_results(tables.results)
    answered = answers(sound, gold, trained)
    if answered is None:
        return [*parts, *faults, _unchecked("no item has a gold and an outcome of every run")]
    levels = thresholds(seen.rows["containment"].tolist(), params)
    found = Contrasts.made(answered, seen, levels, confidence)
    if not found.origins:
        return [*parts, *faults, _unchecked("no overlapping item has an outcome of every run")]
    models = answered.of_role("trained")
    parts += [*faults, *_left_out(answered), *_summary(found, models)]
    parts += effect_findings(found, answered.of_role("trained", "unknown"))
    parts += control_findings(found, answered.of_role("control"))
    if models:
        parts += adjusted_findings(found, models)
        parts += picks_findings(sound, answered, seen, tables.candidates, gold, levels, confidence)
    for level in levels:
        overlapping = answered.among(seen.items(level.least))
        parts += standing_findings(answered, overlapping, level, confidence)
    return [*parts, _CONFOUNDED]


_CONFOUNDED = Unchecked(
    id="confounding",
    check="whether overlapping items differ from clean ones in more than the overlap",
    reason="which items overlap was not drawn at random; models that saw no pair show a part of it",
)


def _unchecked(reason: str) -> Unchecked:
    return Unchecked(id=EFFECT, check=CHECK, reason=reason)


def _doubtful(overlaps: pd.DataFrame, seen: Seen) -> Parts:
    """Return what is to say of overlaps that are left out."""
    parts: Parts = []
    if seen.unsound:
        parts.append(
            Finding(
                id="overlaps-sound",
                severity="fail",
                statement=f"{seen.unsound} of {len(overlaps)} overlaps lack an ID or a containment "
                f"between 0 and 1; they are left out.",
                numbers={"rows": seen.unsound},
            )
        )
    others = sorted(set(overlaps["level"].dropna()) - set(LEVELS))
    if others:
        parts.append(
            Unchecked(
                id="overlap-levels",
                check=f"what overlaps of {', '.join(others)} do to accuracy",
                reason=f"items are found through overlaps of {' and '.join(LEVELS)} alone",
            )
        )
    return parts


def _items(seen: Seen, gold: pd.DataFrame, params: OverlapParams) -> list[Finding]:
    """Return which items overlap, or that nothing is there to compare."""
    apart = [
        f"{counted(number, 'item')} {'overlaps' if number == 1 else 'overlap'} with {what} alone "
        f"and {'counts' if number == 1 else 'count'} as clean"
        for number, what in (
            (seen.validation, "pairs held out for validation"),
            (seen.unused, "texts that stand in no pair"),
        )
        if number
    ]
    aside = f" {'; '.join(apart)}." if apart else ""
    sides = {"items": len(gold), "validation": seen.validation, "unused": seen.unused}
    if seen.rows.empty:
        return [
            Finding(
                id=EFFECT,
                severity="pass",
                statement=f"None of {counted(len(gold), 'item')} overlaps with what was trained "
                f"on: there is nothing to compare.{aside}",
                numbers={**sides, "overlapping": 0},
            )
        ]
    kinds = {name: len(items) for name, items in groups(seen.rows, params.report_from).items()}
    copies = len(seen.items(params.copy_from))
    sizes = gold["origin"].value_counts().sort_index()
    by_origin = seen.rows.drop_duplicates("item_id")["origin"].value_counts()
    shares = ", ".join(f"{by_origin.get(o, 0)} of {size} {o}" for o, size in sizes.items())
    return [
        Finding(
            id="overlapping-items",
            severity="note",
            statement=f"{kinds['overlapping']} of {counted(len(gold), 'item')} overlap with what "
            f"was trained on ({shares}), {copies} of them with a copy: in {kinds['chosen']} the "
            f"chosen story alone, in {kinds['rejected']} rejected ones alone, in "
            f"{kinds['premise']} the premise alone. What training chose and rejected agrees with "
            f"the gold in {kinds['toward']} and opposes it in {kinds['against']}.{aside}",
            numbers={**sides, "copies": copies, **kinds},
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
            f"{'lacks' if answered.left_out == 1 else 'lack'} a gold or an outcome of some run; "
            f"everything is over the other {len(answered.items)}.",
            numbers={"left_out": answered.left_out, "items": len(answered.items)},
        )
    ]


def _summary(found: Contrasts, models: list[int]) -> Parts:
    """Return how many of the trained models' differences are told from zero."""
    if not models:
        return [_unchecked("no variant of the results was trained on the pairs")]
    compared = found.of_all(models)
    told = [one for one in compared if one.contrast.significant]
    few = sum(one.contrast.few for one in compared)
    named = "; ".join(
        f"{found.answers.names[one.model]} on {one.origin} items with {_short(one.threshold)} "
        f"{points(one.contrast.estimate.value)} points"
        for one in told
    )
    left = len(compared) - len(told)
    return [
        Finding(
            id=EFFECT,
            severity="warn",
            statement=f"Accuracy on overlapping items is told from that on clean items of the same "
            f"origin in {len(told)} of {counted(len(compared), 'comparison')} of trained models"
            + (f" ({named})" if told else "")
            + (
                f"; that overlap changed accuracy in the other{'' if left == 1 else 's'}, or did "
                f"not, cannot be told from this data"
                + (f" ({few} with too few items)" if few else "")
                if left
                else ""
            )
            + f". Intervals are of {100 * found.confidence:g}% each, over items, with these "
            f"trained models, and not adjusted for their number.",
            numbers={
                "comparisons": len(compared),
                "told": len(told),
                "rises": sum(one.contrast.estimate.value > 0 for one in told),
                "too_few": few,
                "confidence": found.confidence,
            },
        )
    ]


def _short(threshold: Threshold) -> str:
    return threshold.told.split(" (")[0]
