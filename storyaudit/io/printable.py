"""Text that is safe to print."""

import unicodedata


def printable(text: str) -> str:
    """Return text without control characters: a story must not steer the reader's terminal."""
    return "".join(
        c if c.isprintable() or unicodedata.category(c) == "Zs" else "\N{REPLACEMENT CHARACTER}"
        for c in text
    )
