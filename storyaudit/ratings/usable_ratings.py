"""What of a ratings table can be used, and who rated what."""

import numpy as np
import pandas as pd

from storyaudit.ratings.rating_rows import (
    LARGEST,
    OVERALL,
    RATING_ROW_KEY,
    natural_order,
    rating_rows,
)


def usable(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that statistics can use; other findings name those left out.

    Left out are rows without rater, story, author, criterion or score, scores beyond a million,
    scores that the same rater has given before, and stories with more than one author.

    Returns:
        The ratings table's rows, with a column ``group`` where every row has one.
    """
    complete = ratings.dropna(subset=[*RATING_ROW_KEY, "author", "item", "score"])
    complete = complete[complete["score"].abs() <= LARGEST].drop_duplicates(
        [*RATING_ROW_KEY, "item"]
    )
    authors = complete.groupby("story_id")["author"].transform("nunique")
    kept: pd.DataFrame = complete[authors == 1].reset_index(drop=True)
    if "group" in kept and kept["group"].isna().any():
        kept = kept.drop(columns="group")
    return kept


def totals(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the sum of scores of every complete rating row.

    Args:
        rows: usable rows.

    Returns:
        Columns rater, story_id, author, total, and group where the rows have one; sorted.
    """
    table = rating_rows(rows)[OVERALL].dropna().rename("total").reset_index()
    if "group" in rows:
        groups = rows.drop_duplicates(RATING_ROW_KEY)[[*RATING_ROW_KEY, "group"]]
        table = table.merge(groups, on=RATING_ROW_KEY)
    return table.sort_values([*RATING_ROW_KEY], kind="stable", ignore_index=True)


def rater_pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Return every pair of raters who scored one story on one criterion.

    Raters are ordered by number where they are numbers, then by name; of more than two raters of
    a story, each pair counts once.

    Returns:
        Columns story_id, item, first_rater, second_rater, first, second (the scores).
    """
    order = {name: n for n, name in enumerate(sorted(rows["rater"].unique(), key=natural_order))}
    columns = ["story_id", "item", "rater", "score"]
    ranked = rows[columns].assign(rank=rows["rater"].map(order))
    both = ranked.merge(ranked, on=["story_id", "item"], suffixes=("_first", "_second"))
    both = both[both["rank_first"] < both["rank_second"]]
    both = both.sort_values(["story_id", "item", "rank_first", "rank_second"], kind="stable")
    names = {"rater_first": "first_rater", "rater_second": "second_rater"}
    scores = {"score_first": "first", "score_second": "second"}
    renamed = both.rename(columns=names | scores)
    return renamed[["story_id", "item", *names.values(), *scores.values()]].reset_index(drop=True)


def codes(values: pd.Series) -> tuple[np.ndarray, list[str]]:
    """Return each value's number, 0, 1, …, and the sorted names behind the numbers."""
    names, numbers = np.unique(values.to_numpy(dtype=str), return_inverse=True)
    return numbers, names.tolist()


def crossed_blocks(row_totals: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the sets of stories that exactly the same two or more raters have rated.

    Only within such a set do raters and stories cross, so that raters' severity is separable
    from differences between stories.

    Returns:
        One table a set, stories in rows and raters in columns; sets of one story are left out.
    """
    wide = row_totals.pivot(index="story_id", columns="rater", values="total")
    stories: dict[tuple[str, ...], list[str]] = {}
    for story, rated in wide.notna().iterrows():
        names = sorted(rated.index[rated], key=natural_order)
        stories.setdefault(tuple(names), []).append(str(story))
    return [
        wide.loc[stories[raters], list(raters)]
        for raters in sorted(stories, key=lambda names: [natural_order(name) for name in names])
        if len(raters) > 1 and len(stories[raters]) > 1
    ]
