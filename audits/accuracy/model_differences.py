"""Which differences between models the data can hold."""

from itertools import combinations

import numpy as np

from audits.accuracy.circular import WHY
from audits.accuracy.compared import Compared
from storyaudit.findings import Finding, Number, counted, evidence, slugs
from storyaudit.phrasing import TOLD, level, points
from storyaudit.stats.estimate import rounded
from storyaudit.vocabulary import JUDGES_MEAN

MODELS_NAMED = 5
"""Models that a sentence lists; the evidence has all."""
_ALIKE = 1e-12


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
            statement=f"{len(pairs)} differences are shown, each with its own "
            f"{level(compared.confidence)} interval; the intervals are not adjusted for their "
            f"number.",
            numbers={"differences": len(pairs)},
        ),
    ]


def _difference(pair: tuple[int, int], name: str, compared: Compared) -> Finding:
    higher, lower = pair
    outcomes = compared.outcomes
    found, no_ci = compared.difference(higher, lower)
    samples = compared.samples[:, higher] - compared.samples[:, lower]
    constant = np.ptp(samples) < _ALIKE
    if found.excludes_zero():
        conclusion = f"the difference is {TOLD}."
    elif constant and abs(found.value) > _ALIKE:
        conclusion = "every item of a dimension has the same difference."
    elif found.low is None and not constant:
        conclusion = "whether they differ on other items cannot be told."
    else:
        conclusion = "the two cannot be told apart."
    thin = not found.excludes_zero() and higher == compared.best
    return Finding(
        id=f"difference-{name}",
        severity="warn" if thin else "note",
        statement=f"{outcomes.models[higher]} over {outcomes.models[lower]}: "
        f"{points(found.value)} points of macro accuracy "
        f"({compared.interval(found, no_ci, points)}, paired over "
        f"{counted(outcomes.in_macro, 'item')}): {conclusion}",
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
    rows: list[dict[str, Number]] = [_accuracy(names[best], models[best])]
    alike = []
    for lower, difference in of_best.items():
        told = compared.difference(best, lower)[0].excludes_zero()
        alike += [] if told else [names[lower]]
        rows.append(
            {
                **_accuracy(names[lower], models[lower]),
                "behind": difference.numbers["difference"],
                "behind_low": difference.numbers["low"],
                "behind_high": difference.numbers["high"],
                "told_apart": told,
            }
        )
    others = len(of_best)
    circular = f" ({WHY})" if compared.outcomes.variants[best] == JUDGES_MEAN else ""
    return Finding(
        id="against-best",
        severity="note",
        statement=f"Of {len(rows)} models {names[best]} has the highest macro accuracy, "
        f"{compared.macros[best]:.1%}{circular}; {others - len(alike)} of {others} "
        f"{'is' if others - len(alike) == 1 else 'are'} told apart from it"
        + (f", not {_listed(alike)}." if alike else "."),
        numbers={"models": len(rows), "told_apart": others - len(alike)},
        evidence=evidence(rows),
    )


def _accuracy(name: str, finding: Finding) -> dict[str, Number]:
    return {"model": name, **{part: finding.numbers[part] for part in ("macro", "low", "high")}}


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:MODELS_NAMED])
    return shown + (f" and {len(names) - MODELS_NAMED} more" if len(names) > MODELS_NAMED else "")
