"""``storyaudit disclosure``."""

from pathlib import Path

import click

from storyaudit.cli.common import PATH, Command, Output, audit_options


@click.command(cls=Command)
@click.argument("folder", type=PATH)
@click.option(
    "--checklist", type=PATH, help="Items to answer (YAML), in place of StoryAudit's own."
)
@audit_options
def disclosure(folder: Path, checklist: Path | None, output: Output) -> None:
    """Check what a study discloses.

    FOLDER holds a study's artefacts under the paths that the checklist names, among them
    findings/STUDY: --study names it there too. An item for which the checklist names no artefact
    is a warning, one whose artefact is absent a fail. For a ledger (YAML) in place of the folder,
    the paper's own answers are listed.

    \b
    Examples:
      storyaudit disclosure . --study embedded
      storyaudit disclosure expectations/papers/storyalign.yaml
    """
    from audits.claims.disclosure import disclosure_of_paper, embedded_disclosure, read_checklist
    from storyaudit.errors import InputError
    from storyaudit.ledger.ledger_file import read_ledger

    if folder.suffix.lower() in (".yaml", ".yml"):
        if checklist is not None:
            raise click.UsageError("--checklist is for a folder; a ledger names its items itself.")
        report = disclosure_of_paper(read_ledger(folder), file=folder)
        if output.study is not None:
            report = report.model_copy(update={"study": output.study_name(folder)})
        output.finish(report)
    if not folder.is_dir():
        raise InputError("there is no such folder.", "Check the path.", file=folder)
    study = output.study_name(folder)
    output.finish(embedded_disclosure(read_checklist(checklist, study), folder, study=study))
