"""What the audit commands share: their options, and what becomes of a report."""

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console

    from storyaudit.findings import Report, Waiver

F = TypeVar("F", bound=Callable[..., None])
T = TypeVar("T")

PATH = click.Path(path_type=Path)


def audit_options(function: F) -> F:
    """Add --study, --json and --out to an audit command."""
    for option in (
        click.option(
            "--out",
            type=PATH,
            help="Also write the findings (JSON) and tables (CSV) into this folder.",
        ),
        click.option(
            "--json", "as_json", is_flag=True, help="Print the findings as JSON instead of a table."
        ),
        click.option("--study", help="Name of the study in the findings; by default the file's."),
    ):
        function = option(function)
    return function


WAIVERS = Path("expectations/waivers.yaml")


def waivers_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add --waivers to a command that weighs findings."""
    return click.option(
        "--waivers",
        type=PATH,
        help=f"Findings accepted with a reason (YAML); by default {WAIVERS}, where it exists.",
    )(function)


def accepted_findings(
    paths: Sequence[Path], waivers: Path | None
) -> "tuple[list[Report], list[Waiver]]":
    """Return the reports in files and folders with waivers applied, and the waivers left over.

    Raises:
        InputError: see ``read_reports`` and ``read_waivers`` of ``storyaudit.findings``.
    """
    from storyaudit.findings import apply_waivers, read_reports, read_waivers

    accepted = read_waivers(waivers or WAIVERS) if waivers or WAIVERS.is_file() else []
    return apply_waivers(read_reports(paths), accepted)


def print_stale(stale: "Sequence[Waiver]", console: "Console") -> None:
    """Name the waivers that met no finding."""
    for waiver in stale:
        console.print(f"The waiver of {waiver.finding} meets no finding.", markup=False)


def study_name(study: str | None, path: Path) -> str:
    """Return a study's name as findings allow it, from the option or the file's name."""
    name = re.sub(r"[^a-z0-9_.-]+", "-", (study or path.resolve().stem).lower()).strip("-_.")
    return name[:200] or "study"


def command_line() -> str:
    """Return this command as it was typed."""
    typed = shlex.join(["storyaudit", *sys.argv[1:]])
    return typed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def finish(
    report: "Report", *, as_json: bool, out: Path | None, tables: Mapping[str, str] | None = None
) -> NoReturn:
    """Show a report, write it where asked, and exit with 1 if it holds a fail, else with 0.

    The report's command is the one that was typed.

    Args:
        report: the findings.
        as_json: print JSON, for machines.
        out: a folder for ``<audit>.json`` and the tables.
        tables: file names and their content.
    """
    report = report.model_copy(update={"command": command_line()})
    text = report.to_json()
    if out is not None:
        write_into(out, {f"{report.audit}.json": text, **(tables or {})})
    if as_json:
        click.echo(text.encode(), nl=False)  # JSON is UTF-8, whatever the terminal
    else:
        from storyaudit.findings import ordered
        from storyaudit.report.terminal import print_reports, print_summary

        console = terminal()
        print_reports([ordered(report)], console)
        print_summary([report], console)
    sys.exit(1 if report.fails() else 0)


def write_into(out: Path, contents: Mapping[str, str]) -> None:
    """Write files by name into a folder, which is made where it is absent.

    Raises:
        InputError: they cannot be written there.
    """
    from storyaudit.errors import InputError
    from storyaudit.io.files import write_text

    try:
        for name, content in contents.items():
            write_text(out / name, content)
    except OSError as error:
        raise InputError(
            f"cannot be written into ({error.strerror}).",
            "Make room, or choose another --out.",
            file=out,
        ) from None


def refuse_input_as_output(out: Path, inputs: Sequence[Path]) -> None:
    """Refuse to write over what a command reads, or into a folder that it reads.

    Raises:
        InputError: the output is, or lies in, one of the inputs.
    """
    from storyaudit.errors import InputError

    place = out.resolve()
    for path in inputs:
        if place.is_relative_to(path.resolve()):
            raise InputError(
                f"expected another place than what is read, {path}.",
                "Choose another --out.",
                file=out,
            )


def terminal() -> "Console":
    """Return the console for standard output; as wide as the terminal, or 100 columns."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:  # rich would exit with 1
            raise BrokenPipeError

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return Terminal(highlight=False, width=None if is_terminal else 100)


def with_progress(items: Iterable[T], *, total: int, label: str) -> Iterable[T]:
    """Show a progress bar on standard error while ``items`` pass; none unless a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(
        items,
        total=total,
        description=label,
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
