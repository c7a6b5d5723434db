"""What of a study is compared with what, and what is found."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from audits.overlap.text_pairs import KEY, once, related
from storyaudit.data.tables import OVERLAPS
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.vocabulary import (
    BENCHMARK_BENCHMARK,
    CONTINUATION,
    REWRITING,
    TRAIN,
    TRAIN_BENCHMARK,
    TRAIN_TRAIN,
    TRAIN_VALIDATION,
    Sides,
)

if TYPE_CHECKING:
    from storyaudit.io.row_batches import Batch

DERIVING = (REWRITING, CONTINUATION)
"""Methods whose two stories are similar by design: one is derived from the other, or both continue
the opening of a third."""
_ROWS = 2048
_COLUMNS = [column.name for column in OVERLAPS.columns]


class Texts(NamedTuple):
    """Some texts.

    Attributes:
        ids: one a text; an ID may have several.
        texts: None where it is missing.
        absent: how many texts a study names and does not have.
    """

    ids: list[str]
    texts: list[str | None]
    absent: int = 0

    def batches(self) -> "Iterator[Batch]":
        """Yield the texts as the search takes them."""
        import pyarrow as pa

        from storyaudit.io.row_batches import Batch

        for start in range(0, len(self.ids), _ROWS):
            part = slice(start, start + _ROWS)
            yield Batch(self.ids[part], pa.array(self.texts[part], pa.large_string()))


class Comparison(NamedTuple):
    """Two sides to compare; texts of one side with each other where ``right`` is None.

    Attributes:
        sides: which they are.
        level: 'story', 'premise', or 'premise_in_story'.
        left: the texts whose containment is measured.
        right: those in which.
    """

    sides: Sides
    level: str
    left: Texts
    right: Texts | None


class Compared(NamedTuple):
    """What a comparison found.

    Attributes:
        sides: which were compared.
        level: of the texts.
        left: how many texts by their IDs.
        right: the same; None where one side was compared with itself.
        rows: the overlaps, with the columns of ``storyaudit.data.tables.OVERLAPS``.
        empty: how many texts hold no word and were compared with none.
        repeated: how many texts have an ID that another of their side has.
        absent: how many texts are named and not there.
        short: how many texts on the left are shorter than a shingle, and found only where another
            text equals them.
        long: how many texts on the left are longer than a window, which holds a part of them.
        proposed: how many pairs an index proposed; None where every pair was looked at.
        uncompared: how many pairs at most it left out.
    """

    sides: Sides
    level: str
    left: int
    right: int | None
    rows: pd.DataFrame
    empty: int = 0
    repeated: int = 0
    absent: int = 0
    short: int = 0
    long: int = 0
    proposed: int | None = None
    uncompared: int = 0


class Study(NamedTuple):
    """The tables of a study that hold its texts or say where they are used.

    Their content need not be valid.

    Attributes:
        premises: the corpora's.
        stories: the corpora's.
        pair_premises: those that were made for pairs.
        pair_stories: the same.
        pairs: of every split.
        candidates: of every item drawn.
        benchmark: the items that were kept.
    """

    premises: pd.DataFrame
    stories: pd.DataFrame
    pair_premises: pd.DataFrame
    pair_stories: pd.DataFrame
    pairs: pd.DataFrame
    candidates: pd.DataFrame
    benchmark: pd.DataFrame

    def kept(self) -> pd.DataFrame:
        """Return the candidates of the benchmark's items."""
        items = self.benchmark["item_id"].dropna()
        return self.candidates[self.candidates["item_id"].isin(items)]

    def all_stories(self) -> pd.DataFrame:
        """Return the columns ``id`` and ``text`` of every story."""
        return _texts([self.stories, self.pair_stories], "story_id")

    def all_premises(self) -> pd.DataFrame:
        """Return the columns ``id`` and ``text`` of every premise."""
        return _texts([self.premises, self.pair_premises], "premise_id")


def _texts(tables: list[pd.DataFrame], key: str) -> pd.DataFrame:
    texts = pd.concat([table[[key, "text"]] for table in tables], ignore_index=True)
    return texts.dropna(subset=[key]).rename(columns={key: "id"})


def story_ids(pairs: pd.DataFrame) -> pd.Series:
    """Return the IDs of the stories of pairs."""
    ids: pd.Series = pd.concat([pairs["chosen_id"], pairs["rejected_id"]], ignore_index=True)
    return ids.dropna()


def study_comparisons(study: Study) -> list[Comparison]:
    """Return what is compared within a study, of which each side has a text at least."""
    stories, premises = study.all_stories(), study.all_premises()
    pairs, items = study.pairs, study.kept()
    trained, held_out = pairs[pairs["split"] == TRAIN], pairs[pairs["split"] != TRAIN]
    items_stories = _named(stories, items["story_id"])
    items_premises = _named(premises, items["premise_id"])
    pairs_stories = _named(stories, story_ids(pairs))
    train_stories = _named(stories, story_ids(trained))
    comparisons = [
        Comparison(TRAIN_BENCHMARK, "story", items_stories, pairs_stories),
        Comparison(
            TRAIN_BENCHMARK, "premise", items_premises, _named(premises, pairs["premise_id"])
        ),
        Comparison(TRAIN_BENCHMARK, "premise_in_story", items_premises, pairs_stories),
        Comparison(BENCHMARK_BENCHMARK, "story", items_stories, None),
        Comparison(TRAIN_TRAIN, "story", train_stories, None),
        Comparison(TRAIN_VALIDATION, "story", _named(stories, story_ids(held_out)), train_stories),
        Comparison(
            TRAIN_VALIDATION,
            "premise",
            _named(premises, held_out["premise_id"]),
            _named(premises, trained["premise_id"]),
        ),
    ]
    return [c for c in comparisons if c.left.ids and (c.right is None or c.right.ids)]


def _named(texts: pd.DataFrame, ids: pd.Series) -> Texts:
    """Return the texts that bear some IDs."""
    wanted = set(ids.dropna())
    rows = texts[texts["id"].isin(wanted)]
    return Texts(
        rows["id"].tolist(),
        [text if isinstance(text, str) else None for text in rows["text"]],
        len(wanted - set(rows["id"])),
    )


def compare(comparison: Comparison, params: OverlapParams, *, threads: int = 2) -> Compared:
    """Return what a comparison finds.

    Every pair at or above ``min_containment`` is found, but within the training stories, of which
    ``near_duplicates`` proposes the pairs: their number grows with the square.
    """
    from audits.overlap.scan import read_side, scan

    left, right = comparison.left, comparison.right
    side = read_side(left.batches())
    lengths = np.diff(side.tokens.starts)
    empty = int((lengths == 0).sum())
    proposed, uncompared = None, 0
    if comparison.sides == TRAIN_TRAIN:
        rows, proposed, uncompared = _near_duplicates(left, params, threads)
    else:
        rows, wordless = scan(side, (right or left).batches(), params, threads=threads)
        if right is None:
            rows = once(rows)
        else:
            empty += wordless
    both = [left] if right is None else [left, right]
    return Compared(
        comparison.sides,
        comparison.level,
        len(set(left.ids)),
        None if right is None else len(set(right.ids)),
        overlaps_table(rows, comparison.sides, comparison.level),
        empty,
        sum(len(texts.ids) - len(set(texts.ids)) for texts in both),
        sum(texts.absent for texts in both),
        int(((lengths > 0) & (lengths < params.shingle)).sum()),
        int((lengths > params.window).sum()),
        proposed,
        uncompared,
    )


def overlaps_table(rows: pd.DataFrame, sides: Sides, level: str) -> pd.DataFrame:
    """Return the pairs of ``scan`` as rows of the overlaps table, without relations."""
    table = rows.assign(comparison=sides, level=level, verified=True, relation=None)
    table[["containment", "jaccard"]] = table[["containment", "jaccard"]].astype(float).round(6)
    return table[_COLUMNS]


def _near_duplicates(
    texts: Texts, params: OverlapParams, threads: int
) -> tuple[pd.DataFrame, int, int]:
    """Return near-duplicates among some texts; how many pairs were proposed, and at most left out.

    Where many texts are similar not all pairs are listed: at least each text's with the centre of
    its group (``star_groups.star_groups``).
    """
    from audits.overlap.near_duplicates import near_duplicates

    found = near_duplicates(texts.batches, params, threads=threads)
    members = found.groups.rename(columns={"centre_id": "left_id", "member_id": "right_id"})
    pairs = pd.concat([found.pairs[KEY], members[KEY]], ignore_index=True)
    return _measured(pairs, texts, params), found.proposed, found.uncompared


def _measured(pairs: pd.DataFrame, texts: Texts, params: OverlapParams) -> pd.DataFrame:
    """Measure text pairs both ways, exactly."""
    from audits.overlap.kernels.verify import Candidates, verify
    from storyaudit.text.tokens import tokenise

    wanted = pd.Index(pd.concat([pairs["left_id"], pairs["right_id"]]).unique())
    places = [place for place, name in enumerate(texts.ids) if name in wanted]
    ids = np.array([texts.ids[place] for place in places], dtype=object)
    tokens = tokenise([texts.texts[place] for place in places])
    numbers = pd.DataFrame({"id": ids, "number": np.arange(len(ids))})
    both = pd.concat(
        [pairs[KEY], pairs.rename(columns=dict(zip(KEY, reversed(KEY), strict=True)))[KEY]]
    )
    both = both.merge(numbers.rename(columns={"id": "left_id", "number": "left"}), on="left_id")
    both = both.merge(numbers.rename(columns={"id": "right_id", "number": "right"}), on="right_id")
    right = both["right"].to_numpy(dtype=np.int64)
    measures = verify(
        tokens,
        tokens,
        Candidates(
            both["left"].to_numpy(dtype=np.int64),
            right,
            np.zeros(len(right), dtype=np.int64),
            np.diff(tokens.starts)[right],
        ),
        params.shingle,
    )
    rows = both[KEY].assign(
        containment=measures.containment,
        jaccard=measures.jaccard,
        longest_common_substring=measures.runs,
    )
    return once(rows[rows["containment"] >= params.duplicate_threshold])


def compare_study(study: Study, params: OverlapParams, *, threads: int = 2) -> list[Compared]:
    """Return what every comparison of a study finds, with relations."""
    found = [compare(c, params, threads=threads) for c in study_comparisons(study)]
    return [result._replace(rows=_related(result, study)) for result in found]


def further_overlaps(study: Study, params: OverlapParams, *, threads: int = 2) -> pd.DataFrame:
    """Return the overlaps table of a study's pairs with the benchmark, and of nothing else.

    For pairs that only experiments train on: what they alone have is no overlap of the study.
    """
    sides = [c for c in study_comparisons(study) if c.sides == TRAIN_BENCHMARK]
    return all_rows([compare(c, params, threads=threads) for c in sides])


def _related(result: Compared, study: Study) -> pd.DataFrame:
    """Return a result's rows with the relation of texts of one side."""
    if result.sides == BENCHMARK_BENCHMARK:
        items = _sets(study.kept(), "story_id", "item_id")
        return related(
            result.rows,
            lambda left, right: (
                "item" if items.get(left, set()) & items.get(right, set()) else None
            ),
        )
    if result.sides != TRAIN_TRAIN:
        return result.rows
    pairs = study.pairs
    together = set(zip(pairs["chosen_id"], pairs["rejected_id"], strict=True))
    on_purpose = derived(pairs)

    def relation(left: str, right: str) -> str | None:
        if on_purpose(left, right):
            return "derived"
        return "pair" if {(left, right), (right, left)} & together else None

    return related(result.rows, relation)


def _sets(table: pd.DataFrame, key: str, value: str) -> dict[str, set[str]]:
    rows = table[[key, value]].dropna()
    return {str(name): set(values) for name, values in rows.groupby(key)[value]}


def derived(pairs: pd.DataFrame) -> Callable[[str, str], bool]:
    """Return what says of two stories whether they are similar by design, by the methods of pairs.

    They are where pairs of ``DERIVING`` link them, an original with all that
    was made of it. A continuation starts with the opening of an original that its own pair does not
    name: it is similar by design to the stories of such pairs that have its premise.
    """
    linked = pairs.dropna(subset=["chosen_id", "rejected_id"])
    linked = linked[linked["method"].isin(DERIVING)]
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for left, right in zip(linked["chosen_id"], linked["rejected_id"], strict=True):
        parent[root(right)] = root(left)
    continued = set(story_ids(linked[linked["method"] == CONTINUATION]))
    sides = linked.melt(["premise_id"], ["chosen_id", "rejected_id"], value_name="story_id")
    premises = _sets(sides, "story_id", "premise_id")

    def similar(left: str, right: str) -> bool:
        if left not in parent or right not in parent:
            return False
        if root(left) == root(right):
            return True
        of_left, of_right = premises.get(left, set()), premises.get(right, set())
        return bool(of_left & of_right) and (left in continued or right in continued)

    return similar


def all_rows(found: Iterable[Compared]) -> pd.DataFrame:
    """Return the overlaps table of some comparisons."""
    tables = [result.rows for result in found if len(result.rows)]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=_COLUMNS)
