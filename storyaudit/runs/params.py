"""Typed sections of ``params.yaml``."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Params(BaseModel):
    """A section of ``params.yaml``, or as strict: unknown keys and wrong types are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Count = Annotated[int, Field(ge=0, le=10_000_000)]
Positive = Annotated[int, Field(ge=1, le=10_000_000)]
Resamples = Annotated[int, Field(ge=100, le=100_000)]
Confidence = Annotated[float, Field(gt=0, lt=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Deviation = Annotated[float, Field(ge=0, le=1000)]
