import pandas as pd
import prose
import pytest
from annotator_samples import candidates_of, confirmed, found, human, of_table, verdict

TWO = ("yes", "no")


@pytest.mark.parametrize(
    ("table", "kappa"),
    # Cohen's kappa, from shared/ORACLES.md.
    [
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 0.1304),
        ([[25, 35], [5, 35]], 0.2593),
        ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], 0.4842),
    ],
)
def test_kappa_of_two_annotators(table: list[list[int]], kappa: float) -> None:
    findings, _ = found(of_table(table, ["yes", "no", "unsure"]))
    assert findings["annotators-confirmation"].numbers["kappa"] == pytest.approx(kappa, abs=5e-4)


def test_raw_agreement_chance_and_alpha_by_hand() -> None:
    findings, unchecked = found(of_table([[20, 5], [10, 15]], TWO))
    numbers = findings["annotators-confirmation"].numbers
    # 25 + 30 of 100 answers are 'yes': (55·54 + 45·44) / (100·99) = 1/2 by chance. Equal are 35 of
    # 50: (0.7 − 0.5) / (1 − 0.5).
    assert (numbers["items"], numbers["pairs"], numbers["annotators"]) == (50, 50, 2)
    assert (numbers["raw"], numbers["chance"], numbers["alpha"]) == (0.7, 0.5, 0.4)
    assert (numbers["most_frequent"], numbers["most_frequent_proportion"]) == ("confirmed", 0.55)
    assert numbers["unit"] == "item"
    low, high = numbers["alpha_low"], numbers["alpha_high"]
    # An analytic interval of kappa is near: SE² ≈ p(1 − p) / (n (1 − chance)²) = 0.21 / 12.5.
    assert low == pytest.approx(0.4 - 1.96 * 0.13, abs=0.06)
    assert high == pytest.approx(0.4 + 1.96 * 0.13, abs=0.06)
    assert findings["annotators-confirmation"].severity == "note"
    assert set(unchecked) == {"annotators-best", "annotators-ranking"}


def test_annotators_who_differ_from_item_to_item_have_no_kappa() -> None:
    # Three an item: 3 pairs on each of 6 items, 1 on each of 6.
    three = [{"anna": "yes", "ben": "yes", "carla": answer} for answer in ("yes", "no") * 3]
    two = [{"ben": "no", "dora": answer} for answer in ("no", "yes") * 3]
    findings, _ = found(confirmed([*three, *two]))
    numbers = findings["annotators-confirmation"].numbers
    assert (numbers["items"], numbers["pairs"], numbers["annotators"]) == (12, 24, 4)
    # Equal: 3 items with 3 pairs, 3 with 1, 3 with 1 of 1: 15 of 24.
    assert numbers["raw"] == 0.625
    # Answers: 18 'yes' of 30 (15 + 3). By chance (18·17 + 12·11) / (30·29) = 438/870. Each answer
    # counts once: 3·3 + 3·1 + 3·2 = 18 of 30. Alpha: (18·29 − 438) / (870 − 438) = 84/432.
    assert numbers["alpha"] == pytest.approx(84 / 432, abs=5e-4)
    assert "kappa" not in numbers


def test_chance_agreement_is_a_warning() -> None:
    findings, _ = found(of_table([[10, 10], [10, 10]], TWO))
    finding = findings["annotators-confirmation"]
    assert finding.severity == "warn"
    prose.check("protocol/chance agreement is a warning", finding)


def test_agreement_below_chance_is_a_warning() -> None:
    findings, _ = found(of_table([[1, 20], [20, 1]], TWO))
    finding = findings["annotators-confirmation"]
    assert finding.severity == "warn"
    prose.check("protocol/agreement below chance is a warning", finding)


def test_alpha_of_a_single_answer_is_undefined() -> None:
    findings, _ = found(of_table([[30]], TWO))
    finding = findings["annotators-confirmation"]
    assert finding.numbers["raw"] == 1 and finding.numbers["alpha"] is None
    assert "kappa" not in finding.numbers
    prose.check("protocol/a single answer", finding)


def test_alpha_near_zero_beside_high_agreement_is_explained() -> None:
    # 36 of 40 are equal; 76 of 80 are 'yes': by chance (76·75 + 4·3) / (80·79) = 5712/6320.
    findings, _ = found(of_table([[36, 2], [2, 0]], TWO))
    finding = findings["annotators-confirmation"]
    assert finding.numbers["raw"] == 0.9
    expected = (0.9 - 5712 / 6320) / (1 - 5712 / 6320)
    assert finding.numbers["alpha"] == pytest.approx(expected, abs=5e-4)
    assert {"95.0"} <= prose.figures(finding)
    prose.check("protocol/alpha near zero beside high agreement is explained", finding)


def test_without_a_prevailing_answer_nothing_is_explained() -> None:
    findings, _ = found(of_table([[12, 4], [4, 0]], TWO))  # 32 of 40 are 'yes': 80 %, not more
    prose.check(
        "protocol/without a prevailing answer nothing is explained",
        findings["annotators-confirmation"],
    )


@pytest.mark.parametrize(("items", "has_ci"), [(9, False), (10, True)])
def test_fewer_than_ten_items_give_no_ci(items: int, has_ci: bool) -> None:
    findings, _ = found(of_table([[items - 5, 1], [1, 3]], TWO))
    finding = findings["annotators-confirmation"]
    assert finding.numbers["items"] == items
    assert (finding.numbers["alpha_low"] is not None) == has_ci
    assert (finding.numbers["kappa_low"] is not None) == has_ci
    prose.check(f"protocol/fewer than ten items give no CI: {items}", finding)


def test_a_perfect_agreement_has_no_ci() -> None:
    findings, _ = found(of_table([[10, 0], [0, 10]], TWO))
    finding = findings["annotators-confirmation"]
    assert (finding.numbers["alpha"], finding.numbers["alpha_low"]) == (1, None)
    assert finding.severity == "note"
    prose.check("protocol/a perfect agreement has no CI", finding)


def test_best_of_human_llm_items() -> None:
    # Of 12 items both name the human story a in 5, both another in 4 (b and c in 2 of them), and
    # they differ in 3: 9 of 12 are equal. Another story than the human one is one answer.
    pairs = ["aa"] * 5 + ["bb"] * 2 + ["bc"] * 2 + ["ab", "ca"]
    rows = [
        row
        for number, pair in enumerate(pairs)
        for annotator, answer in zip(("anna", "ben"), pair, strict=True)
        for row in verdict(f"h{number:02}", annotator, answer)
    ]
    rows += verdict("h11", "anna", "unsure") + verdict("h11", "ben", "a")
    candidates = candidates_of([f"h{number:02}" for number in range(12)], "human_llm")
    findings, unchecked = found(rows, candidates)
    finding = findings["annotators-best"]
    assert (finding.numbers["items"], finding.numbers["raw"]) == (12, 0.75)
    counts = {row["answer"]: row["decisions"] for row in finding.evidence}
    assert counts == {"human best": 5 * 2 + 3, "other best": 4 * 2 + 2, "unsure": 1}
    assert set(unchecked) == {"annotators-confirmation", "annotators-ranking"}

    assert human(candidates) == {f"h{number:02}-a" for number in range(12)}
    findings, unchecked = found(rows, candidates, humans=None)
    assert "annotators-best" not in findings
    prose.check("protocol/best of human llm items", unchecked["annotators-best"])
    # Which story was named is known all the same: they differ in the 3, and in b and c.
    assert findings["annotators-majority"].numbers["differs"] == 2 * 5


def test_unsure_belongs_to_the_task_of_its_item() -> None:
    rows = [
        *verdict("h", "anna", "unsure"), *verdict("h", "ben", "unsure"),
        *verdict("i", "anna", "unsure"), *verdict("i", "ben", "yes"),
    ]  # fmt: skip
    candidates = pd.concat([candidates_of(["h"], "human_llm"), candidates_of(["i"])])
    findings, _ = found(rows, candidates)
    assert findings["annotators-best"].numbers["raw"] == 1
    assert findings["annotators-confirmation"].numbers["raw"] == 0
