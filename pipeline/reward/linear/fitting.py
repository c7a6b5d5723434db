"""Fit linear rewards to preference pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.reward.linear.linear_reward import LARGEST, LinearReward, StyleWeights
from pipeline.reward.linear.pair_texts import PairFeatures
from pipeline.reward.linear.style import STYLE, standardised
from pipeline.reward.model import Logged
from storyaudit.errors import InputError

_DECIMALS = 6  # of weights: the last bits differ between processors
_BLOCK = 1024  # pairs in memory once more at a time
_BUCKETS = 40

_LOSSES = {("log_loss", False): "Bradley-Terry"}
"""By the solver's loss and whether it has an intercept: without one, on differences of features."""
_OPTIMISERS = {"SGDClassifier": "SGD"}
_RATES = {"optimal": "1 / (l2 (t + t0)), Bottou 2012"}


@dataclass(frozen=True)
class Fitted:
    """A fitted model, and what moves its rewards most.

    Attributes:
        model: without names of its strongest features.
        buckets: effects of the strongest buckets, see ``LinearReward.attributions``.
        style: effects of the features of style.
        solver: what the solver itself says of how it fitted.
    """

    model: LinearReward
    buckets: dict[int, float]
    style: dict[str, float]
    solver: dict[str, Logged]


def fit(
    pairs: PairFeatures, rows: NDArray[np.int64], *, epochs: int, l2: float, seeds: Sequence[int]
) -> list[Fitted]:
    """Fit P(chosen over rejected) = 1 / (1 + exp(reward(rejected) − reward(chosen))), once a seed.

    Bradley and Terry (1952), with linear rewards: logistic regression without intercept on the
    differences of features, by averaged stochastic gradient descent, which does not move between
    one thread and two. Minimised is the pairs' mean of −log P, and l2 / 2 times the squared norm.
    Features of style are standardised by the stories of these pairs, and divided by the square
    root of their number: together they weigh about as much as the n-grams.

    Args:
        pairs: features of these pairs, and of others.
        rows: the pairs to fit.
        epochs: passes over the pairs.
        l2: weight of the squared norm in the objective.
        seeds: of the order of the pairs.

    Raises:
        InputError: the weights grow beyond all measure.
    """
    from sklearn.linear_model import SGDClassifier

    buckets = 2**pairs.settings.buckets_log2
    means, sds = _moments(np.concatenate([pairs.chosen[rows], pairs.rejected[rows]]))
    scale = max(len(means), 1) ** 0.5
    between = standardised(pairs.chosen[rows], means, sds) - standardised(
        pairs.rejected[rows], means, sds
    )
    signs = pairs.signs[rows]
    matrix = _rows(pairs.differences, rows)
    _fill_last(matrix, between / scale * signs[:, None])
    if (signs == signs[0]).all():  # a few rows, and so a copy
        matrix.data[: matrix.indptr[1]] *= -1
        signs[0] *= -1
    spread = _root_mean_squares(matrix)
    fitted = []
    for seed in seeds:
        solver = SGDClassifier(
            loss="log_loss",
            alpha=l2,
            fit_intercept=False,
            max_iter=epochs,
            tol=None,
            average=True,
            random_state=seed,
        )
        weights = solver.fit(matrix, signs).coef_[0]
        if not np.abs(weights).max() <= LARGEST:  # NaN is not
            raise InputError(
                "the model's weights grow beyond all measure.", "Raise train.linear.l2."
            )
        effects = weights * spread
        order = np.argsort(-np.abs(effects[:buckets]), kind="stable")[:_BUCKETS].tolist()
        model = LinearReward(
            pairs.settings,
            np.round(weights[:buckets], _DECIMALS).astype("float32"),
            StyleWeights(means, sds, np.round(weights[buckets:] / scale, _DECIMALS)),
        )
        style = dict(zip(STYLE, effects[buckets:].tolist(), strict=False))
        strongest = {b: float(effects[b]) for b in order if effects[b]}
        fitted.append(Fitted(model, strongest, style, said_by(solver)))
    return fitted


def said_by(solver: Any) -> dict[str, Logged]:
    """Return loss, optimiser, learning rate, epochs and penalty, read from the solver itself.

    A setting that has no name here stands under the solver's own.
    """
    name = type(solver).__name__
    optimiser = _OPTIMISERS.get(name, name)
    return {
        "loss": _LOSSES.get((solver.loss, solver.fit_intercept), solver.loss),
        "optimiser": f"averaged {optimiser}" if solver.average else optimiser,
        "learning_rate": _RATES.get(solver.learning_rate, solver.learning_rate),
        "batch_size": 1,  # scikit-learn's SGD takes one row at a time
        "epochs": solver.max_iter,
        str(solver.penalty): solver.alpha,
    }


def margins(model: LinearReward, pairs: PairFeatures) -> NDArray[np.float64]:
    """Return the chosen story's reward less the rejected one's, for every pair."""
    weights = np.concatenate([model.ngrams, np.zeros(len(model.style.means))])  # style is apart
    found = [
        pairs.differences[start : start + _BLOCK] @ weights
        for start in range(0, pairs.differences.shape[0], _BLOCK)
    ]
    of = model.style
    between = standardised(pairs.chosen, of.means, of.sds) - standardised(
        pairs.rejected, of.means, of.sds
    )
    grams = np.concatenate(found) * pairs.signs
    return np.asarray(grams + (between * of.weights).sum(axis=1))


def _moments(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means and standard deviations of what is known in each column; 0 where nothing is."""
    count = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    means = np.round(np.nansum(values, axis=0) / count, 8)
    variances = np.nansum((values - means) ** 2, axis=0) / count
    return means, np.round(np.sqrt(variances), _DECIMALS)


def _rows(matrix: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows: themselves where they follow one another, to save memory, or a copy."""
    from scipy.sparse import csr_matrix

    first, last = int(rows[0]), int(rows[-1]) + 1
    if not np.array_equal(rows, np.arange(first, last)):
        return matrix[rows]
    start, end = matrix.indptr[first], matrix.indptr[last]
    parts = (matrix.data[start:end], matrix.indices[start:end])
    ends = matrix.indptr[first : last + 1] - start
    return csr_matrix((*parts, ends), shape=(last - first, matrix.shape[1]), copy=False)


def _fill_last(matrix: Any, values: NDArray[np.float64]) -> None:
    """Write a row of values into each row's last stored places."""
    columns = values.shape[1]
    matrix.data[matrix.indptr[1:, None] - columns + np.arange(columns)] = values


def _root_mean_squares(matrix: Any) -> NDArray[np.float64]:
    rows, columns = matrix.shape
    total = np.zeros(columns)
    for start in range(0, rows, _BLOCK):
        block = matrix[start : start + _BLOCK]
        total += np.bincount(block.indices, block.data**2, minlength=columns)
    return np.asarray(np.sqrt(total / rows))
