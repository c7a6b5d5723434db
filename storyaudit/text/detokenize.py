"""Put tokenised English right: text whose words and marks were parted by spaces.

WritingPrompts (Fan et al., ACL 2018) was released so, by rules like those of the Penn Treebank.
"""

import re

# A run of spaces is matched from its first one only: hostile runs must not cost their square.
_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"`` *", '"'),
        (r"(?<! ) *''", '"'),
        (r"(?<=\w) +(n['’]t|['’](?:s|re|ve|ll|d|m))\b", r"\1"),
        (r"\b(gon|wan) (na)\b", r"\1\2"),
        (r"\b(got) (ta)\b", r"\1\2"),
        (r"\b(lem|gim) (me)\b", r"\1\2"),
        (r"([(\[{]) +", r"\1"),
        (r"(?<! ) +([)\]}])", r"\1"),
        (r"(?<! ) +([.,;:?!%]+)(?=[\s\"')\]}]|$)", r"\1"),
        (r"(?<! ) +'(?=[\s.,;:?!]|$)", "'"),
        (r"([$£€]) +(?=\d)", r"\1"),
    )
)


def detokenise(text: str) -> str:
    """Return English text with the spaces of a tokeniser taken out again.

    Only spaces go, and `` `` `` and ``''`` become straight quotes. What cannot be told is left: a
    dash keeps its spaces, a lone apostrophe closes the word before it, 'can not' stays two words.
    Text that is not tokenised hardly changes, and text that was put right not at all.
    """
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
