"""The biases of judges: a new one is a module with its ``JudgeBias``, and a line here."""

from audits.protocol.bias.family import FAMILY
from audits.protocol.bias.judge_bias import JudgeBias
from audits.protocol.bias.length import LENGTH
from audits.protocol.bias.position import BALANCE, POSITION

BIASES: tuple[JudgeBias, ...] = (
    BALANCE,
    POSITION,
    LENGTH,
    FAMILY,
)
"""In the order in which they are reported."""
