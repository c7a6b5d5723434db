"""A linear mixed model with crossed random effects, fitted by restricted maximum likelihood.

The likelihood is profiled over everything but the random effects' relative standard deviations
(Bates, Mächler, Bolker and Walker 2015, section 3). statsmodels' MixedLM gives the same numbers
where it converges, but fails where a variance is estimated as zero, and needs minutes where a
thousand sheets are crossed; tests compare the two.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from storyaudit.stats.estimate import Array, Codes, Estimate

Profile = Callable[[Array], tuple[float, float]]
RESIDUAL = "residual"
_LARGEST = 1e3
"""Bound of a factor's standard deviation relative to the residual's."""


@dataclass(frozen=True)
class MixedFit:
    """A fitted model.

    Attributes:
        variances: variance of each random factor and of the residual.
        beta: fixed effects.
        covariance: of the fixed effects.
        estimated: the factors whose variance is above zero, then the residual.
        spread: asymptotic covariance of their variances (inverse expected information).
        slopes: for each of them, the derivative of ``covariance`` by its variance.
    """

    variances: dict[str, float]
    beta: Array
    covariance: Array
    estimated: list[str]
    spread: Array
    slopes: list[Array]

    def contrast(self, weights: Array, confidence: float) -> tuple[Estimate, float, float]:
        """Return a combination of fixed effects with its interval, its p value and its df.

        Student's t with degrees of freedom by Satterthwaite (1946; Giesbrecht and Burns 1985).

        Args:
            weights: one a fixed effect.
            confidence: of the interval.
        """
        from scipy.stats import t

        value = float(weights @ self.beta)
        variance = float(weights @ self.covariance @ weights)
        gradient = np.array([weights @ slope @ weights for slope in self.slopes])
        df = 2 * variance**2 / float(gradient @ self.spread @ gradient)
        error = variance**0.5
        half = float(t.ppf((1 + confidence) / 2, df)) * error
        p = 2 * float(t.sf(abs(value) / error, df))
        return Estimate(value, value - half, value + half), p, df

    def variance(self, name: str, confidence: float) -> Estimate:
        """Return a variance with its chi-squared interval, df by Satterthwaite (1946).

        The interval is None where the variance is estimated as zero, or on less than one degree
        of freedom: its upper end would be a thousand times the variance or more, and hang on the
        last digits of the fit.
        """
        from scipy.stats import chi2

        value = self.variances[name]
        if name not in self.estimated:
            return Estimate(value)
        index = self.estimated.index(name)
        df = 2 * value**2 / float(self.spread[index, index])
        if df < 1:
            return Estimate(value)
        tail = (1 - confidence) / 2
        upper, lower = (float(chi2.ppf(q, df)) for q in (1 - tail, tail))
        return Estimate(value, df * value / upper, df * value / lower)


def fit_mixed(y: Array, x: Array, factors: Mapping[str, Codes]) -> MixedFit | None:
    """Fit y = xβ + Σ (a random effect a level of each factor) + residual.

    Args:
        y: one value a row.
        x: the fixed effects' design, of full rank.
        factors: each row's level of each random factor, 0, 1, …

    Returns:
        None where it is undefined: no more rows than fixed effects, no residual variation, or
        factors whose variances cannot be told apart.
    """
    n, p = x.shape
    if n <= p:
        return None
    rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    scale = float(rest @ rest) / (n - p)
    if scale <= 1e-12 * max(1.0, float(y @ y) / n):
        return None
    scaled = y / scale**0.5
    names = sorted(factors, key=lambda name: -int(factors[name].max()))
    dummies = [np.eye(int(factors[name].max()) + 1)[factors[name]] for name in names]
    profile = _profile(scaled, x, dummies)
    theta = _minimise(profile, len(dummies))
    if max(theta, default=0.0) > 0.99 * _LARGEST:
        return None
    residual = profile(theta)[1] / (n - p)
    kept = [index for index, value in enumerate(theta) if value > 0]
    variances = [*(float(theta[index] ** 2) * residual for index in kept), residual]
    inferred = _inference(scaled, x, [dummies[index] for index in kept], np.array(variances))
    if inferred is None:
        return None
    beta, covariance, spread, slopes = inferred
    estimated = [*(names[index] for index in kept), RESIDUAL]
    above = dict(zip(estimated, (value * scale for value in variances), strict=True))
    return MixedFit(
        {name: above.get(name, 0.0) for name in (*factors, RESIDUAL)},
        beta * scale**0.5,
        covariance * scale,
        estimated,
        spread * scale**2,
        slopes,
    )


def _profile(y: Array, x: Array, dummies: list[Array]) -> Profile:
    """Return the function from relative SDs to REML deviance and penalised sum of squares.

    The largest factor's block is diagonal and eliminated first. One Cholesky factor of the rest,
    with the response as its last column, holds the determinants and the sum of squares.
    """
    n, p = x.shape
    first = dummies[0] if dummies else np.zeros((n, 0))
    others = np.column_stack([*dummies[1:], x, y])
    random = others.shape[1] - p - 1
    sizes, cross, gram = first.sum(axis=0), first.T @ others, others.T @ others

    def profile(theta: Array) -> tuple[float, float]:
        widths = [dummy.shape[1] for dummy in dummies[1:]]
        scale = np.concatenate([np.repeat(theta[1:], widths), np.ones(p + 1)])
        block = gram * np.outer(scale, scale)
        block[np.arange(random), np.arange(random)] += 1
        largest = theta[0] if dummies else 0.0
        diagonal = largest**2 * sizes + 1
        coupling = largest * cross * scale
        block -= coupling.T @ (coupling / diagonal[:, None])
        factor = np.diag(np.linalg.cholesky(block))
        squares = float(factor[-1] ** 2)
        determinants = float(np.log(diagonal).sum() + 2 * np.log(factor[:-1]).sum())
        return determinants + (n - p) * float(np.log(squares)), squares

    return profile


def _minimise(profile: Profile, count: int) -> Array:
    """Return the relative SDs of lowest deviance; one that does no good is zero.

    The deviance is the same for an SD and its negative, so that no bound is needed, at which a
    simplex could collapse; a second search starts from the first one's end.
    """
    from scipy.optimize import minimize

    def deviance(theta: Array) -> float:
        return profile(theta)[0] if np.abs(theta).max() < _LARGEST else np.inf

    theta = np.ones(count)
    for _ in range(2 if count else 0):
        found = minimize(
            deviance,
            theta,
            method="Nelder-Mead",
            options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 2000},
        )
        theta = np.abs(np.asarray(found.x, dtype="float64"))
    for index in range(count):
        without = theta.copy()
        without[index] = 0
        if deviance(without) <= deviance(theta) + 1e-8:
            theta = without
    return theta


def _inference(
    y: Array, x: Array, dummies: list[Array], variances: Array
) -> tuple[Array, Array, Array, list[Array]] | None:
    """Return β, its covariance, the variances' covariance, and the slopes of β's covariance.

    None where the variances cannot be told apart.

    Everything follows from Z'V⁻¹Z (Woodbury) and from PVP = P, P being the projection that
    REML uses: the traces of the residual's part need no matrix of the size of the data.
    """
    n, p = x.shape
    residual = float(variances[-1])
    z = np.column_stack([*dummies, np.zeros((n, 0))])
    ends = np.cumsum([0, *(dummy.shape[1] for dummy in dummies)])
    parts = [slice(start, stop) for start, stop in pairwise(ends)]
    per_level = np.repeat(variances[:-1], np.diff(ends))
    zz, zx, zy = z.T @ z, z.T @ x, z.T @ y
    solved = np.linalg.solve(zz + np.diag(residual / per_level), np.column_stack([zz, zx, zy]))
    levels = len(per_level)
    zvz = (zz - zz @ solved[:, :levels]) / residual
    zvx = (zx - zz @ solved[:, levels : levels + p]) / residual
    xvx = (x.T @ x - zx.T @ solved[:, levels : levels + p]) / residual
    xvy = (x.T @ y - zx.T @ solved[:, -1]) / residual
    covariance = np.asarray(np.linalg.inv(xvx), dtype="float64")
    zpz = zvz - zvx @ covariance @ zvx.T

    above = variances[:-1]
    traces = np.array([np.trace(zpz[part, part]) for part in parts])
    both = np.array([[float((zpz[a, b] ** 2).sum()) for b in parts] for a in parts])
    both = both.reshape(len(parts), len(parts))
    with_residual = (traces - both @ above) / residual
    trace = (n - p - above @ traces) / residual
    information = np.zeros((len(parts) + 1, len(parts) + 1))
    information[:-1, :-1] = both
    information[:-1, -1] = information[-1, :-1] = with_residual
    information[-1, -1] = (trace - above @ with_residual) / residual
    size = np.sqrt(np.diag(information))
    if not (size > 0).all() or np.linalg.cond(information / np.outer(size, size)) > 1e10:
        return None
    outer = [zvx[part].T @ zvx[part] for part in parts]
    explained = sum((v * o for v, o in zip(above, outer, strict=True)), np.zeros_like(xvx))
    outer.append((xvx - explained) / residual)
    slopes = [covariance @ matrix @ covariance for matrix in outer]
    spread = np.asarray(2 * np.linalg.inv(information), dtype="float64")
    return covariance @ xvy, covariance, spread, slopes
