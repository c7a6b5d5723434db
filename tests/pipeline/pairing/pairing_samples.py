"""Injected corpora, and writers whose every answer is known."""

import numpy as np
import pandas as pd

from pipeline.pairing.contests import Contest
from pipeline.pairing.pair import Pair, Premise, Story
from pipeline.pairing.pair_filter import PairFilter
from pipeline.pairing.pair_method import Generators, Making
from pipeline.pairing.pair_params import PairsParams

NO_MODELS = {"back_generation": None, "rewriting": None, "continuation": None, "judge": None}
PARAMS = {
    "sizes": {
        "back_generation": 0,
        "rewriting": 0,
        "continuation": 0,
        "llm_llm_judged": 0,
        "llm_llm_size": 0,
    },
    "least_readership": 10,
    "opening_share": 0.3,
    "near_copy_from": 0.5,
    "judge_noise": 0.0,
    "validation_share": 0.1,
    "replacements": 0,
    "human_chosen": True,
    "billions": {},
    "files": [],
    "recorded": {**NO_MODELS, "words": 300},
}


def params(sizes: dict[str, int] | None = None, **changed) -> PairsParams:
    return PairsParams(**{**PARAMS, **changed, "sizes": {**PARAMS["sizes"], **(sizes or {})}})


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def text(name: str, sentences: int = 8) -> str:
    """A story whose words no other name has."""
    return " ".join(
        f"{name}{place}a {name}{place}b {name}{place}c {name}{place}d {name}{place}e."
        for place in range(sentences)
    )


def human(name: str, **columns) -> dict[str, object]:
    """A row of the stories table: a person's, for training, without premise or readers."""
    return {
        "story_id": name,
        "premise_id": None,
        "author_kind": "human",
        "author": f"author of {name}",
        "language": "en",
        "text": text(name),
        "source": "platform",
        "use": "training",
        "words": 40,
        "genre": None,
        "column_id": None,
        "readership": None,
        **columns,
    }


def read(name: str, readership: float, genre: str | None = "love", **columns) -> dict[str, object]:
    return human(name, readership=readership, genre=genre, **columns)


def by_model(name: str, premise: str, author: str, **columns) -> dict[str, object]:
    return human(
        name,
        premise_id=premise,
        author_kind="llm",
        author=author,
        **{"source": "training", **columns},
    )


def stories(*rows: dict[str, object]) -> pd.DataFrame:
    frame = pd.DataFrame([human("x"), *rows]).iloc[1:].reset_index(drop=True)
    return frame.astype({"readership": "float64"})


def premises(*names: str, **columns) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "premise_id": list(names),
            "text": [f"premise {name}" for name in names],
            "language": "en",
            "source": "training",
            "use": "training",
            **columns,
        }
    )


def story(name: str, words: str | None = None, *, kind: str = "llm", author: str = "m") -> Story:
    return Story(name, text(name) if words is None else words, "en", "corpus", kind, author)


def premise(name: str, words: str | None = None) -> Premise:
    return Premise(name, f"premise {name}" if words is None else words, "en", "corpus")


def pair(method: str, about: str, chosen: str, rejected: str) -> Pair:
    """A pair whose texts are equal where their names are."""
    chosen_story, rejected_story = story(chosen, chosen), story(rejected, rejected)
    return Pair(method, "corpus", premise(about, about), chosen_story, rejected_story)


def contest(about: str, first: str, second: str) -> Contest:
    return Contest(premise(about), (story(first), story(second)))


class Writers:
    """Writers that answer by the request alone; what stands in ``answers`` goes before it."""

    def __init__(self, **answers) -> None:
        self.names = {"rewriting": "scribe", "continuation": "quill"}
        self.counts: dict[str, int] = {}
        self.answers = answers
        self.asked: list = []

    def premises(self, story_pairs):
        self.asked += story_pairs
        return [
            self.answers.get(
                tuple(sorted(story_pair.story_ids)), f"of {sorted(story_pair.story_ids)}"
            )
            for story_pair in story_pairs
        ]

    def rewritings(self, originals):
        self.asked += originals
        return [
            self.answers.get(original.story_id, f"{degradation} degraded {original.text}")
            for original, degradation in originals
        ]

    def continuations(self, originals):
        self.asked += originals
        return [
            self.answers.get(
                original.story_id,
                (text(f"guided{original.story_id}"), text(f"unguided{original.story_id}")),
            )
            for original, _ in originals
        ]


def given(
    sizes: dict[str, int] | None = None,
    *,
    table: pd.DataFrame | None = None,
    human_stories=(),
    contests=None,
    writers: Writers | None = None,
    judge=None,
    billions: dict[str, float] | None = None,
    pair_filter: PairFilter | None = None,
    once: bool = False,
    **changed,
) -> Making:
    """What pairs are made of; works and contests are these, whatever the tables hold."""
    generators = Generators(writers or Writers(), judge, writers_once=once, judge_once=once)
    table = stories() if table is None else table
    settings = params(sizes, **changed)
    making = Making(
        premises(), table, generators, settings, billions or {}, pair_filter or PairFilter(0.5)
    )
    making.human_stories = lambda: list(human_stories)
    making.contests = lambda: contests
    return making
