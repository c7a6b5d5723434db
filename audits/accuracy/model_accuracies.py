"""Each model's accuracy."""

from audits.accuracy.circular import circularity
from audits.accuracy.compared import Compared
from storyaudit.findings import Finding, counted, evidence, slugs
from storyaudit.phrasing import ci, percent, unsigned_points
from storyaudit.results.outcomes import Outcomes
from storyaudit.results.selection import NO_DIMENSION
from storyaudit.stats.estimate import rounded
from storyaudit.stats.macro_accuracy import macro
from storyaudit.vocabulary import CONTENT_BLIND, RANDOM

RULES = (*CONTENT_BLIND, RANDOM)


def model_findings(compared: Compared, *, chance: float) -> list[Finding]:
    """Return a finding a model on its macro and micro accuracy."""
    return [
        _model(number, name, compared, chance)
        for number, name in enumerate(slugs(compared.outcomes.models))
    ]


def _model(number: int, name: str, compared: Compared, chance: float) -> Finding:
    outcomes = compared.outcomes
    model, seeds = outcomes.models[number], outcomes.by_seed[number]
    correct, credit = outcomes.correct[:, number], outcomes.credit[:, number]
    tied = outcomes.tied[number]
    credit_macro = float(macro(credit[:, None], outcomes.strata)[0])
    found, no_ci = compared.accuracy(number)
    spread = float(macro(seeds, outcomes.strata).std(ddof=1)) if seeds.shape[1] > 1 else None
    circular, of_ranked = circularity(outcomes, number, compared.confidence)
    interval = ci(found, compared.confidence, percent, no_ci=no_ci)
    stratified = "stratified bootstrap" if len(outcomes.dimensions) > 1 else "bootstrap"
    over = ";" if found.low is None else f", {stratified} over"
    rule = " (baseline rule)" if outcomes.variants[number] in RULES else ""
    statement = (
        f"{model}{rule}: macro accuracy {percent(found.value)} ({interval}{over} "
        f"{_items(outcomes)}, {_seeds(seeds.shape[1])})."
    )
    if found.low is not None and found.high is not None and found.low <= chance <= found.high:
        statement += f" Not significantly different from chance ({percent(chance)})."
    elif found.high is not None and found.high < chance:
        statement += f" Significantly below chance ({percent(chance)})."
    statement += f" Micro accuracy {percent(float(correct.mean()))}.{circular}"
    if tied:
        statement += (
            f" Expected with ties broken at random ({counted(tied, 'item')} with ties): macro "
            f"{percent(credit_macro)}, micro {percent(float(credit.mean()))}."
        )
    if spread is not None:
        statement += f" SD of macro accuracy over seeds: {unsigned_points(spread)} points."
    return Finding(
        id=f"model-{name}",
        severity="note",
        statement=statement,
        numbers={
            "macro": rounded(found.value, 6),
            "low": rounded(found.low, 6),
            "high": rounded(found.high, 6),
            "micro": rounded(correct.mean(), 6),
            "credit_macro": rounded(credit_macro, 6),
            "credit_micro": rounded(credit.mean(), 6),
            "items": len(correct),
            "seeds": seeds.shape[1],
            "sd_over_seeds": rounded(spread, 6),
            "items_with_ties": tied,
            **of_ranked,
            "confidence": compared.confidence,
            "resamples": len(compared.samples),
        },
        evidence=evidence(
            {
                "dimension": dimension,
                "items": int((outcomes.strata == stratum).sum()),
                "accuracy": rounded(correct[outcomes.strata == stratum].mean(), 4),
            }
            for stratum, dimension in enumerate(outcomes.dimensions)
        ),
    )


def _items(outcomes: Outcomes) -> str:
    items = counted(outcomes.in_macro, "item")
    if set(outcomes.dimensions) <= set(NO_DIMENSION):
        return items
    return f"{items} in {counted(len(outcomes.dimensions), 'dimension')}"


def _seeds(count: int) -> str:
    return "1 seed" if count == 1 else f"mean of {count} seeds"
