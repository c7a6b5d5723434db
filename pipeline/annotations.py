"""People's decisions on the items. The annotators of the embedded study are simulated.

What a row of the annotations table means, by its ``kind``:

- ``ranking``: the person put this story of the item in place ``value`` (1 is the best). A person
  who ranks an item ranks all of its candidates.
- ``confirmation``: shown the judges' ranking of an LLM–LLM item, the person agrees that this
  story is first (1) or not (0); a rejection comes with a ranking of the person's own.
- ``best``: in a Human–LLM item the person found that the human story, this one, is best (1).
- ``unsure``: the person could not decide whether this story is first (1).
"""

import numpy as np
import pandas as pd

from pipeline.simulation.judges import worth_of
from pipeline.simulation.truth_tables import GROUND_TRUTH, QUALITIES
from storyaudit.data.tables import (
    ANNOTATIONS,
    CANDIDATES,
    INDIVIDUAL_ANNOTATIONS,
    JUDGEMENTS,
    STORIES,
    human_stories,
)
from storyaudit.protocol.gold import refusal
from storyaudit.protocol.protocol_items import Item, assemble
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.protocol.ranking import route
from storyaudit.runs.params import Deviation, Params, Positive, Share
from storyaudit.runs.raw import RAW_ANNOTATIONS, find_raw
from storyaudit.runs.stage import Stage
from storyaudit.vocabulary import (
    ANNOTATORS,
    BEST,
    BY_RANKING,
    CONFIRMATION,
    HUMAN_LLM,
    RANKING,
    UNSURE,
)

ANNOTATOR = "simulated-annotator"

Decision = tuple[str, str, float]
"""Kind, story and value of a row."""


class AnnotationsParams(Params):
    """How the simulated person errs, and when it is unsure.

    Attributes:
        noise: SD of the error on a story's overall worth, in points of the judges' scale.
        unsure_margin: how much better another story must seem before the person objects, in points.
        error_rate: share of items that the person decides at random: a slip.
        annotators: how many people decide; the first one's decisions stand.
        shared: share of the items that another annotator decides as well, for their agreement.
    """

    annotators: Positive
    shared: Share

    noise: Deviation
    unsure_margin: Deviation
    error_rate: Share


def simulate_annotations(
    candidates: pd.DataFrame,
    judgements: pd.DataFrame,
    qualities: pd.DataFrame,
    humans: set[str],
    params: AnnotationsParams,
    protocol: ProtocolParams,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return what every annotator decided.

    A person sees each story's overall worth with an error; in a slip it takes the stories for
    one another, each order being as likely. See ``decide`` for what it then decides. The first
    annotator decides every item, each other one a share of them, drawn at random.

    Raises:
        InputError: a candidate without qualities, an item without the judges or the human story
            that the protocol needs.
    """
    worth = worth_of(candidates, qualities).mean(axis=1).to_dict()
    nothing = pd.DataFrame(columns=ANNOTATIONS.names)
    items = assemble(candidates, judgements, nothing, humans, protocol)
    rows: list[tuple[str, str, str, str, float]] = []
    for number, own in enumerate(rng.spawn(params.annotators), start=1):
        for item in items:
            if number > 1 and own.random() >= params.shared:
                continue
            stories = sorted(item.stories)
            errors = own.normal(0, params.noise, len(stories))
            values = np.array([worth[story] for story in stories]) + errors
            slip, mixed = own.random() < params.error_rate, own.permutation(values)
            seen = dict(zip(stories, (mixed if slip else values).tolist(), strict=True))
            who = f"{ANNOTATOR}-{number}"
            rows += [(item.item_id, who, *row) for row in decide(item, seen, params, protocol)]
    return pd.DataFrame(rows, columns=["item_id", "annotator", "kind", "story_id", "value"])


def decide(
    item: Item, seen: dict[str, float], params: AnnotationsParams, protocol: ProtocolParams
) -> list[Decision]:
    """Return a person's decision on an item.

    Items with strong disagreement among judges get a complete ranking; the others a confirmation
    of the story that judges rank first, or its rejection with a ranking of the person's own, or
    'unsure' where it prefers another but not by ``unsure_margin``. Human–LLM items get 'best' for
    the human story, or 'unsure' where another story seems better by that margin: the person is
    informed that the human story is first, and doubts it only with cause.

    Args:
        item: its candidates and scores.
        seen: each story's worth as the person sees it, in points.
        params: how sure the person must be.
        protocol: which items are ranked completely.
    """
    ranked = sorted(seen, key=lambda story: (-seen[story], story))
    ranking = [(RANKING, story, float(rank)) for rank, story in enumerate(ranked, start=1)]
    if item.origin == HUMAN_LLM:
        if len(item.humans) != 1:
            raise refusal(item, f"expected one human story, found {len(item.humans)}")
        (human,) = item.humans
        sure = seen[ranked[0]] - seen[human] < params.unsure_margin
        return [(BEST if sure else UNSURE, human, 1.0)]
    if item.scores is None or len(item.scores.judges) < protocol.minimum_judges:
        raise refusal(item, f"expected complete scores by {protocol.minimum_judges} judges")
    way, _ = route(item.scores.overall, tau_threshold=protocol.tau_threshold)
    if way == BY_RANKING:
        return ranking
    first = item.scores.first[0]
    if ranked[0] == first:
        return [(CONFIRMATION, first, 1.0)]
    if seen[ranked[0]] - seen[first] < params.unsure_margin:
        return [(UNSURE, first, 1.0)]
    return [(CONFIRMATION, first, 0.0), *ranking]


def main() -> None:
    """Run the stage: simulate the annotator, or take over what real ones decided."""
    with Stage("annotations") as stage:
        if ANNOTATORS not in stage.simulated:
            annotations = stage.read_raw(ANNOTATIONS, ANNOTATORS, RAW_ANNOTATIONS)
            everybody = annotations
            if find_raw(RAW_ANNOTATIONS, INDIVIDUAL_ANNOTATIONS):
                everybody = stage.read_raw(INDIVIDUAL_ANNOTATIONS, ANNOTATORS, RAW_ANNOTATIONS)
        else:
            everybody = simulate_annotations(
                stage.read(CANDIDATES),
                stage.read(JUDGEMENTS),
                stage.read(QUALITIES, GROUND_TRUTH),
                human_stories(stage.read(STORIES)),
                stage.params("annotations", AnnotationsParams),
                stage.params("protocol", ProtocolParams),
                stage.stream("annotations"),
            )
            annotations = everybody[everybody["annotator"] == f"{ANNOTATOR}-1"]
        stage.write(ANNOTATIONS, annotations)
        stage.write(INDIVIDUAL_ANNOTATIONS, everybody)
        kinds = annotations.groupby("kind")["item_id"].nunique()
        stage.metrics(**{f"items.{kind}": int(count) for kind, count in kinds.items()})


if __name__ == "__main__":
    main()
