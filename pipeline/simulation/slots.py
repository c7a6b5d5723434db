"""What fills a slot: the premise, the characters, or a word from the lexicon."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.simulation.draws import Draws
from pipeline.simulation.premise import Premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_language import Language, Words


class Slots:
    """The choices of one story: fixed ones made at the start, the others on each call."""

    def __init__(
        self, premise: Premise, quality: Quality, language: Language, draws: Draws
    ) -> None:
        self.premise = premise
        self.language = language
        self.lexicon = lexicon = language.lexicon
        self.slots = lexicon.SLOTS
        self.draws = draws
        self.on_premise = 0.1 + 0.9 * quality.relevance
        self.wrong_name = 0.24 * (1 - quality.characterization)
        self.nameless = 0.3 * (1 - quality.relevance)
        self.vivid = 0.1 + 0.8 * quality.creativity
        she, her = self.pronouns()
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

    def pronouns(self) -> tuple[str, str]:
        """The hero's; the name stands in for a stranger to the lexicon."""
        hero, language = self.premise.hero, self.language
        if hero in self.lexicon.WOMEN:
            return language.woman
        return (
            language.man if hero in self.lexicon.MEN else (hero, language.possessive.format(hero))
        )

    def word_for(self, slot: str) -> str:
        """A word or phrase for the slot."""
        options = self.slots.get(slot)
        if options is not None:  # as `Draws.pick`, but this is called for every other word
            return options[int(self.draws.uniform() * len(options))]
        fixed = self.fixed.get(slot)
        return fixed if fixed is not None else self.drawn[slot]()

    def hero(self) -> str:
        """The hero's name, a wrong one in a flat story, somebody else in an irrelevant one."""
        if self.draws.chance(self.nameless):
            return self.language.somebody.format(self.draws.pick(self.lexicon.ROLES))
        return self.name(self.premise.hero)

    def rival(self) -> str:
        """The rival's name, or a wrong one."""
        return self.name(self.premise.rival)

    def name(self, right: str) -> str:
        """This name, or by mistake another."""
        return self.draws.pick(self.lexicon.NAMES) if self.draws.chance(self.wrong_name) else right

    def place(self) -> str:
        """The premise's place, or a place that has nothing to do with it."""
        return self.relevant(
            self.premise.place, self.lexicon.PLACE_MODIFIERS, self.lexicon.PLACE_NOUNS
        )

    def object_(self) -> str:
        """The premise's object, or an unrelated one."""
        return self.relevant(
            self.premise.object, self.lexicon.OBJECT_MODIFIERS, self.lexicon.OBJECT_NOUNS
        )

    def goal(self) -> str:
        """The premise's goal, or an unrelated one."""
        return self.relevant(self.premise.goal, self.lexicon.GOAL_VERBS, self.lexicon.ESTATES)

    def obstacle(self) -> str:
        """The premise's obstacle, or an unrelated one."""
        return self.relevant(
            self.premise.obstacle, self.lexicon.OBSTACLE_MODIFIERS, self.lexicon.OBSTACLE_NOUNS
        )

    def relevant(self, phrase: str, first: Words, second: Words) -> str:
        """The premise's phrase, or one put together from two lists."""
        if self.draws.chance(self.on_premise):
            return phrase
        return f"{self.draws.pick(first)}{self.language.space}{self.draws.pick(second)}"

    def theme(self) -> str:
        """A word of the premise's theme, or of any."""
        if self.draws.chance(self.on_premise):
            return self.draws.pick(self.themes)
        return self.draws.pick(self.lexicon.THEME_WORDS[self.draws.pick(self.lexicon.THEMES)])

    def adjective(self) -> str:
        """A vivid adjective, or a plain one."""
        vivid = self.draws.chance(self.vivid)
        return self.draws.pick(
            self.lexicon.VIVID_ADJECTIVES if vivid else self.lexicon.PLAIN_ADJECTIVES
        )

    def noun(self) -> str:
        """A thing one would not expect, or an everyday one."""
        odd = self.draws.chance(self.vivid)
        return self.draws.pick(self.lexicon.ODD_NOUNS if odd else self.lexicon.PLAIN_NOUNS)
