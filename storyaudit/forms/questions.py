"""What annotators are asked: the tasks, their questions, and what each answer cell allows."""

from collections.abc import Sequence

from storyaudit.vocabulary import DIMENSIONS

RANKING = "ranking"
CONFIRMATION = "confirmation"
BEST = "best"
BEST_OF = "best-of-16"
RUBRIC = "rubric"
TASKS = (RANKING, CONFIRMATION, BEST, BEST_OF, RUBRIC)
"""Rank an item's four; confirm the judges' first; name the best of four; rank a pool; rate."""
POOL = 16
"""Stories of a Best-of pool (StoryAlign, section 5)."""

UNSURE = "unsure"
YES, NO = "yes", "no"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CRITERIA = DIMENSIONS
SCALE = (1, 10)

Allowed = range | tuple[str, ...]
"""What an answer may be: whole numbers, or words."""

_QUESTIONS = {
    RANKING: "Rank the stories of each item: 1 is the best. No two stories share a rank.",
    CONFIRMATION: (
        "One story of each item is proposed as the best. Is it the best? Answer 'yes', 'no' or "
        "'unsure'. After 'no', also rank all stories of the item: 1 is the best, without ties. "
        "Otherwise leave the ranks empty."
    ),
    BEST: "Which story of each item is the best? Answer with its letter, or 'unsure'.",
    RUBRIC: "Rate each story on every criterion.",
}
_QUESTIONS[BEST_OF] = _QUESTIONS[RANKING]


def question(task: str, scale: tuple[int, int]) -> list[str]:
    """Return the sentences that ask annotators for this task's answers."""
    low, high = scale
    scores = [f"Scores are whole numbers from {low} (lowest) to {high} (highest)."]
    return [_QUESTIONS[task], *(scores if task == RUBRIC else [])]


def fields(
    task: str, stories: int, *, rubric: Sequence[str] = (), scale: tuple[int, int] = SCALE
) -> dict[str, Allowed]:
    """Return a task's answer columns and what they allow.

    Args:
        task: one of ``TASKS``.
        stories: of the item.
        rubric: the criteria's names, for a rubric.
        scale: a rubric's lowest and highest score.
    """
    ranks = range(1, stories + 1)
    if task == RUBRIC:
        return {name: range(scale[0], scale[1] + 1) for name in rubric}
    if task == BEST:
        return {"best": (*LETTERS[:stories], UNSURE)}
    if task == CONFIRMATION:
        return {"confirm": (YES, NO, UNSURE), "rank": ranks}
    return {"rank": ranks}


def expected(allowed: Allowed) -> str:
    """Return a clause's part that says what a cell allows."""
    if isinstance(allowed, range):
        return f"a whole number from {allowed[0]} to {allowed[-1]}"
    return f"{', '.join(allowed[:-1])} or {allowed[-1]}"


def instructions(task: str, scale: tuple[int, int]) -> list[str]:
    """Return the sentences that go out with a spreadsheet."""
    return [
        *question(task, scale),
        "A long story goes on in the rows below its first; its answer goes beside the first.",
        "Leave an item empty if you have not decided it yet.",
        "Change nothing but the answers; the columns 'id' and 'sheet' bring them back.",
        "All stories have one format: quotes, dashes and spacing say nothing of who wrote them.",
    ]
