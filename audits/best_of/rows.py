"""What every check of Best-of-N needs: estimates over pools, and findings on rows left out."""

import numpy as np
import pandas as pd

from storyaudit.estimates import Array, Estimate, over_units
from storyaudit.findings import Finding, Severity, evidence


def over_pools(totals: Array, sizes: Array, weights: Array, confidence: float) -> Estimate:
    """Return the sum of totals over the sum of sizes, with a bootstrap interval of pools.

    A mean over pools is the case of sizes 1, or 0 for a pool that says nothing. From fewer than
    ten pools there is no interval.

    Args:
        totals: one a pool.
        sizes: one a pool; some are above zero.
        weights: how often each pool stands in each bootstrap sample, samples × pools.
        confidence: of the interval.
    """
    drawn = weights @ sizes
    samples = np.full(len(drawn), np.nan)
    np.divide(weights @ totals, drawn, out=samples, where=drawn > 0)
    value = float(totals.sum() / sizes.sum())
    return over_units(value, samples, int(np.count_nonzero(sizes)), confidence)


def ranks(estimate: Estimate) -> str:
    """Return an estimate in ranks for a sentence."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.1f} (interval cannot be told)"
    return f"{estimate.value:.1f} ({estimate.low:.1f} to {estimate.high:.1f})"


def left_out(
    name: str,
    problem: str,
    rows: pd.DataFrame,
    of: int,
    command: str,
    severity: Severity = "fail",
) -> list[Finding]:
    """Return a finding on what was left out; none where nothing was.

    Args:
        name: the finding's id.
        problem: goes on after 'so many of so many'.
        rows: what was left out.
        of: from how many.
        command: shows the finding again.
        severity: of the finding.
    """
    if rows.empty:
        return []
    return [
        Finding(
            id=name,
            severity=severity,
            statement=f"{len(rows)} of {of} {problem}.",
            numbers={"left_out": len(rows), "of": of},
            evidence=evidence(rows),
            command=command,
        )
    ]
