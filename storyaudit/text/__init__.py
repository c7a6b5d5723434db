"""Text to words, in one way for every part of the system."""

from storyaudit.text.words import normalise, words

__all__ = ["normalise", "words"]
