"""Each run's outcome on each item, and its accuracies."""

import pandas as pd

from storyaudit.data.tables import (
    BENCHMARK,
    CANDIDATES,
    FURTHER_RESULTS,
    FURTHER_SCORES,
    PREMISES,
    RESULTS,
    SCORES,
    STORIES,
)
from storyaudit.results.selection import accuracies, item_groups, model_names, select
from storyaudit.runs.stage import EXPERIMENTS, STUDY, Stage

Summary = tuple[str, int | None, dict[str, float]]


def summarise(results: pd.DataFrame) -> list[Summary]:
    """Return (variant, seed, accuracies) of every run, and (variant, None, mean and SD) of each.

    A variant with several models is named with each. The SD over seeds is that of a sample (n − 1),
    and absent where a variant has one seed.
    """
    rows: list[Summary] = []
    by_model = list(results.groupby(["variant", "model"], sort=True))
    names = model_names([(str(variant), str(model)) for (variant, model), _ in by_model])
    for name, (_, runs) in zip(names, by_model, strict=True):
        seeds = {int(str(seed)): accuracies(run) for seed, run in runs.groupby("seed", sort=True)}
        rows += [(name, seed, metrics) for seed, metrics in seeds.items()]
        by_seed = pd.DataFrame(seeds)
        spread = {f"{metric}.mean": float(value) for metric, value in by_seed.mean(axis=1).items()}
        if by_seed.shape[1] > 1:
            deviation = by_seed.std(axis=1, ddof=1)
            spread |= {f"{metric}.sd": float(value) for metric, value in deviation.items()}
        rows.append((name, None, spread | {"seeds": float(by_seed.shape[1])}))
    return rows


def main() -> None:
    """Run the stage."""
    with Stage("results") as stage:
        scores, further = stage.read(SCORES), stage.read(FURTHER_SCORES, EXPERIMENTS)
        candidates = stage.read(CANDIDATES)
        benchmark = item_groups(
            stage.read(BENCHMARK), candidates, stage.read(PREMISES), stage.read(STORIES)
        )
        for table, scored, folder in (
            (RESULTS, scores, STUDY),
            (FURTHER_RESULTS, further, EXPERIMENTS),
        ):
            results = select(scored, candidates, benchmark)
            stage.write(table, results, folder)
            for variant, seed, metrics in summarise(results):
                rounded = {name: round(value, 9) for name, value in metrics.items()}
                stage.run(variant, seed, metrics=rounded)
        stage.metrics(items=len(benchmark))


if __name__ == "__main__":
    main()
