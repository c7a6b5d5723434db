"""Each judge's slope of the overall score on something of the story, within items."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from audits.protocol.bias.overall_scores import Overall, author_columns
from storyaudit.stats.estimate import Array
from storyaudit.stats.within_blocks import coefficients, demeaned, moments


class Slopes(NamedTuple):
    """Slopes by judge: their names, one slope each, bootstrap samples × judges, items behind."""

    judges: list[str]
    point: Array
    samples: Array
    items: list[int]


def judge_slopes(
    overall: Overall, rows: pd.DataFrame, regressors: list[str], weights: Array
) -> Slopes:
    """Return each judge's slope on the first regressor by least squares.

    A judge's scores of one item are compared with each other only (an effect for each item), and
    with the judge's mean level of the stories' authors, where those are known.

    Args:
        overall: names the items and authors.
        rows: those to use; the regressors must not be missing.
        regressors: columns of ``rows``; the others are held.
        weights: bootstrap samples of items, samples × items.
    """
    judges = sorted(rows["judge"].unique())
    count = len(overall.items)
    once = np.ones((1, count))
    point, samples, items = [], [], []
    for judge in judges:
        own = rows[rows["judge"] == judge]
        item = overall.item_codes(own)
        x = np.hstack([own[regressors].to_numpy("float64"), author_columns(own, overall.authors)])
        x = demeaned(x, item)
        y = demeaned(own[["score"]].to_numpy("float64"), item)[:, 0]
        sums = moments(x, y, item, count)
        point.append(coefficients(sums, once)[0, 0])
        samples.append(coefficients(sums, weights)[:, 0])
        items.append(int((sums.xx[:, 0, 0] > 0).sum()))
    return Slopes(judges, np.array(point), np.array(samples).T.reshape(-1, len(judges)), items)
