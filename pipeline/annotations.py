"""People's decisions on the items. The annotators of the embedded study are simulated."""

import numpy as np
import pandas as pd

from pipeline.world.tables import QUALITIES, WORLD, points
from storyaudit.params import Deviation, Params
from storyaudit.protocol.judging import scores_by_item
from storyaudit.protocol.params import ProtocolParams
from storyaudit.protocol.ranking import route
from storyaudit.stage import Stage
from storyaudit.tables import ANNOTATIONS, CANDIDATES, JUDGEMENTS, STORIES, human_stories

ANNOTATOR = "simulated-annotator-1"


class AnnotationsParams(Params):
    """How the simulated person errs, and when it is unsure."""

    noise: Deviation
    unsure_margin: Deviation


def simulate_annotations(
    candidates: pd.DataFrame,
    judgements: pd.DataFrame,
    qualities: pd.DataFrame,
    humans: set[str],
    params: AnnotationsParams,
    protocol: ProtocolParams,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the annotations table.

    The person sees each story's overall worth with an error. Items with strong disagreement among
    judges get a complete ``ranking`` (value 1 is the best); the others a ``confirmation`` of the
    story that judges rank first (1), or its rejection (0) with a ranking of the person's own, or
    ``unsure`` where it prefers another but not by ``unsure_margin``. Human–LLM items get ``best``
    for the human story, or ``unsure`` where another story seems better by that margin: the person
    is told that the human story is first, and doubts it only with cause.
    """
    scores = scores_by_item(judgements)
    worth = points(qualities).mean(axis=1)
    rows: list[tuple[str, str, str, float]] = []
    for item_id, group in candidates.groupby("item_id", sort=True):
        item = str(item_id)
        stories = sorted(group["story_id"])
        seen = dict(
            zip(
                stories,
                worth[stories].to_numpy() + rng.normal(0, params.noise, len(stories)),
                strict=True,
            )
        )
        ranked = sorted(stories, key=lambda story: (-seen[story], story))
        ranking = [(item, "ranking", s, float(r)) for r, s in enumerate(ranked, start=1)]
        if group["origin"].iloc[0] == "human_llm":
            human = next(story for story in stories if story in humans)
            sure = seen[ranked[0]] - seen[human] < params.unsure_margin
            rows.append((item, "best" if sure else "unsure", human, 1.0))
            continue
        way, _ = route(scores[item].overall, tau_threshold=protocol.tau_threshold)
        if way == "complete_ranking":
            rows += ranking
            continue
        first = scores[item].first
        if ranked[0] == first:
            rows.append((item, "confirmation", first, 1.0))
        elif seen[ranked[0]] - seen[first] < params.unsure_margin:
            rows.append((item, "unsure", first, 1.0))
        else:
            rows += [(item, "confirmation", first, 0.0), *ranking]
    table = pd.DataFrame(rows, columns=["item_id", "kind", "story_id", "value"])
    return table.assign(annotator=ANNOTATOR)


def main() -> None:
    """Run the stage."""
    with Stage("annotations") as stage:
        stories = stage.read(STORIES)
        annotations = simulate_annotations(
            stage.read(CANDIDATES),
            stage.read(JUDGEMENTS),
            stage.read(QUALITIES, WORLD),
            human_stories(stories),
            stage.params("annotations", AnnotationsParams),
            stage.params("protocol", ProtocolParams),
            stage.stream("annotations"),
        )
        stage.write(ANNOTATIONS, annotations)
        kinds = annotations.groupby("kind")["item_id"].nunique()
        stage.metrics(**{f"items.{kind}": int(count) for kind, count in kinds.items()})


if __name__ == "__main__":
    main()
