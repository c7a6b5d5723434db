"""Every expectation of every suite, and every identity, is violated by an injected fault."""

import json
from collections.abc import Callable
from itertools import chain
from typing import Any

import pandas as pd
import prose
import pytest

from audits.counts import counts_report as findings
from audits.counts import identities
from audits.counts.counts_report import WITH_SUITE, counts_report
from audits.counts.derive import with_references
from audits.counts.identities import read_identities
from audits.counts.suites import Outcome, read_suite, run_suite
from storyaudit.findings import Report, ordered
from storyaudit.io.expectations import expectations_path

Tables = dict[str, pd.DataFrame]
Edit = Callable[[Tables], None]

SUITES = {table.name: read_suite(expectations_path(), table.name) for table in WITH_SUITE}
SUITE_IDS = {f"{name}-{e['meta']['id']}": e for name, suite in SUITES.items() for e in suite}
IDENTITIES = {
    f"identity-{identity.id}": identity for identity in read_identities(expectations_path())
}
DERIVED: dict[tuple[str, ...], pd.DataFrame] = {}
PASSED: dict[tuple[str, ...], Outcome] = {}


def content(frame: pd.DataFrame) -> dict[str, str]:
    return {name: f"{values.dtype} {values.tolist()}" for name, values in frame.items()}


def view(columns: dict[str, str], expectation: dict[str, Any], name: str) -> tuple[str, ...]:
    """What an expectation sees: of equal views the verdicts are equal."""
    kwargs = expectation["kwargs"]
    used = [kwargs[c] for c in ("column", "column_A", "column_B") if c in kwargs]
    used += kwargs.get("column_list", [])
    return (name, repr(expectation), *(columns[column] for column in used))


@pytest.fixture(autouse=True)
def _what_was_seen_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def derived(name: str, tables: Tables) -> pd.DataFrame:
        read = {need for e in SUITES[name] for need in e["meta"].get("needs", [])}
        seen = [str(content(tables[table])) for table in (name, *sorted(read & set(tables)))]
        key = (name, *sorted(tables), *seen)
        if key not in DERIVED:
            DERIVED[key] = with_references(name, tables)
        return DERIVED[key]

    def run(
        frame: pd.DataFrame, expectations: list[dict[str, Any]], *, name: str, key: list[str]
    ) -> list[Outcome]:
        columns = content(frame)
        seen = [view(columns, expectation, name) for expectation in expectations]
        new = [n for n, what in enumerate(seen) if what not in PASSED]
        found: dict[int, Outcome] = {}
        if new:
            outcomes = run_suite(frame, [expectations[n] for n in new], name=name, key=key)
            found = dict(zip(new, outcomes, strict=True))
            PASSED.update({seen[n]: outcome for n, outcome in found.items() if outcome.success})
        return [found[n] if n in found else PASSED[what] for n, what in enumerate(seen)]

    monkeypatch.setattr(findings, "with_references", derived)
    monkeypatch.setattr(findings, "run_suite", run)
    monkeypatch.setattr(identities, "run_suite", run)


def report(tables: Tables) -> Report:
    return ordered(counts_report(tables, study="demo"))


def violated(of: Report) -> dict[str, int]:
    """How many rows are against each expectation that does not hold."""
    return {f.id: f.numbers.get("against", 1) for f in of.findings if f.severity != "pass"}


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


def change(table: str, where: dict[str, Any], **values: Any) -> Edit:
    def edit(tables: Tables) -> None:
        rows = (tables[table][list(where)] == list(where.values())).all(axis=1)
        assert rows.any()
        records = tables[table].to_dict("records")
        tables[table] = pd.DataFrame(
            [row | values if hit else row for row, hit in zip(records, rows, strict=True)]
        )

    return edit


def again(tables: Tables) -> None:
    """Item i2 once more, under another ID, in every table."""
    for name, frame in tables.items():
        if "item_id" in frame:
            copy = frame[frame["item_id"] == "i2"].assign(item_id="i2-again")
            tables[name] = pd.concat([frame, copy], ignore_index=True)


# The last candidate of item i1 is row 3; when nothing else speaks of it, only candidates err.
FORGOTTEN = [drop(table, story_id="s14") for table in ("scores", "judgements", "annotations")]
# One of the 192 judgements, and what else is wrong when a part of its key is: its judge is then
# short of a dimension on the story, which five rows are left to show.
I2 = {"item_id": "i2"}
ONE = {"item_id": "i1", "story_id": "s14", "judge": "j1", "dimension": "overall"}
SHORT = {"judgements-every-dimension": 5}
MADE = "pair_stories-"

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
            "results-item-known": 2,
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
    (
        "an unknown origin and none",
        [put("benchmark", 0, origin="llm"), put("benchmark", 1, origin=None)],
        {
            "benchmark-origin-known": 2,
            "benchmark-same-origin": 2,
            "results-origin-as-gold": 4,
            "identity-benchmark-total": 1,
            "identity-ranked-and-confirmed": 1,
            "identity-llm-premises": 1,
        },
    ),
    *(
        (
            f"protocol {protocol}",
            [put("benchmark", 2, annotation_route=protocol)],
            {"benchmark-annotation-route-known": 1},
        )
        for protocol in ("vote", None)
    ),
    (
        "an unknown dimension and none",
        [put("benchmark", 1, dimension="Fluency"), put("benchmark", 2, dimension=None)],
        {
            "benchmark-dimension-known": 2,
            "results-dimension-as-gold": 4,
            "identity-dimensions-total": 1,
        },
    ),
    (
        "an unknown dimension rule and none",
        [put("benchmark", 1, dimension_rule="luck"), put("benchmark", 2, dimension_rule=None)],
        {"benchmark-dimension-rule-known": 2},
    ),
    ("no tau", [put("benchmark", 1, tau_avg=None)], {"benchmark-tau-present": 1}),
    *(
        (f"tau {tau}", [put("benchmark", 1, tau_avg=tau)], {"benchmark-tau-in-range": 1})
        for tau in (1.01, -1.01, float("inf"))
    ),
    (
        "three candidates",
        [drop("candidates", story_id="s14"), *FORGOTTEN],
        {"benchmark-four-candidates": 1},
    ),
    (
        "five candidates",
        [
            add("candidates", 3, position=5, story_id="s44"),
            add("scores", 0, story_id="s44"),
            add("scores", 12, story_id="s44"),
        ],
        {
            "benchmark-four-candidates": 1,
            "candidates-model-story-judged": 1,
            "annotations-ranking-complete": 4,
        },
    ),
    (
        "another item's story chosen",
        [put("benchmark", 0, chosen_id="s21")],
        {"benchmark-chosen-among-candidates": 1, "benchmark-dimension-from-scores": 1},
    ),
    (
        "a candidate for another premise",
        [put("candidates", 2, premise_id="p2")],
        {"benchmark-same-premise": 1},
    ),
    ("an unknown premise", [drop("premises", premise_id="p2")], {"benchmark-premise-known": 1}),
    (
        "an item left out",
        [drop("benchmark", item_id="i1")],
        {"identity-llm-premises": 1, "results-item-known": 2},
    ),
    (
        "a model's item by the human-first rule",
        [put("benchmark", 0, annotation_route="human_first")],
        {"benchmark-annotation-route-fits-origin": 1, "identity-ranked-and-confirmed": 1},
    ),
    (
        "a human story confirmed",
        [put("benchmark", 2, annotation_route="confirmation")],
        {"benchmark-annotation-route-fits-origin": 1, "identity-ranked-and-confirmed": 1},
    ),
    (
        "a rule without a dimension",
        [put("benchmark", 1, dimension="unscored"), change("results", I2, dimension="unscored")],
        {"benchmark-unscored-together": 1},
    ),
    (
        "a dimension without a rule",
        [put("benchmark", 1, dimension_rule="unscored")],
        {"benchmark-unscored-together": 1},
    ),
    (
        "a dimension without scores",
        [drop("judgements", story_id="s31")],
        {"benchmark-dimension-from-scores": 1},
    ),
    (
        "a chosen story that is rejected too",
        [put("candidates", 3, story_id="s11"), *FORGOTTEN],
        {
            "benchmark-chosen-not-rejected": 1,
            "benchmark-four-candidates": 1,
            "candidates-story-once": 2,
        },
    ),
    (
        "a removed item that nobody was unsure of",
        [put("annotations", 6, kind="best")],
        {"identity-drawn-less-unsure": 1},
    ),
    # candidates: row 3 is s14 in i1
    (
        "a story twice in an item",
        [put("candidates", 3, story_id="s13"), *FORGOTTEN],
        {"candidates-story-once": 2, "benchmark-four-candidates": 1},
    ),
    (
        "a position twice in an item",
        [put("candidates", 3, position=3)],
        {"candidates-position-once": 2, "judgements-position-as-listed": 12},
    ),
    (
        "a candidate without an item",
        [put("candidates", 3, item_id=None), *FORGOTTEN],
        {"candidates-item-id-present": 1, "benchmark-four-candidates": 1},
    ),
    (
        "a candidate without a story",
        [put("candidates", 3, story_id=None), *FORGOTTEN],
        {
            "candidates-story-id-present": 1,
            "candidates-story-known": 1,
            "benchmark-four-candidates": 1,
        },
    ),
    (
        "one text under two ids in an item",
        [put("stories", 3, text="1  3")],  # s14 says what s13 says: "1 3"
        {"candidates-text-once": 2},
    ),
    (
        "a story of white space alone",
        [put("stories", 3, text=" \n")],
        {"stories-text-not-blank": 1},
    ),
    (
        "a candidate without a position",
        [put("candidates", 3, position=None)],
        {"candidates-position-present": 1},
    ),
    (
        "an unknown candidate",
        [drop("stories", story_id="s14")],
        {"candidates-story-known": 1, "judgements-story-known": 12},
    ),
    (
        "candidates of an unknown origin and of none",
        [put("candidates", 3, origin="llm"), put("candidates", 5, origin=None)],
        {"candidates-origin-known": 2, "benchmark-same-origin": 2},
    ),
    *(
        (
            f"positions 1, 2, 3, {place}" if place else "positions from 0",
            [
                put("candidates", 3 if place else 0, position=place),
                change("judgements", {"story_id": "s14" if place else "s11"}, position=place),
            ],
            {"candidates-positions-in-sequence": 4},
        )
        for place in (0, 5)
    ),
    ("an item under two IDs", [again], {"candidates-item-once": 8}),
    (
        "a human story among models'",
        [change("stories", {"story_id": "s12"}, author_kind="human")],
        {"candidates-humans-fit-origin": 4},
    ),
    (
        "a Human–LLM item by models alone",
        [change("stories", {"story_id": "s31"}, author_kind="llm")],
        {"candidates-humans-fit-origin": 4},
    ),
    (
        "two human stories",
        [change("stories", {"story_id": "s32"}, author_kind="human")],
        {"candidates-humans-fit-origin": 4},
    ),
    (
        "a model's story that nobody judged",
        [drop("judgements", story_id="s14")],
        {"candidates-model-story-judged": 1},
    ),
    # judgements: 6 rows a judge and story, 12 a story
    ("a score twice by a judge", [add("judgements", 0)], {"judgements-score-once": 2}),
    *(
        (
            f"a judgement without {column}",
            [change("judgements", ONE, **{column: None})],
            {f"judgements-{column.replace('_', '-')}-present": 1, **SHORT, **also},
        )
        for column, also in (
            ("item_id", {"judgements-story-is-candidate": 1}),
            ("story_id", {"judgements-story-is-candidate": 1, "judgements-story-known": 1}),
            ("judge", {}),
            ("prompt_variant", {}),
        )
    ),
    ("a missing score", [change("judgements", ONE, score=None)], {"judgements-score-present": 1}),
    *(
        (
            f"a score for {dimension}",
            [change("judgements", ONE, dimension=dimension)],
            {"judgements-dimension-known": 1, "judgements-every-dimension": 6},
        )
        for dimension in ("Overall", None)
    ),
    *(
        (f"score {score}", [change("judgements", ONE, score=score)], {"judgements-on-scale": 1})
        for score in (0.0, 10.5)
    ),
    (
        "an infinite score",
        [change("judgements", ONE, score=float("inf"))],
        {"judgements-on-scale": 1, "judgements-score-finite": 1},
    ),
    ("a judge short of a dimension", [drop("judgements", **ONE)], SHORT),
    (
        "a story that one judge left out",
        [drop("judgements", story_id="s12", judge="j2")],
        {"judgements-every-judge": 6},
    ),
    (
        "scores of another item's story",
        [change("judgements", {"story_id": "s14"}, story_id="s24")],
        {"judgements-story-is-candidate": 12, "candidates-model-story-judged": 1},
    ),
    (
        "a story seen at another's place",
        [change("judgements", {"story_id": "s14", "judge": "j1"}, position=1)],
        {"judgements-position-as-listed": 6},
    ),
    # annotations: rows 0 to 3 rank i1, rows 4, 5, 6 decide i2, i3, i4
    (
        "a confirmation twice",
        [add("annotations", 4)],
        {"annotations-decision-once": 2, "annotations-one-decision": 2},
    ),
    (
        "a rank twice",
        [add("annotations", 3)],
        {"annotations-decision-once": 2, "annotations-ranked-in-sequence": 5},
    ),
    *(
        (
            f"a decision without {column}",
            [put("annotations", 4, **{column: None})],
            {f"annotations-{column.replace('_', '-')}-present": 1, **also},
        )
        for column, also in (
            ("item_id", {"annotations-story-is-candidate": 1}),
            ("story_id", {"annotations-story-is-candidate": 1}),
            ("annotator", {}),
            ("value", {}),
        )
    ),
    (
        "decisions of an unknown kind and of none",
        [put("annotations", 4, kind="vote"), put("annotations", 5, kind=None)],
        {"annotations-kind-known": 2},
    ),
    *(
        (
            f"value {value} of row {row}",
            [put("annotations", row, value=value)],
            {"annotations-value-fits-kind": 1},
        )
        for row, value in ((4, 0.5), (4, 2.0), (5, 0.0), (6, 2.0))
    ),
    *(
        (
            f"ranks 1, 2, 3, {rank}",
            [put("annotations", 3, value=rank)],
            {"annotations-ranked-in-sequence": 4, **also},
        )
        for rank, also in (
            (3.0, {}),
            (5.0, {}),
            (0.0, {}),
            (None, {"annotations-value-present": 1}),
        )
    ),
    (
        "best and unsure",
        [add("annotations", 5, kind="unsure")],
        {"annotations-one-decision": 2, "identity-drawn-less-unsure": 1},
    ),
    (
        "a ranking beside a confirmation",
        [add("annotations", 4, kind="ranking")],
        {"annotations-one-decision": 2, "annotations-ranking-complete": 1},
    ),
    (
        "two stories confirmed",
        [add("annotations", 4, story_id="s22")],
        {"annotations-one-decision": 2},
    ),
    (
        "a rejection without a ranking",
        [put("annotations", 4, value=0.0)],
        {"annotations-rejection-ranked": 1},
    ),
    (
        "another item's story confirmed",
        [put("annotations", 4, story_id="s14")],
        {"annotations-story-is-candidate": 1},
    ),
    (
        "a ranking of three",
        [drop("annotations", story_id="s14")],
        {"annotations-ranking-complete": 3},
    ),
    (
        "a ranking with another item's story",
        [put("annotations", 3, story_id="s24")],
        {"annotations-story-is-candidate": 1, "annotations-ranking-complete": 3},
    ),
    # pair_stories: v1 and v2 stand in the pair of t3
    (
        "a story made for pairs twice",
        [add("pair_stories", 1, text="told worse")],
        {"pair_stories-story-once": 2},
    ),
    (
        "a made story without a text",
        [put("pair_stories", 1, text=None)],
        {MADE + "text-present": 1},
    ),
    (
        "a made story of white space",
        [put("pair_stories", 1, text=" ")],
        {MADE + "text-not-blank": 1},
    ),
    ("a made story by nobody", [put("pair_stories", 1, author=None)], {MADE + "author-present": 1}),
    *(
        (
            f"a made story by {kind}",
            [put("pair_stories", 1, author_kind=kind)],
            {MADE + "author-kind-known": 1},
        )
        for kind in ("robot", None)
    ),
    (
        "a made story with the ID of another",
        [add("stories", 0, story_id="v1")],
        {MADE + "not-in-corpora": 1},
    ),
    (
        "a made story in no pair",
        [add("pair_stories", 1, story_id="v3")],
        {MADE + "in-a-pair": 1},
    ),
    (
        "a premise made for pairs twice",
        [add("pair_premises", 0)],
        {"pair_premises-premise-once": 2},
    ),
    (
        "a made premise without a text",
        [put("pair_premises", 0, text=None)],
        {"pair_premises-text-present": 1},
    ),
    (
        "a made premise with the ID of another",
        [add("premises", 0, premise_id="t3")],
        {"pair_premises-not-in-corpora": 1},
    ),
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
    (
        "stories that lack one thing each",
        [
            add("stories", 0, **({"story_id": f"without-{column}"} | {column: None}))
            for column in ("story_id", "text", "author", "source")
        ],
        {f"stories-{column}-present": 1 for column in ("story-id", "text", "author", "source")},
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
    (
        "premises that lack one thing each",
        [
            add("premises", 0, **({"premise_id": f"without-{column}"} | {column: None}))
            for column in ("premise_id", "text", "source")
        ],
        {f"premises-{column}-present": 1 for column in ("premise-id", "text", "source")},
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
    # results: rows 0, 1, 2 are i1 (right), i2 (tied) and i3 (wrong) with seed 1
    ("a result twice", [add("results", 0)], {"results-result-once": 2}),
    *(
        (
            f"a result without {column}",
            [put("results", 0, **{column: None})],
            {"results-run-named": 1, "results-run-complete": 2},
        )
        for column in ("variant", "model", "seed")
    ),
    (
        "a result without an item",
        [put("results", 0, item_id=None)],
        {"results-item-id-present": 1, "results-item-known": 1, "results-run-complete": 3},
    ),
    (
        "a result on an unknown item",
        [put("results", 0, item_id="?")],
        {"results-item-known": 1, "results-run-complete": 3},
    ),
    (
        "an item that a run left out",
        [drop("results", item_id="i1", seed=2)],
        {"results-run-complete": 2},
    ),
    ("no credit", [put("results", 0, credit=None)], {"results-credit-present": 1}),
    ("neither right nor wrong", [put("results", 0, correct=None)], {"results-correct-known": 1}),
    *(
        (f"{ties} ties", [put("results", 2, ties=ties)], {"results-ties-known": 1})
        for ties in (4, -1, 1.5, None)
    ),
    *(
        (
            f"credit {credit} of row {row}",
            [put("results", row, credit=credit)],
            {"results-credit-fits-ties": 1},
        )
        for row, credit in ((1, 1.0), (1, 0.33), (2, 0.5), (2, -1.0))
    ),
    *(
        (
            f"row {row} correct: {correct}",
            [put("results", row, correct=correct)],
            {"results-correct-fits-credit": 1},
        )
        for row, correct in ((0, False), (1, True), (2, True))
    ),
    (
        "another dimension in a result",
        [put("results", 0, dimension="fluency")],
        {"results-dimension-as-gold": 1},
    ),
    (
        "another origin in a result",
        [put("results", 0, origin="human_llm")],
        {"results-origin-as-gold": 1},
    ),
    # overlaps: row 0 is s11 in u1, row 1 premise p1 in t1, row 2 premise p1 in story u3, row 3 s11
    # and s21, row 4 u1 and v1
    ("an overlap twice", [add("overlaps", 0)], {"overlaps-pair-once": 2}),
    *(
        (
            f"an overlap without {column}",
            [put("overlaps", 0, **{column: None})],
            {f"overlaps-{column.replace('_', '-')}-present": 1, **also},
        )
        for column, also in (
            ("left_id", {"overlaps-left-in-benchmark": 1}),
            ("right_id", {"overlaps-right-in-training": 1}),
            ("containment", {}),
            ("jaccard", {}),
        )
    ),
    (
        "an unknown comparison and none",
        [put("overlaps", 0, comparison="test_benchmark"), put("overlaps", 1, comparison=None)],
        {"overlaps-comparison-known": 2},
    ),
    (
        "an unknown level and none",
        [put("overlaps", 0, level="Story"), put("overlaps", 1, level=None)],
        {"overlaps-level-known": 2},
    ),
    (
        "an unknown relation",
        [put("overlaps", 4, relation="siblings")],
        {"overlaps-relation-known": 1},
    ),
    *(
        (f"verified {verified}", [put("overlaps", 0, verified=verified)], {"overlaps-verified": 1})
        for verified in (False, None)
    ),
    (
        "containment 1.1",
        [put("overlaps", 0, containment=1.1)],
        {"overlaps-containment-in-range": 1},
    ),
    ("jaccard -0.1", [put("overlaps", 0, jaccard=-0.1)], {"overlaps-jaccard-in-range": 1}),
    (
        "more Jaccard than containment",
        [put("overlaps", 0, jaccard=0.6)],
        {"overlaps-jaccard-within-containment": 1},
    ),
    *(
        (
            f"a left {name} that is not the benchmark's",
            [put("overlaps", row, left_id=other)],
            {"overlaps-left-in-benchmark": 1},
        )
        for name, row, other in (
            ("story", 0, "u1"),
            ("premise", 1, "t1"),
            ("premise of a story", 2, "s11"),
            ("story of two", 3, "a1"),
        )
    ),
    (
        "a right story of two that is not the benchmark's",
        [put("overlaps", 3, right_id="u1")],
        {"overlaps-right-in-benchmark": 1},
    ),
    *(
        (
            f"a right {name} that is not trained on",
            [put("overlaps", row, right_id=other)],
            {"overlaps-right-in-training": 1},
        )
        for name, row, other in (
            ("story", 0, "s11"),
            ("premise", 1, "p1"),
            ("story with a premise", 2, "t1"),
            ("story of two", 4, "u5"),
        )
    ),
    *(
        (
            f"a left story {what}",
            [put("overlaps", 4, comparison=sides, left_id=left, right_id=right)],
            {"overlaps-left-in-pairs": 1},
        )
        for what, sides, left, right in (
            ("in no pair", "train_train", "s11", "v1"),
            ("that is held out", "train_train", "u4", "v1"),
            ("that is not held out", "train_validation", "u1", "v1"),
        )
    ),
    *(
        (
            f"{what} of one side",
            [put("overlaps", row, left_id=left, right_id=right)],
            {"overlaps-left-before-right": 1},
        )
        for what, row, left, right in (
            ("a story with itself", 3, "s11", "s11"),
            ("a higher ID on the left", 4, "v1", "u1"),
        )
    ),
]


def test_valid_tables_pass_everything(valid: Tables) -> None:
    whole = report(valid)
    assert {f.id for f in whole.findings} == set(SUITE_IDS) | set(IDENTITIES)
    assert {f.severity for f in whole.findings} == {"pass"}
    assert whole.unchecked == ()


@pytest.mark.parametrize(
    ("edits", "expected"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS]
)
def test_an_injected_fault_is_found_and_nothing_else(
    valid: Tables, edits: list[Edit], expected: dict[str, int]
) -> None:
    for edit in edits:
        edit(valid)
    found = report(valid)
    assert violated(found) == expected
    assert {f.id for f in found.findings} == set(SUITE_IDS) | set(IDENTITIES)
    assert found.unchecked == ()


def test_every_expectation_and_identity_has_its_fault() -> None:
    injected = set(chain.from_iterable(expected for _, _, expected in FAULTS))
    assert injected == set(SUITE_IDS) | set(IDENTITIES)


@pytest.mark.parametrize("table", SUITES)
def test_ids_are_unique_and_every_expectation_states_what_it_checks(table: str) -> None:
    metas = [expectation["meta"] for expectation in SUITES[table]]
    ids = [meta["id"] for meta in metas]
    assert len(set(ids)) == len(ids)
    assert all(meta["statement"].endswith(".") for meta in metas)


def test_the_rows_at_fault_are_named(valid: Tables) -> None:
    put("benchmark", 1, tau_avg=1.5)(valid)
    put("benchmark", 2, dimension_rule=None)(valid)
    found = {f.id: f for f in report(valid).findings}
    assert found["benchmark-tau-in-range"].evidence == [{"item_id": "i2", "tau_avg": 1.5}]
    assert found["benchmark-dimension-rule-known"].evidence == [
        {"item_id": "i3", "dimension_rule": None}
    ]
    assert {"-1", "1", "3"} <= prose.figures(found["benchmark-tau-in-range"])
    prose.check("counts/the rows at fault are named", found["benchmark-tau-in-range"])


def test_all_rows_are_counted_though_few_are_shown(valid: Tables) -> None:
    valid["scores"] = pd.concat([valid["scores"]] * 3, ignore_index=True)
    found = {f.id: f for f in report(valid).findings}["scores-score-once"]
    assert found.numbers == {"rows": 72, "against": 72}
    assert len(found.evidence) == 20


@pytest.mark.parametrize("absent", [table.name for table in WITH_SUITE])
def test_what_depends_on_an_absent_table_is_unchecked(valid: Tables, absent: str) -> None:
    del valid[absent]
    found = report(valid)
    own = {name for name in SUITE_IDS if name.startswith(f"{absent}-")}
    needing = {n for n, e in SUITE_IDS.items() if absent in e["meta"].get("needs", [])} - own
    uncounted = {
        "benchmark": set(IDENTITIES) - {"identity-methods-total"},
        "candidates": {"identity-drawn-less-unsure", "identity-llm-premises"},
        "annotations": {"identity-drawn-less-unsure"},
        "pairs": {"identity-methods-total"},
    }.get(absent, set())
    assert {left.id for left in found.unchecked} == {*needing, *uncounted, f"{absent}-suite"}
    assert {f.id for f in found.findings} == {*SUITE_IDS, *IDENTITIES} - own - needing - uncounted
    # A pair of stories or of a premise made for it refers to nothing without their table.
    sides = {"pair_stories": ("chosen", "rejected"), "pair_premises": ("premise",)}
    assert violated(found) == {f"pairs-{side}-known": 1 for side in sides.get(absent, ())}
    prose.check(f"counts/an absent table: {absent}", *found.unchecked)


def test_a_table_without_rows_is_unchecked(valid: Tables) -> None:
    valid["overlaps"] = valid["overlaps"].head(0)
    found = report(valid)
    assert [left.id for left in found.unchecked] == ["overlaps-suite"]
    prose.check("counts/a table without rows", *found.unchecked)
    assert violated(found) == {}


def test_overlaps_may_leave_out_what_is_compared(valid: Tables) -> None:
    plain = valid["overlaps"].head(3).drop(columns=["comparison", "relation"])
    valid["overlaps"] = plain
    assert violated(report(valid)) == {}
    valid["overlaps"] = plain.assign(left_id="u1")
    assert violated(report(valid)) == {"overlaps-left-in-benchmark": 3}


def test_overlaps_of_validation_are_with_training(valid: Tables) -> None:
    rows = [("story", "u4", "u1"), ("premise", "t2", "t1"), ("story", "u1", "u4")]
    table = pd.DataFrame(rows, columns=["level", "left_id", "right_id"])
    table = table.assign(comparison="train_validation", containment=0.2, jaccard=0.1)
    found = with_references("overlaps", {**valid, "overlaps": table})
    assert found["left_in_pairs"].tolist() == [True, True, False]
    assert found["right_in_training"].tolist() == [True, True, False]
    assert found[["left_in_benchmark", "right_in_benchmark", "left_before_right"]].all(axis=None)


def test_scores_on_another_scale_are_not_held_against_it(valid: Tables) -> None:
    valid["judgements"]["score"] *= 10
    found = report(valid)
    (left,) = found.unchecked
    assert left.id == "judgements-on-scale"
    prose.check("counts/scores on another scale are not held against it", left)
    assert violated(found) == {}
    # Nine of ten scores from 1 to 10 make it the scale: 173 of 192 do, 172 do not.
    for scores, against in ((173, {"judgements-on-scale": 19}), (172, {})):
        valid["judgements"]["score"] = [5.0] * scores + [50.0] * (192 - scores)
        assert violated(report(valid)) == against


def test_positions_may_be_counted_from_0(valid: Tables) -> None:
    valid["candidates"]["position"] -= 1
    valid["judgements"]["position"] -= 1
    assert violated(report(valid)) == {}


def test_judges_who_see_one_story_at_a_time_need_no_position(valid: Tables) -> None:
    valid["judgements"]["position"] = 0
    assert violated(report(valid)) == {}


def test_another_position_is_a_choice_to_be_stated_and_no_contradiction(valid: Tables) -> None:
    change("judgements", {"story_id": "s14", "judge": "j1"}, position=1)(valid)
    severities = {f.id: f.severity for f in report(valid).findings if f.severity != "pass"}
    assert severities == {"judgements-position-as-listed": "warn"}


def test_authors_who_are_not_known_may_be_human_or_not(valid: Tables) -> None:
    for story, kind in (("s31", "unknown"), ("s41", "llm"), ("s42", "unknown"), ("s11", "unknown")):
        change("stories", {"story_id": story}, author_kind=kind)(valid)
    assert violated(report(valid)) == {}
    change("stories", {"story_id": "s32"}, author_kind="human")(valid)
    change("stories", {"story_id": "s33"}, author_kind="human")(valid)
    assert violated(report(valid)) == {"candidates-humans-fit-origin": 4}  # two in i3, for certain


def test_a_second_prompt_may_be_tried_on_some_items_by_some_judges(valid: Tables) -> None:
    judgements = valid["judgements"]
    some = judgements[(judgements["item_id"] == "i1") & (judgements["judge"] == "j2")]
    valid["judgements"] = pd.concat([judgements, some.assign(prompt_variant="2")])
    assert violated(report(valid)) == {}


def test_people_may_differ_and_a_rejection_may_bring_a_ranking(valid: Tables) -> None:
    put("annotations", 4, value=0.0)(valid)
    ranked = [("i2", "a", "ranking", f"s2{n}", float(n)) for n in (1, 2, 3, 4)]
    another = [("i2", "b", "confirmation", "s21", 1.0), ("i3", "b", "unsure", "s31", 1.0)]
    more = pd.DataFrame([*ranked, *another], columns=valid["annotations"].columns)
    valid["annotations"] = pd.concat([valid["annotations"], more], ignore_index=True)
    # i3 stays although b is unsure of it, which the count of unsure items takes for a removal.
    assert violated(report(valid)) == {"identity-drawn-less-unsure": 1}


def test_items_whose_chosen_story_has_no_score_are_counted_apart(valid: Tables) -> None:
    drop("judgements", story_id="s31")(valid)
    put("benchmark", 2, dimension="unscored", dimension_rule="unscored")(valid)
    change("results", {"item_id": "i3"}, dimension="unscored")(valid)
    found = report(valid)
    assert violated(found) == {}
    total = {f.id: f for f in found.findings}["identity-dimensions-total"]
    assert {"1", "0", "3"} <= prose.figures(total)
    prose.check("counts/items whose chosen story has no score are counted apart", total)


def test_a_credit_may_be_printed_with_two_decimals(valid: Tables) -> None:
    put("results", 1, ties=2, credit=0.33)(valid)
    assert violated(report(valid)) == {}


def test_a_study_of_pairs_alone_is_checked_as_far_as_it_goes(valid: Tables) -> None:
    found = report({"pairs": valid["pairs"]})
    assert {f.id for f in found.findings} == {
        *(f"pairs-{e['meta']['id']}" for e in SUITES["pairs"] if "needs" not in e["meta"]),
        "identity-methods-total",
    }
    assert {f.severity for f in found.findings} == {"pass"}
    assert {"benchmark-suite", "candidates-suite", "scores-suite"} <= {
        left.id for left in found.unchecked
    }


def test_findings_do_not_depend_on_the_order_of_rows(valid: Tables) -> None:
    put("scores", 3, item_id="i2")(valid)
    add("pairs", 0, pair_id="4", chosen_id="u2", rejected_id="u1")(valid)
    shuffled = {name: t.sample(frac=1, random_state=3) for name, t in valid.items()}

    def content(tables: Tables) -> list[str]:
        found = []
        for finding in report(tables).model_dump()["findings"]:
            finding["evidence"].sort(key=json.dumps)
            found.append(json.dumps(finding, sort_keys=True))
        return found

    assert content(shuffled) == content(valid)
