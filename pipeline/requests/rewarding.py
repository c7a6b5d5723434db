"""Language models in a reward model's place: they rank, score or compare stories.

StoryAlign's Table 1 has language-model judges beside reward models; how they were asked is not
said. A reward is any number that is higher for the better story.
"""

from collections.abc import Mapping
from itertools import combinations

from pipeline.prompts.prompt import fill
from pipeline.requests.judging import HIGHEST, LOWEST, labels, shown_form, titled
from pipeline.requests.parsing import json_object, points
from storyaudit.llm.model_params import ModelParams, request_of
from storyaudit.llm.question import MalformedError, Question

Rewards = dict[str, float]
"""{story_id: reward}."""


def ranking_question(
    item_id: str, premise: str, stories: Mapping[str, str], model: ModelParams
) -> Question[Rewards]:
    """Ask to rank an item's stories; a reward is the number of stories ranked below.

    Args:
        item_id: of the item.
        premise: its text.
        stories: {story_id: text}, in the order in which they are shown.
        model: to ask.
    """
    ids = list(stories)
    prompt = fill(
        "rank",
        {"premise": premise, **titled(stories)},
        number=len(ids),
        form=shown_form({"ranking": ["…"] * len(ids)}),
    )

    def parse(text: str) -> Rewards:
        ranking = json_object(text, ["ranking"])["ranking"]
        if not isinstance(ranking, list):
            raise MalformedError("the ranking is no list")
        places = [points(value, 1, len(ids)) for value in ranking]
        if sorted(places) != list(range(1, len(ids) + 1)):
            raise MalformedError("a story is missing from the ranking or stands in it twice")
        below = {place: len(ids) - rank for rank, place in enumerate(places, start=1)}
        return {story: float(below[place]) for place, story in enumerate(ids, start=1)}

    return Question(f"ranking of item {item_id}", request_of(model, prompt), parse)


def score_questions(
    item_id: str, premise: str, stories: Mapping[str, str], model: ModelParams
) -> list[Question[Rewards]]:
    """Ask for a score of each of an item's stories by itself; points are the reward.

    Ties are frequent; an item is right only if the chosen story alone has the highest reward.
    """
    return [_score_question(item_id, premise, story, stories[story], model) for story in stories]


def _score_question(
    item_id: str, premise: str, story: str, text: str, model: ModelParams
) -> Question[Rewards]:
    prompt = fill(
        "score",
        {"premise": premise, "story": text},
        lowest=LOWEST,
        highest=HIGHEST,
        form=shown_form({"score": "…"}),
    )

    def parse(answer: str) -> Rewards:
        value = json_object(answer, ["score"])["score"]
        return {story: float(points(value, LOWEST, HIGHEST))}

    return Question(f"score of {story} in item {item_id}", request_of(model, prompt), parse)


def comparison_questions(
    item_id: str,
    premise: str,
    stories: Mapping[str, str],
    model: ModelParams,
    *,
    both_orders: bool,
) -> list[Question[Rewards]]:
    """Ask which of two stories is better, for all pairs; 1 for the better one, 0 for the other.

    The rewards of an item are the sums (``added``): the number of comparisons won.

    Args:
        item_id: of the item.
        premise: its text.
        stories: {story_id: text}; the earlier one of a story pair is shown first.
        model: to ask.
        both_orders: ask again with the later one first, since places can sway a model.
    """
    story_pairs = list(combinations(stories, 2))
    if both_orders:
        story_pairs += [(second, first) for first, second in story_pairs]
    return [_comparison(item_id, premise, story_pair, stories, model) for story_pair in story_pairs]


def _comparison(
    item_id: str,
    premise: str,
    story_pair: tuple[str, str],
    stories: Mapping[str, str],
    model: ModelParams,
) -> Question[Rewards]:
    shown = titled({story: stories[story] for story in story_pair})
    prompt = fill("compare", {"premise": premise, **shown}, form=shown_form({"better": "…"}))

    def parse(text: str) -> Rewards:
        better = points(json_object(text, ["better"])["better"], 1, 2)
        return {
            story: float(label == str(better))
            for story, label in zip(story_pair, labels(story_pair), strict=True)
        }

    name = f"comparison of {story_pair[0]} and {story_pair[1]} in item {item_id}"
    return Question(name, request_of(model, prompt), parse)


def added(rewards: list[Rewards]) -> Rewards:
    """Return the sum of rewards a story, in the order of their first mention."""
    total: Rewards = {}
    for part in rewards:
        for story, reward in part.items():
            total[story] = total.get(story, 0.0) + reward
    return total
