"""The Best-of-N audit of the pipeline's own pools."""

from audits.best_of.best_of_report import BestOfParams, best_of_report
from storyaudit.data.tables import (
    FURTHER_SCORES,
    POOL_ANNOTATIONS,
    POOL_CANDIDATES,
    POOL_INDIVIDUAL_ANNOTATIONS,
)
from storyaudit.runs.stage import POOL, Stage


def main() -> None:
    """Run the stage."""
    with Stage("best_of") as stage:
        stage.write_report(
            best_of_report(
                stage.read_to_audit(POOL_CANDIDATES, POOL),
                stage.read_to_audit(POOL_ANNOTATIONS, POOL),
                stage.read_to_audit(POOL_INDIVIDUAL_ANNOTATIONS, POOL),
                stage.read_to_audit(FURTHER_SCORES, POOL),
                stage.params("best_of", BestOfParams),
                stage.stream("bootstrap"),
                study=stage.study,
            )
        )


if __name__ == "__main__":
    main()
