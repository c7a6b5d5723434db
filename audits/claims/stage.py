"""The claims audit of the two published studies: printed figures against each other and data."""

from pathlib import Path

from audits.claims.claims_report import check_ledger, claims_report, verdicts
from audits.claims.computations import Data
from storyaudit.data.table_files import read_table
from storyaudit.data.tables import RATINGS, STORY_FACTS
from storyaudit.io.files import csv_text
from storyaudit.ledger.ledger_file import read_ledger
from storyaudit.runs.stage import FINDINGS, Stage

PAPERS = Path("expectations/papers")
PUBLISHED = Path("data/published/confederacy")


def main() -> None:
    """Run the stage."""
    with Stage("claims") as stage:
        stage.reads(Path("expectations/checklist.yaml"))
        ratings, stories = PUBLISHED / "ratings.csv", PUBLISHED / "stories.csv"
        released = Data(
            ratings=read_table(stage.reads(ratings), RATINGS).frame,
            stories=read_table(stage.reads(stories), STORY_FACTS).frame,
        )
        for name, data, options in (
            ("confederacy", released, f" --data {ratings} --stories {stories}"),
            ("storyalign", Data(), ""),
        ):
            path = stage.reads(PAPERS / f"{name}.yaml")
            ledger = read_ledger(path)
            checked = check_ledger(ledger, data, file=path)
            table = csv_text(verdicts(ledger, checked)).encode()
            stage.write_file(FINDINGS / ledger.study / "claims.csv", table)
            stage.write_report(claims_report(ledger, checked), f"storyaudit claims {path}{options}")


if __name__ == "__main__":
    main()
