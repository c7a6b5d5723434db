"""Columns of the benchmark and of its candidates."""

from collections import Counter

import pandas as pd

from audits.counts.columns.key_columns import Tables, differs
from storyaudit.data.tables import CANDIDATE_KEY, among, human_stories
from storyaudit.vocabulary import HUMAN_FIRST, HUMAN_LLM, HUMANS_OF_ORIGIN, LLM, ROUTES, UNSCORED


def benchmark(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the benchmark's suite."""
    named = frame["annotation_route"].isin(ROUTES) & frame["origin"].isin(HUMANS_OF_ORIGIN)
    human_first = frame["annotation_route"] == HUMAN_FIRST
    frame["annotation_route_fits_origin"] = ~named | (human_first == (frame["origin"] == HUMAN_LLM))
    unscored = frame["dimension"] == UNSCORED
    frame["unscored_together"] = unscored == (frame["dimension_rule"] == UNSCORED)
    chosen = frame[["item_id", "chosen_id"]]
    if "candidates" in tables:
        candidates = tables["candidates"]
        count = candidates.groupby("item_id")["story_id"].nunique()
        frame["candidates"] = frame["item_id"].map(count).fillna(0).astype("int64")
        frame["chosen_among_candidates"] = among(chosen, candidates[CANDIDATE_KEY])
        again = candidates.loc[candidates.duplicated(CANDIDATE_KEY), CANDIDATE_KEY]
        frame["chosen_is_rejected"] = among(chosen, again)
        frame["same_premise"] = ~differs(frame, "premise_id", tables, "candidates")
        frame["same_origin"] = ~differs(frame, "origin", tables, "candidates")
    if "judgements" in tables:
        judged = among(chosen, tables["judgements"][CANDIDATE_KEY])
        frame["dimension_from_scores"] = judged | unscored | chosen.isna().any(axis=1)
    if "premises" in tables:
        frame["premise_known"] = frame["premise_id"].isin(tables["premises"]["premise_id"])
    return frame


def candidates(frame: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Add the columns of the candidates' suite.

    Positions are counted from 1, or from 0 where most items do.
    """
    items = frame.groupby("item_id")
    positions = items["position"]
    size = positions.transform("size")
    starts = positions.min()
    start = 0 if (starts == 0).sum() > (starts == 1).sum() else 1
    frame["position_in_sequence"] = (positions.transform("nunique") != size) | (
        (positions.transform("min") == start) & (positions.transform("max") == start + size - 1)
    )
    stories = {item: frozenset(ids.dropna()) for item, ids in items["story_id"]}
    times = Counter(stories.values())
    again = [item for item, ids in stories.items() if ids and times[ids] > 1]
    frame["item_again"] = frame["item_id"].isin(again)
    if "stories" in tables:
        frame["story_known"] = frame["story_id"].isin(tables["stories"]["story_id"])
        human = frame["story_id"].isin(human_stories(tables["stories"]))
        certain = human.groupby(frame["item_id"]).transform("sum")
        possible = (~frame["story_id"].isin(_by_models(tables))).groupby(frame["item_id"])
        expected = frame["origin"].map(HUMANS_OF_ORIGIN)
        frame["humans_fit_origin"] = ~(
            (certain > expected) | (possible.transform("sum") < expected)
        )
        texts = frame[CANDIDATE_KEY].assign(text=frame["story_id"].map(_plain_texts(tables)))
        texts = texts.dropna().drop_duplicates(CANDIDATE_KEY)
        same = texts[texts.duplicated(["item_id", "text"], keep=False)]
        frame["text_again"] = among(frame[CANDIDATE_KEY], same[CANDIDATE_KEY])
    if "stories" in tables and "judgements" in tables:
        judged = among(frame[CANDIDATE_KEY], tables["judgements"][CANDIDATE_KEY])
        frame["judged"] = (
            judged | ~frame["story_id"].isin(_by_models(tables)) | frame["item_id"].isna()
        )
    return frame


def stories(frame: pd.DataFrame, _: Tables) -> pd.DataFrame:
    """Add the column of the stories' suite."""
    frame["text_blank"] = frame["text"].str.strip() == ""
    return frame


def _plain_texts(tables: Tables) -> pd.Series:
    """Return the stories' texts by ID, white space normalised; of an ID twice the first."""
    stories = tables["stories"].dropna(subset=["story_id", "text"]).drop_duplicates("story_id")
    plain = stories["text"].str.split().str.join(" ")
    return pd.Series(plain.to_numpy(), index=stories["story_id"])


def _by_models(tables: Tables) -> pd.Series:
    stories = tables["stories"]
    return stories.loc[stories["author_kind"] == LLM, "story_id"]
