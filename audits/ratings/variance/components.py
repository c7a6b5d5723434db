"""Where the variance of totals lies, and what it costs to count item scores as independent."""

import numpy as np
import pandas as pd

from storyaudit.findings import Finding, Number, Unchecked, evidence
from storyaudit.phrasing import with_ci
from storyaudit.ratings.rating_rows import SHEET
from storyaudit.ratings.usable_ratings import codes
from storyaudit.stats.design_effect import kish_design_effect
from storyaudit.stats.estimate import Codes, Estimate, rounded
from storyaudit.stats.intraclass import nested
from storyaudit.stats.mixed_model import RESIDUAL, MixedFit, fit_mixed


def random_factors(sheets: pd.DataFrame, names: list[str]) -> dict[str, Codes]:
    """Return the columns that can be random factors: two levels or more, fewer than sheets.

    Args:
        sheets: complete sheets.
        names: columns of them.
    """
    levels = {name: codes(sheets[name])[0] for name in names}
    return {name: code for name, code in levels.items() if 0 < code.max() < len(sheets) - 1}


def variance_components(sheets: pd.DataFrame) -> MixedFit | None:
    """Fit totals by random authors, stories within authors, and raters.

    A story's names are unique, so that stories lie within authors. With one rater a story, the
    residual holds the stories' variance too.

    Args:
        sheets: complete sheets (``storyaudit.ratings.usable_ratings.totals``).

    Returns:
        None where the design cannot tell them.
    """
    if len(sheets) < 3:
        return None
    factors = random_factors(sheets, ["author", "story_id", "rater"])
    if not factors:
        return None
    return fit_mixed(sheets["total"].to_numpy(), np.ones((len(sheets), 1)), factors)


def component_finding(sheets: pd.DataFrame, confidence: float = 0.95) -> Finding | Unchecked:
    """Return the variance components of totals as a note, or why they cannot be told."""
    fit = variance_components(sheets) if len(sheets) else None
    if fit is None:
        return Unchecked(
            id="variance-components",
            check="how much of the totals' variance lies between authors, stories and raters",
            reason="no factor repeats over sheets, or their variances cannot be told apart",
        )
    total = sum(fit.variances.values())
    names = {"story_id": "story within author", RESIDUAL: "residual"}
    rows: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    for name, value in fit.variances.items():
        shown = names.get(name, name)
        estimate = fit.variance(name, confidence)
        rows.append(
            {
                "component": shown,
                "levels": len(sheets) if name == RESIDUAL else sheets[name].nunique(),
                "sd": rounded(value**0.5, 1),
                **estimate.numbers("variance", 0),
                "share": rounded(value / total, 2),
            }
        )
        numbers |= estimate.numbers(f"variance_{name.removesuffix('_id')}", 0)
    shares = ", ".join(
        f"{names.get(name, name)} {value / total:.0%}" for name, value in fit.variances.items()
    )
    statement = f"Where the variance of one sheet's total lies ({len(sheets)} sheets): {shares}."
    if "story_id" not in fit.variances:
        statement += " Stories are within the residual, as each has one sheet."
    return Finding(
        id="variance-components",
        severity="note",
        statement=statement,
        numbers={
            **numbers,
            "sheets": len(sheets),
            "unit": "sheet (REML; intervals of variances by chi-squared with Satterthwaite's df)",
            "confidence": confidence,
        },
        evidence=evidence(rows),
    )


def within_authors(
    rows: pd.DataFrame, cluster: list[str], confidence: float
) -> tuple[Estimate, float] | None:
    """Return the correlation of two scores of one cluster, authors' means apart, and the size.

    Args:
        rows: usable rows of the ratings table.
        cluster: columns that name a cluster.
        confidence: of the F interval.

    Returns:
        The correlation, and scores a cluster; None where it cannot be told.
    """
    author, _ = codes(rows["author"])
    named = rows[["author", *cluster]].astype("str").agg("\0".join, axis=1)
    return nested(rows["score"].to_numpy(dtype="float64"), author, codes(named)[0], confidence)


def design_effect_finding(rows: pd.DataFrame, confidence: float = 0.95) -> Finding | Unchecked:
    """Return what taking single scores as independent hides (Kish 1965), as a note."""
    table: list[dict[str, Number]] = []
    numbers: dict[str, Number] = {}
    sentences = []
    for name, cluster in (("sheet", SHEET), ("story", ["story_id"])):
        found = within_authors(rows, cluster, confidence)
        if found is None:
            continue
        correlation, size = found
        effect = kish_design_effect(correlation, size)
        effective = len(rows) / effect.value if effect.value > 0 else None
        table.append(
            {
                "cluster": name,
                "scores_a_cluster": rounded(size, 1),
                **correlation.numbers("correlation", 2),
                **effect.numbers("design_effect", 1),
                "effective_scores": rounded(effective, 0),
            }
        )
        numbers |= {**correlation.numbers(f"correlation_{name}", 2)}
        numbers |= {**effect.numbers(f"design_effect_{name}", 1)}
        if effective is not None:
            sentences.append(
                f"two scores of one {name} correlate by {with_ci(correlation)}, so that "
                f"{len(rows)} scores weigh as much as {effective:.0f} independent ones (design "
                f"effect {effect.value:.1f})"
            )
    if not sentences:
        return Unchecked(
            id="design-effect",
            check="what taking item scores as independent hides",
            reason="no sheet has two scores, or no author two sheets",
        )
    return Finding(
        id="design-effect",
        severity="note",
        statement=f"Within authors {'; '.join(sentences)}. A test on single scores that ignores "
        f"it finds differences too easily.",
        numbers={**numbers, "scores": len(rows), "unit": "sheet", "confidence": confidence},
        evidence=evidence(table),
    )
