import prose
from annotator_samples import candidates_of, confirmed, found, order, table_of

from audits.protocol.annotators.decided import individual_decisions
from audits.protocol.annotators.majority import against_majority


def test_counts_by_hand() -> None:
    rows = confirmed(
        [
            {"anna": "yes", "ben": "yes", "carla": "no"},  # carla differs; for anna and ben 1 of 2
            {"anna": "yes", "ben": "yes", "carla": "yes", "dora": "no"},  # dora; others 2 of 3
            {"anna": "yes", "ben": "no", "carla": "unsure"},  # no majority differs from any of them
            {"anna": "yes", "ben": "no"},  # each is the other's majority
            {"anna": "yes"},
        ]
    )
    # The first place counts: b, b, a. Carla differs; the others' others are split.
    rows += order("r", "anna", "bacd") + order("r", "ben", "bdca") + order("r", "carla", "abcd")
    candidates = candidates_of(["i000", "i001", "i002", "i003", "i004", "r"])
    decided, left_out = individual_decisions(table_of(rows), candidates, None)
    assert left_out.empty
    table = against_majority(decided)
    assert list(table.itertuples(index=False, name=None)) == [
        ("anna", "confirmation", 4, 2, 1, 3),
        ("anna", "ranking", 1, 0, 0, 1),
        ("ben", "confirmation", 4, 2, 1, 3),
        ("ben", "ranking", 1, 0, 0, 1),
        ("carla", "confirmation", 3, 2, 1, 2),
        ("carla", "ranking", 1, 1, 1, 0),
        ("dora", "confirmation", 1, 1, 1, 0),
    ]
    findings, _ = found(rows)
    numbers = findings["annotators-majority"].numbers
    assert (numbers["annotators"], numbers["decisions"]) == (4, 12 + 3)
    assert (numbers["compared"], numbers["differs"]) == (8, 5)


def test_an_adjudicator_is_detected_and_can_be_left_out() -> None:
    agreed = [{"anna": "yes", "ben": "yes"}, {"anna": "no", "ben": "no"}] * 6
    settled = [{"anna": "yes", "ben": "no", "carla": "yes"}] * 5
    rows = confirmed([*agreed, *settled])
    findings, _ = found(rows)
    assert findings["annotators-majority"].numbers["only_where_others_differ"] == 1
    assert {"1"} <= prose.figures(findings["annotators-majority"])
    prose.check(
        "protocol/an adjudicator is detected",
        findings["annotators-majority"],
    )
    # Equal: 12 of 12 items, and of 5 items 1 pair of 3; without carla 0 of 1.
    assert findings["annotators-confirmation"].numbers["raw"] == round(17 / 27, 3)
    findings, _ = found(rows, adjudicators=["carla"])
    assert findings["annotators-confirmation"].numbers["raw"] == round(12 / 17, 3)
    prose.check(
        "protocol/an adjudicator is left out",
        findings["annotators-majority"],
    )
    assert findings["annotators-adjudicators"].numbers == {"adjudicators": 1, "items": 5}
    findings, unchecked = found(rows, adjudicators=["anna", "ben", "carla"])
    prose.check("protocol/all annotators are adjudicators", *findings.values(), *unchecked.values())
    assert list(findings) == ["annotators-adjudicators"] and list(unchecked) == ["annotators"]
