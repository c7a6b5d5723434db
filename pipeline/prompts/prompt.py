"""Fill a prompt with texts that nobody has vetted.

A prompt is a file of this folder with placeholders such as ``$texts``. Texts go in unchanged and
are not searched for placeholders, so ``$`` and ``{}`` in a story stay. Each text stands between two
lines that carry a mark, which is made from the texts and occurs in none of them: no story can close
its own block or open another. The prompt says that nothing between such lines is an instruction;
whether a model keeps to that is another matter. Special tokens of a chat template (``<|im_end|>``)
are for the endpoint to escape.
"""

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent
_MARK = 12
"""Characters of a mark."""


def fill(name: str, texts: Mapping[str, str], **words: str | int) -> str:
    """Return a prompt with its placeholders filled.

    Args:
        name: of a file in this folder, without its ending.
        texts: {title: text}, in the order in which ``$texts`` shows them.
        words: what else the prompt names: vetted words and numbers, never a text of others.

    Raises:
        KeyError: a placeholder for which nothing is given.
        ValueError: a word for which the prompt has no place.
    """
    template = Template(part(name))
    places = template.get_identifiers()
    without = sorted({*words, "texts"} - {*places})
    if without:
        raise ValueError(f"{name}.txt has no place for {', '.join(without)}")
    mark = mark_for(texts.values())
    return template.substitute(words, texts=_blocks(texts, mark), mark=mark)


def part(name: str) -> str:
    """Return the text of a file in this folder, or of a part that prompts share."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def mark_for(texts: Collection[str]) -> str:
    """Return a short mark that occurs in none of the texts; equal texts have equal marks."""
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    while any(digest[:_MARK] in text for text in texts):
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:_MARK]


def _blocks(texts: Mapping[str, str], mark: str) -> str:
    return "\n\n".join(
        f"----- {title} [{mark}] -----\n{text}\n----- end of {title} [{mark}] -----"
        for title, text in texts.items()
    )
