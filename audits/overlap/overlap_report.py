"""What the overlaps of a study mean for it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from audits.overlap.context import Context, by_trait, whole_items
from audits.overlap.kernels.minhash import SCHEME, recall
from audits.overlap.overlap_phrasing import Kind, Wording, by_origin, statement, wordings
from audits.overlap.study_comparisons import Compared
from storyaudit.findings import EVIDENCE_ROWS, Finding, Number, Report, Unchecked, counted, evidence
from storyaudit.overlap.overlap_params import OverlapParams
from storyaudit.vocabulary import TRAIN_BENCHMARK, TRAIN_TRAIN

AUDIT = "overlap"
ITEMS = 5
"""Of the items, methods and sources of a text so many are named in the evidence."""
SHOWN = 3
"""Of the methods, sources and languages so many are named in a sentence."""

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
        context: of the texts, if that is known.
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
    duplicate = rows["containment"] >= audit.params.duplicate_threshold
    return [
        *(
            _on_kind(
                result, wording, kind, rows[duplicate == (kind == "near-duplicate")], aside, audit
            )
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
            said += (
                f" Of {counted(len(rows), 'text pair')}, {of_pair} "
                f"{'consists' if of_pair == 1 else 'consist'} of the two stories of one training "
                f"pair."
            )
    if not left and result.proposed is not None:
        said += " Only text pairs that the index proposed were compared."
    if aside:
        said += (
            f" Not counted: {counted(aside, 'further pair')}, in which one story is derived from "
            f"the other or both continue one opening."
        )
    severity = wording.severities[kind] if len(rows) else "pass"
    if audit.context is not None and len(audit.context.item_texts) and wording.left == "benchmark":
        items, in_all = _items(result.level, left, audit.context)
        numbers |= items
        if left:
            said += f" {'It belongs' if len(left) == 1 else 'They belong'} to {in_all}."
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
    """Return to how many items texts belong, by origin, as numbers and as a sentence's part."""
    every = context.item_texts.drop_duplicates("item_id")
    hit = _item_texts(level, texts, context)["item_id"]
    found = every[every["item_id"].isin(hit)]
    hits, sizes = found["origin"].value_counts(), every["origin"].value_counts()
    numbers: dict[str, Number] = {"items": len(found), "items_in_all": len(every)}
    numbers |= {f"items_{name}": int(hits.get(name, 0)) for name in sorted(sizes.index)}
    origins = by_origin(hits.to_dict(), sizes.to_dict())
    said = f"{len(found)} of {counted(len(every), 'item')}" + (f" ({origins})" if origins else "")
    return numbers, said


def _item_texts(level: str, texts: set[str], context: Context) -> pd.DataFrame:
    """Return the items' texts that are among those on the left of a level."""
    texts_of_items = context.item_texts
    of_level = texts_of_items["level"] == ("story" if level == "story" else "premise")
    return texts_of_items[of_level & texts_of_items["text_id"].isin(texts)]


def _evidence(
    result: Compared, wording: Wording, rows: pd.DataFrame, audit: _Audit
) -> list[dict[str, Number]]:
    context = audit.context
    shown: list[dict[str, Number]] = []
    for row in rows.head(EVIDENCE_ROWS).to_dict("records"):
        entry: dict[str, Number] = {wording.left: row["left_id"]}
        if context is not None and wording.left == "benchmark":
            entry["items"] = _some(_item_texts(result.level, {row["left_id"]}, context)["item_id"])
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
        f"By {trait} (overlapping out of all training {wording.right_noun}): "
        + ", ".join(
            f"{value} {hit} of {size}"
            for value, hit, size in group[["value", "overlapping", "texts"]].head(SHOWN).values
        )
        + (f" and {len(group) - SHOWN} more." if len(group) > SHOWN else ".")
        for trait, group in found.groupby("trait", sort=False)
    ]
    if not said:
        return []
    number = rows["right_id"].nunique()
    repeated = (found.groupby("trait")["overlapping"].sum() > number).any()
    several = f" A {level} can count under several values." if repeated else ""
    texts = counted(number, f"training {level} overlaps", f"training {wording.right_noun} overlap")
    return [
        Finding(
            id=f"{wording.prefix}-where",
            severity="note",
            statement=f"{texts} with benchmark {wording.left_noun}. {' '.join(said)}{several}",
            numbers={"training_overlapping": number},
            evidence=evidence(found),
        )
    ]


def _on_texts(result: Compared) -> list[Finding]:
    """Return findings on texts that could not be compared as they should."""
    one, several = ("story", "stories") if result.level == "story" else ("premise", "premises")
    faults = (
        (
            "ids",
            "repeated",
            result.repeated,
            ("shares its ID", "share their ID"),
            "with another text on the same side (training or benchmark). An ID counts once, with "
            "its strongest text pair",
        ),
        ("empty", "empty", result.empty, ("has", "have"), "no word and could not be compared"),
        (
            "absent",
            "absent",
            result.absent,
            ("is", "are"),
            "named by items or pairs without a text in any table, and could not be compared",
        ),
    )
    return [
        Finding(
            id=f"{result.level}-{name}",
            severity="warn",
            statement=f"{counted(number, f'{one} {verbs[0]}', f'{several} {verbs[1]}')} {fault}.",
            numbers={key: number},
        )
        for name, key, number, verbs, fault in faults
        if number
    ]


def _whole(results: Sequence[Compared], audit: _Audit) -> list[Finding]:
    """Return the items that are contaminated as a whole, by near-duplicates alone."""
    found = [result for result in results if result.sides == TRAIN_BENCHMARK]
    if audit.context is None or audit.context.item_texts.empty or not found:
        return []
    texts: dict[str, set[str]] = {"story": set(), "premise": set()}
    least = audit.params.duplicate_threshold
    for result in found:
        duplicates = result.rows[result.rows["containment"] >= least]
        texts["story" if result.level == "story" else "premise"] |= set(duplicates["left_id"])
    whole = whole_items(audit.context.item_texts, texts["story"], texts["premise"])
    every, items = int(whole["every"].sum()), audit.context.item_texts["item_id"].nunique()
    sizes = audit.context.item_texts.drop_duplicates("item_id")["origin"].value_counts().to_dict()
    origins = by_origin(whole["origin"].value_counts().to_dict(), sizes)
    statement = (
        f"{len(whole) or 'None'} of {counted(items, 'item')} "
        f"{'is' if len(whole) <= 1 else 'are'} contaminated in premise and chosen story, or in "
        f"every text (containment ≥ {least:g}{f'; {origins}' if len(whole) else ''})."
    )
    if len(whole):
        statement += f" In {every} of {len(whole)} every text is contaminated."
    return [
        Finding(
            id="whole-items",
            severity="fail" if len(whole) else "pass",
            statement=statement,
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
        sides = "Except among training stories, the" if proposed else "The"
        findings.append(
            Finding(
                id="search",
                severity="note",
                statement=f"{sides} search is exhaustive: every text pair with a containment ≥ "
                f"{params.min_containment:g} of {params.shingle}-word shingles is found. Only "
                f"equal 64-bit hashes of different words or shingles could hide one. Every "
                f"reported pair was verified on all its words. Searched texts of more than "
                f"{params.window} words are compared in windows of {params.window} words. Each "
                f"window starts half a window after the one before.",
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
        statement=f"Candidate pairs of training stories come from a MinHash index of "
        f"{params.bands} bands of {params.rows} rows. Verified exactly: "
        f"{counted(pairs, 'candidate pair')}. The probability that two texts of equal length "
        f"become a candidate pair is "
        + ", ".join(f"{chance:.2f} at containment {c:g}" for c, chance in chances.items())
        + (
            f". At most {counted(left_out, 'pair')} in large buckets of the index "
            f"{'was' if left_out == 1 else 'were'} not verified"
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
            reason="overlap of word sequences does not show them",
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
                reason="such a text is one shingle, found only where a training text equals it",
            )
        )
    long = sum(result.long for result in searched if result.level != "premise_in_story")
    if long:
        left.append(
            Unchecked(
                id="long",
                check=f"the full containment of {counted(long, 'benchmark text')} of more than "
                f"{params.window} words",
                reason="a window of a training text contains only a part of such a text",
            )
        )
    if any(result.proposed is not None for result in results):
        left.append(
            Unchecked(
                id="training-partial",
                check=f"training stories that overlap with others below a containment of "
                f"{params.duplicate_threshold:g}, or are contained in much longer ones",
                reason="the MinHash index proposes only pairs of high Jaccard similarity",
            )
        )
    return left
