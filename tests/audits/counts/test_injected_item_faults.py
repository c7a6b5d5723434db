"""The faults that the simulation injects into items, as far as counts can show them."""

import numpy as np
import pandas as pd
import pytest

from audits.counts.counts_report import counts_report
from audits.counts.derive import count
from audits.counts.identities import check_identities, read_identities
from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.faults import duplicate_items, inject_faults
from storyaudit.findings import Finding, Report
from storyaudit.io.expectations import expectations_path

Tables = dict[str, pd.DataFrame]
IDENTITIES = read_identities(expectations_path())
KEPT = ("benchmark", "candidates", "annotations", "stories")


def fails(tables: Tables) -> dict[str, Finding]:
    some = {name: tables[name] for name in KEPT}
    return {f.id: f for f in counts_report(some, study="demo").fails()}


def inject(tables: Tables, *, seed: int = 1, **faults: int) -> pd.DataFrame:
    nothing = dict.fromkeys(FaultsParams.model_fields, 0) | {"edit_share": 0.0}
    words = pd.Series(100, index=tables["stories"]["story_id"])
    words[["s12", "s22", "s32"]] = 200  # none of them is chosen
    tables["benchmark"], truth = inject_faults(
        tables["benchmark"],
        tables["candidates"],
        words,
        FaultsParams(**{**nothing, **faults}),
        np.random.default_rng(seed),
    )
    return truth


def test_a_missing_item_breaks_the_identity_of_its_origin(valid: Tables) -> None:
    broken = {}
    for seed in range(8):
        tables = dict(valid)
        (item,) = inject(tables, seed=seed, missing_items=1)["item_id"]
        found = check_identities(count(tables), IDENTITIES, subject="the tables")
        report = Report.of(found, study="s", audit="counts")
        broken[item] = {finding.id for finding in report.fails()}
    assert broken == {
        "i1": {"identity-llm-premises"},
        "i2": {"identity-llm-premises"},
        "i3": {"identity-drawn-less-unsure"},
    }


def test_a_duplicated_item_is_named_under_both_ids(valid: Tables) -> None:
    valid["candidates"], truth = duplicate_items(valid["candidates"], 1, np.random.default_rng(1))
    (item,) = truth["item_id"]
    finding = fails(valid)["candidates-item-once"]
    assert finding.numbers["against"] == 8
    assert {row["item_id"] for row in finding.evidence} == {item, item.removesuffix("-again")}


@pytest.mark.parametrize("fault", ["swapped_labels", "length_shortcut"])
def test_a_wrong_label_is_for_the_protocol_audit_to_find(valid: Tables, fault: str) -> None:
    before = valid["benchmark"]["chosen_id"].tolist()
    assert len(inject(valid, **{fault: 2})) == 2
    assert sum(a != b for a, b in zip(valid["benchmark"]["chosen_id"], before, strict=True)) == 2
    assert fails(valid) == {}
