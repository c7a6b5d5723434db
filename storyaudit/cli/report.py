"""``storyaudit report``."""

from pathlib import Path

import click

from storyaudit.cli.common import PATH, terminal, write_into

WAIVERS = Path("expectations/waivers.yaml")


def waivers_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add --waivers to a command that weighs findings."""
    return click.option(
        "--waivers",
        type=PATH,
        help=f"Findings accepted with a reason (YAML); by default {WAIVERS}, where it exists.",
    )(function)


@click.command()
@click.argument("findings", metavar="FINDINGS...", type=PATH, nargs=-1, required=True)
@click.option("--out", type=PATH, help="Write index.html into this folder.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
@waivers_option
def report(findings: tuple[Path, ...], out: Path | None, quiet: bool, waivers: Path | None) -> None:
    """Gather findings into one page, index.html, and a summary.

    FINDINGS are JSON files that audits wrote, or folders of them.

    \b
    Example:
      storyaudit report findings --out reports
    """
    from storyaudit.findings import apply_waivers, ordered, read_reports, read_waivers

    accepted = read_waivers(waivers or WAIVERS) if waivers or WAIVERS.is_file() else []
    reports, stale = apply_waivers(read_reports(findings), accepted)
    if out is not None:
        from storyaudit.views.html import html_page

        write_into(out, {"index.html": html_page([ordered(r) for r in reports], stale)})
    if not quiet:
        from storyaudit.views.terminal import print_summary, print_verdict

        console = terminal()
        print_summary(reports, console)
        print_verdict(reports, console)
        for waiver in stale:
            console.print(f"The waiver of {waiver.finding} meets no finding.", markup=False)
        if out is not None:
            console.print(f"Written: {out / 'index.html'}", markup=False)
