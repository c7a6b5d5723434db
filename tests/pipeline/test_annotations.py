from itertools import product

import numpy as np
import pandas as pd
import pytest

from pipeline.annotations import AnnotationsParams, simulate_annotations
from pipeline.benchmark import build_benchmark
from pipeline.candidates import CandidatesParams, build_candidates
from pipeline.judgements import JudgementsParams, simulate_judgements
from storyaudit.protocol.params import ProtocolParams
from storyaudit.tables import ANNOTATIONS, DIMENSIONS, require_sound

PROTOCOL = ProtocolParams(tau_threshold=0.6, tie_tolerance=0.5, priority=list(DIMENSIONS))
STORIES = "abcd"
AGREED = ([9, 7, 5, 3], [8, 6, 4, 2])  # tau 1: a is first, then b, c, d
OPPOSED = ([9, 7, 5, 3], [3, 5, 7, 9])  # tau −1


def decide(
    overall: tuple[list[int], ...],
    worth: list[float],
    *,
    human: str | None = None,
    noise: float = 0.0,
    seed: int = 1,
) -> dict[tuple[str, str], float]:
    """The decisions on one item: {(kind, story): value}; the person errs by `noise`.

    Worth is in points: what the person sees of a story's overall worth.
    """
    origin = "human_llm" if human else "llm_llm"
    candidates = pd.DataFrame({"item_id": "i", "story_id": list(STORIES), "origin": origin})
    rows = [
        ("i", story, f"j{judge}", dimension, float(scores[place]))
        for judge, scores in enumerate(overall)
        for place, story in enumerate(STORIES)
        for dimension in (*DIMENSIONS, "overall")
    ]
    judgements = pd.DataFrame(rows, columns=["item_id", "story_id", "judge", "dimension", "score"])
    quality = (np.array(worth) - 1) / 9
    qualities = pd.DataFrame({"story_id": list(STORIES)} | dict.fromkeys(DIMENSIONS, quality))
    table = simulate_annotations(
        candidates,
        judgements,
        qualities,
        {human} if human else set(),
        AnnotationsParams(noise=noise, unsure_margin=0.25),
        PROTOCOL,
        np.random.default_rng(seed),
    )
    return dict(
        zip(zip(table["kind"], table["story_id"], strict=True), table["value"], strict=True)
    )


def ranking(order: str) -> dict[tuple[str, str], float]:
    return {("ranking", story): float(rank) for rank, story in enumerate(order, start=1)}


@pytest.mark.parametrize(
    ("overall", "worth", "decided"),
    [
        (OPPOSED, [5, 8, 6, 7], ranking("bdca")),
        (AGREED, [8, 7, 6, 5], {("confirmation", "a"): 1.0}),
        (AGREED, [6.5, 8, 7, 5], {("confirmation", "a"): 0.0} | ranking("bcad")),
        # Another story seems better, by less than the margin.
        (AGREED, [7.8, 8, 7, 5], {("unsure", "a"): 1.0}),
        # Two first places: there is nothing to confirm.
        (([8, 8, 4, 2], [9, 9, 5, 3]), [5, 6, 7, 8], ranking("dcba")),
        # Equally good stories are ranked by their name.
        (OPPOSED, [6, 6, 6, 6], ranking("abcd")),
    ],
    ids=["disagreement", "confirmed", "rejected", "undecided", "tied first", "all alike"],
)
def test_decisions_of_a_person_without_error(
    overall: tuple[list[int], ...], worth: list[float], decided: dict[tuple[str, str], float]
) -> None:
    assert decide(overall, worth) == decided


@pytest.mark.parametrize(
    ("worth", "kind"),
    [([8, 7, 6, 5], "best"), ([7.8, 8, 6, 5], "best"), ([7, 8, 6, 5], "unsure")],
)
@pytest.mark.parametrize("overall", [AGREED, OPPOSED])
def test_a_human_story_is_doubted_only_with_cause(
    overall: tuple[list[int], ...], worth: list[float], kind: str
) -> None:
    assert decide(overall, worth, human="a") == {(kind, "a"): 1.0}


def test_the_person_errs() -> None:
    seen = {next(iter(decide(OPPOSED, [6, 6, 6, 6], noise=1.0, seed=s)))[1] for s in range(40)}
    assert seen == set(STORIES)
    assert decide(OPPOSED, [5, 8, 6, 7], noise=1.0) == decide(OPPOSED, [5, 8, 6, 7], noise=1.0)


def test_every_decision_can_be_built_upon(corpora) -> None:
    rng = np.random.default_rng(3)
    human = set(corpora.stories.loc[corpora.stories["author_kind"] == "human", "story_id"])
    candidates, _ = build_candidates(
        corpora.premises, corpora.stories, CandidatesParams(minimum_words=1), rng
    )
    judges = JudgementsParams(judges=4, judge_human_story=True, noise=1.6, bias=0.5)
    judgements = simulate_judgements(candidates, corpora.qualities, human, judges, rng)
    annotations = simulate_annotations(
        candidates,
        judgements,
        corpora.qualities,
        human,
        AnnotationsParams(noise=0.4, unsure_margin=0.25),
        PROTOCOL,
        rng,
    )
    require_sound(annotations, ANNOTATIONS, file="annotations")
    assert set(annotations["item_id"]) == set(candidates["item_id"])
    places = set(zip(candidates["item_id"], candidates["story_id"], strict=True))
    assert set(zip(annotations["item_id"], annotations["story_id"], strict=True)) <= places
    benchmark, counts = build_benchmark(candidates, judgements, annotations, human, PROTOCOL)
    unsure = annotations[annotations["kind"] == "unsure"]["item_id"]
    is_human = candidates.drop_duplicates("item_id").set_index("item_id")["origin"] == "human_llm"
    assert counts["unsure"] == unsure.map(is_human).sum()
    assert len(benchmark) == 24 - counts["unsure"]
    # Both routes were taken, or the test shows little.
    assert {"complete_ranking", "confirmation", "human_first"} == set(benchmark["protocol"])


@pytest.mark.parametrize(
    ("field", "value"), list(product(["noise", "unsure_margin"], [-0.1, float("nan"), "1"]))
)
def test_parameters_that_make_no_person_are_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        AnnotationsParams(**{"noise": 0.4, "unsure_margin": 0.25, field: value})
