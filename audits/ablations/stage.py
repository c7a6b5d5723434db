"""The audit of the study's own ablations."""

import shlex
from pathlib import Path

from audits.ablations.ablation_inputs import ABLATED, EXTERNAL, OF_POOL, OF_STUDY
from audits.ablations.ablation_params import ExperimentsParams, paper_figures
from audits.ablations.ablations_report import Tables, ablations_report
from storyaudit.ledger.ledger_file import read_ledger
from storyaudit.runs.stage import EXPERIMENTS, POOL, STUDY, Stage
from storyaudit.runs.stage import EXTERNAL as JUDGE

PAPER = Path("expectations/papers/storyalign.yaml")


def command(study: str, params: ExperimentsParams, seed: str) -> str:
    """Return the command that finds the same by the same draws."""
    options = {
        "ablations": EXPERIMENTS / f"{ABLATED.name}.parquet",
        "external": JUDGE / f"{EXTERNAL.name}.parquet",
        "pool": POOL,
        "study": study,
        "reference": params.reference,
        "resamples": params.resamples,
        "confidence": params.confidence,
        "seed": seed,
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return shlex.join(["storyaudit", "ablations", str(STUDY), *words])


def main() -> None:
    """Run the stage."""
    with Stage("ablations") as stage:
        of_study = {name: stage.read_to_audit(table) for name, table in OF_STUDY.items()}
        ablated = stage.read_to_audit(ABLATED, EXPERIMENTS)
        external = stage.read_to_audit(EXTERNAL, JUDGE)
        of_pool = {name: stage.read_to_audit(table, POOL) for name, table in OF_POOL.items()}
        params = stage.params("ablations", ExperimentsParams)
        stage.write_report(
            ablations_report(
                Tables(**of_study, experiments=ablated, external=external, **of_pool),
                params,
                paper_figures(read_ledger(stage.reads(PAPER)), PAPER),
                stage.stream("bootstrap"),
                study=stage.study,
            ),
            command(stage.study, params, stage.stream_name("bootstrap")),
        )


if __name__ == "__main__":
    main()
