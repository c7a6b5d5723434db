"""Rankings of pools: simulated ones, real ones taken over, and what is refused."""

import csv
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy import stats

import pipeline.pool
from pipeline.pool_annotations import (
    ADJUDICATOR,
    RANKERS,
    PoolAnnotationsParams,
    decide_pools,
    is_adjudicated,
    main,
    require_rankings,
    simulate_rankings,
)
from storyaudit.cli.main import cli
from storyaudit.cli.sheets import sheets
from storyaudit.data.table_files import read_valid_table
from storyaudit.data.tables import (
    ANNOTATIONS,
    POOL_ANNOTATIONS,
    POOL_INDIVIDUAL_ANNOTATIONS,
    validate,
)
from storyaudit.errors import InputError
from storyaudit.protocol.human_decisions import read_decision
from storyaudit.vocabulary import DIMENSIONS

SECTION: dict[str, Any] = {"noise": 0.4, "adjudicated_below": 0.6}


def simulation(worths: list[list[float]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Candidates and qualities of pools whose stories have these worths in points."""
    rows = [
        (f"b{i}", place, f"b{i}-{place:02d}", f"p{i}", "llm_llm", (value - 1) / 9)
        for i, pool in enumerate(worths)
        for place, value in enumerate(pool, start=1)
    ]
    names = ["item_id", "position", "story_id", "premise_id", "origin", "quality"]
    frame = pd.DataFrame(rows, columns=names)
    qualities = frame[["story_id"]].assign(**dict.fromkeys(DIMENSIONS, frame["quality"]))
    return frame.drop(columns="quality"), qualities


def rankings(
    worths: list[list[float]], *, noise: float = 0.0, below: float = 0.6, seed: int = 1
) -> pd.DataFrame:
    params = PoolAnnotationsParams(**SECTION | {"noise": noise, "adjudicated_below": below})
    return simulate_rankings(*simulation(worths), params, np.random.default_rng(seed))


def spread(pools: int, stories: int, seed: int = 5) -> list[list[float]]:
    return np.random.default_rng(seed).uniform(2, 9, (pools, stories)).tolist()


def orders(table: pd.DataFrame) -> dict[tuple[str, str], tuple[str, ...]]:
    """{(item, person): stories, best first}."""
    return {
        (str(item), str(who)): read_decision(rows).ranking
        for (item, who), rows in table.groupby(["item_id", "annotator"])
    }


def test_rankers_without_error_put_the_best_first_and_need_no_third() -> None:
    table = rankings([[5, 8, 6, 7], [3, 2, 4, 9]])
    assert orders(table) == {
        ("b0", who): ("b0-02", "b0-04", "b0-03", "b0-01") for who in RANKERS
    } | {("b1", who): ("b1-04", "b1-03", "b1-01", "b1-02") for who in RANKERS}
    decided = decide_pools(table)
    assert orders(decided.annotations) == {
        ("b0", "mean-rank"): ("b0-02", "b0-04", "b0-03", "b0-01"),
        ("b1", "mean-rank"): ("b1-04", "b1-03", "b1-01", "b1-02"),
    }
    assert set(decided.how["outcome"]) == {"agreed"}


def test_tau_decides_who_is_adjudicated_and_so_does_a_tied_first_place() -> None:
    # A second source for both rules: SciPy's tau, and sums of ranks compared by hand.
    first = tuple("abcd")
    for second in itertools.permutations("abcd"):
        places = [[order.index(story) for story in "abcd"] for order in (first, second)]
        tau = stats.kendalltau(*places).statistic
        sums = {s: places[0][i] + places[1][i] for i, s in enumerate("abcd")}
        best = sorted((sums[s], sorted((places[0][i], places[1][i]))) for i, s in enumerate("abcd"))
        tied = best[0] == best[1]
        for below in (-1.0, 0.0, 0.5, 1.0):
            if not np.isclose(tau, below):
                assert is_adjudicated([first, second], below) == (tau < below or tied)


def test_a_tau_at_the_threshold_is_not_below_it() -> None:
    # Of 10 pairs two are in another order: (8 − 2) / 10 = 0.6; with three, 0.4.
    assert not is_adjudicated(["abcde", "acbed"], 0.6)
    assert is_adjudicated(["abcde", "acedb"], 0.6)


def test_the_adjudicators_ranking_stands_where_there_is_one() -> None:
    table = rankings(spread(40, 6), noise=1.5, below=0.5)
    by = orders(table)
    decided = decide_pools(table)
    final = orders(decided.annotations)
    assert [item for item, _ in final] == [f"b{n}" for n in sorted(range(40), key=str)]
    adjudicated = {item for item, who in by if who == ADJUDICATOR}
    assert 5 < len(adjudicated) < 35
    for (item, who), order in final.items():
        one, other = (by[item, ranker] for ranker in RANKERS)
        tau = stats.kendalltau(
            [one.index(s) for s in sorted(one)], [other.index(s) for s in sorted(one)]
        ).statistic
        if item in adjudicated:
            assert (who, order) == (ADJUDICATOR, by[item, ADJUDICATOR])
        else:
            assert who == "mean-rank" and tau >= 0.5 - 1e-9
            sums = [one.index(story) + other.index(story) for story in order]
            assert sums == sorted(sums)
        if tau < 0.5 - 1e-9:
            assert item in adjudicated
    assert set(decided.how["outcome"]) <= {"adjudicated", "mean_rank", "agreed"}


@settings(max_examples=40)
@given(
    st.integers(2, 8),
    st.floats(0, 5, allow_nan=False),
    st.floats(-1, 1),
    st.integers(0, 1000),
)
def test_every_pool_is_ranked_completely_by_both_and_decided_once(
    stories: int, noise: float, below: float, seed: int
) -> None:
    worths = spread(5, stories, seed)
    table = rankings(worths, noise=noise, below=below, seed=seed)
    validate(table, ANNOTATIONS, file=Path("annotations"))
    candidates, _ = simulation(worths)
    require_rankings(table, candidates, POOL_INDIVIDUAL_ANNOTATIONS, one_an_item=False)
    assert {(f"b{n}", who) for n in range(5) for who in RANKERS} <= set(orders(table))
    decided = decide_pools(table).annotations
    require_rankings(decided, candidates, POOL_ANNOTATIONS, one_an_item=True)
    assert decided["item_id"].nunique() == 5


def test_rankers_err_on_their_own_and_as_much_as_the_parameter_says() -> None:
    # Worth and error with the same variance: two rankers correlate by 1/2, as Pearson's r of
    # normal values; Kendall's tau is then 2/π · arcsin(1/2) = 1/3.
    worths = np.random.default_rng(3).normal(5.5, 0.5, (300, 16)).tolist()
    by = orders(rankings(worths, noise=0.5, below=-1.0))
    taus = []
    for item in range(300):
        one, other = (by[f"b{item}", who] for who in RANKERS)
        at = [[order.index(story) for story in sorted(one)] for order in (one, other)]
        taus.append(stats.kendalltau(*at).statistic)
    assert abs(np.mean(taus) - 1 / 3) < 5 * np.std(taus) / np.sqrt(300)


def test_who_is_adjudicated_changes_no_ranking_and_rows_have_no_order() -> None:
    worths = spread(10, 6)
    none, everything = (rankings(worths, noise=1.0, below=below) for below in (-1.0, 1.0))
    kept = orders(none)
    assert kept.items() <= orders(everything).items()
    assert {who for _, who in orders(everything)} == {*RANKERS, ADJUDICATOR}
    candidates, qualities = simulation(worths)
    mixed = simulate_rankings(
        candidates.sample(frac=1, random_state=1),
        qualities.sample(frac=1, random_state=2),
        PoolAnnotationsParams(**SECTION | {"noise": 1.0, "adjudicated_below": -1.0}),
        np.random.default_rng(1),
    )
    assert orders(mixed) == kept


@pytest.mark.parametrize(
    "wrong",
    [
        {"adjudicated_below": 1.1},
        {"adjudicated_below": float("nan")},
        {"noise": -0.1},
        {"premises": 3},
    ],
)
def test_parameters_of_no_rankers_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PoolAnnotationsParams(**SECTION | wrong)
    PoolAnnotationsParams(**SECTION)


def test_a_candidate_without_qualities_is_refused_by_name() -> None:
    candidates, qualities = simulation([[5, 8, 6]])
    with pytest.raises(InputError, match="candidate b0-02 of item b0 has no qualities"):
        simulate_rankings(
            candidates,
            qualities.drop(index=1),
            PoolAnnotationsParams(**SECTION),
            np.random.default_rng(1),
        )


def given_ranking(item: str, who: str, stories: str, *, kind: str = "ranking") -> pd.DataFrame:
    rows = [(item, who, kind, f"{item}-{s}", float(r)) for r, s in enumerate(stories, start=1)]
    return pd.DataFrame(rows, columns=["item_id", "annotator", "kind", "story_id", "value"])


def ranked_pools() -> pd.DataFrame:
    rows = [(item, f"{item}-{s}") for item in ("x", "y") for s in "abc"]
    return pd.DataFrame(rows, columns=["item_id", "story_id"])


def tied(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(value=[1.0, 2.0, 2.0])


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (given_ranking("z", "ann", "abc"), "item z, annotator ann: expected one of the 2 pools"),
        (given_ranking("x", "ann", "ab"), "found 2 of them ranked and 0 other"),
        (given_ranking("x", "ann", "abz"), "found 2 of them ranked and 1 other"),
        (given_ranking("x", "ann", "abcz"), "found 3 of them ranked and 1 other"),
        (tied(given_ranking("x", "ann", "abc")), "without ties or gaps"),
        (given_ranking("x", "ann", "abc").assign(value=[2.0, 3.0, 4.0]), "without ties or gaps"),
        (given_ranking("x", "ann", "abc").assign(value=[1.0, 2.0, 2.5]), "without ties or gaps"),
        (given_ranking("x", "ann", "a", kind="best"), "found 0 of them ranked"),
        (given_ranking("x", "ann", "abc", kind="rank"), "expected one confirmation"),
    ],
    ids=["pool", "short", "orphan", "more", "tied", "from 2", "half", "best", "kind"],
)
@pytest.mark.parametrize("one_an_item", [True, False])
def test_rankings_that_are_none_of_these_pools_are_refused(
    wrong: pd.DataFrame, problem: str, one_an_item: bool
) -> None:
    table = pd.concat([given_ranking("y", "ann", "bca"), wrong])
    with pytest.raises(InputError, match=problem):
        require_rankings(table, ranked_pools(), POOL_ANNOTATIONS, one_an_item=one_an_item)


def test_two_rankings_of_a_pool_stand_for_it_only_where_everybodys_are_kept() -> None:
    both = pd.concat(
        [given_ranking("x", who, order) for who, order in (("a", "abc"), ("b", "cab"))]
    )
    require_rankings(both, ranked_pools(), POOL_INDIVIDUAL_ANNOTATIONS, one_an_item=False)
    with pytest.raises(InputError, match="expected one annotator's decision, found those of 2"):
        require_rankings(both, ranked_pools(), POOL_ANNOTATIONS, one_an_item=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(simulated: list[str], premises: int, stories: int = 16) -> None:
    pool = {"premises": premises, "stories": stories, "files": [], "writer": None, "words": 30}
    top = {"study": "mine", "simulated": simulated, "seed": 1}
    params = {**top, "pool": pool, "pool_annotations": SECTION}
    Path("params.yaml").write_text(yaml.safe_dump(params))


def written() -> tuple[pd.DataFrame, pd.DataFrame]:
    return tuple(
        read_valid_table(Path(f"data/pool/{kind.name}.parquet"), kind)
        for kind in (POOL_ANNOTATIONS, POOL_INDIVIDUAL_ANNOTATIONS)
    )


def metrics() -> dict[str, Any]:
    return json.loads(Path("runs/pool_annotations.json").read_text())["metrics"]


def test_the_stage_simulates_two_rankers_and_an_adjudicator(folder: Path) -> None:
    configure(["pools", "annotators"], premises=6)
    pipeline.pool.main()
    main()
    decided, everybody = written()
    assert decided.groupby("item_id").size().tolist() == [16] * 6
    assert set(everybody["annotator"]) <= {*RANKERS, ADJUDICATOR}
    found = metrics()
    adjudicated = everybody.loc[everybody["annotator"] == ADJUDICATOR, "item_id"].nunique()
    assert found.get("pools.adjudicated", 0) == adjudicated
    assert sum(count for name, count in found.items() if name.startswith("pools.")) == 6
    assert (found["pools"], found["undecided"]) == (6, 0)


@pytest.mark.parametrize("simulated", [["pools", "annotators"], ["annotators"], []])
def test_without_pools_nobody_ranks(folder: Path, simulated: list[str]) -> None:
    configure(simulated, premises=0)
    pipeline.pool.main()
    main()
    assert all(table.empty for table in written())
    assert metrics() == {"pools": 0, "undecided": 0}


def test_rankings_that_are_not_there_are_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(["pools"], premises=2)
    pipeline.pool.main()
    with pytest.raises(SystemExit) as stopped:
        main()
    error = capsys.readouterr().err
    assert stopped.value.code == 2
    assert "data/raw/pool: expected the table 'annotations'" in error and "annotators" in error


def test_what_is_not_of_these_pools_stops_with_the_files_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(["pools"], premises=2)
    pipeline.pool.main()
    Path("data/raw/pool").mkdir(parents=True)
    given_ranking("x", "ann", "abc").to_csv("data/raw/pool/annotations.csv", index=False)
    with pytest.raises(SystemExit):
        main()
    assert "data/raw/pool/annotations.csv: item x, annotator ann" in capsys.readouterr().err
    assert not Path("data/pool/annotations.parquet").exists()


def call(*arguments: str) -> None:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, (result.output, result.exception)


def fill(sheet: str, key: str, worst_first: bool) -> None:
    """Rank a sheet's stories by their IDs."""
    known = json.loads(Path(key).read_text(encoding="utf-8"))
    stories = {row["id"]: row["story_id"] for s in known["sheets"] for row in s["rows"]}
    path = Path(sheet)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    by_item: dict[str, list[dict[str, str]]] = {}
    item = ""
    for row in rows:
        item = row["item"] or item
        by_item.setdefault(item, []).append(row)
    for own in by_item.values():
        for rank, row in enumerate(
            sorted(own, key=lambda row: stories[row["id"]], reverse=worst_first), start=1
        ):
            row["rank"] = str(rank)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_sheets_go_out_and_what_comes_back_is_taken_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cli.commands, "sheets", sheets)
    configure(["pools"], premises=2)
    pipeline.pool.main()
    out = ("sheets", "out", "data/pool", "--format", "csv", "--annotators")
    call(*out, "ann,ben", "--to", "sent", "--key", "keys/first.json")
    fill("sent/ann-best-of-16.csv", "keys/first.json", worst_first=False)
    fill("sent/ben-best-of-16.csv", "keys/first.json", worst_first=True)
    files = ("sent/ann-best-of-16.csv", "sent/ben-best-of-16.csv")
    back = ("--key", "keys/first.json", "--to", "data/raw/pool/individual_annotations.csv")
    call("sheets", "in", *files, *back, "--open", "open.csv")
    # They turned each other's order round: the pools go to a third.
    call(*out, "cay", "--items", "open.csv", "--to", "sent2", "--key", "keys/second.json")
    fill("sent2/cay-best-of-16.csv", "keys/second.json", worst_first=False)
    call(
        *("sheets", "in", *files, "sent2/cay-best-of-16.csv", *back, "--replace"),
        *("--key", "keys/second.json", "--adjudicator", "cay"),
        *("--decided", "data/raw/pool/annotations.csv"),
    )
    main()
    decided, everybody = written()
    assert set(decided["annotator"]) == {"cay"} and len(decided) == 32
    assert everybody.groupby("annotator").size().to_dict() == {"ann": 32, "ben": 32, "cay": 32}
    for rows in orders(decided).values():
        assert list(rows) == sorted(rows)
    assert metrics() == {"pools": 2, "undecided": 0}


def test_a_final_ranking_alone_is_everybodys_and_an_unranked_pool_is_counted(
    folder: Path,
) -> None:
    configure(["pools"], premises=2, stories=3)
    pipeline.pool.main()
    candidates = pd.read_parquet("data/pool/candidates.parquet")
    item = candidates["item_id"].iloc[0]
    own = candidates.loc[candidates["item_id"] == item, ["item_id", "story_id"]]
    table = own.assign(annotator="released", kind="ranking", value=[3, 1, 2])
    Path("data/raw/pool").mkdir(parents=True)
    table.to_csv("data/raw/pool/annotations.csv", index=False)
    main()
    decided, everybody = written()
    pd.testing.assert_frame_equal(decided, everybody)
    assert metrics() == {"pools": 2, "undecided": 1}
