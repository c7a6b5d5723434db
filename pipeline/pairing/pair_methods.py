"""The methods of making pairs: a new one is a module with its ``PairMethod``, and a line here."""

from pipeline.pairing.back_generation import BackGeneration
from pipeline.pairing.continuation import Continuation
from pipeline.pairing.llm_llm import BySize, Judged, Replacement
from pipeline.pairing.pair_method import PairMethod
from pipeline.pairing.prompted_rewriting import Rewriting

METHODS: tuple[PairMethod, ...] = (
    BackGeneration(),
    Rewriting(),
    Continuation(),
    BySize(),  # before the judge: it may be that only some contests are of models of known size
    Judged(),
    Replacement(),
)
"""In the order in which they choose among the texts: no story pair makes two pairs."""

SIZED = tuple(method.name for method in METHODS if method.sized)
FURTHER = frozenset(name for method in METHODS for name in method.further)
"""Names of the pairs that are made for experiments alone."""
