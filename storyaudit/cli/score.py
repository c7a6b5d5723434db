"""``storyaudit score``."""

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from storyaudit.cli.common import PATH, Command, refuse_input_as_output, terminal, with_progress
from storyaudit.errors import InputError, refusing

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.reward.model import RewardModel
    from storyaudit.layouts.benchmark_file import BenchmarkFile

ENDINGS = (".csv", ".jsonl", ".parquet")
CHUNK = 64
"""Stories scored at once, between two steps of the progress bar."""


@click.command(cls=Command)
@click.argument("model", type=PATH)
@click.argument("benchmark", type=PATH, required=False)
@click.option(
    "--out", type=PATH, help=f"Where the scores go: a file ending in {', '.join(ENDINGS)}."
)
@click.option(
    "--attributions",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Show the N largest feature attributions; no BENCHMARK is needed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def score(
    model: Path, benchmark: Path | None, out: Path | None, attributions: int | None, as_json: bool
) -> None:
    """Score candidates with a saved reward model.

    MODEL is a folder that the train stage saved. BENCHMARK is a file of items (JSON, JSONL or
    Parquet: prompt, chosen, and rejected with three stories), or a folder with the tables
    candidates, stories and premises by name. The scores go on to `storyaudit evaluate`, with the
    same benchmark.

    \b
    Examples:
      storyaudit score models/full/seed-1 items.jsonl --out scores.csv
      storyaudit score models/full/seed-1 data/study --out scores.parquet
      storyaudit score models/full/seed-1 --attributions 20
    """
    from pipeline.reward.folder import load
    from storyaudit.layouts.benchmark_file import read_benchmark

    if benchmark is None and (attributions is None or out is not None):
        raise click.UsageError("give a BENCHMARK to score, or --attributions for MODEL alone.")
    if benchmark is not None and out is None:
        raise click.UsageError("--out must name the file for the scores.")
    if out is not None:
        if out.suffix.lower() not in ENDINGS:
            raise InputError(
                f"expected a file ending in {', '.join(ENDINGS)}, found '{out.suffix}'.",
                "Choose another --out.",
                file=out,
            )
        refuse_input_as_output(out, [path for path in (model, benchmark) if path is not None])
    loaded = load(model)
    done: dict[str, Any] = {}
    if benchmark is not None and out is not None:
        read = read_benchmark(benchmark)
        scores = _scores(loaded, model, read)
        _write(scores, out)
        done["scores"] = {
            "file": str(out),
            "variant": str(scores["variant"].iloc[0]),
            "seed": int(scores["seed"].iloc[0]),
            "items": int(scores["item_id"].nunique()),
            "rewards": len(scores),
            "read": read.found,
        }
    if attributions is not None:
        done["attributions"] = [
            {"feature": name, "effect": effect}
            for name, effect in loaded.attributions(attributions)
        ]
    _show(done, as_json=as_json, effects=loaded.effects)


def _scores(loaded: "RewardModel", folder: Path, read: "BenchmarkFile") -> "pd.DataFrame":
    """Return the scores table of the benchmark's candidates, of the gold's items if it has one."""
    import numpy as np

    from pipeline.scoring.saved_models import run_of
    from pipeline.texts import texts_of
    from storyaudit.data.tables import CANDIDATE_KEY, SCORES, coerce_types, sort_by_key, validate
    from storyaudit.io.files import decodable

    candidates = read.candidates
    if read.gold is not None:
        candidates = candidates[candidates["item_id"].isin(read.gold["item_id"])]
    texts = texts_of(candidates, read.premises, read.stories)
    starts = range(0, len(candidates), CHUNK)
    rewards = [
        loaded.score(texts.premises[start : start + CHUNK], texts.stories[start : start + CHUNK])
        for start in with_progress(starts, total=len(starts), label="Scoring")
    ]
    place = folder.resolve()
    above = next((path for path in place.parents if path.name == "models"), place.parent.parent)
    variant, seed = run_of(place, above)
    table = candidates[CANDIDATE_KEY].assign(
        variant=decodable(variant), model=loaded.kind, seed=seed, reward=np.concatenate(rewards)
    )
    table = sort_by_key(coerce_types(table, SCORES, file=folder)[0], SCORES)
    validate(table, SCORES, file=folder)
    return table


def _write(scores: "pd.DataFrame", out: Path) -> None:
    from storyaudit.io.files import csv_text, parquet_bytes, write_bytes

    ending = out.suffix.lower()
    if ending == ".parquet":
        content = parquet_bytes(scores)
    elif ending == ".jsonl":
        rows = scores.to_dict("records")
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
        content = "".join(lines).encode()
    else:
        _refuse_changed_ids(scores, out)
        content = csv_text(scores).encode()
    with refusing("cannot be written", "Choose another --out.", out):
        write_bytes(out, content)


def _refuse_changed_ids(scores: "pd.DataFrame", out: Path) -> None:
    """Refuse IDs that CSV would change, for the safety of spreadsheet programs or of its rows."""
    import pandas as pd

    from storyaudit.data.tables import CANDIDATE_KEY
    from storyaudit.io.files import csv_text

    ids = scores[CANDIDATE_KEY]
    written = pd.read_csv(io.StringIO(csv_text(ids)), dtype="str", keep_default_na=False)
    changed = (written.to_numpy() != ids.to_numpy()).any(axis=1)
    if changed.any():
        item, story = ids[changed].iloc[0]
        raise InputError(
            f"expected IDs that CSV carries as they are, found item_id {item}, story_id {story}: "
            "a formula's sign in front, or a carriage return, would be changed.",
            "Write .jsonl or .parquet.",
            file=out,
        )


def _show(done: dict[str, Any], *, as_json: bool, effects: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from storyaudit.io.files import json_text
    from storyaudit.io.printable import printable

    if as_json:
        click.echo(json_text(done).encode(), nl=False)
        return
    console = terminal()
    if "scores" in done:
        scored = done["scores"]
        sentences = (
            f"Read {scored['read']}.",
            f"Wrote {scored['rewards']} rewards of {scored['items']} items into {scored['file']}, "
            f"as variant {scored['variant']}, seed {scored['seed']}.",
        )
        for sentence in sentences:
            console.print(Text(printable(sentence)))
    if "attributions" in done:
        table = Table(title="Feature attributions, the largest first", title_justify="left")
        table.add_column("feature")
        table.add_column("effect", justify="right")
        for feature in done["attributions"]:
            table.add_row(Text(printable(feature["feature"])), f"{feature['effect']:+.4f}")
        console.print(table)
        console.print(effects or "A model of this kind names no features.")
