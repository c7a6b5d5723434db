"""Best-of-16: pools of stories on one premise, of which each reward model picks one.

In StoryAlign, section 5, Llama-3.1-70B-Instruct writes 16 stories for each of about 100 premises of
MoPS at temperature 1. Here the pools are simulated, written by a model from its record for
premises in files, or taken whole from files.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field, field_validator

from pipeline.raw_corpora import CorpusFile, all_lie_in, imagined_qualities, read_raw_corpora
from pipeline.recorded_pools import RECORD, write_pools
from pipeline.simulation.simulated_pool import Pools, simulate_pools
from pipeline.simulation.truth_tables import POOL_GROUND_TRUTH, POOL_QUALITIES
from storyaudit.data.tables import CANDIDATES, POOL_CANDIDATES, POOL_PREMISES, POOL_STORIES
from storyaudit.errors import InputError
from storyaudit.llm.model_params import ModelParams
from storyaudit.llm.question import Ask, replaying
from storyaudit.runs.params import Count, Params, Positive
from storyaudit.runs.raw import RAW_POOL_CORPORA
from storyaudit.runs.stage import PARAMS, POOL, Stage
from storyaudit.vocabulary import LLM, LLM_LLM, POOLS, USE_POOL, Part


class PoolParams(Params):
    """The ``pool`` section of ``params.yaml``.

    Attributes:
        premises: how many pools; 0 for none.
        stories: of each pool.
        files: corpora in ``data/raw/pool/corpora`` with the premises, and the stories if no model
            writes them.
        writer: the model that writes the stories, from its record; null if it is simulated or the
            files have them.
        words: about how many a story has.
    """

    premises: Count
    stories: Annotated[int, Field(ge=2, le=64)]
    files: Annotated[list[CorpusFile], AfterValidator(all_lie_in(RAW_POOL_CORPORA))]
    writer: ModelParams | None
    words: Positive

    @field_validator("files")
    @classmethod
    def _are_for_pools(cls, files: list[CorpusFile]) -> list[CorpusFile]:
        for file in files:
            if file.use != USE_POOL:
                raise ValueError(f"{file.path} must be of use 'pool', not '{file.use}'")
            if file.sample_premises is not None:
                raise ValueError(f"{file.path} takes no sample_premises: 'premises' says how many")
        return files


def require_pools_once(simulated: list[Part], params: PoolParams) -> None:
    """Refuse pools that come from nowhere, or both from the simulation and from elsewhere.

    Raises:
        InputError: names what is too much or too little.
    """
    real = [f"pool.files has {file.path}" for file in params.files]
    if params.writer is not None:
        real.append(f"pool.writer is {params.writer.model}")
    if POOLS in simulated and real:
        raise InputError(
            f"'pools' are simulated, and {real[0]}.",
            "Take 'pools' from 'simulated', or the other from 'pool'.",
            file=PARAMS,
        )
    if POOLS not in simulated and params.premises and not params.files:
        raise InputError(
            "'pools' are not simulated, and pool.files names no corpus with premises.",
            "Name one, or set pool.premises to 0: then there are no pools.",
            file=PARAMS,
        )


def draw_pools(
    stories: pd.DataFrame, params: PoolParams, rng: np.random.Generator
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the stories of so many full pools, and what was left out.

    Stories are those by language models, on a premise, with a word at least. Of a premise's stories
    whose texts differ in white space alone, the first by ID counts. Premises are drawn among those
    with enough stories, and stories where there are more.

    Args:
        stories: the stories table.
        params: how many premises and stories.
        rng: draws them.

    Raises:
        InputError: too few premises with enough stories.
    """
    placed = stories[stories["premise_id"].notna()]
    own = placed[placed["author_kind"] == LLM]
    nonempty = own[own["words"] > 0].sort_values("story_id")
    plain = nonempty["text"].str.split().str.join(" ")
    once = nonempty[~nonempty.assign(plain=plain).duplicated(["premise_id", "plain"])]
    counts = {
        "stories.not_by_models": len(placed) - len(own),
        "stories.empty": len(own) - len(nonempty),
        "stories.repeated": len(nonempty) - len(once),
    }
    groups = {str(premise): group for premise, group in once.groupby("premise_id", sort=True)}
    full = [premise for premise, group in groups.items() if len(group) >= params.stories]
    counts["stories.short_premises"] = len(groups) - len(full)
    if len(full) < params.premises:
        raise InputError(
            f"pool.premises: expected {params.premises} premises with {params.stories} different "
            f"stories by language models, found {len(full)} among {len(groups)} "
            f"({', '.join(f'{number} {name}' for name, number in counts.items())}).",
            "Lower pool.premises or pool.stories, add stories, or name a pool.writer.",
            file=PARAMS,
        )
    drawn: list[pd.DataFrame] = []
    for premise in sorted(rng.choice(full, params.premises, replace=False).tolist()):
        places = rng.choice(len(groups[premise]), params.stories, replace=False)
        drawn.append(groups[premise].iloc[np.sort(places)])
    return pd.concat(drawn, ignore_index=True), counts


def pool_candidates(stories: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return the candidates table: an item a premise, with its stories in random positions."""
    rows = [
        (f"b-{premise}", position, story, premise, LLM_LLM)
        for premise, own in stories.groupby("premise_id", sort=True)
        for position, story in enumerate(rng.permutation(sorted(own["story_id"])).tolist(), start=1)
    ]
    return pd.DataFrame(rows, columns=CANDIDATES.names)


def real_pools(stage: Stage, params: PoolParams, ask: Ask) -> Pools:
    """Return pools of files, or of a model's record on the files' premises; everything counted."""
    for file in params.files:
        stage.reads_all(Path(file.path))
    premises, stories, counts = read_raw_corpora(params.files, None, stage.stream("sample"))
    stage.metrics(**counts)
    if params.writer is None:
        stories, counts = draw_pools(stories, params, stage.stream("draw"))
    else:
        premises = premises.sort_values("premise_id", ignore_index=True)
        order = stage.stream("draw").permutation(len(premises))
        stories, counts = write_pools(
            premises.iloc[order],
            params.writer,
            ask,
            wanted=params.premises,
            stories=params.stories,
            words_each=params.words,
        )
        stage.reads(RECORD)
    stage.metrics(**counts, authors=stories["author"].nunique())
    premises = premises[premises["premise_id"].isin(stories["premise_id"])]
    return Pools(premises, stories, imagined_qualities(stories, stage.stream("imagined qualities")))


def main(ask: Ask | None = None) -> None:
    """Run the stage.

    Args:
        ask: gets answers of the writer; from the record if None.
    """
    with Stage("pool") as stage:
        params = stage.params("pool", PoolParams)
        require_pools_once(stage.simulated, params)
        if POOLS in stage.simulated or not params.premises:
            pools = simulate_pools(
                params.premises, params.stories, params.words, stage.stream("pools")
            )
        else:
            pools = real_pools(stage, params, ask or replaying(RECORD, "storyaudit record pool"))
        candidates = pool_candidates(pools.stories, stage.stream("positions"))
        stage.write(POOL_PREMISES, pools.premises, POOL)
        stage.write(POOL_STORIES, pools.stories, POOL)
        stage.write(POOL_CANDIDATES, candidates, POOL)
        stage.write(POOL_QUALITIES, pools.qualities, POOL_GROUND_TRUTH)
        stage.metrics(
            premises=len(pools.premises),
            stories=len(pools.stories),
            words=int(pools.stories["words"].sum()),
        )


if __name__ == "__main__":
    main()
