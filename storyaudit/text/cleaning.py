"""Preprocess a story as *A Confederacy of Models* did before its raters read it.

The paper (Gómez-Rodríguez and Williams, Findings of EMNLP 2023, section 3.4) names three steps and
prints no rule: the leading sentence that describes the task was removed, then the title, then
paragraphs were parted by one empty line. These rules remove less rather than more: what is not
plainly one of these stays.
"""

from collections.abc import Callable
from typing import NamedTuple

import regex

from storyaudit.text.words import words

_COURTESY = r"(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^\n:]{0,40}?[,.!]\s*)?"
_ANNOUNCES = (
    r"(?:here(?:['’]s| is| are)|below is|the following is|this is|i(?:['’]ve| have) written)\b"
)
_COURTESY_ZH = r"(?:(?:好的|好|当然|当然可以|没问题)[^\n:：]{0,15}?[，。！,!]\s*)?"
_ANNOUNCES_ZH = r"(?:以下是|下面是|这是|这里是|这就是)"
_TASK = regex.compile(
    rf"(?:{_COURTESY}{_ANNOUNCES}|{_COURTESY_ZH}{_ANNOUNCES_ZH})[^\n]{{0,400}}[:：][ \t]*\n\s*",
    regex.IGNORECASE,
)
_PIECE = regex.compile(
    r"\b(?:story|tale|narrati(?:ve|on)|attempt|version|piece|response|continuation|opening|draft)\b"
    r"|故事|小说|叙述|叙事|作品|文章|续写|续文|开头|版本|尝试",
    regex.IGNORECASE,
)
_MARKED_TITLE = regex.compile(
    r"(?:#{1,6}[ \t][^\n]+|(?:title|name|标题|题目|书名)[ \t]*[:：][^\n]+"
    r"|(?:\*\*[^\n*]+\*\*|《[^\n《》]+》)[ \t]*)\n\s*",
    regex.IGNORECASE,
)
_BARE_TITLE = regex.compile(r"([^\n]+)\n[ \t]*\n\s*")
_PUNCTUATION = regex.compile(r"[.!?…,;:：\"“”'‘’「」—–-]$|[。，！？；]")
# A section's number and heading are no title of the story.
_SECTION = regex.compile(
    r"(?:chapter|part|act|scene|prologue|epilogue)\b|第\S+[章节回部]|\P{L}*$", regex.IGNORECASE
)
_SMALL = frozenset(("a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or"))
_SMALL |= {"the", "to", "vs", "with"}
_TITLE_WORDS = 12


class Cleaned(NamedTuple):
    """A preprocessed story, and the steps (of ``STEPS``) that changed it."""

    text: str
    steps: tuple[str, ...]


def drop_task_sentence(text: str, *, premise: str = "") -> str:
    """Return the text without a leading line that announces a story ('Here is …:').

    The line must open with such a phrase, end with a colon, and name a story, a narration and the
    like or half of the premise's longer words.
    """
    found = _TASK.match(text)
    if found is None:
        return text
    longer = {word for word in words(premise) if len(word) > 3}
    shared = len(longer & set(words(found[0])))
    if _PIECE.search(found[0]) is None and (not longer or 2 * shared < len(longer)):
        return text
    return text[found.end() :]


def drop_title(text: str) -> str:
    """Return the text without a leading title.

    A title is a first line marked as one (``# …``, ``**…**``, ``Title: …``, ``《…》``), or one of
    at most 12 words with an empty line below, without punctuation at its end, in title case or in
    a script without case, and no heading of a chapter.
    """
    marked = _MARKED_TITLE.match(text)
    if marked is not None:
        return text[marked.end() :]
    bare = _BARE_TITLE.match(text)
    return text[bare.end() :] if bare is not None and _is_title(bare[1].rstrip()) else text


def _is_title(line: str) -> bool:
    if len(words(line)) > _TITLE_WORDS or _PUNCTUATION.search(line) or _SECTION.match(line):
        return False
    first, *others = line.split()
    return not first[0].islower() and not any(
        word[0].islower() and word not in _SMALL for word in others
    )


def space_paragraphs(text: str) -> str:
    """Return the text with one empty line between paragraphs and no space at a line's end.

    Where no line is empty, every line is a paragraph; otherwise lines that follow each other stay
    together, as in verse.
    """
    lines = [line.rstrip() for line in text.strip().split("\n")]
    if "" not in lines:
        return "\n\n".join(lines)
    return regex.sub(r"\n{3,}", "\n\n", "\n".join(lines))


STEPS = ("task_sentence", "title", "paragraphs")
"""The steps' names, in order."""


def clean_story(text: str, *, premise: str = "") -> Cleaned:
    """Return a story after the three steps; a step that would leave nothing is not taken."""
    steps: tuple[tuple[str, Callable[[str], str]], ...] = (
        (STEPS[0], lambda story: drop_task_sentence(story, premise=premise)),
        (STEPS[1], drop_title),
        (STEPS[2], space_paragraphs),
    )
    changed = []
    for name, step in steps:
        after = step(text)
        if after.strip() and after != text:
            text = after
            changed.append(name)
    return Cleaned(text, tuple(changed))
