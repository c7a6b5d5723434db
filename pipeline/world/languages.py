"""The languages of the world, by their codes."""

from pipeline.world.chinese.language import CHINESE
from pipeline.world.english.language import ENGLISH
from pipeline.world.language import Language

LANGUAGES = {language.code: language for language in (ENGLISH, CHINESE)}


def language_of(code: str) -> Language:
    """Return the language of this code: 'en' or 'zh'."""
    if code not in LANGUAGES:
        raise ValueError(f"no language {code!r}: use one of {', '.join(LANGUAGES)}")
    return LANGUAGES[code]
