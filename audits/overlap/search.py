"""Find pairs of overlapping texts: MinHash proposes, exact measures decide."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Self

import pandas as pd
from pydantic import Field, model_validator

from storyaudit.likeness import containment, jaccard, longest_shared_run, shingles
from storyaudit.params import Params
from storyaudit.tables import OVERLAPS
from storyaudit.text import words

SEED = 1
SCHEME = "affine32"  # datasketch's default since 2.0; signatures of 1.x do not compare


class OverlapParams(Params):
    """The ``overlap`` section of ``params.yaml``.

    Attributes:
        shingle: words in a shingle.
        permutations: length of a MinHash signature.
        bands: of the index, each of permutations / bands rows.
        copy_from: containment from which a pair counts as a copy.
        report_from: containment from which a pair is reported at all.
    """

    shingle: Annotated[int, Field(ge=1, le=50)] = 5
    permutations: Annotated[int, Field(ge=8, le=1024)] = 128
    bands: Annotated[int, Field(ge=2)] = 64
    copy_from: Annotated[float, Field(gt=0, le=1)] = 0.5
    report_from: Annotated[float, Field(gt=0, le=1)] = 0.1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.permutations % self.bands:
            raise ValueError("permutations must be a multiple of bands")
        if self.report_from > self.copy_from:
            raise ValueError("report_from must not exceed copy_from")
        return self

    @property
    def rows(self) -> int:
        """Rows of a band."""
        return self.permutations // self.bands


@dataclass(frozen=True)
class Text:
    """A text to compare: its ID, words and shingles."""

    id: str
    words: list[str]
    shingles: frozenset[tuple[str, ...]]


Watch = Callable[[Iterable[Text]], Iterable[Text]]


def _prepare(texts: pd.DataFrame, size: int) -> Iterator[Text]:
    for name, text in zip(texts["id"], texts["text"], strict=True):
        tokens = words(text) if isinstance(text, str) else []
        yield Text(str(name), tokens, shingles(tokens, size))


def recall(similarity: float, params: OverlapParams) -> float:
    """Return the chance that the index proposes a pair of this Jaccard similarity.

    1 − (1 − s^r)^b for b bands of r rows (Leskovec, Rajaraman and Ullman, section 3.4).
    """
    return float(1 - (1 - similarity**params.rows) ** params.bands)


def find_overlaps(
    training: pd.DataFrame,
    benchmark: pd.DataFrame,
    params: OverlapParams,
    *,
    level: str,
    watch: Watch = lambda texts: texts,
) -> tuple[pd.DataFrame, int]:
    """Return the overlaps table of all proposed pairs whose containment reaches ``report_from``,
    and how many texts hold no word (or are missing) and were compared with none.

    Args:
        training: columns ``id`` and ``text``; ``right_id`` of the result.
        benchmark: the same; ``left_id``. Containment is that of the benchmark text in the
            training text.
        params: measures and index.
        level: what the texts are: ``story`` or ``premise``.
        watch: passes the training texts on, one by one, and may show progress.
    """
    from datasketch import MinHashLSH

    index = MinHashLSH(num_perm=params.permutations, params=(params.bands, params.rows))
    known = [text for text in _prepare(benchmark, params.shingle) if text.shingles]
    empty = len(benchmark) - len(known)
    for number, text in enumerate(known):
        index.insert(number, _signature(text, params))
    rows = []
    for text in watch(_prepare(training, params.shingle)):
        if not text.shingles:
            empty += 1
            continue
        for number in sorted(index.query(_signature(text, params))):
            candidate = known[number]
            share = containment(candidate.shingles, text.shingles)
            if share < params.report_from:
                continue
            rows.append(
                {
                    "level": level,
                    "left_id": candidate.id,
                    "right_id": text.id,
                    "containment": round(share, 6),
                    "jaccard": round(jaccard(candidate.shingles, text.shingles), 6),
                    "longest_run": longest_shared_run(candidate.words, text.words),
                    "verified": True,
                }
            )
    table = pd.DataFrame(rows, columns=[column.name for column in OVERLAPS.columns])
    # One ID may stand for several texts of a user's file: keep its strongest pair.
    strength = ["containment", "jaccard", "longest_run"]
    key = list(OVERLAPS.key)
    strongest = table.sort_values(
        [*strength, *key], ascending=[False] * len(strength) + [True] * len(key)
    ).drop_duplicates(key, ignore_index=True)
    return strongest, empty


def _signature(text: Text, params: OverlapParams) -> object:
    from datasketch import MinHash

    signature = MinHash(num_perm=params.permutations, seed=SEED, scheme=SCHEME)
    signature.update_batch(" ".join(shingle).encode() for shingle in sorted(text.shingles))
    return signature
