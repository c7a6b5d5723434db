"""Findings as one self-contained HTML page."""

from collections.abc import Sequence
from importlib.resources import files

from storyaudit.findings import Report, Waiver
from storyaudit.io.printable import printable
from storyaudit.vocabulary import SEVERITIES


def html_page(reports: Sequence[Report], stale: Sequence[Waiver] = ()) -> str:
    """Return the page. Every value is escaped; it loads and runs nothing.

    Args:
        reports: with waivers applied.
        stale: waivers that met no finding.
    """
    from jinja2 import Environment, StrictUndefined

    def clean(value: object) -> object:
        # Markup is what the template itself has made.
        return printable(value) if type(value) is str else value

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
    )
    template = environment.from_string(
        files("storyaudit.report").joinpath("report.html.j2").read_text(encoding="utf-8")
    )
    return template.render(reports=reports, severities=SEVERITIES, stale=stale)
