"""Names of the version before this one, and what stands for them now.

A former name is accepted for one version, with a note on standard error; then its line here goes.
A name that ends in ``*`` stands for all that begin like it.
"""

import sys
from collections.abc import Collection, Iterable, Mapping

OPTIONS: dict[str, str] = {
    "--clean-from": "--decontaminate-threshold",
    "--copy-from": "--duplicate-threshold",
    "--drivers": "--attributions",
    "--report-from": "--min-containment",
    "--within": "--self",
    "--write-clean": "--decontaminate-to",
}
COMMANDS: dict[str, str] = {}
STAGES: dict[str, str] = {
    "best_of": "best_of_n",
    "experiments": "ablations",
    "overlap_effect": "contamination_effect",
}
"""Of stages, and so of audits."""
IDS: dict[str, str] = {
    "annotations-strays": "annotations-orphans",
    "benchmark-protocol-fits-origin": "benchmark-annotation-route-fits-origin",
    "benchmark-protocol-known": "benchmark-annotation-route-known",
    "benchmark-story-copy": "benchmark-story-near-duplicate",
    "boxes-item-*": "boxes-criterion-*",
    "ceiling": "human-upper-bound",
    "choices": "sensitivity-of-gold",
    "clean": "decontaminated",
    "comparison-by-sheets": "comparison-by-rating-rows",
    "differences-told": "differences-significant",
    "gold-protocol": "gold-annotation-route",
    "head-to-head-*": "net-win-rate-*",
    "item-story-copy": "item-story-near-duplicate",
    "judgements-place-as-listed": "judgements-position-as-listed",
    "judgements-strays": "judgements-orphans",
    "learning-curve-shares": "learning-curve-proportions",
    "macro-copy": "macro-near-duplicate",
    "overlap-effect": "contamination-effect",
    "overlaps-sound": "overlaps-valid",
    "people": "human-annotations",
    "premise-copy": "premise-near-duplicate",
    "premise-in-story-copy": "premise-in-story-near-duplicate",
    "rankers-couples": "rankers-pairs",
    "rankings-standing": "final-ranking-origin",
    "ranks-copy": "ranks-near-duplicate",
    "scores-sound": "scores-valid",
    "story-copy": "story-near-duplicate",
    "training-story-copy": "training-story-near-duplicate",
    "validation-premise-copy": "validation-premise-near-duplicate",
    "validation-story-copy": "validation-story-near-duplicate",
}
"""Of findings, and of checks that could not run."""
KEYS: dict[str, str] = {
    "alike": "equal_pools",
    "analyses_that_tell": "analyses_significant",
    "any_told": "any_significant",
    "behind_people*": "behind_annotators*",
    "cannot_be_told": "not_determinable",
    "clean": "uncontaminated",
    "clean.*": "uncontaminated.*",
    "clean_accuracy": "uncontaminated_accuracy",
    "clean_answers": "uncontaminated_answers",
    "clean_high": "uncontaminated_high",
    "clean_items": "uncontaminated_items",
    "clean_lead": "uncontaminated_lead",
    "clean_lead_high": "uncontaminated_lead_high",
    "clean_lead_low": "uncontaminated_lead_low",
    "clean_low": "uncontaminated_low",
    "clean_rank": "uncontaminated_rank",
    "clean_right": "uncontaminated_right",
    "copies": "near_duplicates",
    "copy_answers": "near_duplicate_answers",
    "copy_design_effect": "near_duplicate_design_effect",
    "copy_difference": "near_duplicate_difference",
    "copy_difference_high": "near_duplicate_difference_high",
    "copy_difference_low": "near_duplicate_difference_low",
    "copy_from": "duplicate_threshold",
    "copy_items": "near_duplicate_items",
    "copy_least_fall": "near_duplicate_least_fall",
    "copy_least_rise": "near_duplicate_least_rise",
    "copy_right": "near_duplicate_right",
    "copy_told": "near_duplicate_significant",
    "correlation_sheet": "correlation_rating_row",
    "correlation_sheet_high": "correlation_rating_row_high",
    "correlation_sheet_low": "correlation_rating_row_low",
    "couples": "pairs",
    "design_effect_sheet": "design_effect_rating_row",
    "design_effect_sheet_high": "design_effect_rating_row_high",
    "design_effect_sheet_low": "design_effect_rating_row_low",
    "drivers": "attributions",
    "first_share": "first_rate",
    "first_share_high": "first_rate_high",
    "first_share_low": "first_rate_low",
    "human_llm_share": "human_llm_proportion",
    "items_error": "se_items",
    "items_one_score_prevails": "criteria_one_score_prevails",
    "judges_told_from_zero": "judges_significant",
    "llm_llm_share": "llm_llm_proportion",
    "longest_run": "longest_common_substring",
    "loss_share*": "loss_rate*",
    "mean_over_items": "mean_over_criteria",
    "mean_over_items_high": "mean_over_criteria_high",
    "mean_over_items_low": "mean_over_criteria_low",
    "modal_share": "modal_proportion",
    "most_frequent_share": "most_frequent_proportion",
    "neighbours_untold": "neighbours_inconclusive",
    "net": "net_win_rate",
    "net_high": "net_win_rate_high",
    "net_low": "net_win_rate_low",
    "report_from": "min_containment",
    "seeds_error": "se_seeds",
    "share": "proportion",
    "sheet": "rating row",
    "sheets": "rating_rows",
    "smallest_told": "minimum_detectable",
    "told": "significant",
    "told_after_holm": "significant_after_holm",
    "told_apart": "significant",
    "told_before_holm": "significant_before_holm",
    "untold": "inconclusive",
    "visible_net": "minimum_detectable_net_win_rate",
    "win_share*": "win_rate*",
}
"""Of a finding's numbers and evidence."""
COLUMNS: dict[str, str] = {
    "longest_run": "longest_common_substring",
    "protocol": "annotation_route",
}
"""Of input tables."""

_noted: set[str] = set()


def current(name: str, names: Mapping[str, str]) -> str:
    """Return what stands for a name now; the name itself where it is no former one."""
    if name in names:
        return names[name]
    prefixes = [old[:-1] for old in names if old.endswith("*") and name.startswith(old[:-1])]
    if not prefixes:
        return name
    longest = max(prefixes, key=len)
    return names[f"{longest}*"].removesuffix("*") + name.removeprefix(longest)


def current_finding(path: str) -> str:
    """Return what stands now for a finding's name, written study/audit/id."""
    study, audit, name = [*path.split("/", 2), "", ""][:3]
    return f"{study}/{current(audit, STAGES)}/{current(name, IDS)}"


def current_columns(
    there: Iterable[object], wanted: Collection[str], names: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return a file's columns that bear a former name of a wanted one, and that one.

    Args:
        there: the file's columns.
        wanted: our columns; one that the file has under its own name is not sought.
        names: former names; ``COLUMNS`` if None.
    """
    there = {str(name) for name in there}
    found: dict[str, str] = {}
    for old, new in (COLUMNS if names is None else names).items():
        taken = new in there or new in found.values()
        if old in there and new in wanted and old not in wanted and not taken:
            found[old] = new
    return found


def note(old: str, new: str) -> None:
    """Say on standard error, once a command, that a name was a former one."""
    if old in _noted or sys.stderr is None:
        return
    _noted.add(old)
    sys.stderr.write(f"'{old}' is called '{new}' now; the old name goes in the next version.\n")


def current_words(words: Iterable[str]) -> list[str]:
    """Return words of a command line with what stands for the former names that were noted."""
    known = {old: new for old, new in (OPTIONS | COMMANDS).items() if old in _noted}
    parted = [word.partition("=") for word in words]
    return [f"{known.get(name, name)}{sign}{value}" for name, sign, value in parted]


def forget_notes() -> None:
    """Begin a new command, in which each note may be said again."""
    _noted.clear()
