"""Every expectation of every suite, and every identity, is violated by a planted fault."""

import json
from collections.abc import Callable
from itertools import chain
from typing import Any

import pandas as pd
import pytest

from audits.counts import findings, identities
from audits.counts.findings import WITH_SUITE, counts_report
from audits.counts.identities import read_identities
from audits.counts.suites import Outcome, read_suite, run_suite
from storyaudit.expectations import expectations_path
from storyaudit.findings import Report, ordered

Tables = dict[str, pd.DataFrame]
Edit = Callable[[Tables], None]

SUITES = {table.name: read_suite(expectations_path(), table.name) for table in WITH_SUITE}
SUITE_IDS = {f"{name}-{e['meta']['id']}": e for name, suite in SUITES.items() for e in suite}
IDENTITIES = {
    f"identity-{identity.id}": identity for identity in read_identities(expectations_path())
}
RUN: dict[str, list[Outcome]] = {}


@pytest.fixture(autouse=True)
def _what_was_run_on_an_equal_frame_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def once(frame: pd.DataFrame, expectations: Any, **options: Any) -> list[Outcome]:
        key = repr((frame.dtypes.to_dict(), frame.to_dict("list"), expectations, options))
        if key not in RUN:
            RUN[key] = run_suite(frame, expectations, **options)
        return RUN[key]

    monkeypatch.setattr(findings, "run_suite", once)
    monkeypatch.setattr(identities, "run_suite", once)


def report(tables: Tables) -> Report:
    return ordered(counts_report(tables, study="demo", command="show"))


def fails(of: Report) -> dict[str, int]:
    """How many rows are against each failed expectation."""
    return {f.id: f.numbers.get("against", 1) for f in of.findings if f.severity == "fail"}


def put(table: str, row: int, **values: Any) -> Edit:
    def edit(tables: Tables) -> None:
        records = tables[table].to_dict("records")
        records[row].update(values)
        tables[table] = pd.DataFrame(records)

    return edit


def add(table: str, like: int, **values: Any) -> Edit:
    def edit(tables: Tables) -> None:
        records = tables[table].to_dict("records")
        tables[table] = pd.DataFrame([*records, {**records[like], **values}])

    return edit


def drop(table: str, **where: Any) -> Edit:
    def edit(tables: Tables) -> None:
        frame = tables[table]
        keep = ~(frame[list(where)] == list(where.values())).all(axis=1)
        assert not keep.all()
        tables[table] = frame[keep].reset_index(drop=True)

    return edit


# The last candidate of item i1 is row 3; without its scores, only the candidates are at fault.
UNSCORED = drop("scores", story_id="s14")

# Edits, and what they violate: for each expectation, the number of rows against it.
FAULTS: list[tuple[str, list[Edit], dict[str, int]]] = [
    # benchmark: rows 0, 1, 2 are i1, i2, i3
    (
        "an item twice",
        [add("benchmark", 0)],
        {"benchmark-item-once": 2, "identity-llm-premises": 1},
    ),
    (
        "an item without an id",
        [put("benchmark", 0, item_id=None)],
        {
            "benchmark-item-id-present": 1,
            "benchmark-four-candidates": 1,
            "benchmark-chosen-among-candidates": 1,
        },
    ),
    (
        "nothing chosen",
        [put("benchmark", 0, chosen_id=None)],
        {"benchmark-chosen-id-present": 1, "benchmark-chosen-among-candidates": 1},
    ),
    (
        "an item without a premise",
        [put("benchmark", 0, premise_id=None)],
        {
            "benchmark-premise-id-present": 1,
            "benchmark-same-premise": 1,
            "benchmark-premise-known": 1,
        },
    ),
    *(
        (
            f"origin {origin}",
            [put("benchmark", 0, origin=origin)],
            {
                "benchmark-origin-known": 1,
                "benchmark-same-origin": 1,
                "identity-benchmark-total": 1,
                "identity-ranked-and-confirmed": 1,
                "identity-llm-premises": 1,
            },
        )
        for origin in ("llm", None)
    ),
    *(
        (
            f"protocol {protocol}",
            [put("benchmark", 2, protocol=protocol)],
            {"benchmark-protocol-known": 1},
        )
        for protocol in ("vote", None)
    ),
    *(
        (
            f"dimension {dimension}",
            [put("benchmark", 1, dimension=dimension)],
            {"benchmark-dimension-known": 1, "identity-dimensions-total": 1},
        )
        for dimension in ("Fluency", None)
    ),
    *(
        (
            f"dimension rule {rule}",
            [put("benchmark", 1, dimension_rule=rule)],
            {"benchmark-dimension-rule-known": 1},
        )
        for rule in ("luck", None)
    ),
    ("no tau", [put("benchmark", 1, tau_avg=None)], {"benchmark-tau-present": 1}),
    *(
        (f"tau {tau}", [put("benchmark", 1, tau_avg=tau)], {"benchmark-tau-in-range": 1})
        for tau in (1.01, -1.01, float("inf"))
    ),
    (
        "three candidates",
        [drop("candidates", story_id="s14"), UNSCORED],
        {"benchmark-four-candidates": 1},
    ),
    (
        "five candidates",
        [
            add("candidates", 3, position=5, story_id="s44"),
            add("scores", 0, story_id="s44"),
            add("scores", 12, story_id="s44"),
        ],
        {"benchmark-four-candidates": 1},
    ),
    (
        "another item's story chosen",
        [put("benchmark", 0, chosen_id="s21")],
        {"benchmark-chosen-among-candidates": 1},
    ),
    (
        "a candidate for another premise",
        [put("candidates", 2, premise_id="p2")],
        {"benchmark-same-premise": 1},
    ),
    ("an unknown premise", [drop("premises", premise_id="p2")], {"benchmark-premise-known": 1}),
    ("an item left out", [drop("benchmark", item_id="i1")], {"identity-llm-premises": 1}),
    (
        "a model's item by the human-first rule",
        [put("benchmark", 0, protocol="human_first")],
        {"identity-ranked-and-confirmed": 1},
    ),
    (
        "a removed item that nobody was unsure of",
        [put("annotations", 6, kind="best")],
        {"identity-drawn-less-unsure": 1},
    ),
    # candidates: row 3 is s14 in i1
    (
        "a story twice in an item",
        [put("candidates", 3, story_id="s13"), UNSCORED],
        {"candidates-story-once": 2, "benchmark-four-candidates": 1},
    ),
    (
        "a position twice in an item",
        [put("candidates", 3, position=3)],
        {"candidates-position-once": 2},
    ),
    (
        "a candidate without an item",
        [put("candidates", 3, item_id=None), UNSCORED],
        {"candidates-item-id-present": 1, "benchmark-four-candidates": 1},
    ),
    (
        "a candidate without a story",
        [put("candidates", 3, story_id=None), UNSCORED],
        {
            "candidates-story-id-present": 1,
            "candidates-story-known": 1,
            "benchmark-four-candidates": 1,
        },
    ),
    (
        "a candidate without a position",
        [put("candidates", 3, position=None)],
        {"candidates-position-present": 1},
    ),
    ("an unknown candidate", [drop("stories", story_id="s14")], {"candidates-story-known": 1}),
    # pairs: rows 0, 1 are u1 over u2 and over u3 for t1, row 2 is u4 over u5 for t2
    (
        "a pair's id twice",
        [add("pairs", 0, chosen_id="u2", rejected_id="u3")],
        {"pairs-pair-once": 2},
    ),
    ("a preference twice", [add("pairs", 0, pair_id="4")], {"pairs-preference-once": 2}),
    ("a pair without an id", [put("pairs", 0, pair_id=None)], {"pairs-pair-id-present": 1}),
    (
        "a pair with nothing chosen",
        [put("pairs", 0, chosen_id=None)],
        {"pairs-chosen-id-present": 1, "pairs-chosen-known": 1},
    ),
    (
        "a pair with nothing rejected",
        [put("pairs", 0, rejected_id=None)],
        {"pairs-rejected-id-present": 1, "pairs-rejected-known": 1},
    ),
    (
        "a pair without a premise",
        [put("pairs", 2, premise_id=None)],
        {"pairs-premise-id-present": 1, "pairs-premise-known": 1},
    ),
    (
        "a pair without a method",
        [put("pairs", 0, method=None)],
        {"pairs-method-present": 1, "identity-methods-total": 1},
    ),
    ("chosen and rejected", [put("pairs", 0, rejected_id="u1")], {"pairs-chosen-not-rejected": 1}),
    (
        "a pair and its reverse",
        [add("pairs", 0, pair_id="4", chosen_id="u2", rejected_id="u1")],
        {"pairs-not-reversed": 2},
    ),
    *(
        (f"split {split}", [put("pairs", 2, split=split)], {"pairs-split-known": 1})
        for split in ("test", None)
    ),
    (
        "a premise in two splits",
        [put("pairs", 1, split="validation")],
        {"pairs-split-by-premise": 2, "pairs-story-in-one-split": 2},
    ),
    ("an unknown chosen story", [put("pairs", 2, chosen_id="?")], {"pairs-chosen-known": 1}),
    ("an unknown rejected story", [put("pairs", 2, rejected_id="?")], {"pairs-rejected-known": 1}),
    ("a pair's unknown premise", [put("pairs", 2, premise_id="?")], {"pairs-premise-known": 1}),
    (
        "a story in two splits",
        [put("pairs", 2, split="validation", rejected_id="u1")],
        {"pairs-story-in-one-split": 3},
    ),
    (
        "a candidate of the benchmark in a pair",
        [put("pairs", 2, rejected_id="s11")],
        {"pairs-no-candidate": 1},
    ),
    # stories and premises: any row
    (
        "a story's id twice",
        [add("stories", 0, text="Another.")],
        {"stories-story-once": 2},
    ),
    *(
        (
            f"a story without {column}",
            [add("stories", 0, story_id="extra"), put("stories", -1, **{column: None})],
            {f"stories-{column.replace('_', '-')}-present": 1},
        )
        for column in ("story_id", "text", "author", "source")
    ),
    (
        "a story by nobody knows what",
        [put("stories", 0, author_kind="oracle")],
        {"stories-author-kind-known": 1},
    ),
    (
        "a premise's id twice",
        [add("premises", 0, text="Another.")],
        {"premises-premise-once": 2},
    ),
    *(
        (
            f"a premise without {column}",
            [add("premises", 0, premise_id="extra"), put("premises", -1, **{column: None})],
            {f"premises-{column.replace('_', '-')}-present": 1},
        )
        for column in ("premise_id", "text", "source")
    ),
    # scores: seed 1 is rows 0 to 11, seed 2 rows 12 to 23, four an item
    ("a score twice", [add("scores", 0, reward=9.0)], {"scores-score-once": 2}),
    ("no reward", [put("scores", 0, reward=float("nan"))], {"scores-reward-present": 1}),
    *(
        (f"reward {value}", [put("scores", 0, reward=value)], {"scores-reward-finite": 1})
        for value in (float("inf"), float("-inf"))
    ),
    (
        "a score of another item's story",
        [add("scores", 0, story_id="s24")],
        {"scores-story-is-candidate": 1},
    ),
    (
        "a score missing in one run",
        [drop("scores", story_id="s14", seed=2)],
        {"scores-every-candidate-scored": 3},
    ),
    (
        "a score of another story in place of a candidate's",
        [put("scores", 3, story_id="s24")],
        {"scores-story-is-candidate": 1, "scores-every-candidate-scored": 4},
    ),
    (
        "a score under another item",
        [put("scores", 3, item_id="i2")],
        {"scores-story-is-candidate": 1, "scores-every-candidate-scored": 3},
    ),
]


def test_the_sound_tables_pass_everything(sound: Tables) -> None:
    whole = report(sound)
    assert {f.id for f in whole.findings} == set(SUITE_IDS) | set(IDENTITIES)
    assert {f.severity for f in whole.findings} == {"pass"}
    assert whole.unchecked == []


@pytest.mark.parametrize(
    ("edits", "expected"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS]
)
def test_a_planted_fault_is_found_and_nothing_else(
    sound: Tables, edits: list[Edit], expected: dict[str, int]
) -> None:
    for edit in edits:
        edit(sound)
    found = report(sound)
    assert fails(found) == expected
    assert {f.id for f in found.findings} == set(SUITE_IDS) | set(IDENTITIES)
    assert found.unchecked == []


def test_every_expectation_and_identity_has_its_fault() -> None:
    planted = set(chain.from_iterable(expected for _, _, expected in FAULTS))
    assert planted == set(SUITE_IDS) | set(IDENTITIES)


@pytest.mark.parametrize("table", SUITES)
def test_ids_are_unique_and_every_expectation_states_what_it_checks(table: str) -> None:
    metas = [expectation["meta"] for expectation in SUITES[table]]
    ids = [meta["id"] for meta in metas]
    assert len(set(ids)) == len(ids)
    assert all(meta["statement"].endswith(".") for meta in metas)


def test_the_rows_at_fault_are_named(sound: Tables) -> None:
    put("benchmark", 1, tau_avg=1.5)(sound)
    put("benchmark", 2, dimension_rule=None)(sound)
    found = {f.id: f for f in report(sound).findings}
    assert found["benchmark-tau-in-range"].evidence == [{"item_id": "i2", "tau_avg": 1.5}]
    assert found["benchmark-dimension-rule-known"].evidence == [
        {"item_id": "i3", "dimension_rule": None}
    ]
    assert found["benchmark-tau-in-range"].statement == (
        "Violated: tau_avg lies between -1 and 1; 1 of 3 rows of 'benchmark' do not."
    )


def test_all_rows_are_counted_though_few_are_shown(sound: Tables) -> None:
    sound["scores"] = pd.concat([sound["scores"]] * 3, ignore_index=True)
    found = {f.id: f for f in report(sound).findings}["scores-score-once"]
    assert found.numbers == {"rows": 72, "against": 72}
    assert len(found.evidence) == 20


@pytest.mark.parametrize("absent", ["candidates", "premises", "stories", "annotations", "scores"])
def test_what_hangs_on_an_absent_table_is_unchecked(sound: Tables, absent: str) -> None:
    del sound[absent]
    found = report(sound)
    own = {name for name in SUITE_IDS if name.startswith(f"{absent}-")}
    needing = {n for n, e in SUITE_IDS.items() if absent in e["meta"].get("needs", [])} - own
    uncounted = {
        "candidates": {"identity-drawn-less-unsure", "identity-llm-premises"},
        "annotations": {"identity-drawn-less-unsure"},
    }.get(absent, set())
    suite = {f"{absent}-suite"} if own else set()
    assert {left.id for left in found.unchecked} == needing | uncounted | suite
    assert {f.id for f in found.findings} == {*SUITE_IDS, *IDENTITIES} - own - needing - uncounted
    assert fails(found) == {}
    assert all(absent in left.reason or "not counted" in left.reason for left in found.unchecked)


def test_a_study_of_pairs_alone_is_checked_as_far_as_it_goes(sound: Tables) -> None:
    found = report({"pairs": sound["pairs"]})
    assert {f.id for f in found.findings} == {
        *(f"pairs-{e['meta']['id']}" for e in SUITES["pairs"] if "needs" not in e["meta"]),
        "identity-methods-total",
    }
    assert {f.severity for f in found.findings} == {"pass"}
    assert {"benchmark-suite", "candidates-suite", "scores-suite"} <= {
        left.id for left in found.unchecked
    }


def test_findings_do_not_hang_on_the_order_of_rows(sound: Tables) -> None:
    put("scores", 3, item_id="i2")(sound)
    add("pairs", 0, pair_id="4", chosen_id="u2", rejected_id="u1")(sound)
    shuffled = {name: t.sample(frac=1, random_state=3) for name, t in sound.items()}

    def content(tables: Tables) -> list[str]:
        found = []
        for finding in report(tables).model_dump()["findings"]:
            finding["evidence"].sort(key=json.dumps)
            found.append(json.dumps(finding, sort_keys=True))
        return found

    assert content(shuffled) == content(sound)
