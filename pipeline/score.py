"""Score the benchmark's candidates with every trained model and every baseline."""

import numpy as np
import pandas as pd

from pipeline.reward.baselines import at_random, longest
from pipeline.reward.linear import LinearReward, features, load
from pipeline.train import MODELS, VARIANT, TrainParams
from storyaudit.stage import Stage
from storyaudit.tables import BENCHMARK, CANDIDATES, PREMISES, SCORES, STORIES


def score(
    candidates: pd.DataFrame,
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    models: dict[int, LinearReward],
    random_streams: dict[int, np.random.Generator],
) -> pd.DataFrame:
    """Return the scores table: ``linear`` and ``random`` once a seed, ``longest`` once (seed 0)."""
    premise_text = premises.set_index("premise_id")["text"][candidates["premise_id"]].tolist()
    story_text = stories.set_index("story_id")["text"][candidates["story_id"]].tolist()
    keys = candidates[["item_id", "story_id"]].reset_index(drop=True)
    tables = [keys.assign(variant="longest", model="words", seed=0, reward=longest(story_text))]
    matrices: dict[tuple[int, int], object] = {}
    for seed, model in models.items():
        shape = (model.buckets_log2, model.ngrams)
        if shape not in matrices:
            matrices[shape] = features(
                premise_text, story_text, buckets_log2=shape[0], ngrams=shape[1]
            )
        rewards = model.score(matrices[shape])
        tables.append(keys.assign(variant=VARIANT, model="ngrams", seed=seed, reward=rewards))
    for seed, rng in random_streams.items():
        rewards = at_random(len(keys), rng)
        tables.append(keys.assign(variant="random", model="uniform", seed=seed, reward=rewards))
    return pd.concat(tables, ignore_index=True)


def main() -> None:
    """Run the stage."""
    with Stage("score") as stage:
        seeds = stage.params("train", TrainParams).seeds
        benchmark = stage.read(BENCHMARK)
        candidates = stage.read(CANDIDATES)
        scores = score(
            candidates[candidates["item_id"].isin(benchmark["item_id"])],
            stage.read(PREMISES),
            stage.read(STORIES),
            {seed: load(stage.reads(MODELS / VARIANT / f"seed-{seed}.json")) for seed in seeds},
            {seed: stage.stream(f"random {seed}") for seed in seeds},
        )
        stage.write(SCORES, scores)
        stage.metrics(scores=len(scores))


if __name__ == "__main__":
    main()
