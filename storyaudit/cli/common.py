"""What the audit commands share: their options, and what becomes of a report."""

import math
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import click
from click.core import ParameterSource

from storyaudit.former_names import COMMANDS, OPTIONS, current, current_words, note

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from storyaudit.findings import Report, Waiver

T = TypeVar("T")
P = TypeVar("P", bound="BaseModel")

PATH = click.Path(path_type=Path)


class Command(click.Command):
    """A command that also takes the former names of its options, which no help shows."""

    def make_parser(self, ctx: click.Context) -> Any:
        """Return the parser, with former names that set what the present ones set."""
        parser = super().make_parser(ctx)
        present = {name: option for option in self.get_params(ctx) for name in option.opts}
        for old, new in OPTIONS.items():
            if new in present and old not in present:
                former = copy(present[new])
                former.opts, former.secondary_opts = [old], []
                former.add_to_parser(parser, ctx)
        return parser

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and note each former name among them."""
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            names = [option.opts[0] for option in given]
            for old in filter(OPTIONS.__contains__, names):
                if OPTIONS[old] in names:
                    raise click.UsageError(
                        f"{old} and {OPTIONS[old]} are one option; give one of them.", ctx
                    )
                note(old, OPTIONS[old])
        return super().parse_args(ctx, args)


class Renamed(click.Choice[str]):
    """A choice that also takes former names."""

    def __init__(self, choices: Sequence[str], former: Mapping[str, str]) -> None:
        super().__init__(choices)
        self._former = former

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the present name."""
        new = current(value, self._former)
        if value not in self.choices and new in self.choices:
            note(value, new)
            value = new
        return super().convert(value, param, ctx)


class Group(click.Group):
    """Commands, which also answer to their former names; their help is never cut short."""

    command_class = Command

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, present or former."""
        command = super().get_command(ctx, cmd_name)
        if command is None and (new := current(cmd_name, COMMANDS)) != cmd_name:
            command = super().get_command(ctx, new)
            if command is not None:
                note(cmd_name, new)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every command with the whole first sentence of its help."""
        rows = [
            (name, command.get_short_help_str(limit=1000))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None and not command.hidden
        ]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class Output(NamedTuple):
    """What is asked to become of a report.

    Attributes:
        study: the study's name; None leaves it to the file's.
        as_json: print JSON, for machines.
        out: a folder for the findings, their evidence and further tables.
        inputs: files that the command reads, which nothing is written over.
    """

    study: str | None
    as_json: bool
    out: Path | None
    inputs: tuple[Path, ...] = ()

    def study_name(self, path: Path) -> str:
        """Return the study's name as findings allow it, from the option or the file's name."""
        return study_name(self.study, path)

    def finish(
        self,
        report: "Report",
        *,
        ignored: Mapping[str, Sequence[str]] | None = None,
        tables: Mapping[str, str] | None = None,
    ) -> NoReturn:
        """Show a report, write it where asked, and exit with 1 if it holds a fail, else with 0.

        The report's command is the one that was typed.

        Args:
            report: the findings.
            ignored: columns that were left out, by file; noted in the report.
            tables: further file names and their content.
        """
        from storyaudit.findings import ignored_columns, ordered

        report = report.plus(ignored_columns(ignored or {}))
        report = ordered(report.model_copy(update={"command": command_line()}))
        text = report.to_json()
        if self.out is not None:
            contents = {**_files(report), **(tables or {})}
            _refuse_overwriting(self.out, contents, self.inputs)
            write_into(self.out, contents)
        if self.as_json:
            click.echo(text.encode(), nl=False)  # JSON is UTF-8, whatever the terminal
        else:
            from storyaudit.report.terminal import print_reports, print_summary

            console = terminal()
            print_reports([report], console)
            print_summary([report], console)
        sys.exit(1 if report.fails() else 0)


def audit_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add --study, --json and --out to an audit command, which takes them as ``output``."""

    @click.option("--study", help="Name of the study in the findings; by default the file's.")
    @click.option(
        "--json", "as_json", is_flag=True, help="Print the findings as JSON instead of a table."
    )
    @click.option(
        "--out",
        type=PATH,
        metavar="DIR",
        help="Also write the findings (AUDIT.json), their evidence (AUDIT-evidence.csv) and the "
        "tables named above, if any, into this folder.",
    )
    @wraps(function)
    def command(study: str | None, as_json: bool, out: Path | None, **given: Any) -> None:
        inputs = _paths(given.values())
        if out is not None:
            _refuse_input_folder(out, inputs)
        function(output=Output(study, as_json, out, inputs), **given)

    return command


def checked_options(kind: type[P], options: Mapping[str, str] | None = None, **given: Any) -> P:
    """Return parameters made of options.

    Args:
        kind: of parameters.
        options: parameters that are not called like their option, and that.
        given: the parameters' values.

    Raises:
        click.UsageError: one of them is none that the parameters allow.
    """
    from pydantic import ValidationError

    from storyaudit.io.checked import first_fault

    try:
        return kind(**given)
    except ValidationError as error:
        fault = first_fault(error).removeprefix("top level: ").removeprefix("value error, ")
        for parameter, option in (options or {}).items():
            fault = re.sub(rf"\b{parameter}\b", option, fault)
        raise click.UsageError(f"{fault}.") from None


class Seed(click.ParamType[int | str]):
    """A number, or the name of one of the pipeline's random streams."""

    name = "seed"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Return the number, or the name."""
        if isinstance(value, int) or re.fullmatch(r"[0-9]{1,18}", value):
            return int(value)
        if re.fullmatch(r"[0-9]{1,18}/[A-Za-z0-9_-]+/[A-Za-z0-9_-]+", value):
            return str(value)
        raise click.BadParameter("expected a whole number from 0, or SEED/STAGE/PURPOSE.")


class Proportion(click.FloatRange):
    """A number above 0 and at most 1; NaN is none."""

    name = "proportion"

    def __init__(self) -> None:
        super().__init__(0, 1, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


seed_option = click.option(
    "--seed",
    type=Seed(),
    default=1,
    show_default=True,
    metavar="SEED",
    help="Of the random draws: a number, or SEED/STAGE/PURPOSE of the pipeline.",
)
confidence_option = click.option(
    "--confidence",
    type=click.FloatRange(0.5, 0.9999),
    default=0.95,
    show_default=True,
    help="Of every interval.",
)


def resampling_options(
    resamples: int = 2000, most: int = 100_000
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what adds --resamples, --confidence and --seed to an audit command.

    Args:
        resamples: the default.
        most: the most resamples.
    """
    resamples_option = click.option(
        "--resamples",
        type=click.IntRange(100, most),
        default=resamples,
        show_default=True,
        help="Bootstrap samples.",
    )

    def add(function: Callable[..., None]) -> Callable[..., None]:
        for option in (seed_option, confidence_option, resamples_option):
            function = option(function)
        return function

    return add


CONTAINMENTS = {
    "min_containment": "--min-containment",
    "duplicate_threshold": "--duplicate-threshold",
}
"""The parameters of overlaps and their options."""


def containment_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add --min-containment and --duplicate-threshold to a command on overlaps."""
    for option in (
        click.option(
            "--duplicate-threshold",
            type=float,
            default=0.5,
            show_default=True,
            help="Containment from which two texts are duplicates.",
        ),
        click.option(
            "--min-containment",
            type=float,
            default=0.1,
            show_default=True,
            help="Containment from which two texts overlap.",
        ),
    ):
        function = option(function)
    return function


adjudicator_option = click.option(
    "--adjudicator",
    "adjudicators",
    multiple=True,
    help="Annotators who only adjudicated disagreements.",
)
tau_option = click.option(
    "--tau-threshold", type=float, default=0.6, show_default=True, help="Below it people rank."
)
variant_option = click.option(
    "--prompt-variant", help="Whose judgements count, where there are several."
)


def chosen_variant(there: Collection[str], wanted: str | None) -> str:
    """Return the prompt variant whose judgements count: the one wanted, or the only one there.

    Raises:
        click.UsageError: it is not there, or there are several and none is wanted.
    """
    if wanted is None and len(there) < 2:
        return "".join(there)
    if wanted is None or wanted not in there:
        raise click.UsageError(
            f"--prompt-variant must name whose judgements count: {', '.join(sorted(there))}."
        )
    return wanted


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
    from storyaudit.io.printable import printable

    for waiver in stale:
        said = f"The waiver of {printable(waiver.finding)} meets no finding."
        console.print(said, markup=False)


def study_name(study: str | None, path: Path) -> str:
    """Return a study's name as findings allow it, from the option or the file's name."""
    name = re.sub(r"[^a-z0-9_.-]+", "-", (study or path.resolve().stem).lower()).strip("-_.")
    return name[:200] or "study"


def command_line() -> str:
    """Return this command as it was typed, with what it draws by and takes as confidence.

    These stand there even where they were left to their defaults, so that the command gives the
    same digits when a default has moved.
    """
    words = ["storyaudit", *current_words(sys.argv[1:])]
    end = words.index("--") if "--" in words else len(words)
    typed = shlex.join([*words[:end], *_defaults(), *words[end:]])
    return typed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _defaults() -> list[str]:
    """Return the options of this command that decide digits and were not typed."""
    context = click.get_current_context()
    words = []
    for option in context.command.params:
        name = str(option.name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name in ("resamples", "confidence", "seed") and not given:
            words += [f"--{name}", str(context.params[name])]
    return words


def _files(report: "Report") -> dict[str, str]:
    """Return what every audit command writes into --out: the findings, and their evidence."""
    from storyaudit.io.files import csv_text
    from storyaudit.report.evidence_table import evidence_table

    return {
        f"{report.audit}.json": report.to_json(),
        f"{report.audit}-evidence.csv": csv_text(evidence_table(report)),
    }


def _paths(given: Iterable[object]) -> tuple[Path, ...]:
    """Return the paths among the values of a command's parameters."""
    values = [one for value in given for one in (value if isinstance(value, tuple) else [value])]
    return tuple(value for value in values if isinstance(value, Path))


def _refuse_overwriting(out: Path, names: Iterable[str], inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that was read.

    Raises:
        InputError: a file to be written is one of the inputs.
    """
    from storyaudit.errors import InputError

    read = {path.resolve() for path in inputs}
    for name in names:
        if (out / name).resolve() in read:
            raise InputError(
                "this file was read, and would be written over; nothing was written.",
                "Choose another --out.",
                file=out / name,
            )


def _refuse_input_folder(out: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write into a folder that is read: what is written there would be read next time.

    Raises:
        InputError: the output is one of the inputs.
    """
    from storyaudit.errors import InputError

    for path in inputs:
        if path.resolve() == out.resolve():
            raise InputError(
                f"expected another place than what is read, {path}.",
                "Choose another --out.",
                file=out,
            )


def write_into(out: Path, contents: Mapping[str, str]) -> None:
    """Write files by name into a folder, which is made where it is absent.

    Raises:
        InputError: they cannot be written there.
    """
    from storyaudit.errors import refusing
    from storyaudit.io.files import write_text

    with refusing("cannot be written into", "Make room, or choose another --out.", out):
        for name, content in contents.items():
            write_text(out / name, content)


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
