"""The kinds of reward models: a new one is a module with its ``RewardKind``, and a line here."""

from typing import Any

from pipeline.reward.linear.linear_kind import LINEAR
from pipeline.reward.model import RewardKind

_ALL: list[RewardKind[Any]] = [
    LINEAR,
]
KINDS = {kind.name: kind for kind in _ALL}
"""The kinds by their names."""
