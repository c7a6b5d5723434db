"""One hand-made item for each way to a gold, and one for each reason to refuse."""

from typing import NamedTuple

import pandas as pd
import pytest

from pipeline.benchmark import build_benchmark, refuse_orphans, require_variant
from storyaudit.data.tables import BENCHMARK, validate
from storyaudit.errors import InputError
from storyaudit.protocol.protocol_items import assemble
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS

HUMAN = {"h", "h2"}
Decision = tuple[str, str, float]

AGREED = ([9, 7, 5, 3], [8, 6, 4, 2])  # tau 1, and the first story is first
OPPOSED = ([9, 7, 5, 3], [3, 5, 7, 9])  # tau −1
SWAPPED = ([9, 7, 5, 3], [7, 9, 5, 3])  # one of six pairs swapped: tau 4/6; the first place is tied
LAST_SWAPPED = ([9, 7, 5, 3], [9, 7, 3, 5])  # tau 4/6, and the first place is clear
TIED = ([9, 9, 5, 3], [8, 8, 4, 2])  # tau 1, and two first places


class Item(NamedTuple):
    candidates: pd.DataFrame
    judgements: pd.DataFrame
    annotations: pd.DataFrame


def item(
    overall: tuple[list[int], ...],
    *decisions: Decision,
    stories: str = "abcd",
    origin: str = "llm_llm",
    stands_out: str = "fluency",
) -> Item:
    """An item of the stories `a b c d`, whose dimensions are scored 5, but for one.

    On that one the scores are the overall ones.
    """
    candidates = pd.DataFrame(
        {
            "item_id": "i",
            "position": range(1, len(stories) + 1),
            "story_id": list(stories),
            "premise_id": "p",
            "origin": origin,
        }
    )
    rows = [
        ("i", story, f"j{judge}", "1", d, float(scores[n] if d in ("overall", stands_out) else 5))
        for judge, scores in enumerate(overall)
        for n, story in enumerate(stories)
        for d in (*DIMENSIONS, "overall")
    ]
    return Item(
        candidates,
        pd.DataFrame(
            rows, columns=["item_id", "story_id", "judge", "prompt_variant", "dimension", "score"]
        ),
        pd.DataFrame(
            [("i", "person", *decision) for decision in decisions],
            columns=["item_id", "annotator", "kind", "story_id", "value"],
        ),
    )


def human_item(overall: tuple[list[int], ...], *decisions: Decision) -> Item:
    return item(overall, *decisions, stories="habc", origin="human_llm")


def ranking(order: str) -> list[Decision]:
    return [("ranking", story, float(rank)) for rank, story in enumerate(order, start=1)]


def build(
    of: Item, *, threshold: float = 0.6, priority: tuple[str, ...] = DIMENSIONS
) -> tuple[pd.DataFrame, int]:
    table, counts = build_with(of, tau_threshold=threshold, priority=list(priority))
    return table, counts["unsure"]


def build_with(of: Item, **params: object) -> tuple[pd.DataFrame, dict[str, int]]:
    settings = ProtocolParams(**params)  # type: ignore[arg-type]
    return build_benchmark(assemble(*of, HUMAN, settings), settings)


@pytest.mark.parametrize(
    ("of", "chosen", "protocol", "tau"),
    [
        (item(OPPOSED, *ranking("cdab")), "c", "complete_ranking", -1),
        (item(AGREED, ("confirmation", "a", 1)), "a", "confirmation", 1),
        (item(AGREED, ("confirmation", "a", 0), *ranking("dabc")), "d", "confirmation", 1),
        (item(AGREED, ("unsure", "a", 1)), "a", "confirmation", 1),
        (item(TIED, *ranking("badc")), "b", "complete_ranking", 1),
        (item(SWAPPED, *ranking("bacd")), "b", "complete_ranking", 4 / 6),
        (item(LAST_SWAPPED, ("confirmation", "a", 1)), "a", "confirmation", 4 / 6),
        # The judges agree on the model stories alone: 7 5 3 and 6 4 2, whatever they give to h.
        (human_item(([1, 7, 5, 3], [9, 6, 4, 2]), ("best", "h", 1)), "h", "human_first", 1),
        (human_item(([9, 7, 5, 3], [9, 2, 4, 6]), ("best", "h", 1)), "h", "human_first", -1),
    ],
    ids=[
        "complete ranking",
        "confirmation",
        "rejected confirmation",
        "undecided keeps the judges' ranking",
        "tied first place",
        "swapped first place",
        "swapped last place",
        "human first",
        "human first, judges opposed",
    ],
)
def test_each_way_to_a_gold(of: Item, chosen: str, protocol: str, tau: float) -> None:
    table, unsure = build(of)
    validate(table, BENCHMARK, file="benchmark")
    assert unsure == 0
    (row,) = table.to_dict("records")
    assert row["tau_avg"] == pytest.approx(tau, abs=1e-9)
    assert {
        name: row[name] for name in ("item_id", "premise_id", "chosen_id", "annotation_route")
    } == {
        "item_id": "i",
        "premise_id": "p",
        "chosen_id": chosen,
        "annotation_route": protocol,
    }


def test_an_unsure_human_item_is_removed_and_counted() -> None:
    kept = item(AGREED, ("confirmation", "a", 1))
    removed = human_item(AGREED, ("unsure", "h", 1))
    both = Item(
        *(
            pd.concat([one, other.assign(item_id="k")], ignore_index=True)
            for one, other in zip(kept, removed, strict=True)
        )
    )
    table, unsure = build(both)
    assert (table["item_id"].tolist(), unsure) == (["i"], 1)


@pytest.mark.parametrize(
    ("threshold", "protocol"), [(4 / 6, "confirmation"), (4 / 6 + 1e-9, "complete_ranking")]
)
def test_people_rank_only_below_the_threshold(threshold: float, protocol: str) -> None:
    of = item(LAST_SWAPPED, ("unsure", "a", 1), *ranking("dcba"))
    table, _ = build(of, threshold=threshold)
    assert table["annotation_route"].tolist() == [protocol]
    assert table["chosen_id"].tolist() == ["a" if protocol == "confirmation" else "d"]


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_dimension_is_that_on_which_the_chosen_stands_out(dimension: str) -> None:
    # There it leads by 8.5 − (6.5 + 4.5 + 2.5) / 3 = 4 points, elsewhere by none.
    table, _ = build(item(AGREED, ("confirmation", "a", 1), stands_out=dimension))
    assert (table["dimension"][0], table["dimension_rule"][0]) == (dimension, "mean_gap")


@pytest.mark.parametrize(
    ("tolerance", "dimension", "rule"),
    [(0.5, "coherence", "margin"), (0.4, "creativity", "mean_gap")],
)
def test_gaps_within_the_tolerance_are_decided_by_the_margin(
    tolerance: float, dimension: str, rule: str
) -> None:
    # Creativity: gap 9 − 5 = 4 and margin 9 − 8 = 1; coherence: 9 − 5.5 = 3.5 and 9 − 6 = 3.
    of = item(AGREED, ("confirmation", "a", 1), stands_out="none")
    for name, scores in (("creativity", [9, 8, 4, 3]), ("coherence", [9, 6, 5.5, 5])):
        rows = of.judgements["dimension"] == name
        of.judgements.loc[rows, "score"] = scores * 2
    table, _ = build_with(of, tie_tolerance=tolerance)
    assert (table["dimension"][0], table["dimension_rule"][0]) == (dimension, rule)


def test_the_priority_decides_what_the_scores_leave_open() -> None:
    of = item(AGREED, ("confirmation", "a", 1), stands_out="none")
    for priority in (DIMENSIONS, DIMENSIONS[::-1]):
        table, _ = build(of, priority=priority)
        assert (table["dimension"][0], table["dimension_rule"][0]) == (priority[0], "priority")


def without(of: Item, table: str, **where: str) -> Item:
    frame = getattr(of, table)
    keep = ~(frame[list(where)] == list(where.values())).all(axis=1)
    return of._replace(**{table: frame[keep]})


RANKED = item(OPPOSED, *ranking("cdab"))
CONFIRMED = item(AGREED, ("confirmation", "a", 1))
BEST = human_item(AGREED, ("best", "h", 1))
FIFTH = ([9, 7, 5, 3, 10], [8, 6, 4, 2, 10])  # z is no candidate, and judges like it best

REFUSALS = {
    "no decision": (item(AGREED), "1 of 1 items have no person's decision: i"),
    "an item of three": (without(RANKED, "candidates", story_id="d"), "4 different candidates"),
    "an item of five": (
        item(FIFTH, ("confirmation", "e", 1), stories="abcde"),
        "4 different candidates",
    ),
    "a candidate twice": (
        RANKED._replace(candidates=RANKED.candidates.replace({"story_id": {"d": "c"}})),
        "4 different candidates",
    ),
    "a rank twice": (
        item(OPPOSED, *ranking("abc"), ("ranking", "d", 3)),
        "without ties or gaps",
    ),
    "three ranks": (item(OPPOSED, *ranking("abc")), "one ranking of its four candidates"),
    "a rank for another story": (item(OPPOSED, *ranking("abcz")), "one ranking of its four"),
    "two rankings": (
        item(OPPOSED, *ranking("abcd"), *ranking("abcd")),
        "without ties or gaps",
    ),
    "no ranking where judges disagree": (
        item(OPPOSED, ("confirmation", "a", 1)),
        "one ranking of its four candidates",
    ),
    "a rejection without a ranking": (
        item(AGREED, ("confirmation", "a", 0)),
        "one ranking of its four candidates",
    ),
    "a confirmation of another story": (
        item(AGREED, ("confirmation", "b", 1)),
        "one confirmation of story a",
    ),
    "doubt about another story": (item(AGREED, ("unsure", "b", 1)), "one confirmation of story a"),
    "two confirmations": (
        item(AGREED, ("confirmation", "a", 1), ("unsure", "a", 1)),
        "expected one confirmation, .* found 2",
    ),
    "two people": (
        CONFIRMED._replace(
            annotations=pd.concat(
                [
                    CONFIRMED.annotations,
                    item(AGREED, *ranking("dcba")).annotations.assign(annotator="zoe"),
                ]
            )
        ),
        r"one annotator's decision, found those of 2 \(person, zoe\)",
    ),
    "a confirmation against one's own ranking": (
        item(AGREED, ("confirmation", "a", 1), *ranking("dcba")),
        "a is 'confirmed', and d first",
    ),
    "a rejection of what one ranks first": (
        item(AGREED, ("confirmation", "a", 0), *ranking("abcd")),
        "a is 'rejected', and a first",
    ),
    "half a confirmation": (item(AGREED, ("confirmation", "a", 0.5)), "found confirmation 0.5"),
    "a judge's score missing": (
        without(CONFIRMED, "judgements", story_id="b", judge="j1", dimension="fluency"),
        "2 judges .*found 1; incomplete: j1",
    ),
    "a judge's scores of a story missing": (
        without(CONFIRMED, "judgements", story_id="b", judge="j1"),
        "2 judges .*found 1; incomplete: j1",
    ),
    "a candidate unjudged": (without(CONFIRMED, "judgements", story_id="b"), "has no scores"),
    "an item unjudged": (
        CONFIRMED._replace(judgements=CONFIRMED.judgements.assign(item_id="other")),
        "has no scores",
    ),
    "scores of a story that is no candidate": (
        without(item(FIFTH, ("confirmation", "z", 1), stories="abcdz"), "candidates", story_id="z"),
        "z, which is no candidate, has",
    ),
    "no human story": (
        item(AGREED, ("best", "a", 1), origin="human_llm"),
        "1 human story .*found 0",
    ),
    "a human story not verified": (
        human_item(AGREED, *ranking("habc")),
        "human story best",
    ),
    "another story verified": (human_item(AGREED, ("best", "a", 1)), "human story best"),
    "verified and unsure": (
        human_item(AGREED, ("best", "h", 1), ("unsure", "h", 1)),
        "expected one confirmation, .* found 2",
    ),
    "the human story unjudged": (without(BEST, "judgements", story_id="h"), "h has no scores"),
    "a human story among models'": (
        item(AGREED, ("confirmation", "h", 1), stories="habc"),
        "0 human stories in an item of origin 'llm_llm', found 1",
    ),
    "an unknown kind of decision": (item(AGREED, ("opinion", "a", 1)), "found opinion 1"),
}


@pytest.mark.parametrize(("of", "problem"), REFUSALS.values(), ids=REFUSALS)
def test_what_must_not_be_built_upon_is_refused(of: Item, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as refusal:
        build(of)
    assert "item i" in str(refusal.value) or str(refusal.value).endswith("'drop'.")


def test_the_items_behind_the_refusals_are_sound() -> None:
    assert [len(build(of)[0]) for of in (RANKED, CONFIRMED, BEST)] == [1, 1, 1]


def test_two_human_stories_are_refused() -> None:
    of = item(AGREED, ("best", "h", 1), origin="human_llm")
    renamed = {"story_id": {"a": "h", "b": "h2"}}
    of = of._replace(
        candidates=of.candidates.replace(renamed), judgements=of.judgements.replace(renamed)
    )
    with pytest.raises(InputError, match=r"1 human story .*found 2"):
        build(of)


def test_a_missing_judge_is_refused_or_left_out_by_parameter() -> None:
    third = item((*AGREED, [3, 9, 1, 1]), ("confirmation", "a", 1))
    gone = without(third, "judgements", story_id="b", judge="j2", dimension="fluency")
    with pytest.raises(InputError, match=r"3 judges .*found 2; incomplete: j2"):
        build_with(gone, minimum_judges=3)
    table, counts = build_with(gone, minimum_judges=2)
    # Of j0 and j1, who agree.
    assert (table["chosen_id"][0], table["tau_avg"][0]) == ("a", 1)
    assert counts["items_without_a_judge"] == 1


def test_another_prompt_variant_is_another_item() -> None:
    other = CONFIRMED.judgements.assign(prompt_variant="2")
    opposed = item(OPPOSED, ("confirmation", "a", 1)).judgements
    both = CONFIRMED._replace(judgements=pd.concat([opposed, other]))
    assert build_with(both, prompt_variant="2")[0]["annotation_route"].tolist() == ["confirmation"]
    with pytest.raises(InputError, match="one ranking"):
        build_with(both, prompt_variant="1")


@pytest.mark.parametrize("of", [BEST, without(BEST, "judgements", story_id="h")])
def test_a_human_story_whose_scores_do_not_count_has_no_dimension(of: Item) -> None:
    (row,) = build_with(of, judge_human_story=False)[0].to_dict("records")
    assert (row["chosen_id"], row["dimension"], row["dimension_rule"]) == (
        "h",
        "unscored",
        "unscored",
    )
    assert row["tau_avg"] == 1


def test_a_prompt_variant_that_is_not_there_is_named_with_those_that_are() -> None:
    require_variant(CONFIRMED.judgements, "1")
    with pytest.raises(InputError, match="prompt variant '9'; there are '1'"):
        require_variant(CONFIRMED.judgements, "9")


def test_rows_about_other_items_are_refused() -> None:
    orphans = CONFIRMED.judgements.assign(item_id="k")
    with pytest.raises(InputError, match="the judgements have rows about item k"):
        refuse_orphans(CONFIRMED.candidates, judgements=orphans, annotations=CONFIRMED.annotations)


def test_an_item_that_nobody_decided_is_dropped_and_counted_by_parameter() -> None:
    other = item(AGREED)
    both = Item(
        *(
            pd.concat([one, other_table.assign(item_id="k")], ignore_index=True)
            for one, other_table in zip(CONFIRMED, other, strict=True)
        )
    )
    with pytest.raises(InputError, match="1 of 2 items have no person's decision: k"):
        build_with(both)
    table, counts = build_with(both, undecided_items="drop")
    assert (table["item_id"].tolist(), counts["undecided"]) == (["i"], 1)
