"""``storyaudit show``."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from storyaudit.cli.common import PATH, Command, accepted_findings, terminal, waivers_option
from storyaudit.errors import InputError
from storyaudit.former_names import IDS, STAGES
from storyaudit.former_names import current as current_name
from storyaudit.former_names import note as note_former

if TYPE_CHECKING:
    from storyaudit.findings import Report


@click.command(cls=Command)
@click.argument("name", metavar="STUDY/AUDIT[/ID]")
@click.option(
    "--findings",
    type=PATH,
    default=Path("findings"),
    show_default=True,
    help="File or folder of findings (JSON) that audits wrote.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, without what was accepted.")
@waivers_option
def show(name: str, findings: Path, as_json: bool, waivers: Path | None) -> None:
    """Show an audit's findings, or one of them.

    A single finding is shown with all its numbers and evidence. The command reads what an audit
    wrote, computes nothing, and exits with 0 whatever was found.

    \b
    Examples:
      storyaudit show embedded/best_of_n
      storyaudit show embedded/best_of_n/pools
    """
    study, _, rest = name.partition("/")
    audit, _, wanted = rest.partition("/")
    reports, _ = accepted_findings([findings], waivers)
    study = _known(study, "study", {report.study for report in reports})
    reports = [report for report in reports if report.study == study]
    audits = {report.audit for report in reports}
    audit = _known(_present(audit, audits, STAGES), f"audit of '{study}'", audits)
    report = next(report for report in reports if report.audit == audit)
    if wanted:
        report = _only(report, wanted)
    if as_json:
        given = (finding.model_copy(update={"waived": None}) for finding in report.findings)
        report = report.model_copy(update={"findings": tuple(given)})
        click.echo(report.to_json().encode(), nl=False)
    else:
        from storyaudit.report.terminal import print_reports

        print_reports([report], terminal(), whole=bool(wanted))


def _present(name: str, there: Iterable[str], former: Mapping[str, str]) -> str:
    """Return the present name of what is there under it alone, with a note; else the name."""
    new, names = current_name(name, former), set(there)
    if name in names or new not in names:
        return name
    note_former(name, new)
    return new


def _known(name: str, kind: str, there: Iterable[str]) -> str:
    """Return a name that is there.

    Raises:
        InputError: it is not; the nearest one is named.
    """
    from difflib import get_close_matches

    names = sorted(there)
    if name in names:
        return name
    near = get_close_matches(name, names, n=1, cutoff=0)[0]
    raise InputError(
        f"there is no {kind} named '{name}'; the nearest of {len(names)} is '{near}'.",
        "Check the name: STUDY/AUDIT, or STUDY/AUDIT/ID.",
    )


def _only(report: "Report", wanted: str) -> "Report":
    """Return a report with nothing but one finding, or one check that could not run."""
    parts = {part.id: part for part in reversed(report.parts)}
    wanted = _present(wanted, parts, IDS)
    part = parts[_known(wanted, f"finding of '{report.study}/{report.audit}'", parts)]
    return report.model_copy(update={"findings": (), "unchecked": ()}).plus([part])
