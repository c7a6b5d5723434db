"""The audit of a benchmark's protocol: its gold replayed, and a sensitivity analysis of it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from audits.protocol.annotators.annotator_findings import annotator_findings
from audits.protocol.bias.bias_findings import bias_findings
from audits.protocol.dimension_rules import rules_finding
from audits.protocol.human_annotations import annotation_findings
from audits.protocol.priority import best_fit, priority_finding, tied_dimensions
from audits.protocol.replay import replay_findings
from audits.protocol.replayed_items import ReplayedItem, replayed, with_chosen
from audits.protocol.sensitivity import sensitivity_findings
from audits.protocol.tau_distribution import tau_finding
from audits.protocol.usable_rows import Tables, valid_rows
from storyaudit.data.tables import (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    INDIVIDUAL_ANNOTATIONS,
    JUDGEMENTS,
    STORIES,
    human_stories,
)
from storyaudit.findings import Finding, Report, Unchecked, counted, evidence
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.vocabulary import HUMAN_LLM

AUDIT = "protocol"
REQUIRED = (BENCHMARK, CANDIDATES, JUDGEMENTS)
READ = (*REQUIRED, ANNOTATIONS, INDIVIDUAL_ANNOTATIONS, STORIES)
"""The tables that the audit reads; the others are optional."""


def protocol_report(
    tables: Tables,
    *,
    study: str,
    params: ProtocolParams,
    rng: np.random.Generator,
    families: Mapping[str, str] | None = None,
    adjudicators: Collection[str] = (),
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Report:
    """Return the findings on a benchmark's protocol.

    Args:
        tables: by name: benchmark, candidates and judgements; annotations, individual_annotations
            and stories if there.
        study: the study's name.
        params: the settings under which the benchmark was made. A priority order that is not
            given counts as not stated, and one that fits the benchmark best is taken.
        rng: draws bootstrap samples of items, and shuffles positions.
        families: models' families by name; by default the letters with which a name begins.
        adjudicators: annotators who only decided what others disagreed on.
        resamples: bootstrap samples.
        confidence: of every interval.
    """
    valid, left_out = valid_rows(tables)
    absent = [table.name for table in REQUIRED if table.name not in valid]
    if absent:
        reason = f"the table '{absent[0]}' has no usable row"
        left = Unchecked(id="replay", check="replay of the gold", reason=reason)
        return Report.of([*left_out, left], study=study, audit=AUDIT)
    replayable, unreplayable = _replayable(valid)
    annotated = "annotations" in valid
    cases, params, fitting = _replayed(replayable, params)
    kept = with_chosen(cases)
    parts: list[Finding | Unchecked] = [
        *left_out,
        *unreplayable,
        tau_finding(cases, params.tau_threshold),
        *replay_findings(cases, replayable["benchmark"], annotated=annotated),
        *_incomplete_judges(cases),
    ]
    if kept:
        parts += [
            rules_finding(kept),
            priority_finding(kept, params, fitting=fitting),
            *sensitivity_findings(kept, replayable, params),
        ]
    else:
        reason = "no item can be replayed"
        parts.append(
            Unchecked(
                id="sensitivity-of-gold", check="sensitivity analysis of the gold", reason=reason
            )
        )
    if annotated:
        parts += annotation_findings(cases, confidence=confidence)
    else:
        reason = "there is no table 'annotations'"
        parts.append(Unchecked(id="human-annotations", check="human annotations", reason=reason))
    parts += bias_findings(
        valid,
        prompt_variant=params.prompt_variant,
        families=families,
        rng=rng,
        resamples=resamples,
        confidence=confidence,
    )
    parts += annotator_findings(
        tables.get("individual_annotations"),
        valid["candidates"],
        humans=human_stories(valid["stories"]) if "stories" in valid else None,
        adjudicators=adjudicators,
        rng=rng,
        resamples=resamples,
        confidence=confidence,
    )
    return Report.of(parts, study=study, audit=AUDIT)


def _replayable(tables: Tables) -> tuple[Tables, list[Unchecked]]:
    """Return the tables without Human–LLM items, where nothing says which story is human."""
    if "stories" in tables:
        return tables, []
    candidates = tables["candidates"]
    human = set(candidates.loc[candidates["origin"] == HUMAN_LLM, "item_id"])
    if not human:
        return tables, []
    rest = {name: table[~table["item_id"].isin(human)] for name, table in tables.items()}
    reason = "which story is human is not determinable without the table 'stories'"
    check = f"replay of the gold of {counted(len(human), 'Human–LLM item')}"
    return rest, [Unchecked(id="human-llm-items", check=check, reason=reason)]


def _replayed(
    tables: Tables, params: ProtocolParams
) -> tuple[list[ReplayedItem], ProtocolParams, int | None]:
    """Return the items replayed, under which settings, and how many priority orders fit.

    Where the order is stated it is taken, and the last is None.
    """
    cases = replayed(tables, params)
    if "priority" in params.model_fields_set:
        return cases, params, None
    benchmark = tables["benchmark"].drop_duplicates("item_id").set_index("item_id")
    same = [
        case
        for case in with_chosen(cases)
        if case.item.item_id in benchmark.index
        and benchmark.at[case.item.item_id, "chosen_id"] == case.chosen
    ]
    tied = tied_dimensions(same, params)
    stated = {item: str(benchmark.at[item, "dimension"]) for item in tied}
    order, fitting = best_fit(tied, stated, params.priority)
    if list(order) != params.priority:
        params = params.model_copy(update={"priority": list(order)})
        cases = replayed(tables, params)
    return cases, params, fitting


def _incomplete_judges(cases: Sequence[ReplayedItem]) -> list[Finding]:
    """Return a warning where some judge does not count in an item."""
    left_out = [case.item.scores.left_out for case in cases if case.item.scores is not None]
    by_judge = Counter(judge for judges in left_out for judge in judges)
    items = sum(bool(judges) for judges in left_out)
    if not items:
        return []
    return [
        Finding(
            id="judges-incomplete",
            severity="warn",
            statement=f"In {items} of {counted(len(left_out), 'item')} a judge lacks a score, or "
            f"scored a story twice, and is left out of the item. There tau_avg and mean scores "
            f"rest on the other judges.",
            numbers={"items": items, "of": len(left_out)},
            evidence=evidence({"judge": j, "items": n} for j, n in sorted(by_judge.items())),
        )
    ]
