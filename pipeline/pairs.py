"""Training pairs by the methods of StoryAlign, section 3.1, and from preference files."""

from collections import Counter
from pathlib import Path

from pipeline.pairing.build import build_pairs
from pipeline.pairing.contests import Judge
from pipeline.pairing.pair_method import Generators
from pipeline.pairing.pair_params import PairsParams
from pipeline.pairing.recorded import RecordedWriters, recorded_judge
from pipeline.pairing.writers import Writers
from pipeline.simulation.authors import MODELS
from pipeline.simulation.pair_judge import simulated_judge
from pipeline.simulation.simulated_writers import SimulatedWriters
from pipeline.simulation.truth_tables import BRIEFS, GROUND_TRUTH, QUALITIES
from storyaudit.data.tables import (
    FURTHER_PAIRS,
    PAIR_PREMISES,
    PAIR_STORIES,
    PAIRS,
    PREMISES,
    STORIES,
)
from storyaudit.errors import InputError
from storyaudit.layouts.preferences import Preferences, read_preferences
from storyaudit.llm.question import Ask, replaying
from storyaudit.runs.stage import EXPERIMENTS, PARAMS, Stage
from storyaudit.vocabulary import JUDGES, TRAINING_TEXTS, USE_TRAINING, Part

RECORD = Path("data/records/pairs/pairs.jsonl")


def writers_of(stage: Stage, params: PairsParams, ask: Ask) -> Writers:
    """Return who writes: simulated models on simulated texts, else models by their record.

    Raises:
        InputError: models are named for simulated texts, of which they know nothing.
    """
    recorded = params.recorded
    if TRAINING_TEXTS not in stage.simulated:
        return RecordedWriters(recorded, ask)
    for name, model in recorded.writers().items():
        if model is not None:
            raise InputError(
                f"'training texts' are simulated, and pairs.recorded.{name} names a model.",
                "Take 'training texts' from 'simulated', or set the key to null.",
                file=PARAMS,
            )
    briefs, qualities = stage.read(BRIEFS, GROUND_TRUTH), stage.read(QUALITIES, GROUND_TRUTH)
    return SimulatedWriters(briefs, qualities, stage.stream("writers"))


def judge_of(stage: Stage, params: PairsParams, ask: Ask, answered: dict[str, int]) -> Judge:
    """Return who judges: a model by its record if one is named, or where judges are not simulated.

    Args:
        stage: reads what a simulated judge needs.
        params: of the stage.
        ask: returns answers.
        answered: what became of the requests is added to it.
    """
    if judge_is_recorded(stage.simulated, params):
        return recorded_judge(params.recorded.judge, ask, answered)
    qualities = stage.read(QUALITIES, GROUND_TRUTH)
    return simulated_judge(qualities, params.judge_noise, stage.stream("judge"))


def judge_is_recorded(simulated: list[Part], params: PairsParams) -> bool:
    """Return whether the judge is a language model by its record."""
    return params.recorded.judge is not None or JUDGES not in simulated


def read_files(stage: Stage, params: PairsParams) -> tuple[list[Preferences], dict[str, int]]:
    """Return what the preference files hold, and their counts by source.

    Raises:
        InputError: see ``read_preferences``; no such file.
    """
    files: list[Preferences] = []
    counts: Counter[str] = Counter()
    for file in params.files:
        read = read_preferences(
            stage.reads(Path(file.path)),
            source=file.source,
            use=USE_TRAINING,
            language=file.language,
            columns=file.columns,
        )
        files.append(read)
        for name, number in read.corpus.counts.items():
            counts[f"files.{file.source}.{name}"] += number
    return files, counts


def main(ask: Ask | None = None) -> None:
    """Run the stage.

    Args:
        ask: gets answers of language models; from the record if None.
    """
    with Stage("pairs") as stage:
        params = stage.params("pairs", PairsParams)
        get = ask or replaying(RECORD, "storyaudit record pairs")
        judged: dict[str, int] = {}
        writers = writers_of(stage, params, get)
        generators = Generators(
            writers,
            judge_of(stage, params, get, judged),
            writers_once=TRAINING_TEXTS not in stage.simulated,
            judge_once=judge_is_recorded(stage.simulated, params),
        )
        files, read = read_files(stage, params)
        built = build_pairs(
            stage.read(PREMISES),
            stage.read(STORIES),
            files,
            generators,
            params,
            stage.stream,
            billions={model.name: model.billions for model in MODELS} | params.billions,
            provenance=RECORD.name if generators.writers_once else None,
        )
        answered = writers.counts | judged
        if answered:
            stage.reads(RECORD)
        stage.write(PAIRS, built.pairs)
        stage.write(PAIR_PREMISES, built.premises)
        stage.write(PAIR_STORIES, built.stories)
        stage.write(FURTHER_PAIRS, built.further, EXPERIMENTS)
        stage.metrics(**built.metrics, **read, **answered)


if __name__ == "__main__":
    main()
