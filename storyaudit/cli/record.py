"""``storyaudit record``."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from storyaudit.cli.common import Command, Renamed
from storyaudit.former_names import STAGES as FORMER

if TYPE_CHECKING:
    from storyaudit.llm import recorder
    from storyaudit.llm.model_params import Endpoint
    from storyaudit.llm.question import Ask, Question, Result

T = TypeVar("T")
STAGES = ("corpora", "judgements", "pairs", "pool", "score", "external_check")
"""The stages that may need answers of language models."""


@click.command(cls=Command)
@click.argument("stage", type=Renamed(STAGES, FORMER))
def record(stage: str) -> None:
    """Run a stage, asking language models as needed.

    Only answers that the stage's response cache lacks are asked for. params.yaml names the models
    and endpoints; the key is read from the environment variable that is named there. Answers are
    added to data/records/STAGE as they come: after an interruption the same command continues, and
    asks for nothing twice. From then on `dvc repro` replays them without network.

    \b
    Example:
      storyaudit record judgements
    """
    from importlib import import_module

    from storyaudit.llm.model_params import read_endpoints
    from storyaudit.runs.stage import PARAMS, read_params

    endpoints = read_endpoints(read_params().get("endpoints"), file=PARAMS)
    module = import_module(f"pipeline.{stage}")
    module.main(ask=recording(endpoints, module.RECORD))


def recording(endpoints: "Sequence[Endpoint]", path: Path) -> "Ask":
    """Return what gets missing answers from endpoints into a record, showing how far it is."""
    from storyaudit.io.printable import printable
    from storyaudit.llm import recorder
    from storyaudit.llm.endpoint import connect
    from storyaudit.llm.model_params import serving
    from storyaudit.runs.stage import PARAMS

    def ask(questions: "Sequence[Question[T]]", *, attempts: int) -> "list[Result[T]]":
        if not questions:
            return []
        model = questions[0].request.model
        endpoint = serving(endpoints, model, file=PARAMS)
        with progress_bar(model) as show:
            return recorder.record(
                questions,
                path,
                connect(endpoint, os.environ),
                endpoint,
                attempts=attempts,
                progress=show,
                say=lambda sentence: click.echo(printable(sentence), err=True),
            )

    return ask


@contextmanager
def progress_bar(model: str) -> "Iterator[Callable[[recorder.Progress], None]]":
    """Show on standard error how far a recording is and what it cost; nothing unless a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(model, total=None, state="")

        def show(far: "recorder.Progress") -> None:
            cost = "" if far.cost is None else f", cost {far.cost:.2f}"
            state = f"{far.tokens} tokens{cost}, {far.seconds_left:.0f} s left"
            bar.update(task, completed=far.done, total=far.total, state=state)

        yield show
