"""The ratings audit of a published study."""

from pathlib import Path

from audits.ratings.ratings_report import ratings_report
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS
from storyaudit.runs.stage import Stage

DATA = Path("data/published/confederacy/ratings.csv")
RESAMPLES, CONFIDENCE = 2000, 0.95
SCALE = (1.0, 10.0)  # printed: emerging 1–4, competent 5–8, sophisticated 9–10


def main() -> None:
    """Run the stage."""
    with Stage("ratings") as stage:
        stage.write_report(
            ratings_report(
                read_table(stage.reads(DATA), RATINGS).frame,
                scale=SCALE,
                study="confederacy",
                resamples=RESAMPLES,
                confidence=CONFIDENCE,
                rng=stage.stream("bootstrap"),
            ),
            f"storyaudit ratings {DATA} --study confederacy --scale 1 10"
            f" --resamples {RESAMPLES} --confidence {CONFIDENCE}"
            f" --seed {stage.stream_name('bootstrap')}",
        )


if __name__ == "__main__":
    main()
