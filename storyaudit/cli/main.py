"""The command line. Heavy imports stay inside the commands, so that --help is quick."""

import contextlib
import io
import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from storyaudit import __version__
from storyaudit.cli.common import Group
from storyaudit.cli.hidden import hidden_package
from storyaudit.errors import InputError
from storyaudit.former_names import forget_notes

COMMANDS = (
    "ablations",
    "accuracy",
    "best-of-n",
    "claims",
    "compare",
    "contamination-effect",
    "counts",
    "disclosure",
    "evaluate",
    "gate",
    "overlap",
    "protocol",
    "ratings",
    "record",
    "report",
    "score",
    "sheets",
    "show",
    "track",
)
"""The commands; each is a module here, with a click command of the same name but for hyphens."""


@click.group(
    cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__)
def cli() -> None:
    """Audit studies of story preferences: overlap, counts, accuracies, ratings, printed claims.

    \b
    Try it on the repository's own data:
      storyaudit ratings data/published/confederacy/ratings.csv --scale 1 10
      storyaudit claims expectations/papers/confederacy.yaml \\
          --data data/published/confederacy/ratings.csv

    Audit commands exit with 0 if nothing failed, 1 if a 'fail' was found, and 2 on bad input.
    """


for name in (command.replace("-", "_") for command in COMMANDS):
    cli.add_command(getattr(import_module(f"storyaudit.cli.{name}"), name))


def main() -> None:
    """Run the command line.

    Bad input is one message and exit status 2, an interruption 130, a reader of the output that
    went away 141: 1 is left to what an audit found.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack a story's characters
            stream.reconfigure(errors="backslashreplace")
    forget_notes()
    try:
        status = cli(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        _leave("Interrupted: what was complete is written, nothing else.", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except InputError as error:
        _leave(f"Error: {error}", 2)
    except MemoryError:
        _leave("Error: there is not enough memory. Give less at once, or more memory.", 2)
    except BrokenPipeError:
        _leave("", 141)
    except OSError as error:
        what = "the output cannot be written" if error.filename is None else error.filename
        _leave(f"Error: {what}: {error.strerror}. Check the path, and who may use it.", 2)
    except Exception as error:
        hidden = hidden_package(error)
        if hidden is None:
            raise
        _leave(f"Error: {hidden}", 2)
    sys.exit(status if isinstance(status, int) else 0)


def _leave(message: str, status: int) -> NoReturn:
    """Print a message where that is still possible, and exit."""
    from storyaudit.io.printable import printable

    with contextlib.suppress(OSError):
        if message:
            click.echo(printable(message), err=True)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # what is left for an output that is gone would raise once more at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
