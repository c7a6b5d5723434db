"""Judges' scores of the candidates: of simulated judges, of recorded ones, or of a table."""

import numpy as np
import pandas as pd

from pipeline.recorded_judgements import RECORD, RecordedJudges, recorded_judgements
from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.judges import (
    JUDGES_TRUTH,
    LENIENCY_COLUMNS,
    JudgementsParams,
    draw_judges,
    lean,
    worth_of,
)
from pipeline.simulation.truth_tables import GROUND_TRUTH, HIGHEST, LOWEST, QUALITIES
from storyaudit.data.tables import CANDIDATES, JUDGEMENTS, PREMISES, STORIES
from storyaudit.errors import InputError
from storyaudit.llm.question import Ask, replaying
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.runs.raw import RAW_JUDGEMENTS, find_raw
from storyaudit.runs.stage import Stage
from storyaudit.text.words import words
from storyaudit.vocabulary import HUMAN, JUDGES, MEASURES

PROMPT_VARIANT = "1"


class JudgementsStageParams(JudgementsParams):
    """The ``judgements`` section of ``params.yaml``.

    Attributes:
        recorded: language models whose answers are recorded, beside simulated judges or a table.
    """

    recorded: RecordedJudges


def simulate_judgements(
    candidates: pd.DataFrame,
    stories: pd.DataFrame,
    qualities: pd.DataFrame,
    judges: pd.DataFrame,
    rng: np.random.Generator,
    *,
    judge_human_story: bool,
) -> pd.DataFrame:
    """Return the judgements table: whole points from 1 to 10 on five dimensions and overall.

    The model of a judge is that of ``pipeline.simulation.judges``. Its leaning for place, length
    and family is the same on all dimensions; 'overall' is the mean of its unrounded dimension
    scores, rounded. A human story that is not judged leaves all other scores as they are.

    Raises:
        InputError: a candidate without qualities, or that is not among the stories.
    """
    shown = shown_stories(candidates, stories)
    worth = worth_of(shown, qualities).to_numpy()
    keys = shown[["item_id", "story_id", "position"]]
    tables = []
    for judge in judges.to_dict("records"):
        leniency = [judge[name] for name in LENIENCY_COLUMNS]
        errors = judge["noise"] * rng.standard_normal(worth.shape)
        scores = worth + leniency + lean(judge, shown)[:, None] + errors
        everything = np.column_stack([scores, scores.mean(axis=1)])
        wide = pd.DataFrame(np.clip(np.rint(everything), LOWEST, HIGHEST), columns=list(MEASURES))
        long = pd.concat([keys, wide], axis=1).melt(
            id_vars=list(keys.columns), var_name="dimension", value_name="score"
        )
        tables.append(long.assign(judge=judge["judge"], prompt_variant=PROMPT_VARIANT))
    table = pd.concat(tables, ignore_index=True)
    if judge_human_story:
        return table
    humans = shown.loc[shown["author_kind"] == HUMAN, "story_id"]
    return table[~table["story_id"].isin(humans)].reset_index(drop=True)


def shown_stories(candidates: pd.DataFrame, stories: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates in their order, with author, author_kind and words of each story.

    Raises:
        InputError: a candidate that is not among the stories.
    """
    used = stories[stories["story_id"].isin(candidates["story_id"])]
    if "words" not in used.columns or used["words"].isna().any():
        used = used.assign(words=used["text"].map(lambda text: len(words(text))))
    facts = used[["story_id", "author", "author_kind", "words"]]
    shown = candidates.merge(facts, on="story_id", how="left", validate="m:1")
    orphans = shown[shown["author"].isna()]
    if len(orphans):
        raise InputError(
            f"the candidate {orphans['story_id'].iloc[0]} of item {orphans['item_id'].iloc[0]} is "
            f"not among the stories ({orphans['story_id'].nunique()} such stories).",
            "Add it to the table 'stories'.",
        )
    return shown


def simulated_judgements(
    stage: Stage, params: JudgementsParams, protocol: ProtocolParams
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the simulated judges' judgements, and the truth about these judges."""
    bias = stage.params("faults", FaultsParams).order_biased_judge
    judges = draw_judges(params, stage.stream(JUDGES), order_biased=bias)
    judgements = simulate_judgements(
        stage.read(CANDIDATES),
        stage.read(STORIES),
        stage.read(QUALITIES, GROUND_TRUTH),
        judges,
        stage.stream("judgements"),
        judge_human_story=protocol.judge_human_story,
    )
    return judgements, judges


def main(ask: Ask | None = None) -> None:
    """Run the stage: simulate judges, take over recorded ones, or those of a table.

    Args:
        ask: gets answers of language models; from the record if None.
    """
    with Stage("judgements") as stage:
        params = stage.params("judgements", JudgementsStageParams)
        protocol = stage.params("protocol", ProtocolParams)
        judges = pd.DataFrame(columns=JUDGES_TRUTH.names)
        tables = []
        if JUDGES in stage.simulated:
            simulated, judges = simulated_judgements(stage, params, protocol)
            tables.append(simulated)
        elif not params.recorded.models or find_raw(RAW_JUDGEMENTS, JUDGEMENTS):
            tables.append(stage.read_raw(JUDGEMENTS, JUDGES, RAW_JUDGEMENTS))
        if params.recorded.models:
            recorded, counts = recorded_judgements(
                stage.read(CANDIDATES),
                stage.read(STORIES),
                stage.read(PREMISES),
                params.recorded,
                ask or replaying(RECORD, "storyaudit record judgements"),
                prompt_variant=protocol.prompt_variant,
            )
            stage.reads(RECORD)
            stage.metrics(**counts)
            tables.append(recorded)
        judgements = pd.concat(tables, ignore_index=True)
        stage.write(JUDGEMENTS, judgements)
        stage.write(JUDGES_TRUTH, judges, GROUND_TRUTH)
        stage.metrics(judgements=len(judgements), judges=judgements["judge"].nunique())


if __name__ == "__main__":
    main()
