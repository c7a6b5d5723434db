import pandas as pd
import prose
import pytest

from audits.counts.counts_report import paper_counts_report
from audits.counts.derive import count
from audits.counts.identities import check_identities, read_identities
from storyaudit.findings import Finding, Report, Unchecked
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import Ledger, read_ledger

IDENTITIES = read_identities(expectations_path())

Tables = dict[str, pd.DataFrame]

# As StoryAlign prints them; the sums are checked here by Python alone.
PRINTED = {
    "items": 1133,
    "llm_llm_items": 624,
    "human_llm_items": 509,
    "ranked_items": 230,
    "confirmed_items": 394,
    "human_llm_drawn": 600,
    "unsure_items": 91,
    "llm_llm_drawn": 624,
    "creativity_items": 292,
    "coherence_items": 265,
    "fluency_items": 225,
    "characterization_items": 215,
    "relevance_items": 136,
}
HOLD = {
    "identity-benchmark-total": ("624 + 509 = 1,133", 624 + 509 == 1133),
    "identity-ranked-and-confirmed": ("230 + 394 = 624", 230 + 394 == 624),
    "identity-drawn-less-unsure": ("600 − 91 = 509", 600 - 91 == 509),
    "identity-llm-premises": ("624 = 624", 624 == 624),
    "identity-dimensions-total": (
        "292 + 265 + 225 + 215 + 136 = 1,133",
        292 + 265 + 225 + 215 + 136 == 1133,
    ),
}
SPOKEN_OF = {
    f"identity-{identity.id}": {*identity.plus, *identity.minus, identity.equals}
    for identity in IDENTITIES
}


def checked(counts: dict[str, int], subject: str) -> tuple[list[Finding], list[Unchecked]]:
    report = Report.of(
        check_identities(counts, IDENTITIES, subject=subject), study="s", audit="counts"
    )
    return [*report.findings], [*report.unchecked]


def test_the_identities_hold_on_the_printed_figures() -> None:
    findings, unchecked = checked(PRINTED, "the printed figures")
    assert {f.id: f.severity for f in findings} == dict.fromkeys(HOLD, "pass")
    for finding in findings:
        equation, holds = HOLD[finding.id]
        assert holds
        assert equation in finding.statement
    assert [left.id for left in unchecked] == ["identity-methods-total"]
    prose.check("counts/the identities hold on the printed figures", *findings, *unchecked)


@pytest.mark.parametrize("name", PRINTED)
def test_one_changed_figure_breaks_the_identities_that_have_it(name: str) -> None:
    changed = {**PRINTED, name: PRINTED[name] + 1}
    findings, _ = checked(changed, "the printed figures")
    broken = {f.id for f in findings if f.severity == "fail"}
    assert broken == {identity for identity in HOLD if name in SPOKEN_OF[identity]} != set()
    prose.check(f"counts/one changed figure: {name}", *(f for f in findings if f.id in broken))


def test_several_wrong_identities_are_all_reported() -> None:
    wrong = {name: 10**index for index, name in enumerate(PRINTED)}
    findings, _ = checked(wrong, "the printed figures")
    assert {f.severity for f in findings} == {"fail"} and len(findings) == len(HOLD)


def test_a_count_that_papers_do_not_print_is_added_where_it_is_known() -> None:
    # Two of 1,133 items without a dimension: the five dimensions have 1,131.
    counts = {**PRINTED, "relevance_items": 134, "unscored_items": 2}
    findings, _ = checked(counts, "the tables")
    assert {f.severity for f in findings} == {"pass"}
    total = {f.id: f for f in findings}["identity-dimensions-total"]
    assert {"292", "265", "225", "215", "134", "2", "1,133"} <= prose.figures(total)
    prose.check("counts/a count that papers do not print is added where it is known", total)
    assert total.numbers["unscored_items"] == 2
    del counts["unscored_items"]
    findings, _ = checked(counts, "the tables")
    assert [f.id for f in findings if f.severity == "fail"] == ["identity-dimensions-total"]


def test_the_ledger_of_storyalign_is_consistent() -> None:
    ledger = read_ledger(expectations_path("papers/storyalign.yaml"))
    counts = ledger.counts()
    assert {name: counts[name] for name in PRINTED} == PRINTED
    report = paper_counts_report(ledger)
    assert report.study == "storyalign"
    assert {f.id: f.severity for f in report.findings} == dict.fromkeys(HOLD, "pass")


def test_a_changed_print_in_a_ledger_fails() -> None:
    content = read_ledger(expectations_path("papers/storyalign.yaml")).model_dump()
    next(f for f in content["figures"] if f["id"] == "items")["printed"] = "1,132"
    report = paper_counts_report(Ledger.model_validate(content))
    assert {f.id for f in report.fails()} == {
        "identity-benchmark-total",
        "identity-dimensions-total",
    }


def test_without_counts_everything_is_unchecked() -> None:
    findings, unchecked = checked({}, "nothing")
    assert findings == []
    assert {left.id for left in unchecked} == set(SPOKEN_OF)


def test_counts_of_tables_by_hand(valid: Tables) -> None:
    # Items i1, i2 (LLM–LLM), i3 (Human–LLM); i4 was drawn and removed as unsure; four pairs.
    assert count(valid) == {
        "items": 3,
        "llm_llm_items": 2,
        "human_llm_items": 1,
        "ranked_items": 1,
        "confirmed_items": 1,
        "creativity_items": 2,
        "coherence_items": 0,
        "fluency_items": 1,
        "characterization_items": 0,
        "relevance_items": 0,
        "unscored_items": 0,
        "llm_llm_drawn": 2,
        "human_llm_drawn": 2,
        "unsure_items": 1,
        "pairs": 4,
        "pairs_of_all_methods": 4,
    }


def test_an_undecided_person_on_a_models_item_removes_nothing(valid: Tables) -> None:
    annotations = valid["annotations"].copy()
    annotations.loc[annotations["item_id"] == "i2", "kind"] = "unsure"
    assert count({**valid, "annotations": annotations})["unsure_items"] == 1


@pytest.mark.parametrize("absent", ["benchmark", "candidates", "annotations", "pairs"])
def test_what_is_not_there_is_not_counted(valid: Tables, absent: str) -> None:
    whole = count(valid)
    del valid[absent]
    left = count(valid)
    gone = {
        "benchmark": [n for n in whole if n.endswith("items") and n != "unsure_items"],
        "candidates": ["llm_llm_drawn", "human_llm_drawn", "unsure_items"],
        "annotations": ["unsure_items"],
        "pairs": ["pairs", "pairs_of_all_methods"],
    }[absent]
    assert left == {name: value for name, value in whole.items() if name not in gone}
