"""Random streams that do not shift when another stage draws more."""

import hashlib

import numpy as np


def stream(seed: int, stage: str, purpose: str) -> np.random.Generator:
    """Return the generator of one stage for one purpose, under the study's one seed."""
    digest = hashlib.sha256(f"{stage}\0{purpose}".encode()).digest()
    entropy = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng([seed, *entropy])
