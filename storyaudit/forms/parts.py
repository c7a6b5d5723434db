"""Cut a long text into pieces, each of which a spreadsheet's row can show."""

from storyaudit.forms.uniform import is_wide, width

PREMISE_WIDTH = 36
TEXT_WIDTH = 100
"""What a line of the columns of text holds, in characters."""
# A row of a spreadsheet is at most 409 points high, some 27 lines: what is longer cannot be read.
LINES = 24


def parts(text: str, columns: int = TEXT_WIDTH) -> list[str]:
    """Cut a text into pieces of at most ``LINES`` lines, between paragraphs where it can be.

    Args:
        text: paragraphs parted by an empty line.
        columns: the width of the cell, in characters; wide ones count twice.
    """
    pieces: list[list[str]] = [[]]
    used = 0
    for paragraph in text.split("\n\n"):
        for piece in _cut(paragraph, columns * LINES):
            needed = lines(piece, columns) + 1
            if pieces[-1] and used + needed > LINES + 1:
                pieces.append([])
                used = 0
            pieces[-1].append(piece)
            used += needed
    return ["\n\n".join(piece) for piece in pieces]


def lines(text: str, columns: int) -> int:
    """Return how many lines a text fills in a cell of that width, empty lines included."""
    return sum(-(-max(width(line), 1) // columns) for line in text.split("\n"))


def _cut(paragraph: str, room: int) -> list[str]:
    """Cut a paragraph that no row can show, after words where there are any."""
    if width(paragraph) <= room:
        return [paragraph]
    pieces, start = [], 0
    while start < len(paragraph):
        end, used, space = start, 0, 0
        while end < len(paragraph) and used + 1 + is_wide(paragraph[end]) <= room:
            used += 1 + is_wide(paragraph[end])
            end += 1
            space = end if paragraph[end - 1] == " " else space
        if end < len(paragraph) and space:
            end = space
        pieces.append(paragraph[start:end].strip())
        start = end
    return [piece for piece in pieces if piece]
