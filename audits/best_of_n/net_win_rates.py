"""Net win rates: of two models' picks from one pool, the one that is ranked higher wins."""

import numpy as np

from audits.best_of_n.matches import Result
from storyaudit.findings import Finding, Number, counted, evidence, slugs
from storyaudit.phrasing import estimated, level, no_bootstrap_ci, points, significance
from storyaudit.stats.estimate import FEWEST, rounded


def net_win_rate_findings(found: list[Result], best: str, *, confidence: float) -> list[Finding]:
    """Return a finding a model pair, and one on all of them where there are several.

    Args:
        found: see ``estimated_matches``.
        best: the model whose picks rank best; a pair with it that is not significant is a warning.
        confidence: of every interval.
    """
    names = slugs([" ".join(sorted((r.match.model, r.match.against))) for r in _by_name(found)])
    findings = [
        _match(result, slug, best, confidence)
        for result, slug in zip(_by_name(found), names, strict=True)
    ]
    if len(found) > 1:
        significant = sum(result.net.excludes_zero() for result in found)
        findings.append(
            Finding(
                id="multiplicity",
                severity="note",
                statement=f"{significant} of {len(found)} model pairs have a significant net win "
                f"rate ({level(confidence)} CI excludes 0). The CIs are not adjusted for multiple "
                f"comparisons.",
                numbers={"pairs": len(found), "significant": significant},
                evidence=evidence(_row(result) for result in found),
            )
        )
    return findings


def _by_name(found: list[Result]) -> list[Result]:
    return sorted(found, key=lambda result: sorted((result.match.model, result.match.against)))


def _match(result: Result, slug: str, best: str, confidence: float) -> Finding:
    match, net = result.match, result.net
    pools = int(np.count_nonzero(match.comparisons))
    every_pool = pools >= FEWEST and net.low is None and abs(net.value) > 1e-9
    if every_pool:
        conclusion = "Every pool has the same net outcome"
    elif match.ties.sum() > match.comparisons.sum() - 1e-9:
        conclusion = "The two always pick the same story"
    elif net.low is None:
        conclusion = "Neither a difference nor its absence is shown"
    else:
        clause = significance(net, confidence)
        conclusion = clause[0].upper() + clause[1:]
    no_ci = no_bootstrap_ci(pools, "pools")
    shown = estimated(net, confidence, points, no_ci=no_ci, unit="points")
    method = "" if net.low is None else "bootstrap over "
    thin = not net.excludes_zero() and not every_pool and best in (match.model, match.against)
    wins, ties, losses, of = (
        float(counts.sum()) for counts in (match.wins, match.ties, match.losses, match.comparisons)
    )
    statement = (
        f"{match.model} versus {match.against}: {_count(wins)} won, {_count(ties)} tied, "
        f"{_count(losses)} lost of {counted(round(of), 'comparison')} (each seed with each). Net "
        f"win rate {shown}, {method}{counted(pools, 'pool')}. {conclusion}."
    )
    if match.shared:
        statement += (
            f" In {counted(match.shared, 'comparison')} stories tie for the highest reward; its "
            f"outcomes count by their probability."
        )
    return Finding(
        id=f"net-win-rate-{slug}",
        severity="warn" if thin else "note",
        statement=statement,
        numbers={
            **_row(result),
            **result.win.numbers("win_rate"),
            **result.loss.numbers("loss_rate"),
            "shared_rewards": match.shared,
            "unit": "pool",
            "confidence": confidence,
        },
    )


def _row(result: Result) -> dict[str, Number]:
    match = result.match
    return {
        "model": match.model,
        "against": match.against,
        "wins": rounded(match.wins.sum()),
        "ties": rounded(match.ties.sum()),
        "losses": rounded(match.losses.sum()),
        "comparisons": int(match.comparisons.sum()),
        "pools": int(np.count_nonzero(match.comparisons)),
        **result.net.numbers("net_win_rate"),
    }


def _count(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
