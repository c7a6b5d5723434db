from decimal import Decimal

import pytest
import yaml

from storyaudit.errors import InputError
from storyaudit.ledger import read_ledger

FIGURES = [
    {"id": "items", "printed": "1,133", "where": "Table 1"},
    {"id": "mean", "printed": "8.70", "where": "p. 2"},
]
LEDGER = {
    "paper": "A paper",
    "study": "paper",
    "source": "a journal",
    "hand": "first",
    "figures": FIGURES,
}


def write(folder, content):
    path = folder / "ledger.yaml"
    text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def third(without=None, **changes):
    """The ledger with a third figure, 'new'."""
    figure = {"id": "new", "printed": "5", "where": "p. 3"} | changes
    figure.pop(without, None)
    return LEDGER | {"figures": [*FIGURES, figure]}


def test_reads_a_ledger(tmp_path):
    ledger = read_ledger(write(tmp_path, LEDGER))
    assert [figure.number.value for figure in ledger.figures] == [Decimal(1133), Decimal("8.70")]
    assert ledger.figures[1].number.decimals == 2
    assert ledger.counts() == {"items": 1133}


def test_a_dropped_zero_makes_a_figure_no_count(tmp_path):
    assert read_ledger(write(tmp_path, third())).counts() == {"items": 1133, "new": 5}
    assert read_ledger(write(tmp_path, third(decimals=1))).counts() == {"items": 1133}


@pytest.mark.parametrize(
    ("statistic", "author"), [("mean", "x"), ("sd", "x"), ("mean_of_means", None)]
)
def test_reads_how_a_figure_is_recomputed(tmp_path, statistic, author):
    recompute = {"statistic": statistic, "item": "1"} | ({"author": author} if author else {})
    figure = read_ledger(write(tmp_path, third(recompute=recompute))).figures[-1]
    assert (figure.recompute.statistic, figure.recompute.author) == (statistic, author)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (third(colour="red"), ["figures.2.colour", "figure 'new'"]),
        (third(id="items"), ["'items' stands twice"]),
        (third(printed="many"), ["figure 'new'", "'many'"]),
        (third(printed=8.7), ["figures.2.printed", "figure 'new'"]),
        (third(without="where"), ["figures.2.where", "figure 'new'"]),
        (third(where=""), ["figures.2.where", "figure 'new'"]),
        (third(printed="8.75", decimals=1), ["more than 1", "figure 'new'"]),
        (third(decimals=-1), ["figures.2.decimals", "figure 'new'"]),
        (third(decimals=True), ["figures.2.decimals", "figure 'new'"]),
        (third(id="Not An ID"), ["figures.2.id"]),
        (third(recompute={"statistic": "median", "item": "1"}), ["recompute", "figure 'new'"]),
        (third(recompute={"statistic": "mean", "item": "1"}), ["with an author", "figure 'new'"]),
        (
            third(recompute={"statistic": "mean_of_sds", "item": "1", "author": "x"}),
            ["without an author", "figure 'new'"],
        ),
        (LEDGER | {"figures": ["8.7"]}, ["figures.0"]),
        (LEDGER | {"figures": []}, ["figures"]),
        (LEDGER | {"figures": {"id": "x"}}, ["figures"]),
        (LEDGER | {"hand": "third"}, ["hand"]),
        (LEDGER | {"study": "../etc"}, ["study"]),
        (LEDGER | {"year": 2024}, ["year"]),
        ({k: v for k, v in LEDGER.items() if k != "paper"}, ["paper: field required"]),
        ([LEDGER], ["top level"]),
        ("", ["top level"]),
        ("just words", ["top level"]),
        ("figures: [", ["not YAML", "line 1"]),
        ("paper: x\npaper: y", ["'paper' stands twice"]),
        ("paper: &a [*a]\nfigures: &b [*b]", ["paper"]),
    ],
)
def test_a_bad_ledger_is_bad_input_with_entry_and_remedy(tmp_path, content, named):
    path = write(tmp_path, content)
    with pytest.raises(InputError) as error:
        read_ledger(path)
    assert error.value.file == path
    assert [part for part in named if part not in str(error.value)] == []
    assert error.value.remedy
    assert len(str(error.value).splitlines()) == 1


def test_a_bomb_of_aliases_does_not_expand(tmp_path):
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    text = "\n".join(["a0: &a0 [x, x]", *levels, "paper: *a29", "figures: *a29"])
    with pytest.raises(InputError) as error:
        read_ledger(write(tmp_path, text))
    assert len(str(error.value)) < 1_000
