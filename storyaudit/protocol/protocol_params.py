"""The protocol's parameters, shared by the stages that follow it and the audit that replays it."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from storyaudit.runs.params import Params
from storyaudit.vocabulary import DIMENSIONS


class ProtocolParams(Params):
    """The ``protocol`` section of ``params.yaml``; where it is silent, as StoryAlign prints it.

    Attributes:
        minimum_judges: judges with complete scores that an item needs.
        prompt_variant: of the judgements that count.
        judge_human_story: whether the judges' scores of human stories count.
        undecided_items: whether items without a decision stop the benchmark, or are dropped.
        tau_threshold: below it annotators rank all candidates.
        tie_tolerance: dimensions within it of the largest mean gap are tied, in score points.
        priority: the dimensions in the order that decides last.
    """

    minimum_judges: Annotated[int, Field(ge=2)] = 2
    prompt_variant: str = "1"
    judge_human_story: bool = True
    undecided_items: Literal["refuse", "drop"] = "refuse"
    tau_threshold: Annotated[float, Field(ge=-1, le=1)] = 0.6
    tie_tolerance: Annotated[float, Field(ge=0)] = 0.5
    priority: list[str] = Field(default=list(DIMENSIONS))

    @field_validator("priority")
    @classmethod
    def _names_each_once(cls, priority: list[str]) -> list[str]:
        if sorted(priority) != sorted(DIMENSIONS):
            raise ValueError(f"must name {', '.join(DIMENSIONS)}, each once")
        return priority
