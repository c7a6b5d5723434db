"""``storyaudit compare``."""

from typing import Any

import click

from storyaudit.cli.accuracy import audit_results, results_options
from storyaudit.cli.common import Command


@click.command(cls=Command)
@results_options
def compare(**given: Any) -> None:
    """Compare models' accuracies on the same items.

    This is `storyaudit accuracy` under another name. RESULTS are tables with a row an outcome:
    variant, model, seed, item_id, dimension, origin, correct, ties, credit. Several files are taken
    together.

    \b
    Example:
      storyaudit compare data/study/results.parquet
    """
    audit_results(**given)
