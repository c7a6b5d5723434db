"""The accuracy audit of the pipeline's own results."""

from audits.accuracy.findings import AccuracyParams, accuracy_report
from storyaudit.stage import Stage
from storyaudit.tables import RESULTS


def main() -> None:
    """Run the stage."""
    with Stage("accuracy") as stage:
        stage.write_report(
            accuracy_report(
                stage.read_to_audit(RESULTS),
                stage.params("accuracy", AccuracyParams),
                stage.stream("bootstrap"),
                study=stage.study,
                command="dvc repro --force --single-item accuracy",
            )
        )


if __name__ == "__main__":
    main()
