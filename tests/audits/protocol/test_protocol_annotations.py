"""What human annotations add, and what spot checks can show."""

import pandas as pd
import prose
import pytest
from protocol_samples import (
    AGREED,
    OPPOSED,
    Tables,
    audited,
    by_id,
    item,
    joined,
    ranking,
    unchecked,
)

from audits.protocol.replayed_items import replayed, with_chosen
from audits.protocol.spot_checks import ledger_spot_checks, spot_check_findings
from storyaudit.ledger.ledger_file import read_ledger
from storyaudit.protocol.protocol_params import ProtocolParams

HUMAN = "human_llm"
HUMAN_LAST = ([2, 7, 5, 3], [1, 6, 4, 2])
HUMAN_TIED = ([9, 9, 5, 3], [8, 8, 4, 2])


@pytest.fixture(scope="module")
def study() -> Tables:
    """Five items to confirm, three to rank, six with a human story."""
    items = [
        *(item(f"yes{n}", AGREED, ("confirmation", "a", 1)) for n in range(3)),
        item("no", AGREED, ("confirmation", "a", 0), *ranking("bacd")),
        item("open", AGREED, ("unsure", "a", 1)),
        # The three judges' first is a, their tau (4/6 − 1 − 4/6) / 3 is below 0.6.
        *(
            item(f"rank{n}", ([9, 7, 5, 3], [9, 7, 3, 5], [3, 5, 7, 4]), *ranking(order))
            for n, order in enumerate(("abcd", "bacd"))
        ),
        item("even", OPPOSED, *ranking("abcd")),  # no story is first
        *(item(f"best{n}", AGREED, ("best", "a", 1), origin=HUMAN) for n in range(2)),
        item("best-last", HUMAN_LAST, ("best", "a", 1), origin=HUMAN),
        item("best-tied", HUMAN_TIED, ("best", "a", 1), origin=HUMAN),
        item("unsure-last", HUMAN_LAST, ("unsure", "a", 1), origin=HUMAN),
        item("unsure-first", AGREED, ("unsure", "a", 1), origin=HUMAN),
    ]
    tables = joined(items)
    cases = with_chosen(replayed(tables | {"benchmark": pd.DataFrame()}, ProtocolParams()))
    rows = [
        (c.item.item_id, c.item.premise_id, c.item.origin, c.chosen, *c.gold[1:]) for c in cases
    ]
    names = ["item_id", "premise_id", "origin", "chosen_id", "annotation_route", "tau_avg"]
    columns = [*names, "dimension", "dimension_rule"]
    return tables | {"benchmark": pd.DataFrame(rows, columns=columns)}


def counts(finding, *names: str) -> list[tuple[object, object]]:
    return [(finding.numbers[name], finding.numbers[f"{name}_of"]) for name in names]


def test_confirmations_rankings_and_removals(study: Tables) -> None:
    found = by_id(audited(study))
    assert counts(found["confirmations"], "confirmed", "unsure", "rejected") == [
        (3, 5),
        (1, 5),
        (1, 5),
    ]
    assert counts(found["rankings"], "same") == [(1, 2)]  # 'even' has no first to agree with
    assert counts(found["removed-as-unsure"], "removed") == [(2, 6)]
    # First are the human stories of best0, best1 and unsure-first; that of best-tied ties.
    judges = found["judges-on-human-stories"]
    assert counts(judges, "human_first") == [(3, 6)]
    assert judges.numbers["tied"] == 1
    kept, removed = judges.evidence
    assert (kept["human_first"], kept["human_first_of"]) == (2, 4)
    assert (removed["human_first"], removed["human_first_of"]) == (1, 2)


def test_without_such_items_they_are_not_checked() -> None:
    tables = joined([item("i", AGREED, ("confirmation", "a", 1))])
    tables["benchmark"] = pd.DataFrame([{"item_id": "other", "chosen_id": "s"}])
    for column in ("premise_id", "origin", "annotation_route", "dimension", "dimension_rule"):
        tables["benchmark"][column] = "x"
    tables["benchmark"]["tau_avg"] = 1.0
    reasons = unchecked(audited(tables))
    assert {"rankings", "removed-as-unsure", "judges-on-human-stories"} <= set(reasons)


def test_the_finding_says_what_the_best_outcome_could_show() -> None:
    (finding,) = spot_check_findings({"Rewriting": ("Rewritten pairs", 20)})
    assert (finding.id, finding.severity) == ("spot-check-rewriting", "warn")
    assert {"86.1", "83.2"} <= prose.figures(finding)
    prose.check("protocol/the finding says what the best outcome could show", finding)
    assert [row["passed"] for row in finding.evidence] == [20, 19, 18, 17]


def test_a_ledgers_spot_checks(tmp_path) -> None:
    head = "paper: P\nstudy: p\nsource: s\nhand: first\nfigures:\n"
    figure = '- {id: spot-check.one, printed: "30", where: p. 4, what: pairs}\n'
    other = '- {id: items, printed: "30", where: p. 5}\n'
    (tmp_path / "ledger.yaml").write_text(head + figure + other)
    report = ledger_spot_checks(read_ledger(tmp_path / "ledger.yaml"))
    assert (report.study, report.audit) == ("p", "protocol")
    (finding,) = report.findings
    assert {"4", "30"} <= prose.figures(finding)
    prose.check("protocol/a ledgers spot checks", finding)
    assert finding.numbers["at_least"] == pytest.approx(0.05 ** (1 / 30), abs=1e-4)
    assert [left.id for left in report.unchecked] == ["replay"]
    (tmp_path / "ledger.yaml").write_text(head + other)
    none = ledger_spot_checks(read_ledger(tmp_path / "ledger.yaml"))
    assert {left.id for left in none.unchecked} == {"replay", "spot-checks"}
    prose.check("protocol/a ledger without spot checks", none)
