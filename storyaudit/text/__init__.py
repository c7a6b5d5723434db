"""Text to words, in one way for every part of the system."""
