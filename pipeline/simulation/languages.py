"""The languages of the simulation: a new one is a module with its ``Language``, and a line here."""

from pipeline.simulation.chinese.language import CHINESE
from pipeline.simulation.english.language import ENGLISH
from pipeline.simulation.simulated_language import Language

_ALL = (
    ENGLISH,
    CHINESE,
)
LANGUAGES = {language.code: language for language in _ALL}
"""The languages by their codes."""


def language_of(code: str) -> Language:
    """Return the language of a code."""
    if code not in LANGUAGES:
        raise ValueError(f"no language {code!r}: use one of {', '.join(LANGUAGES)}")
    return LANGUAGES[code]
