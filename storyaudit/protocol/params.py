"""The knobs of the protocol, shared by the stages that follow it."""

from typing import Annotated

from pydantic import Field, field_validator

from storyaudit.params import Params
from storyaudit.tables import DIMENSIONS


class ProtocolParams(Params):
    """The ``protocol`` section of ``params.yaml``.

    Attributes:
        tau_threshold: below it people rank all candidates.
        tie_tolerance: dimensions within it of the largest mean gap stay in the race, in points.
        priority: the dimensions in the order that decides last.
    """

    tau_threshold: Annotated[float, Field(ge=-1, le=1)]
    tie_tolerance: Annotated[float, Field(ge=0)]
    priority: list[str]

    @field_validator("priority")
    @classmethod
    def _names_each_once(cls, priority: list[str]) -> list[str]:
        if sorted(priority) != sorted(DIMENSIONS):
            raise ValueError(f"must name {', '.join(DIMENSIONS)}, each once")
        return priority
