"""Time commands on published ratings and ledgers.

Run it from the repository's root in the activated environment:

    python -m benchmarks.commands

Times are wall seconds of whole processes, the median of RUNS.
"""

import statistics

from benchmarks.timing import show, timed

RUNS = 5
RATINGS = "data/published/confederacy/ratings.csv"
LEDGER = "expectations/papers/confederacy.yaml"


def figures() -> dict[str, float]:
    """Return what has a budget."""
    commands = {
        "help": ("storyaudit", "--help"),
        "ratings": ("storyaudit", "ratings", RATINGS, "--scale", "1", "10"),
        "claims": ("storyaudit", "claims", LEDGER, "--data", RATINGS),
    }
    seconds = {
        name: statistics.median(timed(*command, audit=name != "help") for _ in range(RUNS))
        for name, command in commands.items()
    }
    return {
        "storyaudit --help": seconds["help"],
        "both on Confederacy": seconds["ratings"] + seconds["claims"],
    }


if __name__ == "__main__":
    show(figures())
