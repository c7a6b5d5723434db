import time
from decimal import Decimal
from fractions import Fraction

import pytest
import yaml

from storyaudit.errors import InputError
from storyaudit.ledger.ledger_file import Ledger, read_ledger
from storyaudit.stats.rational_intervals import Interval

FIGURES = [
    {"id": "items", "printed": "1,133", "where": "Table 1"},
    {"id": "mean", "printed": "8.70", "where": "p. 2"},
    {"id": "p", "printed": "< 0.05", "where": "p. 2"},
]
LEDGER = {
    "paper": "A paper",
    "study": "paper",
    "source": "a journal",
    "hand": "first",
    "figures": FIGURES,
}
SAMPLE = {"mean": "mean", "sd": "mean", "n": 10}


def write(folder, content):
    path = folder / "ledger.yaml"
    text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def third(without=None, **changes):
    """The ledger with a further figure, 'new'."""
    figure = {"id": "new", "printed": "5", "where": "p. 3"} | changes
    figure.pop(without, None)
    return LEDGER | {"figures": [*FIGURES, figure]}


def with_entry(section, **entry):
    """The ledger with one entry, 'new', in another section."""
    return LEDGER | {section: [{"id": "new"} | entry]}


def possible(check="mean_and_sd", **changes):
    entry = {"mean": "mean", "sd": "mean", "n": "items", "scale": [1, 10]} | changes
    return with_entry("possible", check=check, **{k: v for k, v in entry.items() if v is not None})


def p_value(**changes):
    entry = {"where": "p. 2", "test": "welch", "first": SAMPLE, "second": SAMPLE, "p": "p"}
    entry |= changes
    return with_entry("p_values", **{k: v for k, v in entry.items() if v is not None})


def test_reads_a_ledger(tmp_path):
    ledger = read_ledger(write(tmp_path, LEDGER))
    values = [figure.number.value for figure in ledger.figures]
    assert values == [Decimal(1133), Decimal("8.70"), Decimal("0.05")]
    assert ledger.figure("mean").number.decimals == 2
    assert ledger.figure("mean").interval == Interval(Fraction("8.695"), Fraction("8.705"))
    assert (ledger.figure("p").sign, ledger.figure("mean").sign) == ("<", "=")
    assert ledger.counts() == {"items": 1133}


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, {"new": 5}),
        ({"decimals": 1}, {}),  # the table drops zeros: 5.0
        ({"decimals": 0}, {}),  # rounded to whole numbers
        ({"printed": "6,000", "decimals": -3}, {}),  # about
        ({"printed": "< 5"}, {}),  # a bound
        ({"printed": "5.0"}, {}),
    ],
)
def test_only_a_whole_number_of_which_nothing_else_is_said_is_a_count(tmp_path, changes, counts):
    assert read_ledger(write(tmp_path, third(**changes))).counts() == {"items": 1133} | counts


def test_a_computation_takes_what_arguments_it_is_given(tmp_path):
    how = {"computation": "mean", "item": "1", "ranks": [1, 2], "strict": True, "computation-2": 3}
    figure = read_ledger(write(tmp_path, third(recompute=how))).figures[-1]
    assert figure.recompute.computation == "mean"
    assert figure.recompute.arguments == {k: v for k, v in how.items() if k != "computation"}


def test_every_section_can_be_filled(tmp_path):
    sections = {
        "claims": {"statement": "It is best.", "where": "p. 1"},
        "quantities": {"expression": "[items] / 2"},
        "relations": {"statement": "So it is", "relation": "[items] > [mean]"},
        **{name: possible()[name][0] for name in ("possible",)},
        **{name: p_value()[name][0] for name in ("p_values",)},
        "differences": {"where": "p. 1", "first": "mean", "second": "mean", "items": ["items"]},
        "conflicts": {"statement": "One and two", "where": ["p. 1", "p. 2"]},
    }
    content = {name: [entry | {"id": f"in-{name}"}] for name, entry in sections.items()}
    content["disclosure"] = [{"item": "intervals", "reported": "yes", "where": "p. 1"}]
    ledger = read_ledger(write(tmp_path, LEDGER | content))
    assert set(content) | {"figures", "paper", "study", "source", "hand"} == set(
        Ledger.model_fields
    )
    assert {entry.id for entry in ledger.entries()} == {f"in-{name}" for name in sections} | {
        figure["id"] for figure in FIGURES
    }
    assert set(ledger.references()) == {
        ("in-possible", "mean"),
        ("in-possible", "items"),
        ("in-p_values", "mean"),
        ("in-p_values", "p"),
        ("in-differences", "mean"),
        ("in-differences", "items"),
    }


@pytest.mark.parametrize(
    ("content", "named"),
    [
        # figures
        (third(colour="red"), ["figures.3.colour", "'new'"]),
        (third(id="items"), ["'items' stands twice"]),
        (third(printed="many"), ["'new'", "'many'"]),
        (third(printed=8.7), ["figures.3.printed", "'new'", "quotes"]),
        (third(where=4), ["figures.3.where", "'new'", "quotes"]),
        (third(without="where"), ["figures.3.where: field required", "'new'", "docs/ledgers.md"]),
        (third(where=""), ["figures.3.where", "'new'"]),
        (third(where="  "), ["figures.3.where", "'new'"]),
        (third(printed="8.75", decimals=1), ["more than 1", "'new'"]),
        (third(printed="6,100", decimals=-3), ["more than -3", "'new'"]),
        (third(printed="1e400"), ["not one printed number", "'new'"]),
        (third(printed="9" * 5000), ["not one printed number", "'new'"]),
        (third(printed="9" * 40), ["30 digits", "'new'"]),
        (third(decimals=13), ["figures.3.decimals", "'new'"]),
        (third(decimals=True), ["figures.3.decimals", "'new'"]),
        (third(id="Not An ID"), ["figures.3.id"]),
        (third(id="x" * 151), ["figures.3.id"]),
        (third(id=["a", "list"]), ["figures.3.id", "entry 4"]),
        (third(recompute={"item": "1"}), ["recompute.computation", "'new'"]),
        (third(recompute="mean"), ["recompute", "'new'"]),
        (third(recompute={"computation": "mean", "of": {"a": 1}}), ["recompute.of", "'new'"]),
        (LEDGER | {"figures": ["8.7"]}, ["figures.0", "entry 1"]),
        (LEDGER | {"figures": []}, ["figures"]),
        (LEDGER | {"figures": {"id": "x"}}, ["figures: input should be a valid list"]),
        (LEDGER | {"figures": "8.7"}, ["figures: input should be a valid list"]),
        # claims
        (with_entry("claims", statement="s"), ["claims.0.where", "'new'"]),
        (
            with_entry("claims", statement="s", where="p", expects="x"),
            ["'recompute' and 'expects' go together", "'new'"],
        ),
        # quantities and relations
        (with_entry("quantities", expression=""), ["quantities.0.expression", "'new'"]),
        (with_entry("quantities", expression="1+" * 20_000 + "1"), ["20000 characters", "'new'"]),
        (with_entry("relations", relation="1 = 1"), ["relations.0.statement", "'new'"]),
        (LEDGER | {"relations": "1 = 1"}, ["relations: input should be a valid list"]),
        # possible
        (possible(mean=None), ["check 'mean_and_sd' needs mean", "'new'"]),
        (possible(n=None, scale=None), ["needs n, scale", "'new'"]),
        (possible(check="denominators"), ["needs row, at_least, at_most", "'new'"]),
        (possible(check="percentage"), ["needs percentage", "'new'"]),
        (possible(mean="nothing"), ["'new' speaks of the figure 'nothing', which is not there"]),
        (possible(mean="p"), ["'new' reckons with 'p', of which a bound is printed"]),
        (
            possible(sd="items"),
            ["'new' takes 'items', printed 1,133, for a rounded number", "'decimals'"],
        ),
        (possible(n=0), ["possible.0.n", "'new'"]),
        (possible(n=10**10), ["possible.0.n", "'new'"]),
        (possible(n="nothing"), ["'nothing'", "'new'"]),
        (possible(scale=[10, 1]), ["scale is [lowest, highest]", "'new'"]),
        (possible(scale=[1, 10**9]), ["possible.0.scale.1", "'new'"]),
        (possible(ddof=2), ["possible.0.ddof", "'new'"]),
        (
            possible(check="denominators", row=["mean"], at_least=9, at_most=8),
            ["at_least lies above at_most", "'new'"],
        ),
        (possible(check="denominators", row=["mean"], at_least=1, at_most=10**6), ["at_most"]),
        (possible(row=["mean"] * 51), ["possible.0.row", "'new'"]),
        # p values
        (p_value(significant=True), ["give either 'p' or 'significant'", "'new'"]),
        (p_value(p=None), ["give either 'p' or 'significant'", "'new'"]),
        (p_value(second=None), ["give 'first' and 'second', or 'statistic'", "'new'"]),
        (p_value(statistic="mean"), ["give 'first' and 'second', or 'statistic'", "'new'"]),
        (p_value(test="t"), ["test 't' needs 'statistic'", "'new'"]),
        (
            p_value(first=None, second=None, statistic="mean"),
            ["a printed statistic is of test 't', 'z' or 'chi2'", "'new'"],
        ),
        (
            p_value(test="t", first=None, second=None, statistic="mean"),
            ["the tests 't' and 'chi2' need 'df'", "'new'"],
        ),
        (p_value(df=3.0), ["need 'df', and no other does", "'new'"]),
        (
            p_value(test="chi2", first=None, second=None, statistic="mean", df=1, sides=1),
            ["test 'chi2' has no sides", "'new'"],
        ),
        (
            p_value(test="t", first=None, second=None, statistic="mean", df=0),
            ["p_values.0.df", "'new'"],
        ),
        (p_value(first=SAMPLE | {"n": 1}), ["p_values.0.first.n", "'new'"]),
        (p_value(first=SAMPLE | {"sd": "p"}), ["'new' reckons with 'p'"]),
        (p_value(first=SAMPLE | {"sd": "items"}), ["'new' takes 'items'", "'decimals'"]),
        (p_value(p="items"), ["'new' takes 'items'", "'decimals'"]),
        (p_value(p="nothing"), ["'nothing'", "'new'"]),
        (p_value(alpha=1.0), ["p_values.0.alpha", "'new'"]),
        # differences, conflicts, disclosure
        (
            with_entry("differences", where="p", first="mean", second="no", items=["items"]),
            ["'new' speaks of the figure 'no'"],
        ),
        (with_entry("conflicts", statement="s", where=["p. 1"]), ["conflicts.0.where", "'new'"]),
        (LEDGER | {"disclosure": [{"item": "loss", "reported": "yes"}]}, ["'where'", "'loss'"]),
        (LEDGER | {"disclosure": [{"item": "loss", "reported": True}]}, ["reported", "'loss'"]),
        (
            LEDGER | {"disclosure": [{"item": "loss", "reported": "no"}] * 2},
            ["'loss' stands twice"],
        ),
        (with_entry("conflicts", id="items", statement="s", where=["1", "2"]), ["stands twice"]),
        # the whole
        (LEDGER | {"hand": "third"}, ["hand"]),
        (LEDGER | {"study": "../etc"}, ["study"]),
        (LEDGER | {"year": 2024}, ["year"]),
        ({k: v for k, v in LEDGER.items() if k != "paper"}, ["paper: field required"]),
        ([LEDGER], ["found a list", "--template"]),
        ("", ["found nothing", "--template"]),
        ("just words", ["found text", "--template"]),
        ("figures: [", ["not YAML", "line "]),
        ("paper: x\npaper: y", ["'paper' stands twice"]),
        ("paper: &a [*a]\nfigures: &b [*b]", ["paper"]),
        ("paper: 2024-02-31", ["not YAML"]),
        ("paper: " + "[" * 100_000, ["not YAML"]),
        ("paper: " + "9" * 5000, ["not YAML"]),
    ],
)
def test_a_bad_ledger_is_bad_input_with_entry_and_remedy(tmp_path, content, named):
    path = write(tmp_path, content)
    with pytest.raises(InputError) as error:
        read_ledger(path)
    assert error.value.file == path
    assert [part for part in named if part not in str(error.value)] == []
    assert error.value.remedy
    assert "value error" not in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 1_000


@pytest.mark.parametrize(
    "use",
    [
        "paper: *a29\nfigures: *a29",
        "paper: p\nstudy: s\nsource: s\nhand: first\nfigures: [{id: *a29, printed: *a29}]",
        "paper: p\nstudy: s\nsource: s\nhand: first\n"
        "figures: [{id: x, printed: '1', where: p, recompute: {computation: c, of: *a29}}]",
        "paper: p\nstudy: s\nsource: s\nhand: first\n"
        "figures: [{id: x, printed: '1', where: p}]\nclaims: *a29",
    ],
)
def test_a_bomb_of_aliases_does_not_expand(tmp_path, use):
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    with pytest.raises(InputError) as error:
        read_ledger(write(tmp_path, "\n".join(["a0: &a0 [x, x]", *levels, use])))
    assert len(str(error.value)) < 1_000


def test_a_long_ledger_is_read_in_time_that_grows_with_it(tmp_path):
    figures = [{"id": f"f{n}", "printed": "1.0", "where": "p"} for n in range(2000)]
    row = [
        {"id": f"c{n}", "check": "percentage", "percentage": f"f{n}", "n": 9} for n in range(2000)
    ]
    started = time.process_time()
    ledger = Ledger.model_validate(LEDGER | {"figures": figures, "possible": row})
    assert len(list(ledger.references())) == 2000
    assert time.process_time() - started < 1  # a search through all figures for each takes longer
