"""The counts audit of the pipeline's own tables, and of StoryAlign's printed counts."""

from pathlib import Path

from audits.counts.counts_report import WITH_SUITE, counts_report, paper_counts_report
from storyaudit.ledger.ledger_file import read_ledger
from storyaudit.runs.stage import STUDY, Stage

EXPECTATIONS = Path("expectations")
PAPER = EXPECTATIONS / "papers/storyalign.yaml"


def main() -> None:
    """Run the stage."""
    with Stage("counts") as stage:
        stage.reads(EXPECTATIONS / "identities.yaml")
        for table in WITH_SUITE:
            stage.reads(EXPECTATIONS / f"tables/{table.name}.json")
        tables = {table.name: stage.read_to_audit(table) for table in WITH_SUITE}
        stage.write_report(
            counts_report(tables, study=stage.study, folder=EXPECTATIONS),
            f"storyaudit counts {STUDY} --study {stage.study}",
        )
        ledger = read_ledger(stage.reads(PAPER))
        stage.write_report(
            paper_counts_report(ledger, folder=EXPECTATIONS), f"storyaudit counts {PAPER}"
        )


if __name__ == "__main__":
    main()
