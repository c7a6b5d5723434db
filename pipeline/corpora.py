"""Corpora: premises and stories of the simulation, or of real files, or of both.

The tables in ``data/world`` are the ground truth. Simulated judges and annotators read the
qualities in place of reading the stories, simulated models the briefs; only tests and calibration
read the leaks.
"""

from pathlib import Path
from typing import Annotated

import pandas as pd
from pydantic import AfterValidator

from pipeline.raw_corpora import (
    CorpusFile,
    all_lie_in,
    imagined_qualities,
    read_raw_corpora,
)
from pipeline.recorded_texts import (
    RECORD,
    Writers,
    WrittenPremises,
    write_premises,
    write_stories,
)
from pipeline.simulation.fault_params import FaultsParams, refuse_faults_in_real_data
from pipeline.simulation.simulated_corpora import Corpora, CorporaParams, simulate_corpora
from pipeline.simulation.truth_tables import BRIEFS, GROUND_TRUTH, LEAKS, QUALITIES
from storyaudit.data.tables import PREMISES, STORIES
from storyaudit.errors import InputError
from storyaudit.layouts.screening import read_screening
from storyaudit.llm.question import Ask, replaying
from storyaudit.runs.raw import RAW_CORPORA, lies_in
from storyaudit.runs.stage import PARAMS, Stage
from storyaudit.vocabulary import (
    BENCHMARK_TEXTS,
    TRAINING_TEXTS,
    USE_BENCHMARK,
    USE_POOL,
    USE_TRAINING,
    Part,
    Use,
)

SIMULATED_USE: dict[Use, Part] = {
    USE_BENCHMARK: BENCHMARK_TEXTS,
    USE_TRAINING: TRAINING_TEXTS,
}


class CorporaStageParams(CorporaParams):
    """The ``corpora`` section of ``params.yaml``.

    Attributes:
        files: the corpora that are not simulated.
        written_premises: benchmark premises that a language model wrote; null for none.
        writers: language models that write a story for each benchmark premise that is not
            simulated.
        screening: verdicts on their stories: a file in ``data/raw/corpora``; null if nobody
            screened them.
    """

    files: Annotated[list[CorpusFile], AfterValidator(all_lie_in(RAW_CORPORA))]
    written_premises: WrittenPremises | None
    writers: Writers
    screening: Annotated[str, AfterValidator(lies_in(RAW_CORPORA))] | None


def require_texts_once(simulated: list[Part], params: CorporaStageParams) -> None:
    """Refuse texts of a use that come from nowhere, or both from the simulation and from elsewhere.

    Training texts may come from nowhere here: pairs can be read from preference files instead.

    Raises:
        InputError: names the use.
    """
    for file in params.files:
        if file.use == USE_POOL:
            raise InputError(
                f"corpora.files has {file.path} of use 'pool'.",
                "Name it under pool.files: pools are a study of their own.",
                file=PARAMS,
            )
    for use, part in SIMULATED_USE.items():
        real = [f"corpora.files has {file.path}" for file in params.files if file.use == use]
        if use == USE_BENCHMARK and params.written_premises:
            real.append("corpora.written_premises has some")
        if use == USE_BENCHMARK and params.writers.models and part in simulated:
            real.append("corpora.writers has models")
        if part in simulated and real:
            raise InputError(
                f"'{part}' are simulated, and {real[0]} for the same use.",
                f"Take '{part}' from 'simulated', or the other from 'corpora'.",
                file=PARAMS,
            )
        if use == USE_BENCHMARK and part not in simulated and not real:
            raise InputError(
                f"'{part}' are not simulated, and corpora.files has none of use '{use}'.",
                "Name their files (docs/your-study.md).",
                file=PARAMS,
            )


def main(ask: Ask | None = None) -> None:
    """Run the stage.

    Args:
        ask: gets answers of language models; from the record if None.
    """
    with Stage("corpora") as stage:
        params = stage.params("corpora", CorporaStageParams)
        require_texts_once(stage.simulated, params)
        faults = stage.params("faults", FaultsParams)
        refuse_faults_in_real_data(faults, stage.simulated)
        corpora = simulate_corpora(
            params,
            faults,
            uses=[use for use, part in SIMULATED_USE.items() if part in stage.simulated],
            premises_rng=stage.stream("premises"),
            stories_rng=stage.stream("stories"),
            platform_rng=stage.stream("platform"),
            leaks_rng=stage.stream("leaks"),
        )
        if set(SIMULATED_USE.values()) - set(stage.simulated):
            command = "storyaudit record corpora"
            corpora = with_real_texts(stage, params, corpora, ask or replaying(RECORD, command))
        stage.write(PREMISES, corpora.premises)
        stage.write(STORIES, corpora.stories)
        stage.write(QUALITIES, corpora.qualities, GROUND_TRUTH)
        stage.write(LEAKS, corpora.leaks, GROUND_TRUTH)
        stage.write(BRIEFS, corpora.briefs, GROUND_TRUTH)
        stage.metrics(
            premises=len(corpora.premises),
            stories=len(corpora.stories),
            words=int(corpora.stories["words"].sum()),
        )


def with_real_texts(
    stage: Stage, params: CorporaStageParams, corpora: Corpora, ask: Ask
) -> Corpora:
    """Return the corpora with those of files and of language models, everything counted."""
    for file in params.files:
        stage.reads_all(Path(file.path))
    screening = None
    if params.screening is not None:
        screening = read_screening(stage.reads(Path(params.screening)))
    premises, stories, counts = read_raw_corpora(params.files, screening, stage.stream("sample"))
    if params.written_premises is not None:
        written, of_premises = write_premises(params.written_premises, ask)
        premises = pd.concat([premises, written], ignore_index=True)
        counts |= of_premises
    if params.writers.models:
        for_benchmark = premises[premises["use"] == USE_BENCHMARK]
        written, of_stories = write_stories(for_benchmark, params.writers, ask)
        stories = pd.concat([stories, written], ignore_index=True)
        counts |= of_stories
    if params.written_premises is not None or params.writers.models:
        stage.reads(RECORD)
    stage.metrics(**counts)
    qualities = imagined_qualities(stories, stage.stream("imagined qualities"))
    return corpora._replace(
        premises=pd.concat([corpora.premises, premises], ignore_index=True),
        stories=pd.concat([corpora.stories, stories], ignore_index=True),
        qualities=pd.concat([corpora.qualities, qualities], ignore_index=True),
    )


if __name__ == "__main__":
    main()
