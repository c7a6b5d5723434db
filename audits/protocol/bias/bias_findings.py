"""Findings on judges' biases: towards places, lengths, and their own family's stories."""

from collections.abc import Mapping

import numpy as np

from audits.protocol.bias.effects import Effects
from audits.protocol.bias.family import family, family_effects
from audits.protocol.bias.length import length_effects
from audits.protocol.bias.overall_scores import HUMAN, Overall, overall_scores
from audits.protocol.bias.position import balance, position_effects
from audits.protocol.usable_rows import Tables
from storyaudit.findings import Finding, Severity, Unchecked, evidence
from storyaudit.stats.estimate import resample_weights, shown_p

UNBALANCED = 0.01
"""A p value from which positions count as tied to authors."""


def bias_findings(
    tables: Tables,
    *,
    prompt_variant: str,
    families: Mapping[str, str] | None,
    rng: np.random.Generator,
    resamples: int,
    confidence: float,
) -> list[Finding | Unchecked]:
    """Return the findings on biases in the judges' overall scores.

    Args:
        tables: sound rows of candidates and judgements, and stories if there are any.
        prompt_variant: whose judgements count.
        families: models' families by name; by default the letters with which a name begins.
        rng: draws the bootstrap samples of items, and shuffles positions.
        resamples: how many of either.
        confidence: of every interval.
    """
    overall = overall_scores(tables, prompt_variant)
    if overall.rows.empty:
        reason = "there are no overall scores"
        return [_unchecked(name, reason) for name in CHECKS]
    weights = resample_weights(len(overall.items), resamples, rng)
    no_stories = "" if "stories" in tables else "there is no table 'stories'"
    shuffled = balance(overall, resamples, rng)
    return [
        _balance(shuffled, no_stories),
        _position(overall, weights, shuffled, confidence, resamples),
        _length(overall, weights, no_stories, confidence, resamples),
        _family(overall, families, weights, no_stories, confidence, resamples),
    ]


CHECKS = {
    "balance": "whether positions are balanced over authors",
    "position": "whether judges favour a place in the order",
    "length": "whether judges score longer stories higher",
    "family": "whether judges favour stories by models of their own family",
}


def _unchecked(name: str, reason: str) -> Unchecked:
    return Unchecked(id=f"bias-{name}", check=CHECKS[name], reason=reason)


def _balance(shuffled: tuple[float, int] | None, no_stories: str) -> Finding | Unchecked:
    if shuffled is None:
        reason = no_stories or "no item has four stories of known authors in four places"
        return _unchecked("balance", reason)
    p, orders = shuffled
    tied = p < UNBALANCED
    return Finding(
        id="bias-balance",
        severity="warn" if tied else "note",
        statement=f"The place in which judges see a story "
        f"{'goes with' if tied else 'shows no tie to'} who wrote it ({orders} orders, "
        f"permutation test within items, {shown_p(p)}).",
        numbers={"p": round(p, 5), "orders": orders},
    )


def _position(
    overall: Overall,
    weights: np.ndarray,
    shuffled: tuple[float, int] | None,
    confidence: float,
    resamples: int,
) -> Finding | Unchecked:
    found = position_effects(overall, weights, confidence)
    if found is None:
        return _unchecked("position", "positions are missing, or do not vary apart from authors")
    if shuffled is None:
        cause = "whether places are balanced over authors is not known, so it may be the authors'"
    elif shuffled[0] < UNBALANCED:
        cause = "places go with authors, so that it is an association only"
    else:
        cause = "places show no tie to authors, so that it can be taken as the place's effect"
    return _finding(
        "position",
        f"Judges favour the first place over the last by {found.mean} points of the overall score",
        f"; {cause}",
        found,
        overall,
        "warn" if found.told() else "note",
        confidence,
        resamples,
    )


def _length(
    overall: Overall, weights: np.ndarray, no_stories: str, confidence: float, resamples: int
) -> Finding | Unchecked:
    found = length_effects(overall, weights, confidence)
    if found is None:
        reason = no_stories or "lengths are not known, or do not vary apart from the authors"
        return _unchecked("length", reason)
    held = " (authors' mean levels held)" if overall.authors else ""
    return _finding(
        "length",
        f"A story of twice the words is scored higher by {found.mean} points than another of its "
        f"item",
        f"{held}; an association within items, as longer stories may be better; how far judges "
        f"differ from each other (against_others) is free of what they all see",
        found,
        overall,
        "note",
        confidence,
        resamples,
    )


def _family(
    overall: Overall,
    families: Mapping[str, str] | None,
    weights: np.ndarray,
    no_stories: str,
    confidence: float,
    resamples: int,
) -> Finding | Unchecked:
    found = family_effects(overall, families, weights, confidence)
    if found is None:
        judges = {family(name, families) for name in overall.rows["judge"].unique()}
        authors = {
            family(name, families)
            for name in overall.rows["author"].dropna().unique()
            if name != HUMAN
        }
        reason = no_stories or (
            f"no judge's family ({', '.join(sorted(judges))}) wrote a story among others' "
            f"({', '.join(sorted(authors)) or 'no model'}) that other judges scored too"
        )
        return _unchecked("family", reason)
    stories = ", ".join(f"{judge} {count}" for judge, count in found.own_stories.items())
    return _finding(
        "family",
        f"Judges score stories of their own family higher than other judges do, relative to the "
        f"item's other stories, by {found.effects.mean} points (own stories: {stories})",
        "; a difference in differences, free of what all judges see",
        found.effects,
        overall,
        "warn" if found.effects.told() else "note",
        confidence,
        resamples,
    )


def _finding(
    name: str,
    statement: str,
    caution: str,
    found: Effects,
    overall: Overall,
    severity: Severity,
    confidence: float,
    resamples: int,
) -> Finding:
    told = found.told_judges()
    judges = len(found.judges)
    return Finding(
        id=f"bias-{name}",
        severity=severity,
        statement=f"{statement}{caution}. Mean of {judges} judges over {len(overall.items)} "
        f"items, least squares within items, bootstrap of items. "
        + (f"Told from zero for {', '.join(told)}" if told else "Told from zero for no judge")
        + (f" (intervals for all {judges} at once)." if judges > 1 else "."),
        numbers={
            **found.mean.numbers("points"),
            "judges": judges,
            "judges_told_from_zero": len(told),
            "items": len(overall.items),
            "unit": "item",
            "authors_held": bool(overall.authors),
            "confidence": confidence,
            "resamples": resamples,
        },
        evidence=evidence(found.rows()),
    )
