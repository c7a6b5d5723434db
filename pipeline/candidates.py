"""Four candidates an item: four models' stories, or a human story with three models'."""

import numpy as np
import pandas as pd

from pipeline.world.tables import TRAINING
from storyaudit.params import Count, Params
from storyaudit.stage import Stage
from storyaudit.tables import CANDIDATES, PREMISES, STORIES
from storyaudit.text import words


class CandidatesParams(Params):
    """Which human stories are used."""

    minimum_words: Count


def build_candidates(
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    params: CandidatesParams,
    rng: np.random.Generator,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the candidates table, and how many premises were used and dropped.

    A premise with a human story makes a Human–LLM item with three of its model stories, drawn at
    random; it is dropped where the human story has fewer than ``minimum_words`` words. Any other
    premise makes an LLM–LLM item. Positions are shuffled.
    """
    by_premise = dict(list(stories.groupby("premise_id", sort=True)))
    rows: list[dict[str, object]] = []
    counts = {"short_human_stories": 0, "llm_llm": 0, "human_llm": 0}
    benchmark_premises = premises.loc[premises["source"] != TRAINING, "premise_id"]
    for premise_id in sorted(benchmark_premises):
        group = by_premise[premise_id]
        human = group.loc[group["author_kind"] == "human"]
        models = sorted(group.loc[group["author_kind"] == "llm", "story_id"])
        if human.empty:
            origin, chosen = "llm_llm", models
        elif len(words(human["text"].iloc[0])) < params.minimum_words:
            counts["short_human_stories"] += 1
            continue
        else:
            drawn = rng.choice(models, size=3, replace=False).tolist()
            origin, chosen = "human_llm", [human["story_id"].iloc[0], *drawn]
        counts[origin] += 1
        for position, story in enumerate(rng.permutation(chosen).tolist(), start=1):
            rows.append(
                {
                    "item_id": f"i-{premise_id}",
                    "position": position,
                    "story_id": story,
                    "premise_id": premise_id,
                    "origin": origin,
                }
            )
    return pd.DataFrame(rows), counts


def main() -> None:
    """Run the stage."""
    with Stage("candidates") as stage:
        candidates, counts = build_candidates(
            stage.read(PREMISES),
            stage.read(STORIES),
            stage.params("candidates", CandidatesParams),
            stage.stream("candidates"),
        )
        stage.write(CANDIDATES, candidates)
        stage.metrics(**counts)


if __name__ == "__main__":
    main()
