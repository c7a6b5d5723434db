"""How much of a file is read: every bound once, so that no small file takes a computer's memory.

Beyond a bound reading stops with an error. Honest files lie far below.
"""

from pathlib import Path

LINE = 32 << 20
"""Characters of a line, a record or an object; the longest document met has 25 million. A line of
the smallest JSON values takes thirty times its size in memory."""
TEXT = 128 << 20
"""Characters of a file that is read as one text; a character may take four bytes in memory."""
JSON_VALUES = 5_000_000
"""Of a JSON document that is read as a whole: the smallest takes a hundred bytes in memory."""
EXPANDED = 128 << 20
"""Bytes that any file may unpack or decode to."""
EXPANSION = 200
"""Times its own size that a larger file may; text is packed to a tenth, rarely to a fiftieth."""
COLUMNS = 10_000
FRAME_CELLS = 5_000_000
"""Cells of a table in memory that a file may hold beyond one a byte: where an object has names of
its own, a small file says a table of any width."""
WORKBOOK_CELLS = 2_000_000
"""Of a workbook, those between written ones too: programs read some ten thousand a second."""
WORKBOOK_ROWS = 200_000
"""Of a worksheet; all 1,133 items of StoryRMB need some 30,000."""
WORKBOOK_BYTES = 200_000_000
"""Of a workbook when unpacked."""
WORKBOOK_PARTS = 2_000
"""Files in a workbook's archive."""
LEAST_BATCH, MOST_BATCH = 4 << 20, 16 << 20
"""Bytes of text in a batch, but for the last of a source and for a text that is longer by itself:
large enough that handing it on costs nothing, small enough that threads can hold several."""
BATCH_ROWS = 1024
"""Of Parquet, decoded at once at most."""
DECODED = 64 << 20
"""Bytes of a Parquet column that are decoded at once, but for a value that is longer by itself."""
ROW_GROUP = 64 << 20
"""Bytes in memory of a row group that is written; a larger one is parted."""


def expanded(path: Path) -> int:
    """Return how many bytes a file may unpack or decode to."""
    return max(EXPANDED, EXPANSION * path.stat().st_size)


def frame_cells(path: Path) -> int:
    """Return how many cells of a table a file may hold."""
    return max(FRAME_CELLS, path.stat().st_size)
