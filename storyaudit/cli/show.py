"""``storyaudit show``."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from storyaudit.cli.common import PATH, accepted_findings, terminal, waivers_option
from storyaudit.errors import InputError

if TYPE_CHECKING:
    from storyaudit.findings import Report


@click.command()
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
    """Show what an audit has found, or one of its findings with all that stands behind it.

    It reads what an audit wrote, computes nothing, and exits with 0 whatever was found.

    \b
    Examples:
      storyaudit show embedded/best_of
      storyaudit show embedded/best_of/pools
    """
    study, _, rest = name.partition("/")
    audit, _, wanted = rest.partition("/")
    reports, _ = accepted_findings([findings], waivers)
    study = _known(study, "study", {report.study for report in reports})
    reports = [report for report in reports if report.study == study]
    audit = _known(audit, f"audit of '{study}'", {report.audit for report in reports})
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
    part = parts[_known(wanted, f"finding of '{report.study}/{report.audit}'", parts)]
    return report.model_copy(update={"findings": (), "unchecked": ()}).plus([part])
