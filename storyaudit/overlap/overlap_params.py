"""Parameters of the overlap audit."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from storyaudit.runs.params import Params


class OverlapParams(Params):
    """The ``overlap`` section of ``params.yaml``.

    Attributes:
        shingle: tokens in a shingle.
        window: tokens of a training text that are compared at once; a longer text is compared by
            windows of so many, each starting half a window after the one before.
        duplicate_threshold: containment from which a text pair is a near-duplicate.
        min_containment: containment from which a text pair is reported at all.
        permutations: length of a MinHash signature, where a side is compared with itself.
        bands: of the MinHash index, each of permutations / bands rows.
    """

    shingle: Annotated[int, Field(ge=1, le=50)] = 5
    window: Annotated[int, Field(ge=2)] = 20_000
    duplicate_threshold: Annotated[float, Field(gt=0, le=1)] = 0.5
    min_containment: Annotated[float, Field(gt=0, le=1)] = 0.1
    permutations: Annotated[int, Field(ge=8, le=1024)] = 128
    bands: Annotated[int, Field(ge=2)] = 32

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.permutations % self.bands:
            raise ValueError("permutations must be a multiple of bands")
        if self.min_containment > self.duplicate_threshold:
            raise ValueError("min_containment must not exceed duplicate_threshold")
        if self.window < 2 * self.shingle:
            raise ValueError("window must be at least two shingles long")
        return self

    @property
    def rows(self) -> int:
        """Rows of a band."""
        return self.permutations // self.bands
