"""What overlap did to the accuracies of the study's own models."""

import json
import shlex
from pathlib import Path
from typing import NamedTuple

from audits.contamination_effect.effect_report import (
    READ,
    EffectParams,
    Tables,
    effect_report,
    trained_on,
)
from storyaudit.errors import InputError
from storyaudit.io.files import read_text
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.runs.stage import RUNS, STUDY, Stage

TRAINING = RUNS / "train.json"


class Training(NamedTuple):
    """What a record of the stage 'train' says.

    Attributes:
        variants: that were trained.
        dropped_from: containment from which overlapping pairs were left out; None if none were.
    """

    variants: set[str]
    dropped_from: float | None


def read_training(path: Path) -> Training:
    """Read the record of the stage 'train'.

    Raises:
        InputError: it is no such record.
    """
    try:
        record = json.loads(read_text(path))
        least = record["params"]["train"].get("drop_overlaps_from")
        return Training(
            {str(run["variant"]) for run in record["runs"]}, None if least is None else float(least)
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"expected a run record with a variant a run ({type(error).__name__}).",
            "Run the stage that makes it: dvc repro train.",
            file=path,
        ) from None


def command(
    study: str, overlap: OverlapParams, params: EffectParams, training: Training, there: set[str]
) -> str:
    """Return the command that finds the same.

    Args:
        study: its name.
        overlap: thresholds of containment.
        params: confidence.
        training: what was trained.
        there: the variants that have results.
    """
    options = {
        "study": study,
        "min-containment": overlap.min_containment,
        "duplicate-threshold": overlap.duplicate_threshold,
        "decontaminate-threshold": training.dropped_from,
        "confidence": params.confidence,
    }
    words = [
        word
        for name, value in options.items()
        if value is not None
        for word in (f"--{name}", str(value))
    ]
    trained = [word for name in sorted(training.variants & there) for word in ("--trained", name)]
    return shlex.join(["storyaudit", "contamination-effect", str(STUDY), *words, *trained])


def main() -> None:
    """Run the stage."""
    with Stage("contamination_effect") as stage:
        training = read_training(stage.reads(TRAINING))
        tables = Tables(*(stage.read_to_audit(table) for table in READ))
        overlap = stage.params("overlap", OverlapParams)
        params = stage.params("contamination_effect", EffectParams)
        there = {str(name) for name in tables.results["variant"].dropna()}
        stage.write_report(
            effect_report(
                trained_on(tables, training.dropped_from),
                overlap,
                params,
                trained=training.variants,
                study=stage.study,
            ),
            command(stage.study, overlap, params, training, there),
        )


if __name__ == "__main__":
    main()
