"""Random streams that do not shift when another stage draws more."""

import hashlib

import numpy as np

FIRST_NAMES = {
    "ablations": "experiments",
    "best_of_n": "best_of",
    "contamination_effect": "overlap_effect",
}
"""A stage draws under the name that it had first, so that renaming it moves no number."""


def generator(seed: int | str) -> np.random.Generator:
    """Return the generator of a number, or of a stream by its name."""
    if isinstance(seed, int):
        return np.random.default_rng(seed)
    number, stage, purpose = seed.split("/")
    return stream(int(number), stage, purpose)


def stream_name(seed: int, stage: str, purpose: str) -> str:
    """Return the name by which a command draws what a stage draws."""
    return f"{seed}/{stage}/{purpose}"


def stream(seed: int, stage: str, purpose: str) -> np.random.Generator:
    """Return the generator of one stage for one purpose, under the study's one seed."""
    name = FIRST_NAMES.get(stage, stage)
    digest = hashlib.sha256(f"{name}\0{purpose}".encode()).digest()
    entropy = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng([seed, *entropy])
