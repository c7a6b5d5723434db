"""The judges' mean is held against a gold that was partly made of the same scores."""

from storyaudit.findings import Number, counted
from storyaudit.phrasing import fine_percent, level
from storyaudit.results.outcomes import Outcomes
from storyaudit.stats.estimate import Estimate
from storyaudit.stats.proportion import proportion_ci
from storyaudit.vocabulary import BY_RANKING, JUDGES_MEAN, Route

RANKED: Route = BY_RANKING
WHY = "partly circular, as the gold of confirmed items was made of the same scores"


def circularity(outcomes: Outcomes, model: int, confidence: float) -> tuple[str, dict[str, Number]]:
    """Return what a finding on the judges' mean must add, and numbers; nothing for other variants.

    Where the results say how an item's gold came about, the accuracy on items that people ranked
    completely stands beside. The judges' scores decide which items these are, those on which they
    disagree or tie, and not which of the stories is the chosen one.
    """
    if outcomes.variants[model] != JUDGES_MEAN:
        return "", {}
    if outcomes.protocols is None:
        return f", {WHY}", {}
    right = outcomes.correct[outcomes.protocols == RANKED, model]
    if not len(right):
        return f", {WHY}; no item's gold is known to be people's complete ranking", {
            "ranked_items": 0
        }
    value = float(right.mean())
    low, high = proportion_ci(value, len(right), confidence)
    clause = (
        f", {WHY}; on the {counted(len(right), 'item')} whose gold is people's complete ranking it "
        f"is right in {fine_percent(value)} ({level(confidence)} interval by Wilson "
        f"{fine_percent(low)} to {fine_percent(high)})"
    )
    return clause, {
        "ranked_items": len(right),
        **Estimate(value, low, high).numbers("ranked_accuracy", 6),
    }
