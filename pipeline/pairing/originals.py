"""People's stories with their premises, on which models write."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from pipeline.pairing.pair import Pair, Premise, Story, premises_of, stories_of
from pipeline.pairing.writers import Original
from storyaudit.vocabulary import HUMAN, USE_TRAINING


class HumanStory(NamedTuple):
    """A person's story with its premise."""

    story: Story
    premise: Premise

    def shown(self) -> Original:
        """Return what a model gets to see."""
        story = self.story
        return Original(story.story_id, story.text, self.premise.text, story.language)


def human_stories_of(
    premises: pd.DataFrame, stories: pd.DataFrame, inferred: Sequence[Pair] = ()
) -> list[HumanStory]:
    """Return people's training stories that have a premise, in the order of their IDs.

    Args:
        premises: the premises table.
        stories: the stories table.
        inferred: pairs of people's stories that share an inferred premise.
    """
    known = premises_of(premises)
    own = stories[
        (stories["use"] == USE_TRAINING)
        & (stories["author_kind"] == HUMAN)
        & stories["premise_id"].isin(list(known))
    ]
    human_stories = [
        HumanStory(story, known[premise])
        for story, premise in zip(stories_of(own), own["premise_id"], strict=True)
    ]
    human_stories += [
        HumanStory(story, pair.premise)
        for pair in inferred
        for story in (pair.chosen, pair.rejected)
    ]
    return sorted(human_stories, key=lambda human: human.story.story_id)
