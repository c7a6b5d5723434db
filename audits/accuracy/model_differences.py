"""Which differences between models are significant."""

from itertools import combinations

import numpy as np

from audits.accuracy.circular import WHY
from audits.accuracy.compared import Compared
from storyaudit.findings import Finding, Number, counted, evidence, slugs
from storyaudit.phrasing import estimated, level, percent, points, significance
from storyaudit.stats.estimate import rounded
from storyaudit.vocabulary import JUDGES_MEAN

MODELS_NAMED = 3
"""Models that a sentence lists; the evidence has all."""
_EQUAL = 1e-12


def difference_findings(compared: Compared, models: list[Finding]) -> list[Finding]:
    """Return a finding a pair of models; of more than two also one on all of them.

    Args:
        compared: the models.
        models: the finding on each.
    """
    names = compared.outcomes.models
    order = compared.ranked
    pairs = list(combinations(order, 2))
    ids = slugs([" ".join(sorted(names[model] for model in pair)) for pair in pairs])
    differences = [_difference(pair, name, compared) for pair, name in zip(pairs, ids, strict=True)]
    if len(names) < 3:
        return differences
    # The best model's pairs come first, in the order of the others.
    of_best = dict(zip(order[1:], differences[: len(names) - 1], strict=True))
    return [
        *differences,
        _against_best(compared, models, of_best),
        Finding(
            id="multiplicity",
            severity="note",
            statement=f"{len(pairs)} differences are reported, each with its own "
            f"{level(compared.confidence)} CI. The CIs are not adjusted for multiple comparisons.",
            numbers={"differences": len(pairs)},
        ),
    ]


def _difference(pair: tuple[int, int], name: str, compared: Compared) -> Finding:
    higher, lower = pair
    outcomes = compared.outcomes
    found, no_ci = compared.difference(higher, lower)
    samples = compared.samples[:, higher] - compared.samples[:, lower]
    method = "paired" if found.low is None else "paired bootstrap"
    if found.low is not None:
        conclusion = significance(found, compared.confidence)
    elif np.ptp(samples) < _EQUAL:
        conclusion = "within each dimension, " if len(outcomes.dimensions) > 1 else ""
        conclusion += "every item has the same difference"
    else:
        conclusion = "neither a difference nor its absence is shown"
    thin = not found.excludes_zero() and higher == compared.best
    shown = estimated(found, compared.confidence, points, no_ci=no_ci, unit="points")
    return Finding(
        id=f"difference-{name}",
        severity="warn" if thin else "note",
        statement=f"Macro accuracy of {outcomes.models[higher]} minus {outcomes.models[lower]}: "
        f"{shown}, {method} over {counted(outcomes.in_macro, 'item')}: {conclusion}.",
        numbers={
            "difference": rounded(found.value, 6),
            "low": rounded(found.low, 6),
            "high": rounded(found.high, 6),
            "items": outcomes.in_macro,
            "confidence": compared.confidence,
        },
    )


def _against_best(
    compared: Compared, models: list[Finding], of_best: dict[int, Finding]
) -> Finding:
    """Return the models from best to worst, with their differences from the best one."""
    names, best = compared.outcomes.models, compared.best
    top = [best, *(lower for lower in of_best if _as_accurate(compared, lower))]
    rows: list[dict[str, Number]] = [_accuracy(names[best], models[best])]
    not_significant, no_ci = [], []
    for lower, difference in of_best.items():
        found, _ = compared.difference(best, lower)
        if lower in top:
            pass
        elif found.low is None:
            no_ci.append(names[lower])
        elif not found.excludes_zero():
            not_significant.append(names[lower])
        rows.append(
            {
                **_accuracy(names[lower], models[lower]),
                "behind": difference.numbers["difference"],
                "behind_low": difference.numbers["low"],
                "behind_high": difference.numbers["high"],
                "significant": found.excludes_zero(),
            }
        )
    others = len(rows) - len(top)
    significant = others - len(not_significant) - len(no_ci)
    circular = [names[model] for model in top if compared.outcomes.variants[model] == JUDGES_MEAN]
    highest = percent(compared.macros[best])
    statement = (
        f"{names[best]} has the highest macro accuracy of {len(rows)} models, {highest}."
        if len(top) == 1
        else f"{len(top)} of {len(rows)} models share the highest macro accuracy, {highest}"
        + (f": {_listed([names[model] for model in top])}" if len(top) <= MODELS_NAMED else "")
        + "."
    )
    if circular:
        statement += f" That accuracy{' of ' + circular[0] if len(top) > 1 else ''} is {WHY}."
    if others:
        statement += (
            f" {'Its lead' if len(top) == 1 else f'The lead of {names[best]}'} over {significant} "
            f"of {counted(others, 'other model')} is significant "
            f"({level(compared.confidence)} CI excludes 0)."
        )
    return Finding(
        id="against-best",
        severity="note",
        statement=statement
        + (
            f" Not significant: the lead over {_listed(not_significant)}."
            if not_significant
            else ""
        )
        + (f" No CI: the lead over {_listed(no_ci)}." if no_ci else ""),
        numbers={"models": len(rows), "significant": significant},
        evidence=evidence(rows),
    )


def _as_accurate(compared: Compared, model: int) -> bool:
    # Rounded, as for the models' order.
    return bool(compared.macros[model].round(9) == compared.macros[compared.best].round(9))


def _accuracy(name: str, finding: Finding) -> dict[str, Number]:
    return {"model": name, **{part: finding.numbers[part] for part in ("macro", "low", "high")}}


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= MODELS_NAMED else f"{len(names)} models"
