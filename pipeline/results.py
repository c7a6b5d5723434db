"""Each run's outcome on each item, and its accuracies."""

import pandas as pd

from storyaudit.selection import RUN, accuracies, select
from storyaudit.stage import Stage
from storyaudit.tables import BENCHMARK, CANDIDATES, RESULTS, SCORES


def summarise(results: pd.DataFrame) -> list[tuple[str, int | None, dict[str, float]]]:
    """Return (variant, seed, accuracies) of every run, and (variant, None, mean and SD) of each.

    The SD over seeds is that of a sample (n − 1), and absent where a variant has one seed.
    """
    rows: list[tuple[str, int | None, dict[str, float]]] = []
    for variant, runs in results.groupby("variant", sort=True):
        seeds = {int(run["seed"].iloc[0]): accuracies(run) for _, run in runs.groupby(RUN)}
        rows += [(str(variant), seed, metrics) for seed, metrics in seeds.items()]
        by_seed = pd.DataFrame(seeds)
        spread = {f"{name}.mean": float(value) for name, value in by_seed.mean(axis=1).items()}
        if by_seed.shape[1] > 1:
            deviation = by_seed.std(axis=1, ddof=1)
            spread |= {f"{name}.sd": float(value) for name, value in deviation.items()}
        rows.append((str(variant), None, spread | {"seeds": float(by_seed.shape[1])}))
    return rows


def main() -> None:
    """Run the stage."""
    with Stage("results") as stage:
        scores = stage.read(SCORES)
        candidates, benchmark = stage.read(CANDIDATES), stage.read(BENCHMARK)
        results = select(scores, candidates, benchmark)
        stage.write(RESULTS, results)
        for variant, seed, metrics in summarise(results):
            rounded = {name: round(value, 9) for name, value in metrics.items()}
            stage.run(variant, seed, metrics=rounded)
        stage.metrics(items=len(benchmark))


if __name__ == "__main__":
    main()
