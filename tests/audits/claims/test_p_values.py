from typing import Any

import pytest
from claims_samples import check, figures, ledger
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audits.claims.verdict import Checked
from storyaudit.errors import InputError

SAMPLES = {
    "first": {"mean": "m1", "sd": "s1", "n": 10},
    "second": {"mean": "m2", "sd": "s2", "n": 10},
}
# A Confederacy of Models, table 2, overall.
GPT4, HUMAN, STABLELM = ("80.2", "7.3"), ("70.1", "17.4"), ("38.7", "17.2")


def judged(entry: dict[str, Any], **prints: str) -> Checked:
    content = ledger(figures(**prints), p_values=[{"id": "test", "where": "section 4", **entry}])
    found = check(content)["p_values/test"]
    outcome = {"follows": "pass", "undetermined": "unchecked"}
    assert found.outcome == outcome.get(found.verdict, "fail")
    return found


def of_samples(one: tuple[str, str], other: tuple[str, str], **entry: Any) -> Checked:
    p = {"p": entry.pop("p_printed")} if "p_printed" in entry else {}
    prints = {"m1": one[0], "s1": one[1], "m2": other[0], "s2": other[1]}
    return judged({"test": "welch", **SAMPLES, **({"p": "p"} if p else {}), **entry}, **prints, **p)


def of_statistic(test: str, value: str, p: str, **entry: Any) -> Checked:
    return judged({"test": test, "statistic": "t", "p": "p", **entry}, t=value, p=p)


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        # statcheck: t(28) = 2.20 has p = .0362.
        (".04", "follows"),
        (".036", "follows"),
        (".03", "inconsistent"),
        (".06", "decision error"),
        (".050", "inconsistent"),  # .0495 to .0505: on neither side of alpha for sure
        ("0.05", "inconsistent"),
        ("<.05", "follows"),
        ("<.037", "follows"),
        ("<.035", "inconsistent"),
        ("<.001", "inconsistent"),
        (">.05", "decision error"),
        (">.03", "follows"),
        ("=.04", "follows"),
        ("≥.05", "decision error"),
        ("1~0", "decision error"),
    ],
)
def test_statchecks_t(p: str, verdict: str) -> None:
    found = of_statistic("t", "2.20", p, df=28)
    assert found.verdict == verdict
    assert ("Decision error" in found.sentence) == (verdict == "decision error")
    assert found.numbers == {
        "p_low": pytest.approx(2 * stats.t.sf(2.205, 28), rel=1e-8),
        "p_high": pytest.approx(2 * stats.t.sf(2.195, 28), rel=1e-8),
    }


def test_statchecks_z() -> None:
    assert of_statistic("z", "−2.42", ".016").verdict == "follows"
    assert of_statistic("z", "2.42", ".016").verdict == "follows"
    assert of_statistic("z", "−2.42", ".026").verdict == "inconsistent"


def test_a_decision_error_says_what_follows() -> None:
    found = of_statistic("t", "2.20", ".06", df=28)
    assert found.sentence == (
        "section 4: the printed figures give p between 0.0358 and 0.0366 (two-sided t test); "
        "the paper states 'p = .06'. Decision error: the result is significant at 0.05."
    )
    other = of_statistic("t", "2.00", ".04", df=28)
    assert other.sentence.endswith("Decision error: the result is not significant at 0.05.")
    strict = of_statistic("t", "2.20", ".009", df=28, alpha=0.01)
    assert strict.sentence.endswith("the result is not significant at 0.01.")


@pytest.mark.parametrize(
    ("z", "p", "alpha", "verdict"),
    # z = 0.70 has p = .484, z = 3.00 has .0027: on either side of every alpha here.
    [
        ("0.70", "0.0", 0.05, "inconsistent"),  # up to .05 itself, which is not below it
        ("0.70", "0.0", 0.0501, "decision error"),
        ("0.70", ".02", 0.025, "inconsistent"),  # up to .025
        ("0.70", ".02", 0.0251, "decision error"),
        ("3.00", "0.1", 0.05, "decision error"),  # from .05 on, none of which is below it
        ("3.00", "0.1", 0.0501, "inconsistent"),
    ],
)
def test_a_p_that_may_be_alpha_itself_may_be_not_significant(
    z: str, p: str, alpha: float, verdict: str
) -> None:
    assert of_statistic("z", z, p, alpha=alpha).verdict == verdict


@pytest.mark.parametrize(
    ("statistic", "df", "p", "verdict"),
    [
        ("3.84", 1, ".05", "follows"),
        ("3.84", 1, ".025", "decision error"),  # 3.835 has p = .0502, 3.845 has .0499
        ("21.36", 1, "<.001", "follows"),
        ("9.49", 4, ".05", "follows"),
        ("9.49", 3, ".05", "inconsistent"),
        ("0.0", 2, "1.0", "follows"),
    ],
)
def test_chi_squared(statistic: str, df: int, p: str, verdict: str) -> None:
    found = of_statistic("chi2", statistic, p, df=df)
    assert found.verdict == verdict if p != ".025" else found.outcome == "fail"
    assert "sided" not in found.sentence


def test_degrees_of_freedom_may_be_a_figure() -> None:
    entry = {"test": "t", "statistic": "t", "df": "df", "p": "p"}
    # Of 8.0, rounded, are 7.95 to 8.05: t = 2 has p = .0803 to .0807; of 8 the p is .0805.
    assert judged(entry, t="2.0~9", df="8.0", p=".0803").verdict == "follows"
    assert judged(entry, t="2.0~9", df="8", p=".0803").verdict == "inconsistent"
    with pytest.raises(InputError, match="'test' takes degrees of freedom from 'df', not above 0"):
        judged(entry, t="2.0", df="0", p=".08")


@pytest.mark.parametrize("test", ["welch", "student", "z"])
@pytest.mark.parametrize("sides", [1, 2])
def test_p_from_samples(test: str, sides: int) -> None:
    one = (float(GPT4[0]), float(GPT4[1]), 10)
    other = (float(HUMAN[0]), float(HUMAN[1]), 10)
    if test == "z":
        z = (one[0] - other[0]) / ((one[1] ** 2 + other[1] ** 2) / 10) ** 0.5
        p = sides * float(stats.norm.sf(z))
    else:
        alternative = "greater" if sides == 1 else "two-sided"
        equal = test == "student"
        p = stats.ttest_ind_from_stats(
            *one, *other, equal_var=equal, alternative=alternative
        ).pvalue
    found = of_samples(GPT4, HUMAN, test=test, sides=sides, p_printed=f"{p:.3f}")
    assert found.verdict == "follows"
    wrong = of_samples(GPT4, HUMAN, test=test, sides=sides, p_printed=f"{p + 0.01:.3f}")
    assert wrong.outcome == "fail"


@pytest.mark.parametrize(
    ("other", "significant", "verdict"),
    [
        # The paper: at 0.05 the six best models do not differ from people; the worst are worse.
        (HUMAN, False, "follows"),
        (HUMAN, True, "decision error"),
        (STABLELM, True, "follows"),
        (STABLELM, False, "decision error"),
    ],
)
def test_a_printed_verdict(other: tuple[str, str], significant: bool, verdict: str) -> None:
    found = of_samples(GPT4, other, significant=significant)
    assert found.verdict == verdict
    assert found.printed == f"{'' if significant else 'not '}significant at 0.05"


def test_a_verdict_that_rounding_leaves_open() -> None:
    # Means of 0 and 1 to whole numbers, or the same to nine places.
    p = stats.ttest_ind_from_stats(1, 1, 10, 0, 1, 10, equal_var=False).pvalue
    one, zero = ("1~0", "1.0"), ("0~0", "1.0")
    assert of_samples(one, zero, significant=True, alpha=p).verdict == "undetermined"
    sharp = ("1.0~9", "1.0~9"), ("0.0~9", "1.0~9")
    assert of_samples(*sharp, significant=True, alpha=p + 1e-6).verdict == "follows"
    assert of_samples(*sharp, significant=True, alpha=p - 1e-6).verdict == "decision error"


def test_standard_errors_that_may_be_zero() -> None:
    found = of_samples(("3.0", "0.0"), ("4.0", "0.0"), p_printed=".01")
    assert (found.verdict, found.numbers) == ("undetermined", {})
    with pytest.raises(InputError, match="'test' takes a standard deviation from 's2', below 0"):
        of_samples(("3.0", "1.0"), ("4.0", "-1.0"), p_printed=".01")


class TestSides:
    """A p value of a test with another number of sides than the text says."""

    ONLY_ONE = "which only a one-sided test gives"
    ONLY_TWO = "which only a two-sided test gives"

    def test_half_of_a_two_sided_p(self) -> None:
        # t(28) = 2.20: two-sided .0362, one-sided .0181
        found = of_statistic("t", "2.20", ".018", df=28)
        assert found.verdict == "inconsistent" and self.ONLY_ONE in found.sentence
        assert self.ONLY_ONE in of_statistic("t", "-2.20", ".018", df=28).sentence
        assert self.ONLY_ONE in of_statistic("z", "-2.42", ".008").sentence

    def test_a_decision_that_depends_on_the_sides(self) -> None:
        # t(28) = 1.80: two-sided .0826, one-sided .0413
        found = of_statistic("t", "1.80", "<.05", df=28)
        assert found.verdict == "decision error" and self.ONLY_ONE in found.sentence

    def test_a_one_sided_p_in_either_direction(self) -> None:
        p = stats.ttest_ind_from_stats(70.1, 17.4, 10, 80.2, 7.3, 10, equal_var=False).pvalue
        for pair in ((GPT4, HUMAN), (HUMAN, GPT4)):
            found = of_samples(*pair, p_printed=f"{p / 2:.3f}")
            assert self.ONLY_ONE in found.sentence

    def test_double_of_a_one_sided_p(self) -> None:
        found = of_statistic("t", "2.20", ".036", df=28, sides=1)
        assert found.outcome == "fail" and self.ONLY_TWO in found.sentence
        assert of_statistic("t", "2.20", ".018", df=28, sides=1).verdict == "follows"
        assert of_statistic("t", "-2.20", ".018", df=28, sides=1).verdict == "follows"

    def test_another_p_is_of_neither(self) -> None:
        assert "which only" not in of_statistic("t", "2.20", ".5", df=28).sentence
        assert "which only" not in of_statistic("chi2", "9.49", ".025", df=4).sentence

    def test_the_first_sample_is_the_one_claimed_to_be_higher(self) -> None:
        p = stats.ttest_ind_from_stats(
            80.2, 7.3, 10, 38.7, 17.2, 10, equal_var=False, alternative="greater"
        ).pvalue
        assert p < 1e-4
        assert of_samples(GPT4, STABLELM, sides=1, p_printed="<.001").verdict == "follows"
        assert of_samples(STABLELM, GPT4, sides=1, p_printed="<.001").verdict == "decision error"
        assert of_samples(STABLELM, GPT4, sides=1, p_printed=">.99").verdict == "follows"


@settings(max_examples=80)
@given(
    st.lists(st.integers(1, 10), min_size=3, max_size=20),
    st.lists(st.integers(1, 10), min_size=3, max_size=20),
    st.sampled_from([1, 2]),
    st.booleans(),
    st.integers(1, 4),
)
def test_what_is_printed_of_real_scores_follows(
    one: list[int], other: list[int], sides: int, equal: bool, places: int
) -> None:
    if len(set(one)) < 2 or len(set(other)) < 2:
        return
    alternative = "greater" if sides == 1 else "two-sided"
    p = stats.ttest_ind(one, other, equal_var=equal, alternative=alternative).pvalue
    prints = {"p": f"{p:.{places}f}"}
    for name, scores in (("1", one), ("2", other)):
        prints |= {
            f"m{name}": f"{stats.tmean(scores):.2f}",
            f"s{name}": f"{stats.tstd(scores):.2f}",
        }
    samples = {
        "first": SAMPLES["first"] | {"n": len(one)},
        "second": SAMPLES["second"] | {"n": len(other)},
    }
    test = "student" if equal else "welch"
    entry = {"test": test, "sides": sides, "p": "p", **samples}
    assert judged(entry, **prints).verdict == "follows"
    significant = entry | {"significant": bool(p < 0.05)}
    del significant["p"]
    assert judged(significant, **prints).outcome != "fail"
