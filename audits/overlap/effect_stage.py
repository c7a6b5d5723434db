"""What overlap did to the accuracies of the study's own models."""

import json
from pathlib import Path

from audits.overlap.effect.findings import EffectParams, Tables, effect_report
from audits.overlap.params import OverlapParams
from storyaudit.errors import InputError
from storyaudit.files import read_text
from storyaudit.stage import RUNS, Stage
from storyaudit.tables import BENCHMARK, CANDIDATES, OVERLAPS, PAIRS, RESULTS

TRAINING = RUNS / "train.json"


def trained_variants(path: Path) -> set[str]:
    """Return the variants that a record of the stage 'train' says were trained.

    Raises:
        InputError: it is no such record.
    """
    try:
        return {str(run["variant"]) for run in json.loads(read_text(path))["runs"]}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"expected a run record with a variant a run ({type(error).__name__}).",
            "Run the stage that makes it: dvc repro train.",
            file=path,
        ) from None


def main() -> None:
    """Run the stage."""
    with Stage("overlap_effect") as stage:
        tables = Tables(
            overlaps=stage.read_to_audit(OVERLAPS),
            pairs=stage.read_to_audit(PAIRS),
            candidates=stage.read_to_audit(CANDIDATES),
            benchmark=stage.read_to_audit(BENCHMARK),
            results=stage.read_to_audit(RESULTS),
        )
        stage.write_report(
            effect_report(
                tables,
                stage.params("overlap", OverlapParams),
                stage.params("overlap_effect", EffectParams),
                trained=trained_variants(stage.reads(TRAINING)),
                study=stage.study,
                command="dvc repro --force --single-item overlap_effect",
            )
        )


if __name__ == "__main__":
    main()
