"""Whether judges score longer stories higher."""

from audits.protocol.bias.effects import Effects, effects
from audits.protocol.bias.overall_scores import Overall
from audits.protocol.bias.slopes import judge_slopes
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
