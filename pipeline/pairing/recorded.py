"""Writers and a judge that are language models, by their recorded answers."""

from collections.abc import Sequence

from pipeline.pairing.contests import Contest, Judge
from pipeline.pairing.pair_params import Recorded
from pipeline.pairing.writers import Original, StoryPair
from pipeline.requests.premises import back_generation_question
from pipeline.requests.rewarding import comparison_questions
from pipeline.requests.writing import Degradation, continuation_questions, rewriting_question
from storyaudit.errors import InputError
from storyaudit.llm.model_params import ModelParams
from storyaudit.llm.question import Ask, answers
from storyaudit.runs.stage import PARAMS
from storyaudit.vocabulary import BACK_GENERATION, CONTINUATION, JUDGED, REWRITING


class RecordedWriters:
    """Writers by their record; see ``pipeline.pairing.writers.Writers``.

    Args:
        models: who writes what.
        ask: returns answers.
    """

    def __init__(self, models: Recorded, ask: Ask) -> None:
        self._models = models
        self._ask = ask
        writers = models.writers()
        self.names = {name: model.model for name, model in writers.items() if model is not None}
        self.counts: dict[str, int] = {}

    def premises(self, story_pairs: Sequence[StoryPair]) -> list[str | None]:
        """Return the inferred premises."""
        method = BACK_GENERATION
        model = needed(self._models.back_generation, method, method)
        questions = [
            back_generation_question(" and ".join(story_pair.story_ids), story_pair.texts, model)
            for story_pair in story_pairs
        ]
        return answers(self._ask, questions, model.attempts, self.counts, f"{method}.")

    def rewritings(self, originals: Sequence[tuple[Original, Degradation]]) -> list[str | None]:
        """Return the worse versions."""
        method = REWRITING
        model = needed(self._models.rewriting, method, method)
        questions = [
            rewriting_question(o.story_id, o.premise, o.text, degradation, model)
            for o, degradation in originals
        ]
        return answers(self._ask, questions, model.attempts, self.counts, f"{method}.")

    def continuations(
        self, originals: Sequence[tuple[Original, str]]
    ) -> list[tuple[str, str] | None]:
        """Return the guided and the unguided continuations; none where one of both is missing."""
        method = CONTINUATION
        model = needed(self._models.continuation, method, method)
        questions = [
            question
            for original, opening in originals
            for question in continuation_questions(
                original.story_id,
                original.premise,
                opening,
                original.text[len(opening) :].strip(),
                model,
                words=self._models.words,
            )
        ]
        texts = answers(self._ask, questions, model.attempts, self.counts, f"{method}.")
        return [
            None if guided is None or unguided is None else (guided, unguided)
            for guided, unguided in zip(texts[::2], texts[1::2], strict=True)
        ]


def recorded_judge(model: ModelParams | None, ask: Ask, totals: dict[str, int]) -> Judge:
    """Return a judge who compares two stories, in both orders.

    A story is better if it wins both; where each order has another winner, or an answer is missing,
    the judge does not decide.

    Args:
        model: the judge.
        ask: returns answers.
        totals: what became of the requests is added to it.
    """

    def judge(contests: Sequence[Contest]) -> list[int | None]:
        judge = needed(model, "judge", JUDGED)
        questions = [
            question
            for premise, (first, second) in contests
            for question in comparison_questions(
                premise.premise_id,
                premise.text,
                {first.story_id: first.text, second.story_id: second.text},
                judge,
                both_orders=True,
            )
        ]
        rewards = answers(ask, questions, judge.attempts, totals, "judge.")
        verdicts: list[int | None] = []
        for (_, stories), one, other in zip(contests, rewards[::2], rewards[1::2], strict=True):
            wins = [
                sum(given[story.story_id] for given in (one, other) if given is not None)
                for story in stories
            ]
            verdicts.append(wins.index(2) if 2 in wins else None)
        return verdicts

    return judge


def needed(model: ModelParams | None, name: str, method: str) -> ModelParams:
    """Return the model of a key of ``pairs.recorded``.

    Raises:
        InputError: there is none.
    """
    if model is None:
        raise InputError(
            f"pairs.recorded.{name} names no model, and pairs.sizes.{method} is not 0.",
            "Name one (docs/language-models.md), or set the size to 0.",
            file=PARAMS,
        )
    return model
