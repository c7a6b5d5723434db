"""The kinds of reward models: a new one is a module with its ``RewardKind``, and a line here."""

from typing import Any

from pipeline.reward.linear.linear_kind import LINEAR
from pipeline.reward.model import RewardKind

KINDS: dict[str, RewardKind[Any]] = {kind.name: kind for kind in (LINEAR,)}
"""The kinds by their names."""
