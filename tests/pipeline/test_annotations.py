from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pipeline.annotations import AnnotationsParams, main, simulate_annotations
from pipeline.benchmark import build_benchmark
from pipeline.judgements import simulate_judgements
from pipeline.simulation.faults import duplicate_items
from pipeline.simulation.judges import JudgementsParams, draw_judges
from storyaudit.data.tables import ANNOTATIONS, validate
from storyaudit.errors import InputError
from storyaudit.protocol.protocol_items import assemble
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import DIMENSIONS

PROTOCOL = ProtocolParams()
STORIES = "abcd"
AGREED = ([9, 7, 5, 3], [8, 6, 4, 2])  # tau 1: a is first, then b, c, d
OPPOSED = ([9, 7, 5, 3], [3, 5, 7, 9])  # tau −1


def annotate(
    overall: tuple[list[int], ...],
    worth: list[float],
    *,
    human: str | None = None,
    items: int = 1,
    noise: float = 0.0,
    error_rate: float = 0.0,
    seed: int = 1,
    variant: str = "1",
    stories: str = STORIES,
    annotators: int = 1,
    shared: float = 0.0,
) -> pd.DataFrame:
    """The annotations of items that are all equal; story a of item i1 is called i1a.

    Worth is in points: what a person without error sees of a story's overall worth.
    """
    names = [f"i{number}" for number in range(items)]
    candidates = pd.DataFrame(
        [(i, i + story, f"p{i}") for i in names for story in STORIES],
        columns=["item_id", "story_id", "premise_id"],
    ).assign(origin="human_llm" if human else "llm_llm")
    rows = [
        (i, i + story, f"j{judge}", variant, dimension, float(scores[place]))
        for i in names
        for judge, scores in enumerate(overall)
        for place, story in enumerate(STORIES)
        for dimension in (*DIMENSIONS, "overall")
    ]
    judgements = pd.DataFrame(
        rows, columns=["item_id", "story_id", "judge", "prompt_variant", "dimension", "score"]
    )
    points = [((value - 1) / 9,) * len(DIMENSIONS) for value in worth]
    known = [(i + story, *points[STORIES.index(story)]) for i in names for story in stories]
    qualities = pd.DataFrame(known, columns=["story_id", *DIMENSIONS])
    return simulate_annotations(
        candidates,
        judgements,
        qualities,
        {i + human for i in names} if human else set(),
        AnnotationsParams(
            noise=noise,
            unsure_margin=0.25,
            error_rate=error_rate,
            annotators=annotators,
            shared=shared,
        ),
        PROTOCOL,
        np.random.default_rng(seed),
    )


def decide(
    overall: tuple[list[int], ...],
    worth: list[float],
    *,
    human: str | None = None,
    noise: float = 0.0,
    seed: int = 1,
) -> dict[tuple[str, str], float]:
    """The decisions on one item: {(kind, story): value}."""
    table = annotate(overall, worth, human=human, noise=noise, seed=seed)
    stories = table["story_id"].str[-1]
    return dict(zip(zip(table["kind"], stories, strict=True), table["value"], strict=True))


def ranking(order: str) -> dict[tuple[str, str], float]:
    return {("ranking", story): float(rank) for rank, story in enumerate(order, start=1)}


@pytest.mark.parametrize(
    ("overall", "worth", "decided"),
    [
        (OPPOSED, [5, 8, 6, 7], ranking("bdca")),
        (AGREED, [8, 7, 6, 5], {("confirmation", "a"): 1.0}),
        (AGREED, [6.5, 8, 7, 5], {("confirmation", "a"): 0.0} | ranking("bcad")),
        # Another story seems better, by less than the margin.
        (AGREED, [7.8, 8, 7, 5], {("unsure", "a"): 1.0}),
        # Two first places: there is nothing to confirm.
        (([8, 8, 4, 2], [9, 9, 5, 3]), [5, 6, 7, 8], ranking("dcba")),
        # Equally good stories are ranked by their name.
        (OPPOSED, [6, 6, 6, 6], ranking("abcd")),
    ],
    ids=["disagreement", "confirmed", "rejected", "undecided", "tied first", "all equal"],
)
def test_decisions_of_a_person_without_error(
    overall: tuple[list[int], ...], worth: list[float], decided: dict[tuple[str, str], float]
) -> None:
    assert decide(overall, worth) == decided


@pytest.mark.parametrize(
    ("worth", "kind"),
    [([8, 7, 6, 5], "best"), ([7.8, 8, 6, 5], "best"), ([7, 8, 6, 5], "unsure")],
)
@pytest.mark.parametrize("overall", [AGREED, OPPOSED])
def test_a_human_story_is_doubted_only_with_cause(
    overall: tuple[list[int], ...], worth: list[float], kind: str
) -> None:
    assert decide(overall, worth, human="a") == {(kind, "a"): 1.0}


def test_the_person_errs() -> None:
    seen = {next(iter(decide(OPPOSED, [6, 6, 6, 6], noise=1.0, seed=s)))[1] for s in range(40)}
    assert seen == set(STORIES)
    assert decide(OPPOSED, [5, 8, 6, 7], noise=1.0) == decide(OPPOSED, [5, 8, 6, 7], noise=1.0)


def first_ranked(table: pd.DataFrame) -> Counter[str]:
    ranks = table[(table["kind"] == "ranking") & (table["value"] == 1)]
    return Counter(ranks["story_id"].str[-1])


def test_slips_alone_rank_at_random() -> None:
    table = annotate(OPPOSED, [9, 7, 5, 3], items=600, error_rate=1.0)
    assert stats.chisquare([first_ranked(table)[story] for story in STORIES]).pvalue > 0.001
    validate(table, ANNOTATIONS, file="annotations")
    orders = table.sort_values("value").groupby("item_id")["story_id"].agg("".join)
    assert orders.str.replace(r"i\d+", "", regex=True).nunique() == 24  # every order of four


def test_the_error_rate_is_the_share_of_items_decided_at_random() -> None:
    # The judges' first is a, and clearly best: the person confirms it, but for three in four of
    # the slips (no other story is as near to a as the margin): 1 − 0.4 · 3 / 4 = 0.7.
    table = annotate(AGREED, [9, 7, 5, 3], items=800, error_rate=0.4)
    confirmed = table[table["kind"] == "confirmation"].set_index("item_id")["value"]
    assert len(confirmed) == 800
    assert stats.binomtest(int(confirmed.sum()), 800, 0.7).pvalue > 0.001
    human = annotate(AGREED, [9, 7, 5, 3], items=800, error_rate=0.4, human="a")
    best = int((human["kind"] == "best").sum())
    assert stats.binomtest(best, 800, 0.7).pvalue > 0.001


def test_a_person_who_does_not_slip_decides_as_one_who_cannot() -> None:
    steady = annotate(AGREED, [8, 7.5, 6, 5], items=40, noise=0.5)
    slips = annotate(AGREED, [8, 7.5, 6, 5], items=40, noise=0.5, error_rate=0.3)
    kept = [i for i in steady["item_id"].unique() if same(steady, slips, i)]
    assert 15 < len(kept) < 40


def same(left: pd.DataFrame, right: pd.DataFrame, item: str) -> bool:
    rows = [table[table["item_id"] == item].reset_index(drop=True) for table in (left, right)]
    return rows[0].equals(rows[1])


def test_a_candidate_without_qualities_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="candidate i0c of item i0 has no qualities"):
        annotate(AGREED, [8, 7, 6, 5], stories="abd")


@pytest.mark.parametrize(
    ("overall", "variant"), [(AGREED[:1], "1"), (AGREED, "2")], ids=["one judge", "another prompt"]
)
def test_an_item_without_its_judges_is_refused_by_name(
    overall: tuple[list[int], ...], variant: str
) -> None:
    with pytest.raises(InputError, match="item i0: expected complete scores by 2 judges"):
        annotate(overall, [8, 7, 6, 5], variant=variant)


def test_a_human_item_without_a_human_story_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="item i0: expected one human story, found 0"):
        annotate(AGREED, [8, 7, 6, 5], human="z")


def simulation(items: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Candidates, stories and qualities: every other item has a human story, the first."""
    rng = np.random.default_rng(7)
    ids = [f"i{number:02d}{story}" for number in range(items) for story in STORIES]
    candidates = pd.DataFrame({"story_id": ids, "item_id": [name[:3] for name in ids]})
    human = candidates["item_id"].str[1:].astype(int) % 2 == 1
    candidates["position"] = [1, 2, 3, 4] * items
    candidates["premise_id"] = "p" + candidates["item_id"]
    candidates["origin"] = np.where(human, "human_llm", "llm_llm")
    is_human = human & candidates["story_id"].str.endswith("a")
    stories = candidates[["story_id"]].assign(words=200)
    stories["author"] = np.where(is_human, "human", "heron-8b")
    stories["author_kind"] = np.where(is_human, "human", "llm")
    spread = rng.uniform(0.2, 0.8, (4 * items, len(DIMENSIONS)))
    qualities = pd.DataFrame(spread, columns=list(DIMENSIONS)).assign(story_id=ids)
    return candidates, stories, qualities


@pytest.mark.parametrize("judge_human_story", [True, False])
@pytest.mark.parametrize("duplicated", [0, 5])
def test_every_decision_can_be_built_upon(judge_human_story: bool, duplicated: int) -> None:
    rng = np.random.default_rng(3)
    candidates, stories, qualities = simulation(60)
    candidates, _ = duplicate_items(candidates, duplicated, rng)
    human = set(stories.loc[stories["author_kind"] == "human", "story_id"])
    protocol = ProtocolParams(minimum_judges=4, judge_human_story=judge_human_story)
    judges = JudgementsParams(
        judges=4, noise=1.0, lenience=0.5, position_bias=0.2, length_bias=0.3, family_bias=0.3
    )
    judgements = simulate_judgements(
        candidates,
        stories,
        qualities,
        draw_judges(judges, rng),
        rng,
        judge_human_story=judge_human_story,
    )
    params = AnnotationsParams(
        noise=0.4, unsure_margin=0.25, error_rate=0.3, annotators=1, shared=0.0
    )
    annotations = simulate_annotations(
        candidates, judgements, qualities, human, params, protocol, rng
    )
    validate(annotations, ANNOTATIONS, file="annotations")
    assert set(annotations["item_id"]) == set(candidates["item_id"])
    places = set(zip(candidates["item_id"], candidates["story_id"], strict=True))
    assert set(zip(annotations["item_id"], annotations["story_id"], strict=True)) <= places
    items = assemble(candidates, judgements, annotations, human, protocol)
    benchmark, counts = build_benchmark(items, protocol)
    unsure = annotations[annotations["kind"] == "unsure"]["item_id"]
    is_human = candidates.drop_duplicates("item_id").set_index("item_id")["origin"] == "human_llm"
    assert counts["unsure"] == unsure.map(is_human).sum()
    assert len(benchmark) == 60 + duplicated - counts["unsure"]
    # All routes were taken, or the test shows little.
    assert {"complete_ranking", "confirmation", "human_first"} == set(benchmark["annotation_route"])
    assert set(annotations["value"]) >= {0.0, 1.0, 4.0}


def test_other_annotators_decide_a_share_and_change_nothing_of_the_first() -> None:
    how = {"items": 400, "noise": 1.0}
    alone = annotate(AGREED, [8, 7.5, 6, 5], **how)
    table = annotate(AGREED, [8, 7.5, 6, 5], annotators=3, shared=0.25, **how)
    of = {name.rpartition("-")[2]: rows for name, rows in table.groupby("annotator", sort=True)}
    pd.testing.assert_frame_equal(of["1"].reset_index(drop=True), alone)
    for other in ("2", "3"):
        decided = of[other]["item_id"].nunique()
        assert stats.binomtest(decided, 400, 0.25).pvalue > 0.001
    # They err on their own: not every shared decision is the same.
    both = of["1"].merge(of["2"], on=["item_id", "kind", "story_id"], how="right")
    assert (both["value_x"] != both["value_y"]).any()
    validate(table, ANNOTATIONS, file="annotations")
    assert set(annotate(AGREED, [8, 7, 6, 5], annotators=2, shared=0.0)["annotator"]) == {
        "simulated-annotator-1"
    }


def test_everybodys_decisions_are_kept_beside_those_that_stand(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("study: mine\nsimulated: [judges]\nseed: 1\n")
    (tmp_path / "data/raw/annotations").mkdir(parents=True)
    given = annotate(AGREED, [6.5, 8, 7, 5])
    given.to_csv(tmp_path / "data/raw/annotations/annotations.csv", index=False)
    both = pd.concat([given, given.assign(annotator="ben")])
    both.to_csv(tmp_path / "data/raw/annotations/individual_annotations.csv", index=False)
    main()
    written = {
        name: pd.read_parquet(tmp_path / f"data/study/{name}.parquet")
        for name in ("annotations", "individual_annotations")
    }
    assert len(written["annotations"]) == len(given)
    assert set(written["individual_annotations"]["annotator"]) == {"simulated-annotator-1", "ben"}


def test_decisions_that_are_not_simulated_are_taken_over(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("study: mine\nsimulated: [judges]\nseed: 1\n")
    (tmp_path / "data/raw/annotations").mkdir(parents=True)
    given = annotate(AGREED, [6.5, 8, 7, 5])
    given.to_csv(tmp_path / "data/raw/annotations/annotations.csv", index=False)
    main()
    written = pd.read_parquet(tmp_path / "data/study/annotations.parquet")
    assert sorted(written[given.columns].itertuples(index=False, name=None)) == sorted(
        given.itertuples(index=False, name=None)
    )


SOUND = {
    "noise": 0.4,
    "unsure_margin": 0.25,
    "error_rate": 0.0,
    "annotators": 2,
    "shared": 0.25,
}


@pytest.mark.parametrize(
    ("field", "value"),
    list(product(["noise", "unsure_margin", "error_rate", "shared"], [-0.1, float("nan"), "1"])),
)
def test_parameters_that_make_no_person_are_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        AnnotationsParams(**{**SOUND, field: value})


def test_more_slips_than_items_are_refused() -> None:
    with pytest.raises(ValueError, match="error_rate"):
        AnnotationsParams(noise=0.4, unsure_margin=0.25, error_rate=1.1)
