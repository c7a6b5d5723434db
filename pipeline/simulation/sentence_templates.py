"""Sentences with slots.

`{slot}` is filled with a word of that kind, `{a:slot}` with the word and its English article.
Spaces part the words, whatever the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

SLOT = re.compile(r"\{(?:(a):)?(\w+)\}")


@dataclass(frozen=True)
class Template:
    """A sentence cut at its slots: what comes first, then each slot with what follows it."""

    start: str
    slots: tuple[tuple[str, bool, str], ...]
    """Each one's name, whether an article goes before it, and what follows."""

    def fill(self, word_for: Callable[[str], str]) -> str:
        """The sentence with each slot filled by `word_for(slot)`."""
        text = self.start
        for slot, with_article, following in self.slots:
            word = word_for(slot)
            if with_article:
                text += "an " if word[0] in "aeiouAEIOU" else "a "
            text += word + following
        return text


def template(text: str) -> Template:
    """Read a template from its written form."""
    start, *pieces = SLOT.split(text)  # then article, slot and what follows, in turn
    articles, slots, following = pieces[::3], pieces[1::3], pieces[2::3]
    return Template(start, tuple(zip(slots, map(bool, articles), following, strict=True)))


def templates(*texts: str) -> tuple[Template, ...]:
    """Read several."""
    return tuple(template(text) for text in texts)
