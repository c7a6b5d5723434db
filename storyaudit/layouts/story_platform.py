"""Read stories of a writing platform: genre, author's column and readership beside each text."""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd

from storyaudit.data.corpus import Corpus, as_corpus
from storyaudit.errors import InputError
from storyaudit.io.files import file_name
from storyaudit.io.records import read_mapped
from storyaudit.vocabulary import HUMAN

NAMES: dict[str, tuple[str, ...]] = {
    "text": ("text", "story", "content", "body", "正文", "内容", "故事"),
    "premise": ("premise", "prompt", "前提"),
    "genre": ("genre", "category", "类型", "分类", "体裁", "题材"),
    "column_id": ("column_id", "column", "专栏", "作者专栏", "专栏id"),
    "readership": ("readership", "reads", "views", "阅读", "阅读数", "阅读量", "阅读人数"),
    "language": ("language", "语言"),
    "screening": ("screening",),
    "author": (),
}
"""Our columns and the names by which they are guessed. Authors' names are personal data: the
column is read only where the map names it, otherwise every author is 'human'."""

_UNITS = {"": 1, "千": 10**3, "k": 10**3, "万": 10**4, "萬": 10**4, "w": 10**4, "亿": 10**8}
_READERSHIP = re.compile(
    r"(?P<number>\d{1,3}(?:[,，]\d{3})+|\d+(?:\.\d+)?)\s*(?P<unit>[千k万萬w亿]?)",
    re.ASCII | re.IGNORECASE,
)


def read_platform(
    path: Path,
    *,
    source: str,
    use: str,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Corpus:
    """Read a table of human stories; one row a story.

    A file in GB18030, as Chinese spreadsheet programs write CSV, is refused like any that is not
    UTF-8, since its bytes do not tell it from other encodings.

    Args:
        path: CSV, TSV, JSON, JSONL, Parquet or XLSX.
        source: see ``as_corpus``; so are ``use`` and ``language``.
        columns: {our column: their column} for those of ``NAMES`` that are not guessed.

    Returns:
        The corpus; ``rounded_readership`` counts figures such as '1.2万', which stand for a range,
        and ``no_readership`` stories without a figure.

    Raises:
        InputError: no column of texts, a column that could be two, a readership that is no count.
    """
    records, found = read_mapped(path, NAMES, columns, required=("text",))
    frame = pd.DataFrame({ours: records.frame[theirs] for ours, theirs in found.items()})
    frame = frame.assign(author_kind=HUMAN)
    if "author" not in found:
        frame["author"] = HUMAN
    rounded = 0
    if "readership" in found:
        theirs = found["readership"]
        counts = [
            parse_readership(value, file=path, row=int(row), column=theirs)
            for value, row in zip(records.frame[theirs], records.rows, strict=True)
        ]
        frame["readership"] = pd.Series([count for count, _ in counts], dtype="object")
        rounded = sum(is_rounded for _, is_rounded in counts)
    frame["provenance"] = [f"{file_name(path)}:{row}" for row in records.rows]
    corpus = as_corpus(
        frame, source=source, use=use, language=language, file=path, rows=records.rows
    )
    none = len(corpus.stories)
    if "readership" in corpus.stories:
        none = int(corpus.stories["readership"].isna().sum())
    further = {"rounded_readership": rounded, "no_readership": none}
    return corpus._replace(counts=corpus.counts | further)


def parse_readership(value: Any, *, file: Path, row: int, column: str) -> tuple[int | None, bool]:
    """Return a count of readers (None where the cell is empty), and whether it is rounded.

    Whole numbers, with or without thousands separators ('3,456'), and numbers with a unit ('1.2万',
    '15k'), which are rounded to their last digit.

    Raises:
        InputError: anything else, bounds such as '10万+' among it, or a fraction of a reader.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None, False
    whole = isinstance(value, float) and value.is_integer()
    shown = str(int(value) if whole else value).strip()
    if not shown:
        return None, False
    parts = _READERSHIP.fullmatch(shown)
    if parts is not None:
        unit = _UNITS[parts["unit"].lower()]
        count = Decimal(parts["number"].replace(",", "").replace("，", "")) * unit
        if count == count.to_integral_value():
            return int(count), unit > 1
    raise InputError(
        f"expected a number of readers such as 3456, '3,456' or '1.2万', found '{shown[:40]}'.",
        "Write the count; leave the cell empty if it is not known.",
        file=file,
        row=row,
        column=column,
    )
