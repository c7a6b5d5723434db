"""What the overlaps of a study mean for it."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import prose
import pytest

from audits.overlap.context import PARTS, Context, by_trait, study_context, whole_items
from audits.overlap.kernels.minhash import recall
from audits.overlap.overlap_report import overlap_report
from audits.overlap.stage import longest_passage
from audits.overlap.study_comparisons import Compared, compare_study, overlaps_table
from storyaudit.findings import Finding, Report, Unchecked, ordered, write_report
from storyaudit.overlap.overlap_params import OverlapParams

PARAMS = OverlapParams()
Row = tuple[str, str, float] | tuple[str, str, float, str | None]


def compared(sides: str, level: str, *rows: Row, left: int = 50, **more: Any) -> Compared:
    full = [(*row, None)[:4] for row in rows]
    table = pd.DataFrame(full, columns=["left_id", "right_id", "containment", "relation"])
    table = table.assign(jaccard=0.25, longest_common_substring=7)
    right = None if sides in ("benchmark_benchmark", "train_train") else 200
    made = overlaps_table(table, sides, level).assign(relation=table["relation"])
    return Compared(sides, level, left, right, made, **more)


def report(*results: Compared, **more: Any) -> Report:
    options = {"params": PARAMS, **more}
    return ordered(overlap_report(results, study="demo", **options))


def findings(*results: Compared, **more: Any) -> dict[str, Finding]:
    return {finding.id: finding for finding in report(*results, **more).findings}


def severities(*results: Compared, **more: Any) -> dict[str, str]:
    return {name: f.severity for name, f in findings(*results, **more).items()}


def places(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["item_id", "origin", "part", "text_id"])
    return table.assign(level=["premise" if p == "premise" else "story" for p in table["part"]])


ITEMS = places(
    *((f"i{i}", "human_llm" if i > 1 else "llm_llm", "chosen", f"c{i}") for i in range(4)),
    *((f"i{i}", "human_llm" if i > 1 else "llm_llm", "rejected", f"r{i}") for i in range(4)),
    *((f"i{i}", "human_llm" if i > 1 else "llm_llm", "premise", f"p{i}") for i in range(4)),
)
TRAITS = pd.DataFrame(
    [
        ("story", "t1", "rewriting", "s1", "en"),
        ("story", "t1", "judged", "s1", "en"),
        ("story", "t2", "judged", "s2", "zh"),
        ("story", "t3", "judged", "s2", None),
        ("premise", "q1", "judged", "s2", "zh"),
    ],
    columns=["level", "text_id", "method", "source", "language"],
)
CONTEXT = Context(ITEMS, TRAITS)


@pytest.mark.parametrize(
    ("sides", "level", "prefix"),
    [
        ("train_benchmark", "story", "story"),
        ("train_benchmark", "premise", "premise"),
        ("train_benchmark", "premise_in_story", "premise-in-story"),
        ("train_validation", "story", "validation-story"),
        ("train_validation", "premise", "validation-premise"),
        ("benchmark_benchmark", "story", "benchmark-story"),
    ],
)
@pytest.mark.parametrize(
    ("containment", "duplicate", "partial"),
    [(1.0, "fail", "pass"), (0.5, "fail", "pass"), (0.499, "pass", "warn"), (0.1, "pass", "warn")],
)
def test_a_near_duplicate_fails_and_a_partial_overlap_warns(
    sides: str, level: str, prefix: str, containment: float, duplicate: str, partial: str
) -> None:
    found = findings(compared(sides, level, ("b", "t", containment)), context=CONTEXT)
    assert found[f"{prefix}-near-duplicate"].severity == duplicate
    if level == "premise_in_story":  # a stock phrase is a tenth of a premise
        partial = partial.replace("warn", "note")
    assert found[f"{prefix}-partial"].severity == partial
    nothing = findings(compared(sides, level))
    assert (
        nothing[f"{prefix}-near-duplicate"].severity
        == nothing[f"{prefix}-partial"].severity
        == "pass"
    )


def test_nothing_found_is_a_pass_that_says_how_much_was_searched() -> None:
    found = findings(compared("train_benchmark", "story"))
    assert {name: f.severity for name, f in found.items()} == {
        "story-near-duplicate": "pass",
        "story-partial": "pass",
        "search": "note",
    }
    assert {"50", "0.5", "5", "200"} <= prose.figures(found["story-near-duplicate"])
    assert {"50", "0.1", "0.5", "5", "200"} <= prose.figures(found["story-partial"])
    prose.check("overlap/nothing found is a pass that says how much was searched", *found.values())
    assert found["story-near-duplicate"].numbers == {
        "benchmark": 50,
        "training": 200,
        "overlapping": 0,
        "training_overlapping": 0,
        "pairs": 0,
    }


def test_texts_are_counted_once_and_pairs_each() -> None:
    found = findings(
        compared(
            "train_benchmark",
            "story",
            ("b1", "t1", 1.0),
            ("b1", "t2", 0.9),
            ("b2", "t1", 0.6),
            ("b3", "t1", 0.2),
        )
    )
    duplicate = found["story-near-duplicate"]
    assert {"2", "50", "200", "0.5", "5"} <= prose.figures(duplicate)
    assert duplicate.numbers == {
        "benchmark": 50,
        "training": 200,
        "overlapping": 2,
        "training_overlapping": 2,
        "pairs": 3,
    }
    assert duplicate.evidence[0] == {
        "benchmark": "b1",
        "training": "t1",
        "containment": 1.0,
        "jaccard": 0.25,
        "longest_common_substring": 7,
    }
    assert found["story-partial"].numbers["pairs"] == 1
    assert {"1", "50"} <= prose.figures(found["story-partial"])
    prose.check("overlap/texts are counted once and pairs each", duplicate, found["story-partial"])


def test_items_are_named_and_counted_by_origin() -> None:
    result = compared(
        "train_benchmark", "story", ("c0", "t1", 1.0), ("r0", "t2", 0.9), ("c2", "t1", 0.6)
    )
    found = findings(result, context=CONTEXT)
    duplicate = found["story-near-duplicate"]
    # c0 and r0 are of i0, an llm_llm item as i1; c2 of i2, a human_llm one as i3.
    assert {"2", "4", "1"} <= prose.figures(duplicate)
    assert duplicate.numbers["items"] == 2 and duplicate.numbers["items_in_all"] == 4
    assert duplicate.numbers["items_human_llm"] == duplicate.numbers["items_llm_llm"] == 1
    assert duplicate.evidence[0] == {
        "benchmark": "c0",
        "items": "i0",
        "training": "t1",
        "method": "judged, rewriting",
        "source": "s1",
        "containment": 1.0,
        "jaccard": 0.25,
        "longest_common_substring": 7,
    }
    premise = findings(
        compared("train_benchmark", "premise_in_story", ("p3", "t1", 1.0)), context=CONTEXT
    )
    assert {"1", "4", "2", "0"} <= prose.figures(premise["premise-in-story-near-duplicate"])
    prose.check("overlap/items are named and counted by origin", *found.values())
    prose.check("overlap/items whose premise a story contains", *premise.values())


def test_a_story_with_the_id_of_a_premise_is_none() -> None:
    found = findings(compared("train_benchmark", "story", ("p0", "t1", 1.0)), context=CONTEXT)
    assert found["story-near-duplicate"].numbers["items"] == 0


def test_overlapping_training_texts_are_counted_by_method_source_and_language() -> None:
    result = compared(
        "train_benchmark", "story", ("c0", "t1", 1.0), ("c1", "t1", 0.9), ("c2", "t2", 0.2)
    )
    where = findings(result, context=CONTEXT)["story-where"]
    assert {"2", "3", "1"} <= prose.figures(where)
    prose.check(
        "overlap/overlapping training texts are counted by method source and language", where
    )
    assert where.evidence[0] == {
        "trait": "method",
        "value": "judged",
        "overlapping": 2,
        "texts": 3,
    }
    assert "story-where" not in findings(result)
    assert "story-where" not in findings(compared("train_benchmark", "story"), context=CONTEXT)
    assert by_trait(TRAITS[TRAITS["level"] == "premise"], {"q1"})["texts"].tolist() == [1, 1, 1]
    assert by_trait(TRAITS, {"unknown"}).empty and by_trait(TRAITS.iloc[:0], {"t1"}).empty


def test_many_items_and_values_are_cut_and_counted() -> None:
    many = places(*((f"i{i:02d}", "llm_llm", "rejected", "b") for i in range(12)))
    traits = pd.DataFrame(
        [("story", "t", "m", f"s{n:02d}", "en") for n in range(30)], columns=TRAITS.columns
    )
    result = compared("train_benchmark", "story", ("b", "t", 1.0))
    found = findings(result, context=Context(many, traits))
    (row,) = found["story-near-duplicate"].evidence
    assert row["items"] == "i00, i01, i02, i03, i04 and 7 more"
    assert row["source"] == "s00, s01, s02, s03, s04 and 25 more"
    assert {"1", "27"} <= prose.figures(found["story-where"])
    prose.check("overlap/many items and values are cut and counted", *found.values())


@pytest.mark.parametrize(
    ("stories", "premises", "whole", "every"),
    [
        (["c0"], ["p0"], ["i0"], []),
        (["c0", "r0"], ["p0"], ["i0"], ["i0"]),
        (["c0", "r0"], [], [], []),
        (["r0"], ["p0"], [], []),
        (["c0", "c1"], ["p1", "p2"], ["i1"], []),
        (["p0"], ["c0"], [], []),
        ([], [], [], []),
    ],
)
def test_whole_items(
    stories: list[str], premises: list[str], whole: list[str], every: list[str]
) -> None:
    found = whole_items(ITEMS, set(stories), set(premises))
    assert found["item_id"].tolist() == whole
    assert found.loc[found["every"], "item_id"].tolist() == every
    results = [
        compared("train_benchmark", "story", *((name, "t", 1.0) for name in stories)),
        compared("train_benchmark", "premise_in_story", *((name, "t", 0.5) for name in premises)),
        compared("train_benchmark", "premise", *((f"p{n}", "t", 0.49) for n in range(4))),
    ]
    finding = findings(*results, context=CONTEXT)["whole-items"]
    assert finding.severity == ("fail" if whole else "pass")
    assert finding.numbers == {"items": 4, "whole": len(whole), "every_text": len(every)}


def test_an_item_without_a_premise_is_whole_with_all_its_stories() -> None:
    stories = ITEMS[ITEMS["part"] != "premise"]
    assert whole_items(stories, {"c0"}, set()).empty
    assert whole_items(stories, {"c0", "r0"}, set())["item_id"].tolist() == ["i0"]
    assert set(ITEMS["part"]) == set(PARTS)


def test_within_an_item_and_across_items_are_apart() -> None:
    result = compared(
        "benchmark_benchmark",
        "story",
        ("c0", "r0", 0.9, "item"),
        ("c0", "c1", 0.2),
        ("c1", "r1", 0.3, "item"),
    )
    assert severities(result, context=CONTEXT) == {
        "benchmark-story-near-duplicate": "pass",
        "benchmark-story-partial": "warn",
        "item-story-near-duplicate": "warn",
        "item-story-partial": "note",
        "search": "note",
    }
    found = findings(result, context=CONTEXT)
    assert {"2", "50", "0.5", "5", "1", "4", "0"} <= prose.figures(
        found["item-story-near-duplicate"]
    )
    assert {"50", "0.5", "5"} <= prose.figures(found["benchmark-story-near-duplicate"])
    prose.check(
        "overlap/within an item and across items are apart",
        found["item-story-near-duplicate"],
        found["benchmark-story-near-duplicate"],
    )
    assert found["benchmark-story-partial"].numbers["overlapping"] == 2


def test_without_items_similar_benchmark_stories_are_no_fail() -> None:
    result = compared("benchmark_benchmark", "story", ("b1", "b2", 1.0))
    assert severities(result)["benchmark-story-near-duplicate"] == "warn"
    assert severities(result, context=CONTEXT)["benchmark-story-near-duplicate"] == "fail"


def test_what_is_derived_does_not_count() -> None:
    result = compared(
        "train_train",
        "story",
        ("t1", "t2", 1.0, "derived"),
        ("t1", "t3", 0.8, "derived"),
        proposed=40,
    )
    duplicate = findings(result)["training-story-near-duplicate"]
    assert duplicate.severity == "pass"
    assert {"50", "0.5", "2"} <= prose.figures(duplicate)
    prose.check("overlap/what is derived does not count (1)", duplicate)
    assert duplicate.numbers["derived_pairs"] == 2 and duplicate.evidence == []
    more = compared(
        "train_train",
        "story",
        ("t1", "t2", 1.0, "derived"),
        ("t4", "t5", 0.8),
        ("t6", "t7", 0.7, "pair"),
        proposed=40,
    )
    duplicate = findings(more)["training-story-near-duplicate"]
    assert duplicate.severity == "warn"
    assert {"4", "50", "1", "2"} <= prose.figures(duplicate)
    prose.check("overlap/what is derived does not count (2)", duplicate)
    assert [row["relation"] for row in duplicate.evidence] == [None, "pair"]
    assert duplicate.numbers["of_one_training_pair"] == 1
    assert "training-story-partial" not in findings(more)


def test_the_search_is_described() -> None:
    params = OverlapParams(permutations=16, bands=8)
    exact = compared("train_benchmark", "story")
    index = compared("train_train", "story", proposed=12, uncompared=3)
    both = findings(exact, index, params=params)
    assert {"0.1"} <= prose.figures(both["search"])
    assert both["search"].numbers == {
        "shingle": 5,
        "window": 20000,
        "min_containment": 0.1,
        "duplicate_threshold": 0.5,
    }
    assert "search" not in findings(index)
    found = both["training-recall"]
    # 8 bands of 2 rows: 1 − (1 − s²)^8. Of two equal texts of 2 shingles that share 1, 3 are
    # different: containment 1/2, s = 1/3.
    assert found.numbers["recall_0.5"] == pytest.approx(1 - (8 / 9) ** 8, abs=1e-6)
    assert found.numbers["recall_0.5"] == pytest.approx(recall(1 / 3, params), abs=1e-6)
    assert (found.numbers["proposed"], found.numbers["uncompared"]) == (12, 3)
    assert found.severity == "warn"
    assert {"3"} <= prose.figures(found)
    prose.check("overlap/the search is described", both["search"], findings(exact)["search"], found)
    assert "training-recall" not in findings(exact)
    whole = findings(compared("train_train", "story", proposed=12))
    assert whole["training-recall"].severity == "note"
    prose.check("overlap/the search of training stories is whole", whole["training-recall"])


def test_what_was_not_searched_for_is_said() -> None:
    def left(*results: Compared) -> dict[str, Unchecked]:
        return {unchecked.id: unchecked for unchecked in report(*results).unchecked}

    assert set(left(compared("train_benchmark", "story"))) == {"paraphrase"}
    of_training = left(compared("train_train", "story", proposed=0))
    assert set(of_training) == {"paraphrase", "training-partial"}
    prose.check("overlap/what was not searched for among training stories", *of_training.values())
    found = left(
        compared("train_benchmark", "story", short=3, long=1),
        compared("train_benchmark", "premise", short=2),
        compared("train_benchmark", "premise_in_story", short=2),
    )
    assert set(found) == {"paraphrase", "short", "long"}
    assert {"5"} <= prose.figures(found["short"])  # 3 and 2
    assert {"1", "20000"} <= prose.figures(found["long"])
    prose.check("overlap/what was not searched for", *found.values())


def test_texts_that_could_not_be_compared_are_counted_once_a_level() -> None:
    found = findings(
        compared("train_benchmark", "story", empty=3, repeated=2, absent=4),
        compared("train_benchmark", "premise"),
        compared("train_train", "story", empty=1, absent=1, proposed=0),
    )
    assert found["story-empty"].numbers == {"empty": 3}
    assert found["story-ids"].numbers == {"repeated": 2}
    assert found["story-absent"].numbers == {"absent": 4}
    faults = [found[f"story-{name}"] for name in ("empty", "ids", "absent")]
    assert {fault.severity for fault in faults} == {"warn"}
    prose.check("overlap/texts that could not be compared", *faults)
    assert "premise-empty" not in found


def test_evidence_is_cut_and_numbers_are_not() -> None:
    rows = [(f"b{n}", "t", 0.8) for n in range(45)]
    asked: list[str] = []

    def more(row: Any) -> dict[str, Any]:
        asked.append(row["left_id"])
        return {"passage": f"{row['comparison']} {row['level']}"}

    found = findings(compared("train_benchmark", "story", *rows), more=more)["story-near-duplicate"]
    assert found.numbers["overlapping"] == 45 and len(found.evidence) == 20
    assert len(asked) == 20
    assert found.evidence[0]["passage"] == "train_benchmark story"


def test_no_comparison_is_no_report_without_words() -> None:
    empty = report()
    assert empty.findings == () and [u.id for u in empty.unchecked] == ["paraphrase"]


# --- from the tables of a study ---


def whole(study: Any, params: OverlapParams = PARAMS) -> Report:
    results = compare_study(study, params)
    return report(
        *results,
        params=params,
        context=study_context(study),
        more=longest_passage(study, params),
    )


def test_an_injected_leak_is_found_with_its_item_and_passage(make_study, prose) -> None:
    text = prose(60)
    study = make_study({"2a": text, "jb": f"“{text.upper()}!” {prose(40)}", "p2": "", "1d": None})
    found = {f.id: f for f in whole(study).findings}
    (row,) = found["story-near-duplicate"].evidence
    assert {name: row[name] for name in ("benchmark", "items", "training", "method")} == {
        "benchmark": "2a",
        "items": "i2",
        "training": "jb",
        "method": "judged",
    }
    assert row["passage"].startswith(text[:50]) and row["longest_common_substring"] == 60
    assert found["story-near-duplicate"].numbers["items_human_llm"] == 1
    fails = [f.id for f in found.values() if f.severity == "fail"]
    assert fails == ["story-near-duplicate"]


def test_a_whole_leaked_item_is_found(make_study, prose) -> None:
    story, premise = prose(60), prose(20)
    study = make_study(
        {"1a": story, "p1": premise, "rb": f"{premise} {story}", "va": prose(60), "pv": premise}
    )
    found = {f.id: f for f in whole(study).findings}
    assert found["whole-items"].evidence == [{"item_id": "i1", "origin": "llm_llm", "every": False}]
    for name in (
        "story-near-duplicate",
        "premise-near-duplicate",
        "premise-in-story-near-duplicate",
        "whole-items",
    ):
        assert found[name].severity == "fail"


def test_the_gold_is_the_benchmarks(make_study) -> None:
    study = make_study()
    parts = study_context(study).item_texts.set_index("text_id")["part"].to_dict()
    assert {text for text, part in parts.items() if part == "chosen"} == {"1a", "2a"}
    assert {text for text, part in parts.items() if part == "premise"} == {"p1", "p2"}
    gold = study.benchmark.assign(chosen_id=[None, "2b"])
    part = study_context(study._replace(benchmark=gold)).item_texts.set_index("text_id")["part"]
    assert set(part.index[part == "chosen"]) == {"2b"}


HOSTILE = ["", " ", "a\nb", "<script>", "=1+1", "‮evil", "🙂" * 300, "\x00", "None", "nan", "0"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_any_text_as_a_name(make_study, prose, hostile: str, tmp_path) -> None:
    text = prose(60)
    study = make_study({"1a": text, "1b": text, "ja": text, "jb": text, "va": text, "p1": hostile})

    def renamed(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
        return table.assign(**{name: table[name].replace({"1a": hostile}) for name in names})

    study = study._replace(
        stories=renamed(study.stories, ["story_id"]),
        candidates=renamed(study.candidates, ["story_id"]).assign(origin=hostile),
        benchmark=renamed(study.benchmark, ["chosen_id"]),
        pairs=study.pairs.assign(method=hostile, source=hostile, language=hostile),
    )
    made = whole(study)
    assert {f.id for f in made.findings if f.severity == "fail"} >= {"story-near-duplicate"}
    write_report(tmp_path / "report.json", made)


@pytest.mark.parametrize("missing", ["origin", "item_id", "story_id", "premise_id"])
def test_candidates_without_values_are_no_traceback(make_study, prose, missing: str) -> None:
    text = prose(60)
    study = make_study({"1a": text, "ja": text})
    made = whole(study._replace(candidates=study.candidates.assign(**{missing: None})))
    assert made.unchecked


def test_the_order_of_rows_does_not_matter(make_study, prose) -> None:
    text = prose(60)
    study = make_study({name: f"{text} {prose(9)}" for name in ("1a", "2b", "ja", "rb", "va")})
    shuffled = type(study)(*(table.sample(frac=1, random_state=4) for table in study))
    assert whole(study) == whole(shuffled)
