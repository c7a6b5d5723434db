"""The judges' mean is measured against a gold that was partly made of the same scores."""

from storyaudit.findings import Number, counted
from storyaudit.phrasing import estimated, percent
from storyaudit.results.outcomes import Outcomes
from storyaudit.stats.estimate import Estimate
from storyaudit.stats.proportion import proportion_ci
from storyaudit.vocabulary import BY_RANKING, JUDGES_MEAN, Route

RANKED: Route = BY_RANKING
WHY = "partly circular: the gold of confirmed items derives from the same scores"


def circularity(outcomes: Outcomes, model: int, confidence: float) -> tuple[str, dict[str, Number]]:
    """Return what a finding on the judges' mean must add, and numbers; nothing for other variants.

    Where the results name the annotation route, the accuracy on completely ranked items is added.
    The judges' scores decide which items these are, those on which they disagree or tie, and not
    which of the stories is the chosen one.

    Returns:
        Sentences, each after a space; and numbers.
    """
    if outcomes.variants[model] != JUDGES_MEAN:
        return "", {}
    caution = f" This accuracy is {WHY}."
    if outcomes.protocols is None:
        return caution, {}
    right = outcomes.correct[outcomes.protocols == RANKED, model]
    if not len(right):
        return f"{caution} No item's gold is known to be a complete ranking by annotators.", {
            "ranked_items": 0
        }
    value = float(right.mean())
    found = Estimate(value, *proportion_ci(value, len(right), confidence))
    return (
        f"{caution} On the {counted(len(right), 'item')} ranked completely by annotators, accuracy "
        f"is {estimated(found, confidence, percent)}, by Wilson's interval."
    ), {"ranked_items": len(right), **found.numbers("ranked_accuracy", 6)}
