"""Premises by language models: from a theme, or back from two stories."""

from functools import partial
from typing import Literal

from pipeline.prompts.prompt import fill, part
from pipeline.requests.parsing import passage
from storyaudit.llm.model_params import ModelParams, request_of
from storyaudit.llm.question import Question

SeedKind = Literal["conflict", "reversal"]
SEED_KINDS: tuple[SeedKind, ...] = ("conflict", "reversal")


def seed_question(
    theme: str, kind: SeedKind, model: ModelParams, *, language: str = "English", sample: int = 0
) -> Question[str]:
    """Ask for a seed on a theme (StoryAlign, section 2.1: 'conflict or reversal' seeds).

    Args:
        theme: of the study's framework of themes.
        kind: of the seed.
        model: to ask.
        language: to write in, by its English name.
        sample: which of several seeds for the same theme and kind, from 0.
    """
    prompt = fill(
        "seed", {"theme": theme}, kind=kind, meaning=part(f"seed-{kind}"), language=language
    )
    request = request_of(model, prompt, sample)
    return Question(f"{kind} seed {sample + 1} on {theme[:40]}", request, _seed)


def premise_question(
    theme: str, kind: SeedKind, seed: str, model: ModelParams, *, language: str = "English"
) -> Question[str]:
    """Ask to expand a seed into a premise (StoryAlign, section 2.1); people filter the answers."""
    prompt = fill("premise", {"theme": theme, "seed": seed}, kind=kind, language=language)
    return Question(f"premise of the seed {seed[:40]}", request_of(model, prompt), _premise)


def back_generation_question(
    name: str, stories: tuple[str, str], model: ModelParams
) -> Question[str]:
    """Ask for a premise of two human stories (StoryAlign, section 3.1, asked of GPT-4o).

    Args:
        name: of the pair, for people.
        stories: the texts of two stories of one genre or of one author's column. Which of them
            had more readers must not show in their order.
        model: to ask.
    """
    prompt = fill("back-generation", {"story 1": stories[0], "story 2": stories[1]})
    return Question(f"premise of {name}", request_of(model, prompt), _premise)


_seed = partial(passage, tag="seed")
_premise = partial(passage, tag="premise")
