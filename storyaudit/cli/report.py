"""``storyaudit report``."""

from pathlib import Path

import click

from storyaudit.cli.common import (
    PATH,
    Command,
    accepted_findings,
    print_stale,
    terminal,
    waivers_option,
    write_into,
)


@click.command(cls=Command)
@click.argument("findings", metavar="FINDINGS...", type=PATH, nargs=-1, required=True)
@click.option("--out", type=PATH, help="Write index.html into this folder.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
@waivers_option
def report(findings: tuple[Path, ...], out: Path | None, quiet: bool, waivers: Path | None) -> None:
    """Write findings as one page, and print a summary.

    FINDINGS are JSON files that audits wrote, or folders of them. With --out, the page is
    index.html.

    \b
    Example:
      storyaudit report findings --out reports
    """
    reports, stale = accepted_findings(findings, waivers)
    if out is not None:
        from storyaudit.report.html import html_page

        write_into(out, {"index.html": html_page(reports, stale)})
    if not quiet:
        from storyaudit.report.terminal import print_summary, print_verdict

        console = terminal()
        print_summary(reports, console)
        print_verdict(reports, console)
        print_stale(stale, console)
        if out is not None:
            console.print(f"Written: {out / 'index.html'}", markup=False)
