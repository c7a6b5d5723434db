"""Length bias: whether judges score longer stories higher."""

from audits.protocol.bias.effects import Effects, effects
from audits.protocol.bias.judge_bias import JudgeBias, Setting, effects_finding
from audits.protocol.bias.overall_scores import Overall
from audits.protocol.bias.slopes import judge_slopes
from storyaudit.findings import Finding
from storyaudit.stats.estimate import Array


def length_effects(overall: Overall, weights: Array, confidence: float) -> Effects | None:
    """Return by how many points a story of twice the words scores higher, within item and judge.

    The position is held where it is known.

    Returns:
        None where words are not known, or do not vary apart from the authors.
    """
    rows = overall.rows[overall.rows["log2_words"].notna()]
    if rows.empty:
        return None
    held = ["position"] if rows["position"].notna().all() else []
    slopes = judge_slopes(overall, rows, ["log2_words", *held], weights)
    return effects(slopes.judges, slopes.point, slopes.samples, slopes.items, confidence)


def length_finding(setting: Setting) -> Finding | str:
    """Return the finding on longer stories' scores, or why there is none."""
    found = length_effects(setting.overall, setting.weights, setting.confidence)
    if found is None:
        return setting.no_stories or "lengths are unknown, or do not vary within authors"
    adjusted = ", adjusted for authors" if setting.overall.authors else ""
    others = (
        " The evidence also gives each judge's effect minus the mean of the others', which cancels "
        "effects common to all judges."
        if found.against
        else ""
    )
    return effects_finding(
        "length",
        f"Length bias (overall score, per doubling of a story's words{adjusted})",
        f"This is an association: longer stories may be better.{others}",
        found,
        setting,
        "note",
    )


LENGTH = JudgeBias("length", "length bias of the judges", length_finding)
