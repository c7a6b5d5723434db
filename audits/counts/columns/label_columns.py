"""Columns of judgements and of human annotations."""

import pandas as pd

from audits.counts.columns.key_columns import Tables, is_candidate
from storyaudit.data.tables import CANDIDATE_KEY
from storyaudit.vocabulary import BEST, CONFIRMATION, MEASURES, RANKING, UNSURE

LOWEST, HIGHEST = 1, 10
MOSTLY = 0.9
"""A proportion of scores from 1 to 10 at which that is taken to be the judges' scale."""


def judgements(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the judgements' suite.

    ``position_as_listed`` is left out where no judgement says a position; 0 says none, as for a
    story that was shown alone. A prompt variant that ends in '-reversed' shows the candidates in
    reverse order on purpose.
    ``on_scale`` is left out where fewer than ``MOSTLY`` of the scores lie between 1 and 10: the
    judges then have another scale, which nothing states.
    """
    on_scale = frame["score"].between(LOWEST, HIGHEST)
    given = frame["score"].notna()
    if on_scale[given].mean() >= MOSTLY:
        frame["on_scale"] = on_scale | ~given
    known = frame[frame["dimension"].isin(MEASURES)]
    by_judge = ["item_id", "story_id", "judge", "prompt_variant"]
    scored = known.groupby(by_judge, as_index=False)["dimension"].nunique()
    have = frame[by_judge].merge(scored, on=by_judge, how="left")["dimension"].to_numpy()
    frame["every_dimension"] = (have == known["dimension"].nunique()) | pd.isna(have)
    variants = frame.groupby("prompt_variant")["judge"].transform("nunique")
    judges = frame.groupby(["item_id", "story_id", "prompt_variant"])["judge"].transform("nunique")
    frame["every_judge"] = (judges == variants) | judges.isna()
    if "candidates" in tables:
        frame["is_candidate"] = is_candidate(frame, tables)
        listed = tables["candidates"].drop_duplicates(CANDIDATE_KEY)
        positions = frame[CANDIDATE_KEY].merge(listed, on=CANDIDATE_KEY, how="left")["position"]
        shown = frame["position"]
        reversed_order = frame["prompt_variant"].str.endswith("-reversed", na=False)
        stated = shown.notna() & (shown != 0)
        if stated.any():
            as_listed = (shown == positions.to_numpy()) | positions.isna().to_numpy()
            frame["position_as_listed"] = as_listed | reversed_order | ~stated
    if "stories" in tables:
        frame["story_known"] = frame["story_id"].isin(tables["stories"]["story_id"])
    return frame


def annotations(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the annotations' suite."""
    kind, value = frame["kind"], frame["value"]
    frame["value_fits_kind"] = (
        ((kind == CONFIRMATION) & value.isin([0, 1]))
        | (kind.isin([BEST, UNSURE]) & (value == 1))
        | ~kind.isin([CONFIRMATION, BEST, UNSURE])
        | value.isna()
    )
    ranked, rejected = kind == RANKING, (kind == CONFIRMATION) & (value == 0)
    person = ["item_id", "annotator"]
    ranking = frame[ranked].groupby(person)
    size = ranking["value"].transform("size")
    ranks = ranking["value"]
    sequence = (
        (ranks.transform("nunique") == size)
        & (ranks.transform("min") == 1)
        & (ranks.transform("max") == size)
    )
    frame["ranked_in_sequence"] = sequence.reindex(frame.index, fill_value=True)
    kinds = frame.assign(ranked=ranked, other=~ranked, kept=~ranked & ~rejected)
    kinds = kinds.groupby(person)[["ranked", "other", "kept"]].transform("sum")
    frame["one_decision"] = (kinds["other"] <= 1) & ((kinds["ranked"] == 0) | (kinds["kept"] == 0))
    frame.loc[frame[person].isna().any(axis=1), "one_decision"] = True
    frame["rejection_ranked"] = ~rejected | frame["item_id"].isin(frame.loc[ranked, "item_id"])
    if "candidates" in tables:
        frame["is_candidate"] = is_candidate(frame, tables)
        needed = tables["candidates"].groupby("item_id")["story_id"].nunique()
        placed = frame[ranked & frame["is_candidate"]].groupby(person)["story_id"].nunique()
        have = frame[person].join(placed.rename("have"), on=person)["have"].fillna(0)
        complete = have == frame["item_id"].map(needed)
        frame["ranking_complete"] = complete | ~ranked | ~frame["is_candidate"]
    return frame
