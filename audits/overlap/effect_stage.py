"""What overlap did to the accuracies of the study's own models."""

import json
from pathlib import Path
from typing import NamedTuple

from audits.overlap.effect.effect_report import EffectParams, Tables, effect_report
from audits.overlap.overlap_params import OverlapParams
from storyaudit.data.decontamination import drop_overlapping
from storyaudit.data.tables import BENCHMARK, CANDIDATES, OVERLAPS, PAIRS, RESULTS
from storyaudit.errors import InputError
from storyaudit.io.files import read_text
from storyaudit.runs.stage import RUNS, Stage

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


def main() -> None:
    """Run the stage."""
    with Stage("contamination_effect") as stage:
        training = read_training(stage.reads(TRAINING))
        overlaps, pairs = stage.read_to_audit(OVERLAPS), stage.read_to_audit(PAIRS)
        if training.dropped_from is not None:
            pairs, _ = drop_overlapping(pairs, overlaps, training.dropped_from)
        tables = Tables(
            overlaps=overlaps,
            pairs=pairs,
            candidates=stage.read_to_audit(CANDIDATES),
            benchmark=stage.read_to_audit(BENCHMARK),
            results=stage.read_to_audit(RESULTS),
        )
        stage.write_report(
            effect_report(
                tables,
                stage.params("overlap", OverlapParams),
                stage.params("contamination_effect", EffectParams),
                trained=training.variants,
                study=stage.study,
            )
        )


if __name__ == "__main__":
    main()
