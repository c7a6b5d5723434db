"""Judging stories on five dimensions and overall (StoryAlign, section 2.2)."""

import json
from collections.abc import Mapping, Sequence

from pipeline.prompts.prompt import fill
from pipeline.requests.parsing import json_object, members, points
from storyaudit.llm.model_params import ModelParams, request_of
from storyaudit.llm.question import Question
from storyaudit.vocabulary import MEASURES

LOWEST, HIGHEST = 1, 10
"""The judges' scale."""

Scores = dict[str, dict[str, int]]
"""{story_id: {measure: points}}, the stories in the order in which the judge saw them."""


def arranged(stories: Mapping[str, str], *, reverse: bool = False) -> dict[str, str]:
    """Return stories in their order, or in the reverse one if asked."""
    return {story: stories[story] for story in list(stories)[:: -1 if reverse else 1]}


def judging_questions(
    item_id: str, premise: str, stories: Mapping[str, str], model: ModelParams, *, together: bool
) -> list[Question[Scores]]:
    """Ask a judge to score an item's stories on the measures of ``MEASURES``.

    Whether the paper's judges saw the candidates together is not said. Together, a story's place
    can sway a judge (``arranged`` gives other orders); one at a time it cannot, but the judge
    compares less.

    Args:
        item_id: of the item.
        premise: its text.
        stories: {story_id: text}, in the order in which they are shown.
        model: the judge.
        together: all stories in one request, or a request a story.
    """
    shown = [stories] if together else [{story: text} for story, text in stories.items()]
    return [_question(item_id, premise, part, model) for part in shown]


def _question(
    item_id: str, premise: str, stories: Mapping[str, str], model: ModelParams
) -> Question[Scores]:
    ids = list(stories)
    form = {label: dict.fromkeys(MEASURES, "…") for label in labels(ids)}
    prompt = fill(
        "judge",
        {"premise": premise, **titled(stories)},
        stories=f"{len(ids)} stories" if len(ids) > 1 else "a story",
        lowest=LOWEST,
        highest=HIGHEST,
        form=shown_form(form),
    )

    def parse(text: str) -> Scores:
        return parse_scores(text, ids)

    which = f", story {ids[0]}," if len(ids) == 1 else ""
    return Question(
        f"judging of item {item_id}{which} by {model.model}", request_of(model, prompt), parse
    )


def parse_scores(text: str, stories: Sequence[str]) -> Scores:
    """Return a judge's scores of stories, in the order in which they were shown.

    Raises:
        MalformedError: anything but one whole number on the scale a story and measure.
    """
    given = json_object(text, labels(stories))
    scores = [members(given[label], MEASURES) for label in labels(stories)]
    return {
        story: {measure: points(own[measure], LOWEST, HIGHEST) for measure in MEASURES}
        for story, own in zip(stories, scores, strict=True)
    }


def judgement_rows(
    item_id: str, scores: Scores, *, judge: str, prompt_variant: str
) -> list[dict[str, object]]:
    """Return rows of the judgements table; a story's position is its place in the request."""
    return [
        {
            "item_id": item_id,
            "story_id": story,
            "judge": judge,
            "prompt_variant": prompt_variant,
            "position": position,
            "dimension": measure,
            "score": float(value),
        }
        for position, (story, measures) in enumerate(scores.items(), start=1)
        for measure, value in measures.items()
    ]


def labels(stories: Sequence[str]) -> list[str]:
    """Return the numbers under which stories are shown, from '1'."""
    return [str(number) for number in range(1, len(stories) + 1)]


def titled(stories: Mapping[str, str]) -> dict[str, str]:
    """Return stories under the titles that a prompt shows; IDs could reveal who wrote them."""
    return {
        f"story {label}": text
        for label, text in zip(labels(list(stories)), stories.values(), strict=True)
    }


def shown_form(form: object) -> str:
    """Return the JSON that an answer should look like, with … where a number stands."""
    return json.dumps(form, ensure_ascii=False).replace('"…"', "…")
