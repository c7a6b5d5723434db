"""The benchmark's gold: chosen story and dimension of every item, by StoryAlign's protocol."""

import pandas as pd

from storyaudit.errors import InputError
from storyaudit.protocol.agreement import tau_average
from storyaudit.protocol.dimension import distinguishing_dimension
from storyaudit.protocol.judging import ItemScores, scores_by_item
from storyaudit.protocol.params import ProtocolParams
from storyaudit.protocol.ranking import route
from storyaudit.stage import Stage
from storyaudit.tables import (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    DIMENSIONS,
    JUDGEMENTS,
    STORIES,
    human_stories,
)


def build_benchmark(
    candidates: pd.DataFrame,
    judgements: pd.DataFrame,
    annotations: pd.DataFrame,
    humans: set[str],
    params: ProtocolParams,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the benchmark table and how many Human–LLM items were removed as unsure.

    Raises:
        InputError: an item whose people's decisions are missing, contradictory, or no ranking of
            its candidates; fewer than four different candidates; a judge's score missing.
    """
    scores = scores_by_item(judgements)
    decisions = dict(list(annotations.groupby("item_id", sort=True)))
    rows: list[dict[str, object]] = []
    unsure = 0
    for item_id, group in candidates.groupby("item_id", sort=True):
        item = str(item_id)
        stories = set(group["story_id"])
        if len(group) != 4 or len(stories) != 4:
            raise _refusal(item, f"expected four different candidates, found {len(stories)}")
        if item not in scores or not stories - humans <= set(scores[item].stories):
            raise _refusal(item, "a candidate has no scores")
        if not set(scores[item].stories) <= stories:
            raise _refusal(item, "a story that is no candidate has scores")
        if item not in decisions:
            raise _refusal(item, "no person's decision is there")
        if group["origin"].iloc[0] == "human_llm":
            chosen, tau = _human_first(item, stories, scores[item], decisions[item], humans)
            protocol = "human_first"
            if chosen is None:
                unsure += 1
                continue
        else:
            way, tau = route(scores[item].overall, tau_threshold=params.tau_threshold)
            protocol = way
            if way == "complete_ranking":
                chosen = _first_ranked(item, stories, decisions[item])
            else:
                chosen = _confirmed(item, stories, scores[item], decisions[item])
        dimension, rule = _dimension(item, chosen, scores[item], params)
        rows.append(
            {
                "item_id": item,
                "premise_id": group["premise_id"].iloc[0],
                "origin": group["origin"].iloc[0],
                "chosen_id": chosen,
                "protocol": protocol,
                "tau_avg": round(tau, 9),
                "dimension": dimension,
                "dimension_rule": rule,
            }
        )
    return pd.DataFrame(rows), {"unsure": unsure}


def _human_first(
    item: str,
    stories: set[str],
    scores: ItemScores,
    decisions: pd.DataFrame,
    humans: set[str],
) -> tuple[str | None, float]:
    """Return the human story if a person verified that it is best, None if unsure; and tau_avg.

    Tau is that of the judges on the three model stories, which alone are ranked.
    """
    human = stories & humans
    if len(human) != 1:
        raise _refusal(item, f"expected one human story, found {len(human)}")
    tau = tau_average(scores.only(stories - human).overall)
    kinds = set(decisions["kind"])
    if kinds == {"unsure"}:
        return None, tau
    if kinds != {"best"} or set(decisions["story_id"]) != human:
        raise _refusal(item, "expected that the human story is verified as best, or 'unsure'")
    return human.pop(), tau


def _first_ranked(item: str, stories: set[str], decisions: pd.DataFrame) -> str:
    ranking = decisions.loc[decisions["kind"] == "ranking"]
    if set(ranking["story_id"]) != stories or sorted(ranking["value"]) != [1, 2, 3, 4]:
        raise _refusal(item, "expected one ranking of its four candidates by the numbers 1 to 4")
    return str(ranking.loc[ranking["value"] == 1, "story_id"].iloc[0])


def _confirmed(item: str, stories: set[str], scores: ItemScores, decisions: pd.DataFrame) -> str:
    """Return the judges' first; an undecided person keeps it, a rejection brings a ranking."""
    first = scores.first
    confirmation = decisions.loc[decisions["kind"].isin(["confirmation", "unsure"])]
    if len(confirmation) != 1 or confirmation["story_id"].iloc[0] != first:
        raise _refusal(item, f"expected one confirmation of story {first}, the judges' first")
    kind, value = confirmation["kind"].iloc[0], confirmation["value"].iloc[0]
    if kind == "confirmation" and value not in (0, 1):
        raise _refusal(item, f"expected a confirmation of 1 or its rejection, 0; found {value:g}")
    rejected = kind == "confirmation" and value == 0
    return _first_ranked(item, stories, decisions) if rejected else first


def _dimension(
    item: str, chosen: str, scores: ItemScores, params: ProtocolParams
) -> tuple[str, str]:
    if chosen not in scores.stories:
        raise _refusal(
            item,
            "the chosen human story has no judges' scores, which the dimension rule needs "
            "(judgements.judge_human_story is false)",
        )
    index = scores.stories.index(chosen)
    others = [i for i in range(len(scores.stories)) if i != index]
    return distinguishing_dimension(
        scores.dimensions[:, index],
        scores.dimensions[:, others],
        DIMENSIONS,
        tolerance=params.tie_tolerance,
        priority=params.priority,
    )


def _refusal(item: str, problem: str) -> InputError:
    return InputError(
        f"item {item}: {problem}.", "A benchmark must not be built on it: correct its rows."
    )


def main() -> None:
    """Run the stage."""
    with Stage("benchmark") as stage:
        stories = stage.read(STORIES)
        benchmark, counts = build_benchmark(
            stage.read(CANDIDATES),
            stage.read(JUDGEMENTS),
            stage.read(ANNOTATIONS),
            human_stories(stories),
            stage.params("protocol", ProtocolParams),
        )
        stage.write(BENCHMARK, benchmark)
        for column in ("origin", "protocol", "dimension", "dimension_rule"):
            sizes = benchmark[column].value_counts().sort_index()
            counts |= {f"items.{value}": int(count) for value, count in sizes.items()}
        stage.metrics(items=len(benchmark), **counts)


if __name__ == "__main__":
    main()
