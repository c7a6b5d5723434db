"""The languages of the world, by their codes."""

from pipeline.simulation.chinese.language import CHINESE
from pipeline.simulation.english.language import ENGLISH
from pipeline.simulation.simulated_language import Language

LANGUAGES = {language.code: language for language in (ENGLISH, CHINESE)}


def language_of(code: str) -> Language:
    """Return the language of this code: 'en' or 'zh'."""
    if code not in LANGUAGES:
        raise ValueError(f"no language {code!r}: use one of {', '.join(LANGUAGES)}")
    return LANGUAGES[code]
