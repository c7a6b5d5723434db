"""The ``pairs`` section of ``params.yaml``."""

from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from pipeline.pairing.pair_methods import SIZED
from storyaudit.llm.model_params import ModelParams
from storyaudit.runs.params import Count, Deviation, Params, Positive
from storyaudit.runs.raw import RAW_PREFERENCES, lies_in
from storyaudit.vocabulary import BACK_GENERATION, CONTINUATION, REWRITING


class Recorded(Params):
    """Language models that write or judge, by their record; null where one is simulated or unused.

    Attributes:
        words: about how many a continuation has.
    """

    back_generation: ModelParams | None
    rewriting: ModelParams | None
    continuation: ModelParams | None
    judge: ModelParams | None
    words: Positive

    def writers(self) -> dict[str, ModelParams | None]:
        """Return who writes, by the method."""
        return {
            BACK_GENERATION: self.back_generation,
            REWRITING: self.rewriting,
            CONTINUATION: self.continuation,
        }


class PreferenceFile(Params):
    """One entry of ``pairs.files``: pairs that others made.

    Attributes:
        path: a file in ``data/raw/preferences``.
        source: where it comes from; part of the IDs of its texts.
        language: of all its texts; null where the script says it.
        columns: {our column: its column}, see ``storyaudit.layouts.preferences``.
    """

    path: Annotated[str, AfterValidator(lies_in(RAW_PREFERENCES))]
    source: Annotated[str, Field(min_length=1)]
    language: str | None = None
    columns: dict[str, str] | None = None


class PairsParams(Params):
    """How training pairs are made.

    Attributes:
        sizes: pairs by method; 0 for none.
        least_readership: people's stories with fewer readers make no pair.
        opening_share: of a person's story, that both continuations start with.
        near_copy_from: Jaccard of 5-word shingles from which two stories make no pair.
        judge_noise: SD of the simulated judge's error, in points.
        validation_share: of every method's pairs, at most.
        replacements: further pairs of a larger and a smaller model, for the ablation.
        human_chosen: the pairs of continuation once more, with the person's own story chosen.
        billions: {model: its parameters}, for models that are not simulated.
        files: preference files.
        recorded: models by their record.
    """

    sizes: dict[str, Count]
    least_readership: Count
    opening_share: Annotated[float, Field(gt=0, lt=1)]
    near_copy_from: Annotated[float, Field(gt=0, le=1)]
    judge_noise: Deviation
    validation_share: Annotated[float, Field(gt=0, lt=1)]
    replacements: Count
    human_chosen: bool
    billions: dict[str, Annotated[float, Field(gt=0)]]
    files: list[PreferenceFile]
    recorded: Recorded

    @field_validator("sizes")
    @classmethod
    def _of_every_method(cls, sizes: dict[str, int]) -> dict[str, int]:
        for name in sorted({*sizes} ^ {*SIZED}):
            what = "is no method" if name in sizes else "is missing"
            raise ValueError(f"{name} {what}; the methods are {', '.join(SIZED)}")
        return sizes
