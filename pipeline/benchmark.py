"""The benchmark's gold: chosen story and dimension of every item, by StoryAlign's protocol."""

import pandas as pd

from pipeline.simulation.fault_params import FaultsParams
from pipeline.simulation.faults import FAULTS, inject_faults
from pipeline.simulation.truth_tables import GROUND_TRUTH
from storyaudit.data.tables import (
    ANNOTATIONS,
    BENCHMARK,
    CANDIDATES,
    JUDGEMENTS,
    STORIES,
    human_stories,
)
from storyaudit.errors import InputError
from storyaudit.protocol.gold import item_gold
from storyaudit.protocol.protocol_items import Item, assemble
from storyaudit.protocol.protocol_params import ProtocolParams
from storyaudit.runs.stage import PARAMS, Stage


def refuse_orphans(candidates: pd.DataFrame, **tables: pd.DataFrame) -> None:
    """Refuse tables with rows about items that have no candidates.

    Raises:
        InputError: names the table and the first such item.
    """
    for name, table in tables.items():
        orphans = sorted(set(table["item_id"]) - set(candidates["item_id"]))
        if orphans:
            raise InputError(
                f"the {name} have rows about item {orphans[0]}, which has no candidates "
                f"({len(orphans)} such items).",
                "Remove them, or add the item's candidates.",
            )


def require_variant(judgements: pd.DataFrame, variant: str) -> None:
    """Refuse judgements of which none is of the prompt variant that counts.

    Raises:
        InputError: names the variants that are there.
    """
    there = sorted(set(judgements["prompt_variant"]))
    if variant not in there:
        raise InputError(
            f"no judgement is of the prompt variant '{variant}'; there are "
            f"{', '.join(map(repr, there[:10]))}.",
            "Name one of them as protocol.prompt_variant.",
            file=PARAMS,
        )


def build_benchmark(
    items: list[Item], params: ProtocolParams
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the benchmark table, and how many items were removed or lack a judge.

    Raises:
        InputError: items that nobody decided, unless they are dropped, or see
            ``storyaudit.protocol.gold.item_gold``.
    """
    rows: list[dict[str, object]] = []
    undecided = [item.item_id for item in items if item.annotations.empty]
    if undecided and params.undecided_items == "refuse":
        shown = ", ".join(undecided[:10]) + (", …" if len(undecided) > 10 else "")
        raise InputError(
            f"{len(undecided)} of {len(items)} items have no person's decision: {shown}.",
            "Have them decided, or set protocol.undecided_items to 'drop'.",
        )
    counts = {"unsure": 0, "undecided": len(undecided), "items_without_a_judge": 0}
    for item in items:
        if item.annotations.empty:
            continue
        gold = item_gold(item, params)
        if gold.chosen is None:
            counts["unsure"] += 1
            continue
        counts["items_without_a_judge"] += bool(item.scores and item.scores.left_out)
        rows.append(
            {
                "item_id": item.item_id,
                "premise_id": item.premise_id,
                "origin": item.origin,
                "chosen_id": gold.chosen,
                "annotation_route": gold.route,
                "tau_avg": round(gold.tau_avg, 9),
                "dimension": gold.dimension,
                "dimension_rule": gold.rule,
            }
        )
    return pd.DataFrame(rows, columns=BENCHMARK.names), counts


def main() -> None:
    """Run the stage."""
    with Stage("benchmark") as stage:
        params = stage.params("protocol", ProtocolParams)
        candidates, stories = stage.read(CANDIDATES), stage.read(STORIES)
        judgements, annotations = stage.read(JUDGEMENTS), stage.read(ANNOTATIONS)
        require_variant(judgements, params.prompt_variant)
        refuse_orphans(candidates, judgements=judgements, annotations=annotations)
        items = assemble(candidates, judgements, annotations, human_stories(stories), params)
        benchmark, counts = build_benchmark(items, params)
        benchmark, faults = inject_faults(
            benchmark,
            candidates,
            stories.set_index("story_id")["words"],
            stage.params("faults", FaultsParams),
            stage.stream("faults"),
        )
        stage.write(BENCHMARK, benchmark)
        stage.write(FAULTS, faults, GROUND_TRUTH / "benchmark")
        for column in ("origin", "annotation_route", "dimension", "dimension_rule"):
            sizes = benchmark[column].value_counts().sort_index()
            counts |= {f"items.{value}": int(count) for value, count in sizes.items()}
        stage.metrics(items=len(benchmark), **counts)


if __name__ == "__main__":
    main()
