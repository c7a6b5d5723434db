"""Groups of near-duplicates around centres: whoever is in a group was verified with its centre.

Similarity is not transitive. Joining whatever is linked by a chain of pairs has merged tens of
thousands of texts that had nothing in common; here a chain a, b, c whose ends are not similar
is not one group of three.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

GROUPS = ("centre_id", "member_id", "size", "containment", "jaccard", "identical")


def star_groups(pairs: pd.DataFrame, members: Mapping[int, Sequence[str]]) -> pd.DataFrame:
    """Return the groups of near-duplicates, a row a member; a centre is a member of its own group.

    The rule: IDs are taken by the number of texts they are similar to, most first, then by ID. Each
    that is in no group yet becomes a centre, and all IDs that are similar to it and in no group yet
    join it (the star rule of Aslam, Pelekhov and Rus 2004). Thus no ID is in two groups, and every
    member's text and its centre's are identical or a verified pair. Centres that nobody joined
    make no group.

    Args:
        pairs: verified pairs of different texts: their numbers ``left`` and ``right``, their
            ``containment`` and ``jaccard``.
        members: the IDs of each text that is in a pair or has several IDs, by its number. An ID
            may have several texts: it is similar to whatever one of them is similar to.

    Returns:
        Columns as in ``GROUPS``, sorted by centre, the centre first, then by member. ``size``
        counts the group's IDs. Measures are those of member and centre, the strongest where an ID
        has several texts; ``identical`` says that they have a text in common.

    Raises:
        KeyError: a pair's text is not among ``members``.
    """
    similar: dict[int, list[tuple[int, float, float]]] = {text: [] for text in members}
    columns = (pairs[name].tolist() for name in ("left", "right", "containment", "jaccard"))
    for left, right, containment, jaccard in zip(*columns, strict=True):
        similar[left].append((right, containment, jaccard))
        similar[right].append((left, containment, jaccard))
    texts: dict[str, list[int]] = {}
    for text, ids in members.items():
        for name in ids:
            texts.setdefault(name, []).append(text)
    weight = {
        text: len(members[text]) - 1 + sum(len(members[other]) for other, _, _ in similar[text])
        for text in members
    }
    partners = {name: sum(weight[text] for text in own) for name, own in texts.items()}
    grouped: set[str] = set()
    spent: set[int] = set()  # texts all of whose IDs are in groups
    rows: list[tuple[str, str, int, float, float, bool]] = []
    for centre in sorted(texts, key=lambda name: (-partners[name], name)):
        if centre in grouped:
            continue
        joined: dict[str, tuple[bool, float, float]] = {centre: (True, 1.0, 1.0)}
        for own in texts[centre]:
            for text, containment, jaccard in ((own, 1.0, 1.0), *similar[own]):
                if text in spent:
                    continue
                measures = (text == own, containment, jaccard)
                for name in members[text]:
                    if name not in grouped:
                        joined[name] = max(measures, joined.get(name, measures))
        grouped.update(joined)
        for own in texts[centre]:
            spent.update((own, *(text for text, _, _ in similar[own])))
        if len(joined) > 1:
            rows += [
                (centre, name, len(joined), containment, jaccard, identical)
                for name, (identical, containment, jaccard) in joined.items()
            ]
    rows.sort(key=lambda row: (row[0], row[1] != row[0], row[1]))
    return pd.DataFrame(rows, columns=list(GROUPS))
