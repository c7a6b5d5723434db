"""What the overlaps of a study mean for it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from audits.overlap.context import Context, by_trait, whole_items
from audits.overlap.kernels.minhash import SCHEME, recall
from audits.overlap.overlap_params import OverlapParams
from audits.overlap.overlap_phrasing import Kind, Wording, shares, statement, wordings
from audits.overlap.study_comparisons import Compared
from storyaudit.findings import EVIDENCE_ROWS, Finding, Number, Report, Unchecked, counted, evidence
from storyaudit.vocabulary import TRAIN_BENCHMARK, TRAIN_TRAIN

AUDIT = "overlap"
ITEMS = 5
"""Of the items, methods and sources of a text so many are named in the evidence."""

More = Callable[[Mapping[Any, Any]], Mapping[str, Number]]
"""Given a row of the overlaps table, returns further columns of its evidence."""


class _Audit(NamedTuple):
    """What every finding needs; see ``overlap_report``."""

    params: OverlapParams
    context: Context | None
    more: More | None


def overlap_report(
    results: Sequence[Compared],
    *,
    study: str,
    params: OverlapParams,
    context: Context | None = None,
    more: More | None = None,
) -> Report:
    """Return the findings on what comparisons found.

    Args:
        results: of comparisons, each of its sides and level once.
        study: the study's name.
        params: as the search had them.
        context: where the texts stand, if that is known.
        more: asked for each row that is shown as evidence: of its passages, for example.
    """
    audit = _Audit(params, context, more)
    findings = [
        finding
        for result in results
        for wording in wordings(result)
        for finding in _on_pairs(result, wording, audit)
    ]
    firsts = {result.level: result for result in reversed(results)}
    for level in ("story", "premise"):
        if level in firsts:
            findings += _on_texts(firsts[level])
    parts: list[Finding | Unchecked] = [
        *findings,
        *_whole(results, audit),
        *_on_search(results, audit),
        *_unchecked(results, params),
    ]
    return Report.of(parts, study=study, audit=AUDIT)


def _on_pairs(result: Compared, wording: Wording, audit: _Audit) -> list[Finding]:
    """Return a finding a kind of overlap, and one on where the training texts come from."""
    rows = result.rows
    if wording.of_item is not None:
        rows = rows[(rows["relation"] == "item") == wording.of_item]
    aside = int((rows["relation"] == "derived").sum())
    rows = rows[rows["relation"] != "derived"]
    copies = rows["containment"] >= audit.params.duplicate_threshold
    return [
        *(
            _on_kind(result, wording, kind, rows[copies == (kind == "copy")], aside, audit)
            for kind in wording.severities
        ),
        *_where(result, wording, rows, audit),
    ]


def _on_kind(
    result: Compared, wording: Wording, kind: Kind, rows: pd.DataFrame, aside: int, audit: _Audit
) -> Finding:
    """Return the finding on one kind of overlap; ``aside`` pairs do not count."""
    left, right = set(rows["left_id"]), set(rows["right_id"])
    numbers: dict[str, Number] = {wording.left: result.left}
    if result.right is None:
        left |= right
    else:
        numbers[wording.right] = result.right
    said = statement(wording, result, kind, len(left), len(right), audit.params)
    numbers |= {"overlapping": len(left), "pairs": len(rows)}
    if result.right is not None:
        numbers[f"{wording.right}_overlapping"] = len(right)
    if result.sides == TRAIN_TRAIN:
        of_pair = int((rows["relation"] == "pair").sum())
        numbers |= {"of_one_training_pair": of_pair, "derived_pairs": aside}
        if of_pair:
            said += f" {of_pair} of {counted(len(rows), 'pair')} are of one training pair."
    if aside:
        said += (
            f" {counted(aside, 'further pair')} of stories that are made of one another, or go "
            f"on from one opening, are alike on purpose and do not count."
        )
    severity = wording.severities[kind] if len(rows) else "pass"
    if audit.context is not None and len(audit.context.places) and wording.left == "benchmark":
        items, in_all = _items(result.level, left, audit.context)
        numbers |= items
        if left:
            said += f" They stand in {in_all}."
    elif wording.of_item is not None and severity == "fail":
        severity = "warn"  # they may be of one item: nobody said
    return Finding(
        id=f"{wording.prefix}-{kind}",
        severity=severity,
        statement=said,
        numbers=numbers,
        evidence=evidence(_evidence(result, wording, rows, audit)),
    )


def _items(level: str, texts: set[str], context: Context) -> tuple[dict[str, Number], str]:
    """Return in how many items texts stand, by origin, as numbers and as a sentence's part."""
    every = context.places.drop_duplicates("item_id")
    hit = _places(level, texts, context)["item_id"]
    found = every[every["item_id"].isin(hit)]
    by_origin, sizes = found["origin"].value_counts(), every["origin"].value_counts()
    numbers: dict[str, Number] = {"items": len(found), "items_in_all": len(every)}
    numbers |= {f"items_{name}": int(by_origin.get(name, 0)) for name in sorted(sizes.index)}
    origins = shares(by_origin.to_dict(), sizes.to_dict())
    said = f"{len(found)} of {counted(len(every), 'item')}" + (f" ({origins})" if origins else "")
    return numbers, said


def _places(level: str, texts: set[str], context: Context) -> pd.DataFrame:
    """Return the places of the texts on the left of a level."""
    places = context.places
    of_level = places["level"] == ("story" if level == "story" else "premise")
    return places[of_level & places["text_id"].isin(texts)]


def _evidence(
    result: Compared, wording: Wording, rows: pd.DataFrame, audit: _Audit
) -> list[dict[str, Number]]:
    context = audit.context
    shown: list[dict[str, Number]] = []
    for row in rows.head(EVIDENCE_ROWS).to_dict("records"):
        entry: dict[str, Number] = {wording.left: row["left_id"]}
        if context is not None and wording.left == "benchmark":
            entry["items"] = _some(_places(result.level, {row["left_id"]}, context)["item_id"])
        entry[wording.right] = row["right_id"]
        if context is not None and len(context.traits) and wording.right == "training":
            traits = context.traits[context.traits["text_id"] == row["right_id"]]
            entry |= {"method": _some(traits["method"]), "source": _some(traits["source"])}
        entry |= {
            "containment": round(row["containment"], 3),
            "jaccard": round(row["jaccard"], 3),
            "longest_common_substring": row["longest_common_substring"],
        }
        if result.sides == TRAIN_TRAIN:
            entry["relation"] = row["relation"]
        shown.append({**entry, **(audit.more(row) if audit.more else {})})
    return shown


def _some(values: pd.Series) -> str:
    names = sorted(str(name) for name in values.dropna().unique())
    more = f" and {len(names) - ITEMS} more" if len(names) > ITEMS else ""
    return ", ".join(names[:ITEMS]) + more


def _where(result: Compared, wording: Wording, rows: pd.DataFrame, audit: _Audit) -> list[Finding]:
    """Return how many of the training texts overlap by method, source and language."""
    if audit.context is None or result.sides != TRAIN_BENCHMARK or rows.empty:
        return []
    traits = audit.context.traits
    level = "premise" if result.level == "premise" else "story"
    found = by_trait(traits[traits["level"] == level], set(rows["right_id"]))
    said = [
        f"by {trait} "
        + ", ".join(
            f"{value} {hit} of {size}"
            for value, hit, size in group[["value", "overlapping", "texts"]].head(ITEMS).values
        )
        + (f" and {len(group) - ITEMS} more" if len(group) > ITEMS else "")
        for trait, group in found.groupby("trait", sort=False)
    ]
    if not said:
        return []
    return [
        Finding(
            id=f"{wording.prefix}-where",
            severity="note",
            statement=f"Training {wording.right_noun} that overlap with benchmark "
            f"{wording.left_noun}: {'; '.join(said)}.",
            numbers={"training_overlapping": rows["right_id"].nunique()},
            evidence=evidence(found),
        )
    ]


def _on_texts(result: Compared) -> list[Finding]:
    """Return findings on texts that could not be compared as they should."""
    nouns = "stories" if result.level == "story" else "premises"
    told = (
        (
            "ids",
            "repeated",
            result.repeated,
            "have an ID that another text of their side has; an ID counts once, with its strongest "
            "pair",
        ),
        ("empty", "empty", result.empty, "hold no word and were compared with none"),
        (
            "absent",
            "absent",
            result.absent,
            "are named by items or pairs and stand in no table of texts; they were compared with "
            "none",
        ),
    )
    return [
        Finding(
            id=f"{result.level}-{name}",
            severity="warn",
            statement=f"Of the {nouns}, {number} {fault}.",
            numbers={key: number},
        )
        for name, key, number, fault in told
        if number
    ]


def _whole(results: Sequence[Compared], audit: _Audit) -> list[Finding]:
    """Return the items that overlap as a whole, by copies alone."""
    found = [result for result in results if result.sides == TRAIN_BENCHMARK]
    if audit.context is None or audit.context.places.empty or not found:
        return []
    texts: dict[str, set[str]] = {"story": set(), "premise": set()}
    for result in found:
        copies = result.rows[result.rows["containment"] >= audit.params.duplicate_threshold]
        texts["story" if result.level == "story" else "premise"] |= set(copies["left_id"])
    whole = whole_items(audit.context.places, texts["story"], texts["premise"])
    every, items = int(whole["every"].sum()), audit.context.places["item_id"].nunique()
    sizes = audit.context.places.drop_duplicates("item_id")["origin"].value_counts().to_dict()
    origins = shares(whole["origin"].value_counts().to_dict(), sizes)
    return [
        Finding(
            id="whole-items",
            severity="fail" if len(whole) else "pass",
            statement=f"Of {counted(items, 'item')}, {len(whole)} "
            f"{'is' if len(whole) == 1 else 'are'} in training with all that decides "
            f"{'it' if len(whole) == 1 else 'them'}, premise and chosen story"
            + (f" ({origins}), and {every} with every text" if len(whole) else "")
            + f" (containment of {audit.params.duplicate_threshold:g} or more).",
            numbers={"items": items, "whole": len(whole), "every_text": every},
            evidence=evidence(whole[["item_id", "origin", "every"]]),
        )
    ]


def _on_search(results: Sequence[Compared], audit: _Audit) -> list[Finding]:
    """Return what the search finds for sure, and how probably what it does not."""
    params = audit.params
    proposed = [result for result in results if result.proposed is not None]
    findings = []
    if len(proposed) < len(results):
        but = " but among training stories" if proposed else ""
        findings.append(
            Finding(
                id="search",
                severity="note",
                statement=f"The search is exact{but}: no pair with a containment of "
                f"{params.min_containment:g} or more of {params.shingle}-word shingles is missed, but "
                f"by different words or shingles that have equal 64-bit hashes, and every reported "
                f"pair was measured again on all its words. A searched text of more than "
                f"{params.window} words is compared by windows of so many, each starting half a "
                f"window after the one before.",
                numbers={
                    "shingle": params.shingle,
                    "window": params.window,
                    "min_containment": params.min_containment,
                    "duplicate_threshold": params.duplicate_threshold,
                },
            )
        )
    if proposed:
        findings.append(_on_index(proposed, audit))
    return findings


def _on_index(results: Sequence[Compared], audit: _Audit) -> Finding:
    params = audit.params
    # Equal texts of |A| shingles that share c·|A| have a Jaccard similarity of c / (2 − c).
    chances = {
        c: recall(c / (2 - c), params) for c in sorted({0.9, 0.8, params.duplicate_threshold})
    }
    pairs = sum(result.proposed or 0 for result in results)
    left_out = sum(result.uncompared for result in results)
    return Finding(
        id="training-recall",
        severity="warn" if left_out else "note",
        statement=f"Pairs of training stories are proposed by MinHash with {params.bands} bands of "
        f"{params.rows} rows and verified exactly ({pairs} were); two texts of equal length are "
        f"proposed with probability "
        + ", ".join(f"{chance:.2f} at containment {c:g}" for c, chance in chances.items())
        + (
            f". At most {counted(left_out, 'pair')} of very common stories were left out"
            if left_out
            else ""
        )
        + ".",
        numbers={
            "permutations": params.permutations,
            "bands": params.bands,
            "rows": params.rows,
            "scheme": SCHEME,
            "proposed": pairs,
            "uncompared": left_out,
            **{f"recall_{c:g}": round(chance, 6) for c, chance in chances.items()},
        },
    )


def _unchecked(results: Sequence[Compared], params: OverlapParams) -> list[Unchecked]:
    left = [
        Unchecked(
            id="paraphrase",
            check="paraphrases and translations",
            reason="they share no runs of words",
        )
    ]
    searched = [result for result in results if result.sides == TRAIN_BENCHMARK]
    short = sum(result.short for result in searched if result.level != "premise_in_story")
    if short:
        left.append(
            Unchecked(
                id="short",
                check=f"{counted(short, 'benchmark text')} of fewer than {params.shingle} words "
                "inside longer training texts",
                reason="such a text is one shingle, found only where another text equals it",
            )
        )
    long = sum(result.long for result in searched if result.level != "premise_in_story")
    if long:
        left.append(
            Unchecked(
                id="long",
                check=f"the whole containment of {counted(long, 'benchmark text')} of more than "
                f"{params.window} words",
                reason="a training text is compared by windows, which hold a part of such a text",
            )
        )
    if any(result.proposed is not None for result in results):
        left.append(
            Unchecked(
                id="training-partial",
                check=f"training stories that overlap with others below a containment of "
                f"{params.duplicate_threshold:g}, and stories inside much longer ones",
                reason="the index proposes pairs of a high Jaccard similarity",
            )
        )
    return left
