"""The command line. Heavy imports stay inside the commands, so that --help is quick."""

import io
import sys

import click

from storyaudit import __version__
from storyaudit.cli.claims import claims
from storyaudit.cli.compare import compare
from storyaudit.cli.counts import counts
from storyaudit.cli.gate import gate
from storyaudit.cli.overlap import overlap
from storyaudit.cli.ratings import ratings
from storyaudit.cli.report import report
from storyaudit.cli.track import track
from storyaudit.errors import InputError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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


for command in (claims, compare, counts, gate, overlap, ratings, report, track):
    cli.add_command(command)


def main() -> None:
    """Run the command line; bad input is one message and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack a story's characters
            stream.reconfigure(errors="backslashreplace")
    try:
        cli()
    except InputError as error:
        from storyaudit.views.terminal import printable

        click.echo(f"Error: {printable(str(error))}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away, as `head` does
        sys.exit(141)
