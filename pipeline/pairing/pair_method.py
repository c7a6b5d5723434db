"""What a method of making pairs is, and what it makes them of."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from pipeline.pairing.contests import Contests, Judge, contests_of, without
from pipeline.pairing.originals import HumanStory, human_stories_of
from pipeline.pairing.pair import INFERRED, Pair
from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.writers import Writers
from storyaudit.vocabulary import HUMAN

if TYPE_CHECKING:
    from pipeline.pairing.pair_params import PairsParams


class Generators(NamedTuple):
    """Who writes and who judges.

    Attributes:
        writers: of premises, rewritings and continuations.
        judge: of two models' stories.
        writers_once: the writers answer from a record: as many answers are asked for as pairs are
            wanted, and no more in place of those that are not usable.
        judge_once: the same of the judge.
    """

    writers: Writers
    judge: Judge
    writers_once: bool = False
    judge_once: bool = False


@dataclass
class Making:
    """What pairs are made of.

    Attributes:
        premises: the premises table.
        stories: the stories table.
        generators: who writes and judges.
        params: sizes and rules.
        billions: {model: its parameters}.
        pair_filter: filters text pairs, over all methods.
        made: the pairs of the methods before this one.
    """

    premises: pd.DataFrame
    stories: pd.DataFrame
    generators: Generators
    params: "PairsParams"
    billions: Mapping[str, float]
    pair_filter: PairFilter
    made: list[Pair] = field(default_factory=list)

    def human_stories(self) -> list[HumanStory]:
        """Return people's stories with their premises, inferred ones among them."""
        inferred = [
            pair
            for pair in self.made
            if pair.premise.source == INFERRED
            and pair.chosen.author_kind == pair.rejected.author_kind == HUMAN
        ]
        return human_stories_of(self.premises, self.stories, inferred)

    def contests(self) -> Contests:
        """Return the pairs of two models' stories that no pair has decided so far."""
        return without(contests_of(self.premises, self.stories), self.made)


class PairMethod(ABC):
    """A method of making pairs; ``pair_methods`` lists them.

    Attributes:
        name: in the pairs table, and in ``pairs.sizes``.
        sized: whether ``pairs.sizes`` says how many pairs it makes.
        further: names of the pairs that it makes for experiments alone.
    """

    name: ClassVar[str]
    sized: ClassVar[bool] = True
    further: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def make(self, making: Making, rng: np.random.Generator) -> list[Pair]:
        """Return the method's pairs, further ones among them.

        Args:
            making: what they are made of.
            rng: the method's own random stream.

        Raises:
            InputError: the texts make fewer pairs than are asked for.
        """

    def wanted(self, making: Making) -> int:
        """Return how many pairs ``pairs.sizes`` asks for."""
        return making.params.sizes[self.name]
