"""What language models write so that pairs can be made: simulated, or from their record."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pipeline.requests.writing import Degradation


class StoryPair(NamedTuple):
    """Two people's stories of one genre or one column; their order says nothing of their readers.

    Attributes:
        story_ids: of the two.
        texts: of the two.
        language: of both.
    """

    story_ids: tuple[str, str]
    texts: tuple[str, str]
    language: str


class Original(NamedTuple):
    """A person's story with its premise."""

    story_id: str
    text: str
    premise: str
    language: str


class Writers(Protocol):
    """Models that write; a result stands in its request's place, and is None where none came.

    Attributes:
        names: the author of what is written, by method.
        counts: what became of the requests so far, for the stage's metrics.
    """

    names: dict[str, str]
    counts: dict[str, int]

    def premises(self, story_pairs: Sequence[StoryPair]) -> list[str | None]:
        """Return a premise that both stories of each pair could have been written on."""

    def rewritings(self, originals: Sequence[tuple[Original, Degradation]]) -> list[str | None]:
        """Return each story made worse in one respect."""

    def continuations(
        self, originals: Sequence[tuple[Original, str]]
    ) -> list[tuple[str, str] | None]:
        """Return a guided and an unguided continuation of each story's opening.

        Args:
            originals: a story and its opening, the first part of its text. What follows the opening
                is what only the guided model sees.
        """
