"""The accuracy audit of the pipeline's own results."""

from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report
from storyaudit.data.tables import RESULTS
from storyaudit.runs.stage import Stage


def main() -> None:
    """Run the stage."""
    with Stage("accuracy") as stage:
        stage.write_report(
            accuracy_report(
                stage.read_to_audit(RESULTS),
                stage.params("accuracy", AccuracyParams),
                stage.stream("bootstrap"),
                study=stage.study,
            )
        )


if __name__ == "__main__":
    main()
