"""Selection among candidates: from scores and a benchmark's gold to each item's outcome."""

from collections.abc import Sequence

import pandas as pd

from storyaudit.data.tables import CANDIDATE_KEY, RUN_KEY, among
from storyaudit.errors import InputError
from storyaudit.text.words import words
from storyaudit.vocabulary import DIMENSIONS, UNKNOWN, UNSCORED

GROUPS = {"annotation_route": "annotation_route", "language": "language", "length_band": "length"}
"""Further columns by which items are grouped, and their names among the metrics."""
BANDS = ("short", "medium", "long")
NO_DIMENSION = (UNSCORED, UNKNOWN)
"""What stands for an item's dimension where it has none."""


def select(scores: pd.DataFrame, candidates: pd.DataFrame, benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return the results table: did each run choose each item's chosen story?

    An item is right only if the chosen story alone has the highest reward (StoryAlign, section
    4.1). ``ties`` counts the other candidates that share the highest reward; ``credit`` is the
    expected value of breaking the tie at random. An item of which a run lacks a reward (no row, or
    none in it) is wrong, and nothing is picked: ``missing`` counts such candidates.

    Args:
        scores: the scores table; IDs and runs are complete, rewards may be missing.
        candidates: the candidates table, of any number an item; items that are not in the benchmark
            are left out, and so are the scores of their candidates.
        benchmark: the benchmark table, and those of ``GROUPS`` that the results shall have.

    Raises:
        InputError: a score for a story that is no candidate of its item, or for one twice; a reward
            that is infinite; a chosen story that is no candidate; an item, or a story in an item,
            twice. The message names the first one.
    """
    about = [name for name in ("dimension", "origin", *GROUPS) if name in benchmark]
    gold = benchmark[["item_id", "chosen_id", *about]]
    of_items = candidates["item_id"].isin(gold["item_id"])
    places = candidates.loc[of_items, CANDIDATE_KEY]
    left_out = candidates.loc[~of_items, CANDIDATE_KEY]
    _refuse(gold.duplicated("item_id"), gold, ["item_id"], "in the benchmark twice")
    _refuse(places.duplicated(), places, CANDIDATE_KEY, "a candidate of its item twice")
    chosen = gold.rename(columns={"chosen_id": "story_id"})
    _refuse(~among(chosen[CANDIDATE_KEY], places), chosen, CANDIDATE_KEY, "chosen but no candidate")
    scores = scores[~among(scores[CANDIDATE_KEY], left_out)]
    named = [*RUN_KEY, *CANDIDATE_KEY]
    _refuse(~among(scores[CANDIDATE_KEY], places), scores, named, "scored but no candidate")
    _refuse(scores.duplicated(named), scores, named, "scored twice")
    _refuse(scores["reward"].abs() == float("inf"), scores, named, "with an infinite reward")

    table = scores[RUN_KEY].drop_duplicates().merge(places, how="cross")
    table = table.merge(scores[[*named, "reward"]], on=named, how="left")
    table = table.merge(gold[["item_id", "chosen_id"]], on="item_id")
    items = table.groupby([*RUN_KEY, "item_id"], sort=False)
    highest = table["reward"] == items["reward"].transform("max")
    table["highest"] = highest.astype("int64")
    table["missing"] = table["reward"].isna().astype("int64")
    complete = items["missing"].transform("sum") == 0
    table["chosen_highest"] = highest & complete & (table["story_id"] == table["chosen_id"])
    alone = complete & (items["highest"].transform("sum") == 1)
    table["picked_id"] = table["story_id"].where(highest & alone)
    results = table.groupby([*RUN_KEY, "item_id"], as_index=False).agg(
        highest=("highest", "sum"),
        missing=("missing", "sum"),
        chosen_highest=("chosen_highest", "any"),
        picked_id=("picked_id", "first"),
    )
    results["ties"] = (results["highest"] - 1).clip(lower=0)
    results["correct"] = results["chosen_highest"] & (results["ties"] == 0)
    results["credit"] = results["chosen_highest"] / results["highest"].clip(lower=1)
    results = results.merge(gold[["item_id", *about]], on="item_id")
    first = [*RUN_KEY, "item_id", "dimension", "origin", "correct", "ties", "credit"]
    return results[[*first, "missing", "picked_id", *(name for name in GROUPS if name in about)]]


def _refuse(bad: pd.Series, rows: pd.DataFrame, names: Sequence[str], problem: str) -> None:
    if bad.any():
        first = rows.loc[bad, list(names)].iloc[0]
        named = ", ".join(f"{name} {value}" for name, value in first.items())
        raise InputError(
            f"{problem}: {named} ({int(bad.sum())} rows).",
            "Score the candidates of this benchmark, each once, with finite numbers.",
        )


def item_groups(
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame,
    premises: pd.DataFrame,
    stories: pd.DataFrame,
) -> pd.DataFrame:
    """Return the benchmark with each item's language, which is its premise's, and length band.

    Raises:
        InputError: a premise or story of an item that is not in its table.
    """
    languages = premises.drop_duplicates("premise_id").set_index("premise_id")["language"]
    placed = candidates[candidates["item_id"].isin(benchmark["item_id"])]
    for table, column, known in (
        (benchmark, "premise_id", languages.index),
        (placed, "story_id", stories["story_id"]),
    ):
        orphans = table.loc[~table[column].isin(known), column]
        if len(orphans):
            raise InputError(
                f"expected {column} {orphans.iloc[0]}, which the benchmark needs, found no such "
                f"row ({orphans.nunique()} are not there).",
                "Give the texts of this benchmark.",
            )
    return benchmark.assign(
        language=benchmark["premise_id"].map(languages),
        length_band=benchmark["item_id"].map(length_bands(placed, stories)),
    )


def length_bands(candidates: pd.DataFrame, stories: pd.DataFrame) -> pd.Series:
    """Return each item's third by the mean number of words of its candidates: one of ``BANDS``.

    Items are ranked by their means; of n items the one with rank r stands at (r − 1/2) / n, and
    below 1/3 is short, from 2/3 on long. Items of one mean have their middle rank, so that equal
    ones stay together. An item with a story that is not in ``stories`` has no band.

    Args:
        candidates: the candidates of the items to rank, and of no others.
        stories: the stories table; where it lacks ``words`` they are counted.
    """
    of_items = stories[stories["story_id"].isin(candidates["story_id"])]
    texts = of_items.drop_duplicates("story_id")
    known = texts["words"] if "words" in texts else pd.Series(float("nan"), index=texts.index)
    counted = [
        len(words(text)) if number != number else number
        for number, text in zip(known, texts["text"], strict=True)
    ]
    numbers = pd.Series(counted, index=texts["story_id"], dtype="float64")
    lengths = candidates["story_id"].map(numbers).astype("float64").groupby(candidates["item_id"])
    means = lengths.mean()[lengths.count() == lengths.size()]
    twice = (2 * means.rank(method="average")).astype("int64")  # whole numbers, so exact
    return (3 * (twice - 1) // (2 * max(len(means), 1))).map(dict(enumerate(BANDS)))


def macro_mean(values: pd.Series, dimension: pd.Series) -> float:
    """Return the unweighted mean of a value's means within dimensions (StoryAlign, table 1).

    Items without a dimension do not count, unless none has one: then it is the mean over all.
    """
    named = ~(dimension.isin(NO_DIMENSION) | dimension.isna())
    if not named.any():
        return float(values.mean())
    return float(values[named].groupby(dimension[named]).mean().mean())


def accuracies(results: pd.DataFrame) -> dict[str, float]:
    """Return the accuracies of one run's results by name; a group that is absent has none.

    ``accuracy.macro`` and ``accuracy.micro``; by dimension, the five of StoryRMB first, and by
    origin; ``accuracy.annotation_route.…``, ``accuracy.language.…`` and ``accuracy.length.…`` where
    the results have these columns; ``credit.macro`` and ``credit.micro``, which break ties at
    random; ``ties`` and ``missing``, the numbers of items with a shared highest reward and without
    a reward of every candidate.
    """
    if results.empty:
        return {}
    correct, dimension = results["correct"].astype("float64"), results["dimension"]
    found = {
        "accuracy.macro": macro_mean(correct, dimension),
        "accuracy.micro": float(correct.mean()),
        **_by(correct, dimension, "accuracy", DIMENSIONS),
        **_by(correct, results["origin"], "accuracy"),
    }
    for column, name in GROUPS.items():
        if column in results:
            found |= _by(correct, results[column], f"accuracy.{name}", BANDS)
    found |= {
        "credit.macro": macro_mean(results["credit"], dimension),
        "credit.micro": float(results["credit"].mean()),
        "ties": float((results["ties"] > 0).sum()),
    }
    if "missing" in results:
        found["missing"] = float((results["missing"] > 0).sum())
    return {name: value for name, value in found.items() if value == value}


def _by(
    values: pd.Series, groups: pd.Series, prefix: str, first: Sequence[str] = ()
) -> dict[str, float]:
    """Return the means within groups that have a name, those named ``first`` before the others."""
    means = values.groupby(groups).mean().drop(UNKNOWN, errors="ignore")
    there = [name for name in first if name in means.index]
    order = [*there, *sorted(set(means.index) - set(there))]
    return {f"{prefix}.{name}": float(means[name]) for name in order}


def model_names(models: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each (variant, model): the variant's where it has but one model.

    Names that would look the same, if only for white space, give both parts in quotes.
    """
    variants = [variant for variant, _ in models]
    names = [v if variants.count(v) == 1 else f"{v}/{model}" for v, model in models]
    seen = [_as_seen(name) for name in names]
    return [
        name if seen.count(_as_seen(name)) == 1 else f"{variant!r} by {model!r}"
        for name, (variant, model) in zip(names, models, strict=True)
    ]


def _as_seen(name: str) -> str:
    """Return a name without what cannot be seen: further white space, marks without a shape."""
    shown = "".join(letter for letter in name if letter.isprintable() or letter.isspace())
    return " ".join(shown.split())
