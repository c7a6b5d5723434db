"""Corpora of the embedded study: premises and stories of a simulated world.

The tables ``qualities`` and ``leaks`` are the world's truth. Simulated judges and annotators read
the first in place of reading the stories; only tests read the second.
"""

import hashlib
from typing import Self

import numpy as np
import pandas as pd
from pydantic import model_validator

from pipeline.world.authors import MODELS, draw_length, draw_quality
from pipeline.world.edits import lightly_edit
from pipeline.world.premise import Premise, write_premise
from pipeline.world.story import Quality, write_story
from pipeline.world.tables import HUMAN, LEAKS, LLM, QUALITIES, TRAINING, WORLD
from storyaudit.params import Count, Params, Positive, Share
from storyaudit.stage import Stage
from storyaudit.tables import DIMENSIONS, PREMISES, STORIES

AUTHOR = "human"  # of human stories, and their kind


class CorporaParams(Params):
    """How large the simulated corpora are, and how many leaks they hold."""

    premises_llm: Positive
    premises_human: Positive
    premises_training: Positive
    copies: Count
    light_edits: Count
    edit_share: Share

    @model_validator(mode="after")
    def _leaks_fit(self) -> Self:
        if self.copies + self.light_edits > min(
            4 * self.premises_training, 4 * (self.premises_llm + self.premises_human)
        ):
            raise ValueError("there are fewer stories than leaks to plant")
        return self


def story_id(text: str, source: str) -> str:
    """Return a stable ID from a story's content and source."""
    return "s" + hashlib.sha256(f"{source}\0{text}".encode()).hexdigest()[:12]


def simulate_corpora(
    params: CorporaParams,
    *,
    premises_rng: np.random.Generator,
    stories_rng: np.random.Generator,
    leaks_rng: np.random.Generator,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return premises, stories, the stories' hidden qualities, and the planted leaks.

    Every premise gets one story by each of the four models; those of source
    ``simulated-human`` have a human story besides.
    """
    sources = (
        [LLM] * params.premises_llm
        + [HUMAN] * params.premises_human
        + [TRAINING] * params.premises_training
    )
    premises: list[dict[str, object]] = []
    stories: list[dict[str, object]] = []
    seen: set[str] = set()
    for number, source in enumerate(sources, start=1):
        premise = _new_premise(seen, premises_rng)
        premise_id = f"p{number:05d}"
        premises.append(
            {"premise_id": premise_id, "text": premise.text, "language": "en", "source": source}
        )
        authors = [model.name for model in MODELS]
        if source == HUMAN:
            authors.append(AUTHOR)
        for author in authors:
            quality = draw_quality(author, stories_rng)
            length = draw_length(author, stories_rng)
            text = write_story(premise, quality, words=length, style=author, rng=stories_rng)
            stories.append(
                {
                    "premise_id": premise_id,
                    "author_kind": AUTHOR if author == AUTHOR else "llm",
                    "author": author,
                    "language": "en",
                    "text": text,
                    "source": source,
                    **_as_columns(quality),
                }
            )
    table = pd.DataFrame(stories)
    planted = _plant_leaks(table, params, leaks_rng)
    table["story_id"] = [
        story_id(text, source) for text, source in zip(table["text"], table["source"], strict=True)
    ]
    leaks = pd.DataFrame(
        {
            "training_id": [table["story_id"][target] for target, _, _ in planted],
            "benchmark_id": [table["story_id"][origin] for _, origin, _ in planted],
            "kind": [kind for _, _, kind in planted],
        },
        dtype="str",
    )
    return (
        pd.DataFrame(premises),
        table[[c.name for c in STORIES.columns]],
        table[[c.name for c in QUALITIES.columns]],
        leaks,
    )


def _new_premise(seen: set[str], rng: np.random.Generator) -> Premise:
    while (premise := write_premise(rng)).text in seen:
        pass
    seen.add(premise.text)
    return premise


def _as_columns(quality: Quality) -> dict[str, float]:
    return {name: round(float(getattr(quality, name)), 6) for name in DIMENSIONS}


def _plant_leaks(
    stories: pd.DataFrame, params: CorporaParams, rng: np.random.Generator
) -> list[tuple[int, int, str]]:
    """Replace training texts by benchmark texts; return (training row, benchmark row, kind)."""
    training = np.flatnonzero(stories["source"] == TRAINING)
    benchmark = np.flatnonzero(stories["source"] != TRAINING)
    kinds = ["copy"] * params.copies + ["light_edit"] * params.light_edits
    targets = rng.choice(training, size=len(kinds), replace=False)
    origins = rng.choice(benchmark, size=len(kinds), replace=False)
    planted = []
    texts = stories["text"].tolist()
    for target, origin, kind in zip(targets.tolist(), origins.tolist(), kinds, strict=True):
        text = texts[origin]
        if kind == "light_edit":
            text = lightly_edit(text, rng, share=params.edit_share)
        texts[target] = text
        planted.append((target, origin, kind))
    stories["text"] = texts
    qualities = list(DIMENSIONS)
    for target, origin, _ in planted:  # a copied text is as good as the text it was copied from
        stories.loc[target, qualities] = stories.loc[origin, qualities]
    return planted


def main() -> None:
    """Run the stage."""
    with Stage("corpora") as stage:
        premises, stories, qualities, leaks = simulate_corpora(
            stage.params("corpora", CorporaParams),
            premises_rng=stage.stream("premises"),
            stories_rng=stage.stream("stories"),
            leaks_rng=stage.stream("leaks"),
        )
        stage.write(PREMISES, premises)
        stage.write(STORIES, stories)
        stage.write(QUALITIES, qualities, WORLD)
        stage.write(LEAKS, leaks, WORLD)
        stage.metrics(premises=len(premises), stories=len(stories))


if __name__ == "__main__":
    main()
