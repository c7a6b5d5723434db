"""What fills a slot: the premise, the characters, or a word from the lexicon."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pipeline.simulation.draws import Draws
from pipeline.simulation.premise import Premise
from pipeline.simulation.quality import Quality
from pipeline.simulation.simulated_language import TWO_PART, Language


class Slots:
    """The choices of one story: fixed ones made at the start, the others on each call."""

    def __init__(
        self, premise: Premise, quality: Quality, language: Language, draws: Draws
    ) -> None:
        self.premise = premise
        self.language = language
        self.words = words = language.words
        self.draws = draws
        self.on_premise = 0.1 + 0.9 * quality.relevance
        self.wrong_name = 0.24 * (1 - quality.characterization)
        self.nameless = 0.3 * (1 - quality.relevance)
        self.vivid = 0.1 + 0.8 * quality.creativity
        she, her = self.pronouns()
        self.fixed = {
            "she": she,
            "her": her,
            "my_habit": self.pick("habit"),
            "my_hoard": self.pick("hoard"),
            "my_tic": self.pick("tic"),
            "rival_tic": self.pick("tic"),
        }
        self.names = words["women"] + words["men"]
        self.themes = language.themes.get(premise.theme, (premise.theme,))
        self.drawn: dict[str, Callable[[], str]] = {
            "hero": self.hero,
            "rival": self.rival,
            **{name: partial(self.relevant, name) for name in TWO_PART},
            "theme": self.theme,
            "adj": self.adjective,
            "noun": self.noun,
        }

    def pronouns(self) -> tuple[str, str]:
        """The hero's; the name stands in for a stranger to the lexicon."""
        hero, language = self.premise.hero, self.language
        if hero in self.words["women"]:
            return language.woman
        return (
            language.man if hero in self.words["men"] else (hero, language.possessive.format(hero))
        )

    def word_for(self, slot: str) -> str:
        """A word or phrase for the slot."""
        options = self.words.get(slot)
        if options is not None:  # as `Draws.pick`, but this is called for every other word
            return options[int(self.draws.uniform() * len(options))]
        fixed = self.fixed.get(slot)
        return fixed if fixed is not None else self.drawn[slot]()

    def hero(self) -> str:
        """The hero's name, a wrong one in a flat story, another person in an irrelevant one."""
        if self.draws.chance(self.nameless):
            return self.language.by_role.format(self.pick("role"))
        return self.name(self.premise.hero)

    def rival(self) -> str:
        """The rival's name, or a wrong one."""
        return self.name(self.premise.rival)

    def name(self, right: str) -> str:
        """This name, or by mistake another."""
        return self.draws.pick(self.names) if self.draws.chance(self.wrong_name) else right

    def relevant(self, name: str) -> str:
        """The premise's phrase of this name, or one put together that has nothing to do with it."""
        if self.draws.chance(self.on_premise):
            return str(getattr(self.premise, name))
        return self.language.space.join(self.pick(part) for part in TWO_PART[name])

    def pick(self, slot: str) -> str:
        """A word of the language for the slot."""
        return self.draws.pick(self.words[slot])

    def theme(self) -> str:
        """A word of the premise's theme, or of any."""
        if self.draws.chance(self.on_premise):
            return self.draws.pick(self.themes)
        return self.draws.pick(self.draws.pick(tuple(self.language.themes.values())))

    def adjective(self) -> str:
        """A vivid adjective, or a plain one."""
        return self.pick("vivid" if self.draws.chance(self.vivid) else "plain_adjective")

    def noun(self) -> str:
        """A thing one would not expect, or an everyday one."""
        return self.pick("odd" if self.draws.chance(self.vivid) else "plain_noun")
