"""Stories by language models: for a premise, by rewriting, and as a continuation."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from pipeline.prompts.prompt import fill, part
from pipeline.requests.parsing import passage
from storyaudit.llm.model_params import ModelParams, request_of
from storyaudit.llm.question import MalformedError, Question

Degradation = Literal["ending", "plot", "motivation", "causality", "language"]
DEGRADATIONS: tuple[Degradation, ...] = ("ending", "plot", "motivation", "causality", "language")
"""What a rewriting makes weaker (StoryAlign, section 3.1)."""


def story_question(
    name: str, premise: str, model: ModelParams, *, words: int, sample: int = 0
) -> Question[str]:
    """Ask for a story (StoryAlign, section 2.1: four models a premise, section 5: 16 samples).

    Args:
        name: of the premise, for people.
        premise: its text.
        model: to ask.
        words: about how many.
        sample: which of several stories for the same premise, from 0.
    """
    prompt = fill("story", {"premise": premise}, words=words)
    request = request_of(model, prompt, sample)
    return Question(f"story {sample + 1} of {model.model} for {name}", request, _story)


def rewriting_question(
    name: str, premise: str, story: str, degradation: Degradation, model: ModelParams
) -> Question[str]:
    """Ask to make a human story weaker in one respect (StoryAlign, section 3.1).

    An answer that is the story itself is malformed.

    Args:
        name: of the story, for people.
        premise: its premise.
        story: its text, the chosen one of the pair.
        degradation: what becomes weaker.
        model: to ask.
    """
    prompt = fill(
        "rewrite",
        {"premise": premise, "story": story},
        degradation=part(f"degradation-{degradation}"),
    )
    return Question(
        f"rewriting ({degradation}) of {name}", request_of(model, prompt), _other_than(story)
    )


def continuation_questions(
    name: str, premise: str, opening: str, human: str, model: ModelParams, *, words: int
) -> tuple[Question[str], Question[str]]:
    """Ask for a guided and an unguided continuation (StoryAlign, section 3.1 and appendix E.4).

    Both see the premise and the opening in the same prompt; only the guided one, which becomes the
    chosen story, also sees how a person went on. An answer that is the person's text is malformed:
    chosen stories that people wrote taught the paper's model to distinguish people from models.

    Args:
        name: of the story, for people.
        premise: its premise.
        opening: how the story begins, for both.
        human: how a person continued it.
        model: to ask.
        words: about how many.
    """
    shared = {"premise": premise, "opening": opening}
    guided = fill(
        "continue",
        {**shared, "a person's continuation": human},
        words=words,
        guidance=part("continue-guidance") + "\n",
    )
    unguided = fill("continue", shared, words=words, guidance="")
    return (
        Question(f"guided continuation of {name}", request_of(model, guided), _other_than(human)),
        Question(f"unguided continuation of {name}", request_of(model, unguided), _story),
    )


_story = partial(passage, tag="story")


def _other_than(original: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        story = _story(text)
        if story.split() == original.split():
            raise MalformedError("the text that was given, unchanged")
        return story

    return parse
