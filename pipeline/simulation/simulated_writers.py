"""Simulated models that write so that pairs can be made.

They read briefs and hidden qualities in place of the stories. What one writes on a request depends
on the request alone, not on what else is asked.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pipeline.pairing.writers import Original, StoryPair
from pipeline.requests.writing import Degradation
from pipeline.simulation.authors import draw_quality
from pipeline.simulation.degradations import cut, join, make_worse
from pipeline.simulation.draws import Draws
from pipeline.simulation.languages import language_of
from pipeline.simulation.premise import Premise, premise_text
from pipeline.simulation.quality import Quality
from pipeline.simulation.story import write_story
from pipeline.simulation.truth_tables import BRIEFS, GROUND_TRUTH
from storyaudit.errors import InputError
from storyaudit.runs.seeds import stream
from storyaudit.vocabulary import CONTINUATION, DIMENSIONS, REWRITING

GUIDANCE = 0.8
"""How far a person's continuation lifts a model from its own qualities to the person's."""


class SimulatedWriters:
    """Models of the simulation (``pipeline.pairing.writers.Writers``); an answer always comes.

    Attributes:
        names: the author of the stories, by method.
        counts: none, since nothing is lost.
    """

    def __init__(
        self, briefs: pd.DataFrame, qualities: pd.DataFrame, rng: np.random.Generator
    ) -> None:
        self.names = {REWRITING: "heron-8b", CONTINUATION: "kestrel-32b"}
        self.counts: dict[str, int] = {}
        self._seed = int(rng.integers(2**63))
        phrases = [name for name in BRIEFS.names if name != "brief_id"]
        self._briefs = {
            brief_id: Premise(**dict(zip(phrases, values, strict=True)))
            for brief_id, *values in briefs[["brief_id", *phrases]].itertuples(index=False)
        }
        self._by_text = {premise.text: premise for premise in self._briefs.values()}
        self._qualities = {
            story_id: Quality(*values)
            for story_id, *values in qualities[["story_id", *DIMENSIONS]].itertuples(index=False)
        }

    def premises(self, story_pairs: Sequence[StoryPair]) -> list[str | None]:
        """Return a premise with something of what either story of each pair was written on."""
        return [self._premise(*sorted(story_pair.story_ids)) for story_pair in story_pairs]

    def rewritings(self, originals: Sequence[tuple[Original, Degradation]]) -> list[str | None]:
        """Return each story made worse in one respect."""
        return [
            make_worse(
                original.text,
                degradation,
                self._brief(original),
                self.names[REWRITING],
                self._stream(f"rewriting of {degradation}", original.story_id),
            )
            for original, degradation in originals
        ]

    def continuations(
        self, originals: Sequence[tuple[Original, str]]
    ) -> list[tuple[str, str] | None]:
        """Return a guided and an unguided continuation of each opening, about as long as its rest.

        The unguided one has the model's own qualities, the guided one nearly the person's.
        """
        return [self._continuations(original, opening) for original, opening in originals]

    def _stream(self, purpose: str, *story_ids: str) -> np.random.Generator:
        return stream(self._seed, purpose, "\0".join(story_ids))

    def _brief(self, original: Original) -> Premise:
        """What a story was written on: its own brief, where it has no published premise."""
        own = self._briefs.get(original.story_id) or self._by_text.get(original.premise)
        if own is None:
            raise _not_of_this_world(original.story_id)
        return own

    def _premise(self, first: str, second: str) -> str:
        draws = Draws(self._stream("premise", first, second))
        for story_id in (first, second):
            if story_id not in self._briefs:
                raise _not_of_this_world(story_id)
        return _between(self._briefs[first], self._briefs[second], draws)

    def _continuations(self, original: Original, opening: str) -> tuple[str, str]:
        if original.story_id not in self._qualities:
            raise _not_of_this_world(original.story_id)
        person = self._qualities[original.story_id]
        guided_rng, unguided_rng = self._stream("continuation", original.story_id).spawn(2)
        model = self.names[CONTINUATION]
        guided = lifted(draw_quality(model, guided_rng), person)
        unguided = draw_quality(model, unguided_rng)
        return (
            self._continuation(original, opening, guided, guided_rng),
            self._continuation(original, opening, unguided, unguided_rng),
        )

    def _continuation(
        self, original: Original, opening: str, quality: Quality, rng: np.random.Generator
    ) -> str:
        """The later sentences of a story on the same brief, from where the opening stops."""
        brief = self._brief(original)
        length = language_of(brief.language).length
        story = write_story(
            brief,
            quality,
            words=length(original.text),
            style=self.names[CONTINUATION],
            rng=rng,
        )
        left = cut(story)
        said = length(opening)
        while len(left) > 1 and said > 0:
            said -= length(left.pop(0).text)
        return join(left)


def lifted(own: Quality, person: Quality) -> Quality:
    """The quality of a model that a person's text guides."""
    values = (
        (1 - GUIDANCE) * getattr(own, name) + GUIDANCE * getattr(person, name)
        for name in DIMENSIONS
    )
    return Quality(*(min(1.0, value) for value in values))


def _between(first: Premise, second: Premise, draws: Draws) -> str:
    """The text of a premise that takes its people, theme and other phrases from one of two each."""
    people, turn = draws.pick((first, second)), draws.pick((first, second))
    phrases = {"hero": people.hero, "rival": people.rival, "theme": turn.theme} | {
        name: getattr(draws.pick((first, second)), name)
        for name in ("place", "goal", "obstacle", "object")
    }
    return premise_text(first.language, turn.seed, phrases, draws)


def _not_of_this_world(story_id: str) -> InputError:
    return InputError(
        f"expected what the simulated story {story_id} was written on and how good it is, found "
        "nothing.",
        "Build the stage 'corpora' again: dvc repro corpora.",
        file=GROUND_TRUTH / f"{BRIEFS.name}.parquet",
    )
