"""How often the rule that always picks the most bursty story is right."""

import pandas as pd

from audits.ablations.ablation_params import ExperimentsParams
from audits.ablations.ablation_phrasing import accuracy_in_percent, lacking
from audits.ablations.variant_outcomes import of_variants
from storyaudit.findings import Finding, Unchecked
from storyaudit.phrasing import percent
from storyaudit.stats.items_by_seeds import accuracy
from storyaudit.vocabulary import BURSTINESS

RULE = BURSTINESS


def rule_finding(rows: pd.DataFrame, params: ExperimentsParams) -> Finding | Unchecked:
    """Return the accuracy of the baseline 'burstiness' and the reference's.

    Args:
        rows: valid results, those of the reference and of the study's baselines among them.
        params: reference and confidence.
    """
    models = rows.loc[rows["variant"] == RULE, "model"].nunique()
    outcomes = of_variants(rows, [RULE, params.reference]) if models == 1 else None
    if outcomes is None or not len(outcomes.strata):
        return Unchecked(
            id="burstiness-rule",
            check="accuracy of picking the most bursty story",
            reason=f"'{RULE}' has results of {models} models"
            if models > 1
            else f"no variant '{RULE}' answered the items of {params.reference}",
        )
    rule, reference = (
        accuracy(outcomes.by_variant[name], outcomes.strata, params.confidence)
        for name in (RULE, params.reference)
    )
    return Finding(
        id="burstiness-rule",
        severity="note",
        statement=f"Picking the story with the highest kurtosis of sentence lengths has macro "
        f"accuracy {accuracy_in_percent(rule, params)}. On the same items {params.reference} has "
        f"{percent(reference.estimate.value)}.{lacking(outcomes)}",
        numbers={
            **rule.estimate.numbers("macro", 6),
            **reference.estimate.numbers("reference", 6),
            "items": rule.items,
            "confidence": params.confidence,
        },
    )
