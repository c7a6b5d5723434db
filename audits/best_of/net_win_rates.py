"""Head to head: of two models' picks from one pool, the one that people rank higher wins."""

import numpy as np

from audits.best_of.matches import Result
from storyaudit.findings import Finding, Number, counted, evidence, slugs
from storyaudit.phrasing import interval, level, whole_points
from storyaudit.stats.estimate import FEWEST, rounded


def net_win_rate_findings(found: list[Result], best: str, *, confidence: float) -> list[Finding]:
    """Return a finding a match, and one on all of them together where there are several.

    Args:
        found: see ``estimated_matches``.
        best: the model whose picks rank best; what cannot be told of it is a warning.
        confidence: of every interval.
    """
    names = slugs([" ".join(sorted((r.match.model, r.match.against))) for r in _by_name(found)])
    findings = [
        _match(result, slug, best, confidence)
        for result, slug in zip(_by_name(found), names, strict=True)
    ]
    if len(found) > 1:
        told = sum(result.net.excludes_zero() for result in found)
        findings.append(
            Finding(
                id="multiplicity",
                severity="note",
                statement=f"{len(found)} couples of models are compared head to head, {told} told "
                f"apart, each with its own {level(confidence)} intervals; the intervals are not "
                f"adjusted for their number.",
                numbers={"couples": len(found), "told": told},
                evidence=evidence(_row(result) for result in found),
            )
        )
    return findings


def _by_name(found: list[Result]) -> list[Result]:
    return sorted(found, key=lambda result: sorted((result.match.model, result.match.against)))


def _match(result: Result, slug: str, best: str, confidence: float) -> Finding:
    match, net = result.match, result.net
    pools = int(np.count_nonzero(match.comparisons))
    told = net.excludes_zero()
    every_pool = pools >= FEWEST and net.low is None and abs(net.value) > 1e-9
    if net.low is None or net.high is None:
        conclusion = "whether they differ on other pools cannot be told"
    else:
        conclusion = "told apart" if told else "the two cannot be told apart"
    if every_pool:
        conclusion = "every pool has the same outcome"
    elif match.ties.sum() > match.comparisons.sum() - 1e-9:
        conclusion = "they pick the same story everywhere"
    shown = interval(net, confidence, whole_points, untold="interval cannot be told")
    thin = not told and not every_pool and best in (match.model, match.against)
    wins, ties, losses, of = (
        float(counts.sum()) for counts in (match.wins, match.ties, match.losses, match.comparisons)
    )
    statement = (
        f"{match.model} against {match.against}: {_count(wins)} won, {_count(ties)} tied, "
        f"{_count(losses)} lost of {counted(round(of), 'comparison')} on "
        f"{counted(pools, 'pool')}, each seed with each; wins less losses "
        f"{whole_points(net.value)} points ({shown}, bootstrap of pools): "
        f"{conclusion}."
    )
    if match.shared:
        statement += (
            f" In {counted(match.shared, 'comparison')} stories share the highest reward, which "
            f"counts by the probability of each outcome."
        )
    return Finding(
        id=f"head-to-head-{slug}",
        severity="warn" if thin else "note",
        statement=statement,
        numbers={
            **_row(result),
            **result.win.numbers("win_share"),
            **result.loss.numbers("loss_share"),
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
        **result.net.numbers("net"),
    }


def _count(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
