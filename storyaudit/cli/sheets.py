"""``storyaudit sheets``."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from storyaudit.cli.common import (
    PATH,
    Group,
    chosen_variant,
    study_name,
    tau_option,
    variant_option,
)
from storyaudit.errors import InputError
from storyaudit.forms.questions import TASKS

if TYPE_CHECKING:
    import pandas as pd

    from storyaudit.protocol.protocol_params import ProtocolParams

FORMATS = ("xlsx", "csv", "label-studio")
_LISTED = 10


@click.group(cls=Group)
def sheets() -> None:
    """Draw blind annotation forms, and read them.

    \b
    Examples:
      storyaudit sheets out data/study --annotators anna,ben --to sheets --key keys/first.json
      storyaudit sheets in back/*.xlsx --key keys/first.json --to everybody.csv \\
          --decided data/raw/annotations/annotations.csv
    """


@sheets.command("out")
@click.argument("folder", type=PATH)
@click.option("--annotators", required=True, metavar="A,B,…", help="Who gets a form each.")
@click.option("--to", required=True, type=PATH, help="Folder of the forms.")
@click.option("--key", required=True, type=PATH, help="The key (JSON), in another folder.")
@click.option("--task", type=click.Choice(TASKS), help="Only this; by default what items need.")
@click.option("--items", type=PATH, help="Table whose item_id names the items; all by default.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="xlsx",
    show_default=True,
    help="Of the forms.",
)
@click.option("--rubric", metavar="A,B,…", help="Scales of a rubric; the five dimensions.")
@click.option(
    "--scale",
    type=int,
    nargs=2,
    default=(1, 10),
    metavar="LOW HIGH",
    show_default=True,
    help="Of a rubric.",
)
@tau_option
@variant_option
@click.option("--study", help="Name of the study in the key; by default the folder's.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the orders.")
def out(
    folder: Path,
    annotators: str,
    to: Path,
    key: Path,
    task: str | None,
    items: Path | None,
    form: str,
    rubric: str | None,
    scale: tuple[int, int],
    tau_threshold: float,
    prompt_variant: str | None,
    study: str | None,
    seed: int,
) -> None:
    """Draw a blind form for each annotator, and the key.

    The key names the authors and stays with you. FOLDER holds the tables candidates, stories and
    premises by name, and judgements where LLM–LLM items are to be ranked or confirmed. By default
    every item gets what the protocol has for it: LLM–LLM items whose judges disagree a ranking, the
    others a confirmation, Human–LLM items the choice of the best, pools of 16 a ranking. With
    --items and --task, those items get that task.

    \b
    Examples:
      storyaudit sheets out data/study --annotators anna,ben --to sheets --key keys/first.json
      storyaudit sheets out data/study --annotators carla --task ranking --items open.csv \\
          --to sheets-carla --key keys/second.json
    """
    from storyaudit.forms.draw import draw_forms
    from storyaudit.forms.form_files import rendered_forms, write_all
    from storyaudit.forms.form_layout import FIXED
    from storyaudit.forms.key import Key, key_text
    from storyaudit.forms.questions import CRITERIA
    from storyaudit.forms.study_items import named_items, read_study, study_items
    from storyaudit.forms.tasks import items_for, task_table
    from storyaudit.runs.seeds import stream

    people = _names(annotators, "--annotators")
    scales = CRITERIA if rubric is None else _names(rubric, "--rubric")
    if any(scale_name.casefold() in FIXED for scale_name in scales):
        raise click.UsageError(f"--rubric: {', '.join(FIXED)} are columns of every form.")
    if not -1000 <= scale[0] < scale[1] <= 1000:
        raise click.UsageError("--scale must be a lower and a higher whole number.")
    tables = read_study(folder)
    params = _params(tables.get("judgements"), tau_threshold, prompt_variant)
    chosen = study_items(tables, params)
    if items is not None:
        chosen = named_items(chosen, items)
    elif task is not None:
        chosen = items_for(chosen, task, params)
    forced = task if items is not None or task == "rubric" else None
    table = task_table(chosen, tables["stories"], tables["premises"], params, task=forced)
    if task is not None:
        table = table.loc[table["task"] == task]
    if table.empty:
        raise InputError(
            f"no item needs {f'the task {task}' if task else 'a decision'}.",
            "Name the items with --items to give them a task all the same.",
            file=folder,
        )
    name = study_name(study, folder)
    drawn = [
        sheet
        for kind, part in table.groupby("task", sort=True)
        for sheet in draw_forms(
            part,
            people,
            stream(seed, "sheets", str(kind)),
            study=name,
            seed=seed,
            rubric=scales,
            scale=scale,
        )
    ]
    made = Key(sheets=tuple(sheet.key for sheet in drawn))
    files = {to / name: content for name, content in rendered_forms(drawn, form).items()}
    _refuse_places(key, to, files)
    write_all({key: key_text(made).encode(), **files})
    for sheet in drawn:
        click.echo(f"{sheet.key.annotator}: {sheet.key.task} of {len(sheet.key.items)} items.")
    click.echo(f"The forms are in {to}. The key is {key}: no annotator may see it.")


@sheets.command("in")
@click.argument("filled", type=PATH, nargs=-1, required=True)
@click.option("--key", "keys", type=PATH, multiple=True, required=True, help="The forms' key.")
@click.option("--to", required=True, type=PATH, help="Table of everybody's answers: CSV, Parquet.")
@click.option("--decided", type=PATH, help="Table with one decision an item, for the benchmark.")
@click.option("--adjudicator", help="Annotator whose decisions settle the others'.")
@click.option("--leave-out", is_flag=True, help="Leave open items out of --decided.")
@click.option("--open", "left", type=PATH, help="Table of items unfinished or in disagreement.")
@click.option("--replace", is_flag=True, help="Replace tables that are there already.")
def read_in(
    filled: tuple[Path, ...],
    keys: tuple[Path, ...],
    to: Path,
    decided: Path | None,
    adjudicator: str | None,
    leave_out: bool,
    left: Path | None,
    replace: bool,
) -> None:
    """Read filled forms into annotations or ratings.

    FILLED are forms as they came back: XLSX, CSV or Label Studio's JSON export. Unfinished items
    are listed and left out. --to keeps everybody's own decisions; --decided has one an item: the
    majority's verdict, the ranking by mean rank, or the adjudicator's.

    \b
    Examples:
      storyaudit sheets in back/*.xlsx --key keys/first.json --to everybody.csv \\
          --decided data/raw/annotations/annotations.csv
      storyaudit sheets in anna.xlsx ben.xlsx carla.xlsx --key keys/first.json \\
          --key keys/second.json --to everybody.csv --adjudicator carla \\
          --decided data/raw/annotations/annotations.csv --leave-out --open open.csv
    """
    from storyaudit.forms.adjudicated import decisions, open_items
    from storyaudit.forms.answers import read_answers
    from storyaudit.forms.filled import read_filled
    from storyaudit.forms.form_files import table_bytes, write_all
    from storyaudit.forms.key import asked_questions, read_key
    from storyaudit.forms.label_studio import read_export

    outs = [path for path in (to, decided, left) if path is not None]
    _refuse_outs(outs, (*filled, *keys), replace=replace)
    known = [read_key(path) for path in keys]
    read = [
        sheet
        for path in filled
        for sheet in (
            read_export(path, known)
            if path.suffix.lower() == ".json"
            else [read_filled(path, known)]
        )
    ]
    answers = read_answers(read)
    rubrics = {sheet.key.task == "rubric" for sheet in read}
    if len(rubrics) > 1:
        raise InputError(
            "expected rubrics alone or no rubric, found both.",
            "Read the rubrics by a command of their own: they are ratings, not decisions.",
        )
    if rubrics == {True} and (decided or left):
        raise click.UsageError("--decided and --open are for decisions; a rubric has none.")
    table = answers.ratings if rubrics == {True} else answers.annotations
    if table.empty:
        raise InputError("no item is finished on any form.", "Have the forms filled in.")
    contents = {to: table_bytes(table, to)}
    summary = ""
    if decided is not None or left is not None:
        result = decisions(
            answers.annotations,
            asked_questions(known),
            adjudicator=adjudicator,
            unfinished="leave_out" if leave_out or decided is None else "stop",
        )
        if decided is not None:
            contents[decided] = table_bytes(result.annotations, decided)
            outcomes = result.how["outcome"].value_counts().sort_index()
            summary = ", ".join(f"{count} {name}" for name, count in outcomes.items())
        if left is not None:
            contents[left] = table_bytes(open_items(answers.unfinished, result.how), left)
    write_all(contents)
    for file, annotator, task, items, finished in answers.counts.itertuples(index=False, name=None):
        click.echo(f"{file}: {annotator}, {task}: {finished} of {items} items finished.")
    unfinished = answers.unfinished[["number", "file", "cells"]]
    for number, file, cells in unfinished.head(_LISTED).itertuples(index=False, name=None):
        click.echo(f"Unfinished: item {number} of {file} ({cells}).")
    if len(unfinished) > _LISTED:
        click.echo(f"… and {len(unfinished) - _LISTED} more; --open lists them all.")
    if summary:
        click.echo(f"Decisions: {summary}.")
    if adjudicator is not None:
        click.echo(
            f"{adjudicator} only decided what others disagreed on: for the agreement of annotators "
            f"name {adjudicator} under protocol_audit.adjudicators."
        )


def _names(given: str, option: str) -> list[str]:
    """Return names that can be a file's, a column's and a cell's without harm."""
    names = [name.strip() for name in given.split(",")]
    for name in names:
        if not re.fullmatch(r"\w(?:[\w .-]{0,38}\w)?", name):
            raise click.UsageError(
                f"{option}: expected names of letters, digits, spaces, '.', '-' and '_', "
                f"found {name[:40]!r}."
            )
    if len({name.casefold() for name in names}) < len(names):
        raise click.UsageError(f"{option}: a name stands twice.")
    return names


def _params(
    judgements: "pd.DataFrame | None", tau_threshold: float, variant: str | None
) -> "ProtocolParams":
    from storyaudit.protocol.protocol_params import ProtocolParams

    if not -1 <= tau_threshold <= 1:
        raise click.UsageError("--tau-threshold must lie between -1 and 1.")
    if judgements is not None and len(judgements):
        variant = chosen_variant(set(judgements["prompt_variant"]), variant)
    return ProtocolParams(tau_threshold=tau_threshold, prompt_variant=variant or "1")


def _refuse_places(key: Path, to: Path, files: Iterable[Path]) -> None:
    """Refuse a key beside its forms, and to write over forms that may be filled in."""
    if to.resolve() in key.resolve().parents:
        raise InputError(
            "the key must not lie with the forms, which annotators get.",
            "Choose another folder for it.",
            file=key,
        )
    there = [path for path in (key, *files) if path.exists()]
    if there:
        raise InputError(
            "is there already, and may be filled in.",
            "Choose another folder, or remove it yourself.",
            file=there[0],
        )


def _refuse_outs(outs: list[Path], ins: Iterable[Path], *, replace: bool) -> None:
    given = {path.resolve() for path in ins}
    for path in outs:
        if path.suffix.lower() not in (".csv", ".parquet"):
            raise click.UsageError(f"{path}: expected a name ending in .csv or .parquet.")
        if path.resolve() in given or (path.exists() and not replace):
            raise InputError(
                "is there already.", "Choose another name, or give --replace.", file=path
            )
    if len({path.resolve() for path in outs}) < len(outs):
        raise click.UsageError("--to, --decided and --open must be different files.")
