"""What a spot check can show: exact bounds on the proportion of good pairs."""

from collections.abc import Mapping

from storyaudit.findings import Finding, Report, Unchecked, evidence, slugs
from storyaudit.ledger.ledger_file import Ledger
from storyaudit.phrasing import level, percent
from storyaudit.stats.exact_proportion import exact_bounds

SPOT_CHECK = "spot-check."


def spot_check_findings(
    methods: Mapping[str, tuple[str, int]], *, confidence: float = 0.95
) -> list[Finding]:
    """Return what each check could show at best where the number that passed is not printed.

    Args:
        methods: what was checked and how many of them, by the method's name.
        confidence: of every bound.
    """
    findings = []
    for name, (what, n) in zip(slugs(methods), methods.values(), strict=True):
        best = exact_bounds(n, n, confidence)
        rows = []
        for k in range(n, max(n - 4, -1), -1):
            bounds = exact_bounds(k, n, confidence)._asdict()
            rows.append({"passed": k, "of": n, **{end: round(v, 4) for end, v in bounds.items()}})
        findings.append(
            Finding(
                id=f"spot-check-{name}",
                severity="warn",
                statement=f"{what}: {n} checked; how many passed is not determinable from what is "
                f"reported. Had {n} of {n} passed, and were they drawn at random, the exact "
                f"{level(confidence)} lower bound on the proportion of good pairs would be "
                f"{percent(best.at_least)} (one-sided; two-sided {percent(best.low)}).",
                numbers={
                    "checked": n,
                    "at_least": round(best.at_least, 4),
                    "low": round(best.low, 4),
                    "confidence": confidence,
                },
                evidence=evidence(rows),
            )
        )
    return findings


def ledger_spot_checks(ledger: Ledger, *, confidence: float = 0.95) -> Report:
    """Return what the spot checks that a paper prints could show: figures 'spot-check.…'.

    The replay of its gold is listed as not checked: a ledger holds no judgements.
    """
    methods = {
        figure.id.removeprefix(SPOT_CHECK): (f"{figure.what} ({figure.where})", int(figure.printed))
        for figure in ledger.figures
        if figure.id.startswith(SPOT_CHECK) and figure.exact and figure.printed.isdecimal()
    }
    unchecked = [
        Unchecked(
            id="replay",
            check="replay of the gold from judgements and human annotations",
            reason="the ledger holds printed figures, not these tables",
        )
    ]
    if not methods:
        reason = "the ledger has no figure 'spot-check.…'"
        unchecked.append(
            Unchecked(id="spot-checks", check="bounds from spot checks", reason=reason)
        )
    found = spot_check_findings(methods, confidence=confidence)
    return Report.of([*found, *unchecked], study=ledger.study, audit="protocol")
