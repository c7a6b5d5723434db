"""How much of its premise a story takes up."""


def coverage(premise: frozenset[str], story: set[str]) -> float:
    """Return the share of the premise's distinct words that the story has; 0 if there are none."""
    return len(premise & story) / len(premise) if premise else 0.0
