"""How often each annotator differs from the majority of the others."""

from collections import Counter
from itertools import product

import pandas as pd

from audits.protocol.annotators.decided import TASKS, shared
from storyaudit.findings import Finding, counted, evidence

ENOUGH = 5
"""Items from which on it is said that an annotator decided only those on which others differ."""


def majority_finding(decided: pd.DataFrame) -> Finding:
    """Return how often annotators differ from the majority of the others; counts, no judgement.

    Args:
        decided: see ``Individual``; some item that two annotators decided.
    """
    table = against_majority(decided)
    several = table.groupby("annotator")[["items", "others_differ"]].sum()
    settling = int(
        ((several["items"] == several["others_differ"]) & (several["items"] >= ENOUGH)).sum()
    )
    decisions, compared, differs = (
        int(table[name].sum()) for name in ("items", "compared", "differs")
    )
    statement = (
        f"{differs} of {compared} annotator decisions differ from the majority of the other "
        f"annotators of the item. With two annotators, each is the other's majority. A difference "
        f"does not show which is right."
    )
    if decisions > compared:
        statement += f" For {decisions - compared} further decisions the others have no majority."
    if settling:
        statement += (
            f" {counted(settling, 'annotator')} decided only items on which others differ, as "
            f"adjudicators do. The agreement figures include these decisions; --adjudicator "
            f"leaves them out."
        )
    return Finding(
        id="annotators-majority",
        severity="note",
        statement=statement,
        numbers={
            "annotators": len(several),
            "decisions": decisions,
            "compared": compared,
            "differs": differs,
            "only_where_others_differ": settling,
        },
        evidence=evidence(table),
    )


def against_majority(decided: pd.DataFrame) -> pd.DataFrame:
    """Return how often each annotator differs from what more than half of the others found.

    Of a ranking, the first place counts; of a Human–LLM item, the story named.

    Args:
        decided: see ``Individual``.

    Returns:
        A row an annotator and task: annotator, task, items (that others decided too), compared
        (of which the others have a majority), differs (from it), others_differ (items of which
        not all others found the same).
    """
    counts: dict[tuple[str, str], Counter[str]] = {}
    for task in TASKS:
        for _, part in shared(decided, task).groupby("item_id"):
            votes = list(zip(part["annotator"], part["vote"], strict=True))
            for annotator, vote in votes:
                others = Counter(theirs for name, theirs in votes if name != annotator)
                found, most = others.most_common(1)[0]
                majority = 2 * most > others.total()
                counts.setdefault((annotator, task), Counter()).update(
                    items=1,
                    compared=majority,
                    differs=majority and found != vote,
                    others_differ=len(others) > 1,
                )
    names = sorted({annotator for annotator, _ in counts})
    kept = [key for key in product(names, TASKS) if key in counts]
    columns = ["items", "compared", "differs", "others_differ"]
    rows = [(*key, *(counts[key][column] for column in columns)) for key in kept]
    return pd.DataFrame(rows, columns=["annotator", "task", *columns])
