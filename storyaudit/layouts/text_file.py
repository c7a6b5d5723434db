"""The texts of a file's rows, with their IDs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from storyaudit.errors import InputError
from storyaudit.io.formats.parquet import is_text, not_utf8
from storyaudit.io.formats.plain_text import TEXT
from storyaudit.io.row_batches import Batch, RowFile, Rows, accepted_by
from storyaudit.io.row_files import DOCUMENT, FORMATS, PREMISES, STORIES, open_rows
from storyaudit.io.streams import ending
from storyaudit.layouts.text_columns import Layout, NoTextError, find_layout, id_of, texts_of
from storyaudit.layouts.writing_prompts import TAGS, line_text

if TYPE_CHECKING:
    import pyarrow as pa


class RowTexts(NamedTuple):
    """Some texts, and the row of each as a person counts them."""

    rows: Sequence[int]
    batch: Batch


class TextFile(NamedTuple):
    """A file whose texts can be read, and which can be written without some rows.

    Attributes:
        file: of rows.
        layout: where the texts are.
        said: what is taken from it, as a part of a sentence.
        size: how many texts it holds, where it says so.
    """

    file: RowFile
    layout: Layout
    said: str
    size: int | None

    @property
    def path(self) -> Path:
        """The file's path."""
        return self.file.path

    @property
    def beside(self) -> Path | None:
        """The file of the same rows that belongs to it: the premises of WritingPrompts' stories."""
        path = self.path.with_name(self.path.name.replace(STORIES, PREMISES))
        return path if path != self.path and path.is_file() else None

    def texts(self) -> Iterator[RowTexts]:
        """Yield the texts from the first with their rows.

        Raises:
            InputError: what cannot be read; a cell that is no text or no ID, with its row.
        """
        path, layout = self.path, self.layout
        for chunk in self.file.rows(layout.columns, list(layout.texts.values())):
            for part, column in layout.texts.items():
                own = layout.ids.get(part)
                if ending(path) == DOCUMENT:
                    ids = [str(path)]
                else:
                    ids = _ids(path, chunk, own or layout.row_id, "" if own else part)
                yield _texts(path, _put_right(path, chunk), column, ids)

    def read(self) -> Iterator[Batch]:
        """Yield the texts from the first; see ``texts``."""
        return (found.batch for found in self.texts())

    def copy(self, left_out: Collection[int], out: Path) -> int:
        """Write the file without some rows to a path, and return how many rows it kept.

        Lines, records of CSV and objects of a JSON list keep their bytes; Parquet keeps its schema,
        compression and row groups. What was compressed is compressed again, always to the same
        bytes. A document that is left out is not written.

        Raises:
            InputError: what cannot be read; a workbook.
            OSError: it cannot be written.
        """
        return self.file.copy(left_out, out)


def open_text_file(path: Path, given: Mapping[str, str]) -> TextFile:
    """Open a file and find its texts.

    Args:
        path: of the file.
        given: {our column of ``text_columns.NAMES``: their column}.

    Raises:
        InputError: see ``open_rows`` and ``find_layout``; a column that holds neither text nor
            messages.
    """
    kind = ending(path)
    if kind in (PREMISES, STORIES, DOCUMENT):
        if given:
            raise InputError(
                f"expected a file with columns, since '{next(iter(given.values()))}' was named.",
                "Leave the names of columns out.",
                file=path,
            )
        file = open_rows(path, formats=FORMATS)
        said = {
            PREMISES: "premises, one a line, IDs from the lines",
            STORIES: "stories, one a line, IDs from the lines",
            DOCUMENT: "one document, ID from the path",
        }[kind]
        return TextFile(file, Layout({"": TEXT}, {}, None), said, file.size)
    find = partial(find_layout, given=given, file=path)
    file = open_rows(path, accepted_by(find), formats=FORMATS)
    layout = find(file.names)
    size = file.size
    for column in layout.texts.values():
        if file.types is not None and not _check_type(path, column, file.types[column]):
            size = None
    return TextFile(file, layout, layout.said(), None if size is None else size * len(layout.texts))


def _check_type(path: Path, column: str, kind: "pa.DataType") -> bool:
    """Return whether a column's cells are single texts, not lists.

    Raises:
        InputError: they are neither.
    """
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    if is_text(inner):
        return True
    if not (pa.types.is_list(inner) or pa.types.is_large_list(inner)):
        found = "no value at all" if pa.types.is_null(kind) else kind
        raise InputError(
            f"expected text or messages, found {found}.",
            "Name the column of the texts with --text-column.",
            file=path,
            column=column,
        )
    return False


def _put_right(path: Path, chunk: Rows) -> Rows:
    """Return lines of WritingPrompts as ``writing_prompts`` reads them."""
    kind = ending(path)
    if kind not in (PREMISES, STORIES):
        return chunk
    lines = chunk.cells[TEXT]
    texts = [line_text(line if kind == STORIES else TAGS.sub("", line)) for line in lines]
    return Rows(chunk.numbers, {TEXT: texts})


def _ids(path: Path, chunk: Rows, column: str | None, part: str) -> list[str]:
    import pyarrow as pa

    suffix = f":{part}" if part else ""
    if column is None:
        return [f"{path}:{row}{suffix}" for row in chunk.numbers]
    cells = chunk.cells[column]
    if isinstance(cells, pa.ChunkedArray):
        cells = _as_text(path, column, chunk.numbers, cells).to_pylist()
    ids = []
    for row, cell in zip(chunk.numbers, cells, strict=True):
        try:
            own = id_of(cell)
            (own or "").encode()
        except (NoTextError, UnicodeEncodeError, OverflowError) as error:
            raise InputError(
                f"expected an ID, text or a whole number, found {_what(error)}.",
                "Correct it, or name another column with --id-column.",
                file=path,
                row=row,
                column=column,
            ) from None
        ids.append(f"{path}:{row}{suffix}" if own is None else own + suffix)
    return ids


def _what(error: Exception) -> str:
    return str(error) if isinstance(error, NoTextError) else "half a surrogate pair"


def _texts(path: Path, chunk: Rows, column: str, ids: list[str]) -> RowTexts:
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = chunk.cells[column]
    if isinstance(cells, pa.ChunkedArray):
        cells = _as_text(path, column, chunk.numbers, cells)
        plain = pa.types.is_large_string(cells.type)
        if plain and not pc.any(pc.match_substring_regex(cells, r"\A\s*\[\{")).as_py():
            return RowTexts(chunk.numbers, Batch(ids, cells.combine_chunks()))
        cells = cells.to_pylist()
    all_rows: list[int] = []
    all_ids, all_texts = [], []
    for row, name, cell in zip(chunk.numbers, ids, cells, strict=True):
        try:
            texts = texts_of(cell)
            for text in texts:
                if text is not None:
                    text.encode()
        except (NoTextError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected a text, messages, or a list of either, found {_what(error)}.",
                "Correct it, or name another column with --text-column.",
                file=path,
                row=row,
                column=column,
            ) from None
        several = len(texts) > 1
        all_ids += [f"{name}:{n}" if several else name for n in range(1, len(texts) + 1)]
        all_texts += texts
        all_rows += [row] * len(texts)
    return RowTexts(all_rows, Batch(all_ids, pa.array(all_texts, pa.large_string())))


def _as_text(
    path: Path, column: str, numbers: Sequence[int], cells: "pa.ChunkedArray"
) -> "pa.ChunkedArray":
    """Return texts and bytes that are texts as large strings, and anything else as it is.

    Raises:
        InputError: bytes that are not UTF-8, with their row.
    """
    import pyarrow as pa

    kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
    if not is_text(kind):
        return cells
    try:
        return cells.cast(kind).cast(pa.large_string())
    except (pa.ArrowException, UnicodeDecodeError):
        raise not_utf8(path, column, numbers, cells) from None
