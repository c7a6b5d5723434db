"""Measure what has a budget, and say what is over it; the exit status is then 1.

Run it from the repository's root in the activated environment, or by ``make bench``:

    python -m benchmarks.budgets [commands] [pipeline] [reward] [targets]

Without names every benchmark runs, each in a process of its own, one after the other. Times mean
something only where the machine does nothing else.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import yaml

BUDGETS = Path(__file__).with_name("budgets.yaml")


@dataclass(frozen=True)
class Budget:
    """What a figure may be.

    Attributes:
        unit: of the figure and of the bound.
        most: the figure may be no larger.
        least: it may be no smaller; one of the two is given.
    """

    unit: str
    most: float | None = None
    least: float | None = None

    def __post_init__(self) -> None:
        if (self.most is None) == (self.least is None):
            raise ValueError("a budget is a most or a least")

    @property
    def bound(self) -> float:
        """The one that is given."""
        bound = self.least if self.most is None else self.most
        assert bound is not None  # noqa: S101 - see __post_init__
        return bound

    def holds(self, value: float) -> bool:
        """Return whether a figure is within the budget."""
        return value >= self.bound if self.most is None else value <= self.bound

    def line(self, name: str, value: float) -> str:
        """Return a figure, its bound and whether it is within, as a line."""
        kind = "least" if self.most is None else "most"
        held = "within" if self.holds(value) else "OVER  "
        return f"{held} {value:10,.2f}  at {kind} {self.bound:,g} {self.unit}  {name}"


def budgets(path: Path = BUDGETS) -> dict[str, dict[str, Budget]]:
    """Return the budgets by benchmark and figure."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {
        benchmark: {name: Budget(**budget) for name, budget in own.items()}
        for benchmark, own in content.items()
    }


def held(own: Mapping[str, Budget], figures: Mapping[str, float]) -> bool:
    """Print each figure beside its budget; return whether all are within.

    Raises:
        ValueError: a budget has no figure, or a figure no budget.
    """
    if own.keys() != figures.keys():
        raise ValueError(f"no budget, or no figure: {sorted(own.keys() ^ figures.keys())}")
    for name, budget in own.items():
        print(budget.line(name, figures[name]), flush=True)
    return all(budget.holds(figures[name]) for name, budget in own.items())


def measured(benchmark: str) -> dict[str, float]:
    """Run a benchmark; return its figures."""
    found: dict[str, float] = import_module(f"benchmarks.{benchmark}").figures()
    return found


def main() -> None:
    """Run from the command line."""
    known = budgets()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark", nargs="*", help=f"of {', '.join(known)}; all of them")
    chosen = parser.parse_args().benchmark or list(known)
    if unknown := set(chosen) - known.keys():
        parser.error(f"no benchmark with budgets: {', '.join(sorted(unknown))}")
    within = True
    for benchmark in chosen:
        context = multiprocessing.get_context("spawn")  # its memory is its own
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            figures = pool.submit(measured, benchmark).result()
        within = held(known[benchmark], figures) and within
    sys.exit(0 if within else 1)


if __name__ == "__main__":
    main()
