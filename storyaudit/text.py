"""Text to words, in one way for every part of the system."""

import unicodedata

import regex

# A word is a run of letters and digits with the marks that combine with them, apostrophes inside
# it included; an ideograph, a kana or a hangul syllable is a word by itself.
_SINGLE = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]\p{M}*"
_RUN = r"(?:[\p{L}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]]\p{M}*)+"
_WORD = regex.compile(rf"{_SINGLE}|{_RUN}(?:'{_RUN})*", regex.VERSION1)


def normalise(text: str) -> str:
    """Return text in Unicode's compatibility composition (NFKC), with case folded.

    The typographic apostrophe becomes the plain one.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    # Folding can decompose ('İ'), so compose once more.
    return unicodedata.normalize("NFKC", folded)


def words(text: str) -> list[str]:
    """Return the normalised words of a text: punctuation and spacing do not count."""
    return _WORD.findall(normalise(text))
