"""Guess a text's language where its script tells."""

import regex

UNDETERMINED = "und"
"""The language that nobody named and no script tells (ISO 639-2)."""

_HAN = regex.compile(r"\p{Han}")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HANGUL = regex.compile(r"\p{Hangul}")
_LETTER = regex.compile(r"\p{L}")


def guess_language(text: str) -> str:
    """Return 'zh', 'ja' or 'ko' where the script tells, otherwise 'und'.

    More than half of the letters must be of the script. Han with kana is Japanese; kana that are
    less than a tenth of both (a quoted の in a Chinese text) do not count.
    """
    letters = len(_LETTER.findall(text))
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    if 2 * len(_HANGUL.findall(text)) > letters:
        return "ko"
    if 2 * (han + kana) > letters:
        return "ja" if 10 * kana >= han + kana else "zh"
    return UNDETERMINED
