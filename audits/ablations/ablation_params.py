"""The parameters of the audit of ablations, and the printed figures that it is compared with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from storyaudit.errors import InputError
from storyaudit.ledger.ledger_file import Ledger
from storyaudit.runs.params import Confidence, Params, Resamples
from storyaudit.vocabulary import FULL


class ExperimentsParams(Params):
    """The ``ablations`` section of ``params.yaml``.

    Attributes:
        reference: the variant that others are compared with.
        resamples: bootstrap samples.
        confidence: of every interval.
    """

    reference: Annotated[str, Field(min_length=1)] = FULL
    resamples: Resamples = 2000
    confidence: Confidence = 0.95


FIGURES = (
    "ablation.full",
    "ablation.back-generation",
    "ablation.continuation",
    "ablation.rewriting",
    "early-accuracy",
    "kurtosis.gold",
    "kurtosis.all",
    "kurtosis.right",
    "kurtosis.wrong",
)
"""The figures of StoryAlign's ledger that findings compare with the study's own."""


def paper_figures(ledger: Ledger, file: Path) -> Mapping[str, float]:
    """Return the printed values of ``FIGURES``.

    Args:
        ledger: StoryAlign's.
        file: named in errors.

    Raises:
        InputError: the ledger lacks one.
    """
    missing = [name for name in FIGURES if name not in ledger.figure_by_id]
    if missing:
        raise InputError(
            f"expected the figures {', '.join(FIGURES)}; {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing.",
            "Restore them: the audit of ablations compares them with the study's own.",
            file=file,
        )
    return {name: float(ledger.figure_by_id[name].number.value) for name in FIGURES}
