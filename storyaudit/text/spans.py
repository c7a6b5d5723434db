"""Where the words of a text stand in it as it came."""

from functools import lru_cache
from itertools import pairwise

import numpy as np

from storyaudit.text import codepoints
from storyaudit.text.words import _IGNORED, _WORD, normalise

_INVISIBLE = "".join(map(chr, _IGNORED))


def spans(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text, each with its start and end in the original's characters.

    The words are those of ``words``. The text is normalised piece by piece: a piece begins at
    every character that joins with nothing before it, so that the pieces' normal forms, one after
    another, are the text's. Words of one piece ('½' is '1' and '2') have the same span, the
    piece's; invisible characters at its end do not count.
    """
    if not text:
        return []
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    kinds = codepoints.folding().codes[points] >> 24
    begins = (kinds != codepoints.COMPLEX) & (kinds != codepoints.IGNORED)
    begins[0] = True
    edges = [*np.flatnonzero(begins).tolist(), len(text)]
    pieces = [text[first:last] for first, last in pairwise(edges)]
    normal = [_normal(piece) for piece in pieces]
    owners = np.repeat(np.arange(len(pieces)), [len(piece) for piece in normal]).tolist()
    found = []
    for word in _WORD.finditer("".join(normal)):
        first, last = owners[word.start()], owners[word.end() - 1]
        end = edges[last] + len(pieces[last].rstrip(_INVISIBLE))
        found.append((word[0], edges[first], end))
    return found


_normal = lru_cache(maxsize=1 << 16)(normalise)
