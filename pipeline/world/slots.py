"""What fills a slot: the premise, the characters, or a word from the lexicon."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.world import lexicon
from pipeline.world.draws import Draws
from pipeline.world.premise import Premise
from pipeline.world.quality import Quality

PRONOUNS = dict.fromkeys(lexicon.WOMEN, ("she", "her")) | dict.fromkeys(lexicon.MEN, ("he", "his"))


class Slots:
    """The choices of one story: fixed ones made at the start, the others on each call."""

    def __init__(self, premise: Premise, quality: Quality, draws: Draws) -> None:
        self.premise = premise
        self.draws = draws
        self.on_premise = 0.1 + 0.9 * quality.relevance
        self.wrong_name = 0.24 * (1 - quality.characterization)
        self.nameless = 0.3 * (1 - quality.relevance)
        self.vivid = 0.1 + 0.8 * quality.creativity
        # A stranger to the lexicon has no pronoun here: the name stands in.
        she, her = PRONOUNS.get(premise.hero, (premise.hero, f"{premise.hero}'s"))
        self.fixed = {
            "she": she,
            "her": her,
            "my_habit": draws.pick(lexicon.HABITS),
            "my_hoard": draws.pick(lexicon.HOARDS),
            "my_tic": draws.pick(lexicon.TICS),
            "rival_tic": draws.pick(lexicon.TICS),
        }
        self.themes = lexicon.THEME_WORDS.get(premise.theme, (premise.theme,))
        self.drawn: dict[str, Callable[[], str]] = {
            "hero": self.hero,
            "rival": self.rival,
            "place": self.place,
            "object": self.object_,
            "goal": self.goal,
            "obstacle": self.obstacle,
            "theme": self.theme,
            "adj": self.adjective,
            "noun": self.noun,
        }

    def word_for(self, slot: str) -> str:
        """A word or phrase for the slot."""
        options = lexicon.SLOTS.get(slot)
        if options is not None:
            return self.draws.pick(options)
        fixed = self.fixed.get(slot)
        return fixed if fixed is not None else self.drawn[slot]()

    def hero(self) -> str:
        """The hero's name, a wrong one in a flat story, somebody else in an irrelevant one."""
        if self.draws.chance(self.nameless):
            return f"the {self.draws.pick(lexicon.ROLES)}"
        return self.name(self.premise.hero)

    def rival(self) -> str:
        """The rival's name, or a wrong one."""
        return self.name(self.premise.rival)

    def name(self, right: str) -> str:
        """This name, or by mistake another."""
        return self.draws.pick(lexicon.NAMES) if self.draws.chance(self.wrong_name) else right

    def place(self) -> str:
        """The premise's place, or a place that has nothing to do with it."""
        return self.relevant(self.premise.place, lexicon.PLACE_MODIFIERS, lexicon.PLACE_NOUNS)

    def object_(self) -> str:
        """The premise's object, or an unrelated one."""
        return self.relevant(self.premise.object, lexicon.OBJECT_MODIFIERS, lexicon.OBJECT_NOUNS)

    def goal(self) -> str:
        """The premise's goal, or an unrelated one."""
        return self.relevant(self.premise.goal, lexicon.GOAL_VERBS, lexicon.ESTATES)

    def obstacle(self) -> str:
        """The premise's obstacle, or an unrelated one."""
        return self.relevant(
            self.premise.obstacle, lexicon.OBSTACLE_MODIFIERS, lexicon.OBSTACLE_NOUNS
        )

    def relevant(self, phrase: str, first: tuple[str, ...], second: tuple[str, ...]) -> str:
        """The premise's phrase, or one put together from two lists."""
        if self.draws.chance(self.on_premise):
            return phrase
        return f"{self.draws.pick(first)} {self.draws.pick(second)}"

    def theme(self) -> str:
        """A word of the premise's theme, or of any."""
        if self.draws.chance(self.on_premise):
            return self.draws.pick(self.themes)
        return self.draws.pick(lexicon.THEME_WORDS[self.draws.pick(lexicon.THEMES)])

    def adjective(self) -> str:
        """A vivid adjective, or a plain one."""
        vivid = self.draws.chance(self.vivid)
        return self.draws.pick(lexicon.VIVID_ADJECTIVES if vivid else lexicon.PLAIN_ADJECTIVES)

    def noun(self) -> str:
        """A thing one would not expect, or an everyday one."""
        odd = self.draws.chance(self.vivid)
        return self.draws.pick(lexicon.ODD_NOUNS if odd else lexicon.PLAIN_NOUNS)
