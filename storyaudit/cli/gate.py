"""``storyaudit gate``."""

import sys
from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    accepted_findings,
    print_stale,
    terminal,
    waivers_option,
)


@click.command(cls=Command)
@click.argument("findings", metavar="[FINDINGS]...", type=PATH, nargs=-1)
@click.option("--study", help="Only this study's findings.")
@waivers_option
def gate(findings: tuple[Path, ...], study: str | None, waivers: Path | None) -> None:
    """Exit with 1 if a fail is open, else with 0.

    A fail is open unless a waiver accepts it. FINDINGS are JSON files that audits wrote, or folders
    of them; by default the folder findings.

    \b
    Example, before a release:
      storyaudit gate --study embedded
    """
    from storyaudit.errors import InputError
    from storyaudit.report.terminal import print_reports

    reports, stale = accepted_findings(findings or (Path("findings"),), waivers)
    if study is not None:
        known = sorted({report.study for report in reports})
        reports = [report for report in reports if report.study == study]
        if not reports:
            raise InputError(
                f"no findings of study '{study}'; there are those of {', '.join(known)}.",
                "Check the name.",
            )
    failed = [
        report.model_copy(update={"findings": tuple(report.fails()), "unchecked": ()})
        for report in reports
        if report.fails()
    ]
    console = terminal()
    print_stale(stale, console)
    print_reports(failed, console)
    count = sum(len(report.findings) for report in failed)
    console.print(f"{count} open fail{'s' if count != 1 else ''} in {len(reports)} audits.")
    sys.exit(1 if failed else 0)
