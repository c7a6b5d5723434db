"""The claims audit of a published study: its printed table against its data."""

from pathlib import Path

from audits.claims.recompute import claims_report, comparison, recompute
from storyaudit.files import csv_text
from storyaudit.ledger import read_ledger
from storyaudit.readers.table import read_table
from storyaudit.stage import FINDINGS, Stage
from storyaudit.tables import RATINGS

LEDGER = Path("expectations/papers/confederacy.yaml")
DATA = Path("data/published/confederacy/ratings.csv")


def main() -> None:
    """Run the stage."""
    with Stage("claims") as stage:
        ledger = read_ledger(stage.reads(LEDGER))
        checked = recompute(ledger, read_table(stage.reads(DATA), RATINGS).frame)
        stage.write_file(
            FINDINGS / ledger.study / "claims.csv", csv_text(comparison(checked)).encode()
        )
        stage.write_report(
            claims_report(ledger, checked, command=f"storyaudit claims {LEDGER} --data {DATA}")
        )


if __name__ == "__main__":
    main()
