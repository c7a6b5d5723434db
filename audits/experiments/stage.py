"""The audit of the study's own ablations."""

from pathlib import Path

from audits.experiments.experiment_params import ExperimentsParams, paper_figures
from audits.experiments.experiments_report import Tables, experiments_report
from storyaudit.data.tables import (
    BENCHMARK,
    CANDIDATES,
    FURTHER_RESULTS,
    FURTHER_SCORES,
    POOL_CANDIDATES,
    RESULTS,
    STORIES,
)
from storyaudit.ledger.ledger_file import read_ledger
from storyaudit.runs.stage import EXPERIMENTS, POOL, Stage

EXTERNAL = Path("data/external")
PAPER = Path("expectations/papers/storyalign.yaml")


def main() -> None:
    """Run the stage."""
    with Stage("experiments") as stage:
        tables = Tables(
            results=stage.read_to_audit(RESULTS),
            benchmark=stage.read_to_audit(BENCHMARK),
            candidates=stage.read_to_audit(CANDIDATES),
            stories=stage.read_to_audit(STORIES),
            experiments=stage.read_to_audit(FURTHER_RESULTS, EXPERIMENTS),
            external=stage.read_to_audit(FURTHER_SCORES, EXTERNAL),
            pool_candidates=stage.read_to_audit(POOL_CANDIDATES, POOL),
            pool_scores=stage.read_to_audit(FURTHER_SCORES, POOL),
        )
        stage.write_report(
            experiments_report(
                tables,
                stage.params("experiments", ExperimentsParams),
                paper_figures(read_ledger(stage.reads(PAPER)), PAPER),
                stage.stream("bootstrap"),
                study=stage.study,
            )
        )


if __name__ == "__main__":
    main()
