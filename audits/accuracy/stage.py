"""The accuracy audit of the pipeline's own results."""

from audits.accuracy.accuracy_report import AccuracyParams, accuracy_report
from storyaudit.data.tables import RESULTS
from storyaudit.runs.stage import STUDY, Stage


def main() -> None:
    """Run the stage."""
    with Stage("accuracy") as stage:
        params = stage.params("accuracy", AccuracyParams)
        stage.write_report(
            accuracy_report(
                stage.read_to_audit(RESULTS),
                params,
                stage.stream("bootstrap"),
                study=stage.study,
            ),
            f"storyaudit compare {STUDY / RESULTS.name}.parquet --study {stage.study}"
            f" --resamples {params.resamples} --confidence {params.confidence}"
            f" --chance {params.chance} --seed {stage.stream_name('bootstrap')}",
        )


if __name__ == "__main__":
    main()
