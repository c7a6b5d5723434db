"""People's rankings of Best-of-16 pools. The rankers of the embedded study are simulated.

Every row is of kind ``ranking``: the person put this story of the pool in place ``value``, 1 being
the best. In StoryAlign, section 5, two annotators rank all 16 stories independently, and a senior
one settles what they disagree on; which disagreement calls for the third is not said there.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from pipeline.simulation.judges import worth_of
from pipeline.simulation.truth_tables import POOL_GROUND_TRUTH, POOL_QUALITIES
from storyaudit.data.tables import (
    ANNOTATIONS,
    INDIVIDUAL_ANNOTATIONS,
    POOL_ANNOTATIONS,
    POOL_CANDIDATES,
    POOL_INDIVIDUAL_ANNOTATIONS,
    Table,
)
from storyaudit.errors import InputError
from storyaudit.forms.adjudicated import Decided, decisions, mean_rank_order
from storyaudit.forms.questions import BEST_OF
from storyaudit.protocol.human_decisions import DecisionError, read_decision
from storyaudit.protocol.judge_agreement import mean_tau
from storyaudit.runs.params import Deviation, Params
from storyaudit.runs.raw import RAW_POOL, find_raw
from storyaudit.runs.stage import POOL, Stage
from storyaudit.vocabulary import ANNOTATORS, RANKING

RANKERS = ("simulated-ranker-1", "simulated-ranker-2")
ADJUDICATOR = "simulated-adjudicator"


class PoolAnnotationsParams(Params):
    """The ``pool_annotations`` section of ``params.yaml``, on simulated rankers.

    Attributes:
        noise: SD of a ranker's error on a story's overall worth, in points of the judges' scale.
        adjudicated_below: Kendall's tau of the two rankers, below which a third decides.
    """

    noise: Deviation
    adjudicated_below: Annotated[float, Field(ge=-1, le=1)]


def simulate_rankings(
    candidates: pd.DataFrame,
    qualities: pd.DataFrame,
    params: PoolAnnotationsParams,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return everybody's complete rankings of every pool.

    A ranker sees each story's overall worth, the mean of its qualities in points, with an error of
    its own. The adjudicator, who errs as much, ranks the pools in which Kendall's tau-b of the two
    rankings is below ``adjudicated_below``, and those whose first place their mean ranks leave
    tied, so that no pool stays undecided. Who has to adjudicate what changes no ranking.

    Raises:
        InputError: a candidate without qualities.
    """
    worth = worth_of(candidates, qualities).mean(axis=1).to_dict()
    pools = {str(i): sorted(own) for i, own in candidates.groupby("item_id")["story_id"]}
    everybody: dict[str, dict[str, list[str]]] = {}
    for who, own in zip((*RANKERS, ADJUDICATOR), rng.spawn(3), strict=True):
        for item in sorted(pools):
            stories = pools[item]
            seen = np.array([worth[s] for s in stories]) + own.normal(0, params.noise, len(stories))
            order = np.argsort(-seen, kind="stable")
            everybody.setdefault(item, {})[who] = [stories[place] for place in order]
    rows = [
        (item, who, RANKING, story, float(rank))
        for item, rankings in everybody.items()
        for who, ranking in rankings.items()
        if who != ADJUDICATOR
        or is_adjudicated([rankings[name] for name in RANKERS], params.adjudicated_below)
        for rank, story in enumerate(ranking, start=1)
    ]
    return pd.DataFrame(rows, columns=ANNOTATIONS.names)


def is_adjudicated(rankings: Sequence[Sequence[str]], below: float) -> bool:
    """Return whether the rankers' two rankings of a pool, best first, call for an adjudicator."""
    _, ties = mean_rank_order(rankings)
    return mean_tau(rankings) < below or ties[0]


def decide_pools(individual: pd.DataFrame) -> Decided:
    """Return one ranking a pool by the rule of ``storyaudit.forms.adjudicated``.

    The adjudicator's stands where there is one; the others are put together by mean rank.
    """
    questions = individual[["item_id", "annotator"]].drop_duplicates()
    questions = questions.assign(task=BEST_OF, asked=None)
    somewhere = ADJUDICATOR in set(questions["annotator"])
    return decisions(individual, questions, adjudicator=ADJUDICATOR if somewhere else None)


def require_rankings(
    annotations: pd.DataFrame, candidates: pd.DataFrame, table: Table, *, one_an_item: bool
) -> None:
    """Refuse rankings that real people cannot have given of these pools.

    A pool that nobody ranked is none of them: people may not have finished.

    Args:
        annotations: the table as it was read.
        candidates: the pools.
        table: which of the two tables it is, for the error.
        one_an_item: whether one ranking has to stand for a pool.

    Raises:
        InputError: an unknown pool, anything but one complete ranking of its stories a person, or
            several where one has to stand; the first one by name.
    """
    pools = {str(item): set(own) for item, own in candidates.groupby("item_id")["story_id"]}
    whose = ["item_id"] if one_an_item else ["item_id", "annotator"]
    for _, rows in annotations.groupby(whose, sort=True):
        item, person = rows[["item_id", "annotator"]].iloc[0]
        try:
            if item not in pools:
                raise DecisionError(f"expected one of the {len(pools)} pools, found another item")
            decision = read_decision(rows)
            if decision.verdict is not None or set(decision.ranking) != pools[item]:
                raise DecisionError(
                    f"expected a ranking of the pool's {len(pools[item])} stories, found "
                    f"{len(pools[item] & set(decision.ranking))} of them ranked and "
                    f"{len(set(rows['story_id']) - pools[item])} other stories"
                )
        except DecisionError as error:
            raise InputError(
                f"item {item}, annotator {person}: {error}.",
                "Correct the table: it has to be made of sheets for this study's data/pool.",
                file=find_raw(RAW_POOL, table),
            ) from None


def main() -> None:
    """Run the stage: simulate the rankers, or take over what real ones decided."""
    with Stage("pool_annotations") as stage:
        params = stage.params("pool_annotations", PoolAnnotationsParams)
        candidates = stage.read(POOL_CANDIDATES, POOL)
        if ANNOTATORS in stage.simulated or candidates.empty:
            qualities = stage.read(POOL_QUALITIES, POOL_GROUND_TRUTH)
            individual = simulate_rankings(candidates, qualities, params, stage.stream("rankings"))
            decided, how = decide_pools(individual)
            outcomes = how["outcome"].value_counts()
            stage.metrics(**{f"pools.{name}": int(count) for name, count in outcomes.items()})
        else:
            decided = stage.read_raw(ANNOTATIONS, ANNOTATORS, RAW_POOL)
            require_rankings(decided, candidates, ANNOTATIONS, one_an_item=True)
            individual = decided
            if find_raw(RAW_POOL, INDIVIDUAL_ANNOTATIONS):
                individual = stage.read_raw(INDIVIDUAL_ANNOTATIONS, ANNOTATORS, RAW_POOL)
                require_rankings(individual, candidates, INDIVIDUAL_ANNOTATIONS, one_an_item=False)
        stage.write(POOL_ANNOTATIONS, decided, POOL)
        stage.write(POOL_INDIVIDUAL_ANNOTATIONS, individual, POOL)
        stage.metrics(
            pools=candidates["item_id"].nunique(),
            undecided=candidates["item_id"].nunique() - decided["item_id"].nunique(),
        )


if __name__ == "__main__":
    main()
