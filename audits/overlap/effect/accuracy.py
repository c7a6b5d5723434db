"""Findings on how often each model is right on overlapping items and on clean ones."""

from audits.overlap.effect.contrasts import Contrasts
from audits.overlap.effect.effect_phrasing import (
    accuracy,
    difference,
    interval,
    numbers,
    row,
    verdict,
)
from audits.overlap.effect.seen_items import GROUPS
from storyaudit import phrasing
from storyaudit.findings import Finding, Number, Unchecked, counted, evidence, slugs
from storyaudit.stats.estimate import Array
from storyaudit.stats.paired_by_item import difference_in_differences
from storyaudit.vocabulary import RANDOM, UNTRAINED

BLIND = "content-blind rules"


def effect_findings(found: Contrasts, models: list[int]) -> list[Finding]:
    """Return a finding a model and origin; its evidence has every kind of overlap."""
    return [_effect(found, *place) for place in found.places(models)]


def _effect(found: Contrasts, model: int, origin: str, name: str) -> Finding:
    answers = found.answers
    trained = answers.roles[model] == "trained"
    contrasts = {t: found.of(model, origin, t) for t in found.thresholds}
    first = contrasts[found.thresholds[0]]
    parts = [
        f"with {t.told} in training {accuracy(c, clean=False)}, "
        f"{difference(c, found.confidence)}: {verdict(c)}"
        if c.exposed.items
        else f"none has {t.told}."
        for t, c in contrasts.items()
    ]
    figures: dict[str, Number] = {}
    for threshold, c in contrasts.items():
        figures |= numbers(threshold.name, c)
    told = trained and any(c.significant for c in contrasts.values())
    unknown = "" if trained else " Whether it was trained on these pairs is not known."
    return Finding(
        id=f"effect-{name}",
        severity="warn" if told else "note",
        statement=f"{answers.names[model]} on {origin} items is right on clean ones in "
        f"{accuracy(first, clean=True)}; {' Of these, '.join(parts)}{unknown}",
        numbers={
            "trained": trained,
            "clean_items": first.unexposed.items,
            "clean_right": first.unexposed.right,
            "clean_answers": first.unexposed.answers,
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

    They saw nothing: a difference of theirs is no leakage, but shows that the items differ.
    """
    if not models:
        return [
            Unchecked(
                id="controls",
                check="whether overlapping items are harder or easier for models that saw no pair",
                reason="the results have none of the content-blind rules, nor the judges' mean",
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
    told = sorted({model for (_, model), c in contrasts.items() if c.significant})
    few = all(c.few for c in contrasts.values())
    if told:
        conclusion = (
            f" ({', '.join(told)}): that is no leakage, and these items differ from the others "
            f"as such."
        )
    else:
        conclusion = (
            "; "
            + ("with so few items " if few else "")
            + "that the items are as hard for them as the others cannot be told."
        )
    return Finding(
        id=f"controls-{name}",
        severity="note",
        statement=f"Of {counted(len(models), 'model')} trained on no pair, {len(told)} "
        f"differ{'s' if len(told) == 1 else ''} told from zero between overlapping and clean "
        f"{origin} items{conclusion}",
        numbers={"controls": len(models), "told": len(told), "confidence": found.confidence},
        evidence=evidence(
            {"overlap": overlap, "model": model, **row(c)}
            for (overlap, model), c in contrasts.items()
        ),
    )


def adjusted_findings(found: Contrasts, models: list[int]) -> list[Finding | Unchecked]:
    """Return a finding a model and origin: the change of its lead over models that saw no pair.

    What makes overlapping items easier for both drops out of this difference in differences.
    """
    rules = found.answers.rules()
    if rules is None:
        return [
            Unchecked(
                id="adjusted",
                check="whether trained models gain more on overlapping items than content-blind "
                "rules do",
                reason="the results have none of these rules",
            )
        ]
    answers = found.answers
    controls = {BLIND: rules} | {
        answers.names[number]: answers.by_model[number]
        for number, variant in enumerate(answers.variants)
        if variant in UNTRAINED and variant != RANDOM
    }
    return [_adjusted(found, *place, controls) for place in found.places(models)]


def _adjusted(
    found: Contrasts, model: int, origin: str, name: str, controls: dict[str, Array]
) -> Finding:
    outcomes = found.answers.by_model[model]
    rows: list[dict[str, Number]] = []
    figures: dict[str, Number] = {}
    parts = []
    for threshold in found.thresholds:
        first, second = found.sides(origin, threshold)
        if not first.any() or not second.any():
            continue
        for control, theirs in controls.items():
            estimate = difference_in_differences(
                (outcomes[first], theirs[first]),
                (outcomes[second], theirs[second]),
                found.confidence,
            )
            told = estimate.excludes_zero()
            row: dict[str, Number] = {"overlap": threshold.name, "control": control}
            row |= {"items": int(first.sum()), "clean_items": int(second.sum())}
            rows.append({**row, **estimate.numbers("difference", 4), "told": told})
            if control == BLIND:
                figures |= estimate.numbers(f"{threshold.name}_difference", 6)
                figures[f"{threshold.name}_told"] = told
                parts.append(
                    f"{phrasing.points(estimate.value)} points with {threshold.told} in training "
                    f"({interval(estimate, found.confidence)}; {counted(int(first.sum()), 'item')}"
                    f"): {phrasing.verdict(estimate)}"
                )
    return Finding(
        id=f"adjusted-{name}",
        severity="note",
        statement=f"{found.answers.names[model]} on {origin} items, its lead over the mean of the "
        f"{BLIND} on the same items against that on clean ones: "
        f"{'; '.join(parts) if parts else 'there is nothing to compare'}.",
        numbers={**figures, "confidence": found.confidence},
        evidence=evidence(rows),
    )
