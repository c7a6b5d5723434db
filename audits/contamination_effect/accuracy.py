"""Findings on how often each model is right on contaminated and on uncontaminated items."""

from audits.contamination_effect.contrasts import Contrasts
from audits.contamination_effect.effect_phrasing import (
    FEW,
    accuracy,
    compared,
    conclusion,
    difference,
    numbers,
    row,
    some,
)
from audits.contamination_effect.seen_items import GROUPS
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence, slugs
from storyaudit.phrasing import agreeing
from storyaudit.stats.estimate import Array
from storyaudit.stats.paired_by_item import difference_in_differences
from storyaudit.vocabulary import RANDOM, UNTRAINED

BLIND = "content-blind rules"


def effect_findings(found: Contrasts, models: list[int]) -> list[Finding]:
    """Return a finding a model and origin; its evidence has every kind of overlap."""
    return [_effect(found, *where) for where in found.models_by_origin(models)]


def _effect(found: Contrasts, model: int, origin: str, name: str) -> Finding:
    answers = found.answers
    model_name = answers.names[model]
    trained = answers.roles[model] == "trained"
    contrasts = {t: found.of(model, origin, t) for t in found.thresholds}
    first = contrasts[found.thresholds[0]]
    sentences = []
    figures: dict[str, Number] = {}
    for threshold, contrast in contrasts.items():
        figures |= numbers(threshold.key, contrast)
        if not contrast.exposed.items:
            sentences.append(f"No {origin} item has {threshold.what}.")
            continue
        sentences.append(
            f"Accuracy of {model_name} on {origin} items with {threshold.what}: "
            f"{accuracy(contrast.exposed)}."
        )
        if contrast is first and first.unexposed.items:
            sentences.append(f"On uncontaminated ones: {accuracy(first.unexposed)}.")
        whose = "" if contrast is first else " from uncontaminated items"
        sentences.append(compared(contrast, found.confidence, whose=whose))
    if not trained:
        sentences.append(f"It is not known whether {model_name} was trained on these pairs.")
    significant = trained and any(c.significant for c in contrasts.values())
    return Finding(
        id=f"effect-{name}",
        severity="warn" if significant else "note",
        statement=" ".join(sentences),
        numbers={
            "trained": trained,
            "uncontaminated_items": first.unexposed.items,
            "uncontaminated_right": first.unexposed.right,
            "uncontaminated_answers": first.unexposed.answers,
            "seeds": answers.by_model[model].shape[1],
            "confidence": found.confidence,
            **figures,
        },
        evidence=evidence(
            {"overlap": t.name, "kind": kind, **row(c)}
            for t in found.thresholds
            for kind in GROUPS
            if (c := found.of(model, origin, t, kind)).exposed.items
        ),
    )


def control_findings(found: Contrasts, models: list[int]) -> list[Finding | Unchecked]:
    """Return a finding an origin on models that were trained on no pair.

    They saw nothing: a difference of theirs is no contamination, but shows that the items differ.
    """
    if not models:
        return [
            Unchecked(
                id="controls",
                check="whether contaminated items are easier or harder for models trained on no "
                "pair",
                reason="the results have neither a content-blind rule nor the judges' mean",
            )
        ]
    return [
        _control(found, models, origin, name)
        for origin, name in zip(found.origins, slugs(found.origins), strict=True)
    ]


def _control(found: Contrasts, models: list[int], origin: str, name: str) -> Finding:
    contrasts = {
        (t.name, found.answers.names[m]): found.of(m, origin, t)
        for t in found.thresholds
        for m in models
    }
    significant = sorted({model for (_, model), c in contrasts.items() if c.significant})
    few = all(c.few for c in contrasts.values())
    if significant:
        conclusion = (
            "These models saw no training pair, so contamination does not explain the difference."
        )
    elif few:
        conclusion = f"For all of them there is {FEW}."
    else:
        conclusion = "The data neither show nor rule out that these items differ in difficulty."
    named = f" ({some(significant, ', ')})" if significant else ""
    return Finding(
        id=f"controls-{name}",
        severity="note",
        statement=f"{len(significant)} of {counted(len(models), 'model')} trained on no pair "
        f"{agreeing(len(significant), len(models), 'differs', 'differ')} significantly in "
        f"accuracy between contaminated and uncontaminated {origin} items{named}. {conclusion}",
        numbers={
            "controls": len(models),
            "significant": len(significant),
            "confidence": found.confidence,
        },
        evidence=evidence(
            {"overlap": overlap, "model": model, **row(c)}
            for (overlap, model), c in contrasts.items()
        ),
    )


def adjusted_findings(found: Contrasts, models: list[int]) -> list[Finding | Unchecked]:
    """Return a finding a model and origin: the change of its lead over models that saw no pair.

    What makes contaminated items easier for both drops out of this difference in differences.
    """
    rules = found.answers.rules()
    if rules is None:
        return [
            Unchecked(
                id="adjusted",
                check="whether trained models gain more on contaminated items than content-blind "
                "rules do",
                reason="the results have no content-blind rule",
            )
        ]
    answers = found.answers
    controls = {BLIND: rules} | {
        answers.names[number]: answers.by_model[number]
        for number, variant in enumerate(answers.variants)
        if variant in UNTRAINED and variant != RANDOM
    }
    return [_adjusted(found, *where, controls) for where in found.models_by_origin(models)]


def _adjusted(
    found: Contrasts, model: int, origin: str, name: str, controls: dict[str, Array]
) -> Finding:
    outcomes = found.answers.by_model[model]
    rows: list[dict[str, Number]] = []
    figures: dict[str, Number] = {}
    sentences = []
    for threshold in found.thresholds:
        first, second = found.item_groups(origin, threshold)
        if not first.any() or not second.any():
            continue
        for control, theirs in controls.items():
            estimate = difference_in_differences(
                (outcomes[first], theirs[first]),
                (outcomes[second], theirs[second]),
                found.confidence,
            )
            significant = estimate.excludes_zero()
            row: dict[str, Number] = {"overlap": threshold.name, "control": control}
            row |= {"items": int(first.sum()), "uncontaminated_items": int(second.sum())}
            rows.append({**row, **estimate.numbers("difference", 4), "significant": significant})
            if control == BLIND:
                figures |= estimate.numbers(f"{threshold.key}_difference", 6)
                figures[f"{threshold.key}_significant"] = significant
                sentences.append(
                    f"For {counted(int(first.sum()), 'item')} with {threshold.what} it is "
                    f"{difference(estimate, found.confidence)}"
                    f"{conclusion(estimate, found.confidence)}."
                )
    statement = (
        f"Difference in differences: the lead of {found.answers.names[model]} over the mean of "
        f"the {BLIND} on {origin} items, contaminated less uncontaminated."
    )
    if not sentences:
        sentences = [f"It is undefined: no {origin} item is uncontaminated."]
    return Finding(
        id=f"adjusted-{name}",
        severity="note",
        statement=" ".join([statement, *sentences]),
        numbers={**figures, "confidence": found.confidence},
        evidence=evidence(rows),
    )
