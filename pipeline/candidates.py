"""Four candidates an item: four models' stories, or a human story with three models'."""

from typing import Literal

import numpy as np
import pandas as pd

from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.faults import FAULTS, duplicate_items
from pipeline.simulation.truth_tables import GROUND_TRUTH
from storyaudit.data.tables import CANDIDATES, PREMISES, STORIES
from storyaudit.errors import InputError
from storyaudit.protocol.gold import CANDIDATES_PER_ITEM
from storyaudit.runs.params import Count, Params
from storyaudit.runs.stage import Stage
from storyaudit.text.words import words
from storyaudit.vocabulary import HUMAN, HUMAN_LLM, LLM, LLM_LLM, ORIGINS, USE_BENCHMARK


class CandidatesParams(Params):
    """Which premises become items.

    Attributes:
        minimum_words: human stories below it are dropped, with their premise.
        incomplete_premises: what becomes of premises without four candidates.
    """

    minimum_words: Count
    incomplete_premises: Literal["refuse", "drop"]


def build_candidates(
    premises: pd.DataFrame,
    stories: pd.DataFrame,
    params: CandidatesParams,
    rng: np.random.Generator,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the candidates table, and how many premises were used and dropped.

    A premise of use 'benchmark' with a human story makes a Human–LLM item with three of its model
    stories; it is dropped where its one human story has fewer than ``minimum_words`` words. Any
    other premise makes an LLM–LLM item of four model stories. Which stories, where there are more,
    and their positions are drawn at random.

    Raises:
        InputError: a premise without four candidates, unless they are dropped; two stories of a
            premise with the same text; no premise that makes an item.
    """
    benchmark = set(premises.loc[premises["use"] == USE_BENCHMARK, "premise_id"])
    rows: list[tuple[str, int, str, str, str]] = []
    counts = {"short_human_stories": 0, "incomplete_premises": 0, **dict.fromkeys(ORIGINS, 0)}
    by_premise = stories.loc[stories["premise_id"].isin(benchmark)].groupby("premise_id")
    groups = {str(premise): group for premise, group in by_premise}
    for premise_id in sorted(benchmark):
        group = groups.get(premise_id, stories.iloc[:0])
        _refuse_same_texts(premise_id, group)
        models = sorted(group.loc[group["author_kind"] == LLM, "story_id"])
        human = group.loc[group["author_kind"] == HUMAN].sort_values("story_id")
        if not human.empty:
            long = human["text"].map(lambda text: len(words(text)) >= params.minimum_words)
            if not long.any():
                counts["short_human_stories"] += 1
                continue
            human = human[long]
        wanted = CANDIDATES_PER_ITEM - (not human.empty)
        if len(models) < wanted:
            if params.incomplete_premises == "refuse":
                raise InputError(
                    f"premise {premise_id}: expected {wanted} stories by language models"
                    f"{' beside the human one' if wanted < CANDIDATES_PER_ITEM else ''}, "
                    f"found {len(models)}.",
                    "Add them, or set candidates.incomplete_premises to 'drop'.",
                )
            counts["incomplete_premises"] += 1
            continue
        chosen = models if len(models) == wanted else _draw(models, wanted, rng)
        if not human.empty:
            chosen = [*_draw(human["story_id"].tolist(), 1, rng), *chosen]
        origin = LLM_LLM if human.empty else HUMAN_LLM
        counts[origin] += 1
        rows += [
            (f"i-{premise_id}", position, story, premise_id, origin)
            for position, story in enumerate(rng.permutation(chosen).tolist(), start=1)
        ]
    if not rows:
        raise InputError(
            f"no item could be made of {len(benchmark)} benchmark premises ({counts}).",
            "Give premises with four candidates each.",
        )
    return pd.DataFrame(rows, columns=CANDIDATES.names), counts


def _draw(stories: list[str], number: int, rng: np.random.Generator) -> list[str]:
    drawn: list[str] = rng.choice(stories, size=number, replace=False).tolist()
    return drawn


def _refuse_same_texts(premise_id: str, group: pd.DataFrame) -> None:
    texts = group["text"].str.split().str.join(" ")
    twice = group.loc[texts.duplicated(keep=False), "story_id"].sort_values().tolist()
    if twice:
        raise InputError(
            f"premise {premise_id}: the stories {', '.join(twice[:4])} do not all differ in text.",
            "Keep one story of each text.",
        )


def main() -> None:
    """Run the stage."""
    with Stage("candidates") as stage:
        candidates, counts = build_candidates(
            stage.read(PREMISES),
            stage.read(STORIES),
            stage.params("candidates", CandidatesParams),
            stage.stream("candidates"),
        )
        faults = stage.params("faults", FaultsParams)
        candidates, duplicated = duplicate_items(
            candidates, faults.doubled_items, stage.stream("doubled items")
        )
        stage.write(CANDIDATES, candidates)
        stage.write(FAULTS, duplicated, GROUND_TRUTH / "candidates")
        stage.metrics(**counts)


if __name__ == "__main__":
    main()
