"""The linear kind: Bradley–Terry on hashed word n-grams and named features of style."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.reward.linear.attributions import bucket_names, with_attributions
from pipeline.reward.linear.fitting import Fitted, fit, margins
from pipeline.reward.linear.linear_file import load_linear
from pipeline.reward.linear.linear_reward import KIND, LinearReward
from pipeline.reward.linear.pair_texts import PairFeatures, pair_features
from pipeline.reward.linear.reward_settings import LinearParams
from pipeline.reward.model import Fit, Logged, PairTexts, RewardKind, Rows

READS: dict[str, Logged] = {
    "kind": KIND,
    "input": "the story's n-grams, and its words that the premise has",
    "truncation": "end",
}
"""What a linear model reads, for the run's record."""


class LinearKind(RewardKind[LinearParams]):
    """See ``RewardKind``."""

    name = KIND
    params = LinearParams

    def fit(
        self,
        texts: PairTexts,
        rows: Mapping[str, Mapping[int, Rows]],
        training: Rows,
        params: LinearParams,
    ) -> Iterator[tuple[str, int, Fit]]:
        """Yield the models; all of them share one matrix of features."""
        features = pair_features(*texts, params.settings())
        fitted = {
            (variant, seed): model
            for variant, by_seed in rows.items()
            for seed, model in _fits(features, by_seed, params).items()
        }
        names = bucket_names(
            {bucket for model in fitted.values() for bucket in model.buckets},
            [texts.premises[row] for row in training for _ in range(2)],
            [side[row] for row in training for side in (texts.chosen, texts.rejected)],
            params.settings(),
        )
        for (variant, seed), model in fitted.items():
            yield (
                variant,
                seed,
                Fit(
                    model=with_attributions(model, names),
                    margins=margins(model.model, features),
                    truncated=features.truncated,
                    log=READS | model.solver | params.settings().model_dump(),
                ),
            )

    def load(self, content: dict[str, Any], folder: Path) -> LinearReward:
        """Return a saved model, read with distrust."""
        return load_linear(content, folder)


LINEAR = LinearKind()


def _fits(
    features: PairFeatures, rows: Mapping[int, Rows], params: LinearParams
) -> dict[int, Fitted]:
    """Fit once for all seeds that train on the same pairs."""
    first, *others = rows.values()
    if all(of_seed is first for of_seed in others):
        models = fit(features, first, epochs=params.epochs, l2=params.l2, seeds=list(rows))
        return dict(zip(rows, models, strict=True))
    return {
        seed: fit(features, of_seed, epochs=params.epochs, l2=params.l2, seeds=[seed])[0]
        for seed, of_seed in rows.items()
    }
