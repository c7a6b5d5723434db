"""Stream the texts of files of any size: never the whole, and never less than the whole."""

import glob
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from storyaudit.errors import InputError
from storyaudit.io import bounds
from storyaudit.io.row_batches import Batch
from storyaudit.io.row_files import DOCUMENT, FORMATS, PREMISES, STORIES
from storyaudit.io.streams import ending
from storyaudit.layouts.text_file import TextFile, open_text_file

_METADATA = (
    "removed.csv",
    "dataset_info.json",
    "dataset_infos.json",
    "dataset_dict.json",
    "state.json",
)


@dataclass(frozen=True)
class Source:
    """Texts that can be read more than once.

    Attributes:
        found: which files and columns are read, as a sentence's part.
        rows: how many texts there are, where the files say so.
    """

    found: str
    rows: int | None
    files: tuple[TextFile, ...]

    def batches(self) -> Iterator[Batch]:
        """Yield all texts in the order of files and rows.

        Raises:
            InputError: what cannot be read, with file and row.
        """
        return _even(batch for file in self.files for batch in file.read())


def open_source(path: Path, columns: Mapping[str, str] | None = None) -> Source:
    """Find the texts of a file, of all files in a folder, or of those that a pattern matches.

    By ending: Parquet; CSV and TSV; JSON lines (.jsonl, .ndjson, .json) and a .json list, with
    texts or messages of a chat; XLSX, which alone is read as a whole; WritingPrompts; .txt, a
    document each. All but Parquet and XLSX may be compressed (.gz, .zst). A row is a text, or two
    where it has a chosen and a rejected story, or more where a cell is a list of texts. Without a
    column of IDs a text's ID is the file's path and row; the part ('chosen') and the place in a
    list follow.

    In a folder, other files are left out, and ``found`` names them: those of other endings, a data
    set's own metadata, .txt beside data, and WritingPrompts' premises beside stories.

    Args:
        path: of the file or folder, or a pattern with ``*``, ``?`` or ``**``.
        columns: {our column: their column}, of ``text_columns.NAMES``; guessed by name otherwise.

    Raises:
        InputError: no such file, none that can be read, or no column of texts.
    """
    paths, left_out = _paths(path)
    files = tuple(open_text_file(file, columns or {}) for file in paths)
    counts = [file.size for file in files]
    return Source(
        _said(path, files, left_out),
        sum(count for count in counts if count is not None) if None not in counts else None,
        files,
    )


def _paths(path: Path) -> tuple[list[Path], list[Path]]:
    """Return the files to read, sorted, and those left out."""
    if path.is_file():
        return [path], []
    if path.is_dir():
        every = [
            file
            for file in sorted(path.rglob("*"))
            if file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        ]
        paths = [f for f in every if ending(f) in FORMATS and f.name not in _METADATA]
        if any(ending(file) == STORIES for file in paths):
            paths = [file for file in paths if ending(file) != PREMISES]
        if any(ending(file) != DOCUMENT for file in paths):
            paths = [file for file in paths if ending(file) != DOCUMENT]
    else:
        names = glob.glob(str(path), recursive=True)  # noqa: PTH207 (Path has no absolute patterns)
        every = paths = sorted(Path(name) for name in names if Path(name).is_file())
    if not paths:
        raise InputError(
            f"expected files ending in {', '.join(sorted(FORMATS))}, found none."
            if path.is_dir()
            else "there is no such file.",
            "Check the path.",
            file=path,
        )
    taken = set(paths)
    return paths, [file for file in every if file not in taken]


def _said(path: Path, files: tuple[TextFile, ...], left_out: list[Path]) -> str:
    groups: dict[str, list[Path]] = {}
    for file in files:
        groups.setdefault(file.said, []).append(file.path)
    parts = []
    for said, paths in groups.items():
        names = paths[0].name if len(paths) == 1 else f"{paths[0].name} to {paths[-1].name}"
        count = "" if len(paths) == 1 else f" ({len(paths)} files)"
        parts.append(f"{names}{count}: {said}")
    if left_out:
        names = ", ".join(file.name for file in left_out[:5])
        more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
        parts.append(f"left out of {path.name}: {names}{more}")
    return "; ".join(parts)


def _even(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Join batches that are small and part those that are large."""
    import pyarrow as pa

    ids: list[str] = []
    texts: list[pa.Array] = []
    held = 0
    for batch in batches:
        for part in _parts(batch):
            if held and held + part.texts.nbytes > bounds.MOST_BATCH:
                yield Batch(ids, pa.concat_arrays(texts))
                ids, texts, held = [], [], 0
            ids += part.ids
            texts.append(part.texts)
            held += part.texts.nbytes
            if held >= bounds.LEAST_BATCH:
                yield Batch(ids, pa.concat_arrays(texts))
                ids, texts, held = [], [], 0
    if ids:
        yield Batch(ids, pa.concat_arrays(texts))


def _parts(batch: Batch) -> Iterator[Batch]:
    count = len(batch.ids)
    if count < 2 or batch.texts.nbytes <= bounds.MOST_BATCH:
        yield batch
        return
    half = count // 2
    yield from _parts(Batch(batch.ids[:half], batch.texts[:half]))
    yield from _parts(Batch(batch.ids[half:], batch.texts[half:]))
