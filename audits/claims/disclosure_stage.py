"""The checklist of what a study must disclose, answered by the embedded study's own artefacts."""

from pathlib import Path

from audits.claims.disclosure import artefacts, embedded_disclosure, read_checklist
from storyaudit.runs.stage import Stage

CHECKLIST = Path("expectations/checklist.yaml")


def main() -> None:
    """Run the stage."""
    with Stage("disclosure") as stage:
        checklist = read_checklist(stage.reads(CHECKLIST), stage.study)
        for path in artefacts(checklist):
            stage.reads(path)
        stage.write_report(
            embedded_disclosure(checklist, Path(), study=stage.study),
            f"storyaudit disclosure . --study {stage.study}",
        )


if __name__ == "__main__":
    main()
