"""Every word that both sides of the wall use: the values that columns and names of variants take.

The pipeline writes them and audits read them, and neither imports the other. What one side alone
knows has no place here. The values stand in tables on disk: none may change.
"""

from typing import Final, Literal

USE_BENCHMARK: Final = "benchmark"
USE_TRAINING: Final = "training"
USE_POOL: Final = "pool"
Use = Literal["benchmark", "training", "pool"]
"""What the pipeline uses a premise and its stories for; ``pool`` is Best-of-16."""
USES: tuple[Use, ...] = (USE_BENCHMARK, USE_TRAINING, USE_POOL)

HUMAN: Final = "human"
LLM: Final = "llm"
UNKNOWN: Final = "unknown"
AUTHOR_KINDS = (HUMAN, LLM, UNKNOWN)
"""Who wrote a story; unknown where a file of preferences does not say."""

LLM_LLM: Final = "llm_llm"
HUMAN_LLM: Final = "human_llm"
ORIGINS = (LLM_LLM, HUMAN_LLM)
"""Of an item: models' stories alone, or one person's among them."""
HUMANS_OF_ORIGIN = {LLM_LLM: 0, HUMAN_LLM: 1}
"""Human stories in an item, by its origin."""

RANKING: Final = "ranking"
CONFIRMATION: Final = "confirmation"
BEST: Final = "best"
UNSURE: Final = "unsure"
ANNOTATION_KINDS = (RANKING, CONFIRMATION, BEST, UNSURE)

BY_RANKING: Final = "complete_ranking"
BY_CONFIRMATION: Final = "confirmation"
HUMAN_FIRST: Final = "human_first"
Route = Literal["complete_ranking", "confirmation", "human_first"]
"""How an item gets its chosen story: the annotation route, column 'annotation_route'."""
ROUTES: tuple[Route, ...] = (BY_RANKING, BY_CONFIRMATION, HUMAN_FIRST)

DIMENSIONS = ("creativity", "coherence", "fluency", "characterization", "relevance")
"""The five dimensions of StoryRMB (StoryAlign, section 2.2), in the paper's order."""
OVERALL: Final = "overall"
MEASURES = (*DIMENSIONS, OVERALL)
"""What judges score."""
UNSCORED: Final = "unscored"
"""Dimension and rule of an item whose chosen story no judge scored."""

BACK_GENERATION: Final = "back_generation"
REWRITING: Final = "rewriting"
CONTINUATION: Final = "continuation"
JUDGED: Final = "llm_llm_judged"
BY_SIZE: Final = "llm_llm_size"
PREFERENCE_FILE: Final = "preference_file"
"""Methods of StoryAlign's by which training pairs are made, and pairs that others made.

Which there are says ``pipeline.pairing.pair_methods``; audits take any other as it comes.
"""
REPLACEMENT: Final = "replacement"
HUMAN_CHOSEN: Final = "human_chosen"
"""Methods of pairs that are made for experiments alone, and the families of their variants."""

TRAIN: Final = "train"
VALIDATION: Final = "validation"
SPLITS = (TRAIN, VALIDATION)

FULL: Final = "full"
"""The variant of the reward model that is trained on all pairs."""
REMOVAL: Final = "removal"
LEARNING_CURVE: Final = "learning_curve"
FAMILIES = (REMOVAL, REPLACEMENT, HUMAN_CHOSEN, LEARNING_CURVE)
"""Families of the other variants, which are named FAMILY/MEMBER."""


def variant_of(family: str, member: str) -> str:
    """Return the name of a family's variant."""
    return f"{family}/{member}"


def family_of(variant: str) -> str:
    """Return the family of a variant; a variant of no family is its own."""
    return variant.partition("/")[0]


LONGEST: Final = "longest"
SHORTEST: Final = "shortest"
BURSTINESS: Final = "burstiness"
PREMISE_OVERLAP: Final = "premise_overlap"
CONTENT_BLIND = (LONGEST, SHORTEST, BURSTINESS, PREMISE_OVERLAP)
"""Variants that are rules and read no story for its worth."""
RANDOM: Final = "random"
JUDGES_MEAN: Final = "judges_mean"
"""The variant whose rewards are the mean of the protocol's judges' scores."""
UNTRAINED = (*CONTENT_BLIND, RANDOM, JUDGES_MEAN)
"""Variants that were trained on no pair."""

Sides = Literal["train_benchmark", "benchmark_benchmark", "train_train", "train_validation"]
"""Which texts of a study are compared with which."""
TRAIN_BENCHMARK: Final = "train_benchmark"
BENCHMARK_BENCHMARK: Final = "benchmark_benchmark"
TRAIN_TRAIN: Final = "train_train"
TRAIN_VALIDATION: Final = "train_validation"
SIDES: tuple[Sides, ...] = (TRAIN_BENCHMARK, BENCHMARK_BENCHMARK, TRAIN_TRAIN, TRAIN_VALIDATION)

Severity = Literal["fail", "warn", "note", "pass"]
SEVERITIES: tuple[Severity, ...] = ("fail", "warn", "note", "pass")
"""From worst to best; typed out where a finding has one, since mypy refuses any other word."""

Part = Literal["benchmark texts", "training texts", "pools", "judges", "annotators"]
"""What of a study can be simulated."""
BENCHMARK_TEXTS: Final = "benchmark texts"
TRAINING_TEXTS: Final = "training texts"
POOLS: Final = "pools"
JUDGES: Final = "judges"
ANNOTATORS: Final = "annotators"
PARTS: tuple[Part, ...] = (BENCHMARK_TEXTS, TRAINING_TEXTS, POOLS, JUDGES, ANNOTATORS)
