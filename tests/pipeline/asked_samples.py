"""A stand-in for recorded language models, which reads worths in the prompts."""

import json
import re
from collections.abc import Callable, Sequence

from storyaudit.llm.answer import Answer
from storyaudit.llm.question import Question, Result, settled

Behave = Callable[[str, list[int]], str]


def worths_in(prompt: str) -> list[int]:
    """Return the worths of the stories in a prompt, in the order shown."""
    return [int(worth) for worth in re.findall(r"worth (\d)", prompt)]


class Asked:
    """Answers questions as ``behave`` says, from the worths in the prompt in the order shown."""

    def __init__(self, behave: Behave) -> None:
        self.behave, self.prompts, self.attempts = behave, [], []

    def __call__(self, questions: Sequence[Question], *, attempts: int) -> list[Result]:
        self.attempts.append(attempts)
        return [self.answered(question, attempts) for question in questions]

    def answered(self, question: Question, attempts: int) -> Result:
        prompt = question.request.messages[0].content
        self.prompts.append(prompt)
        text = self.behave(prompt, worths_in(prompt))
        kind = {"REFUSED": "content_filter", "TRUNCATED": "length"}.get(text, "stop")
        fields = {"refusal": "", "model": "m", "input_tokens": 1, "output_tokens": 1}
        answer = Answer(text=text, finish_reason=kind, **fields)
        answers, found = {}, question.request
        while not isinstance(found, Result):  # the same answer to every attempt
            answers[found.key] = answer
            found = settled(question, answers, attempts)
        return found


def honest(prompt: str, worths: list[int]) -> str:
    """Answer to the form that the prompt shows last."""
    form = prompt.rpartition("\n")[2]
    if "ranking" in form:
        best_first = sorted(range(len(worths)), key=lambda place: -worths[place])
        return json.dumps({"ranking": [place + 1 for place in best_first]})
    if "score" in form:
        return json.dumps({"score": 1 + 2 * worths[0]})
    return json.dumps({"better": 1 if worths[0] > worths[1] else 2})
