"""Identities between counts, checked by Great Expectations over a table of one row."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel, ConfigDict

from audits.counts.suites import run_suite
from storyaudit.findings import Finding, Unchecked
from storyaudit.io.checked import Id
from storyaudit.io.yaml_file import read_yaml

SHOWN = 3
"""Of the counts that are not known so many are named."""


class Identity(BaseModel):
    """Counts that must agree: sum of ``plus``, less sum of ``minus``, equals ``equals``.

    A count of ``plus_if_counted`` is one more term of ``plus``; where it was not counted, none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: Id
    statement: str
    plus: list[str]
    plus_if_counted: list[str] = []
    minus: list[str] = []
    equals: str

    @property
    def names(self) -> list[str]:
        """All counts that it cannot do without."""
        return [*self.plus, *self.minus, self.equals]

    def added(self, counts: Mapping[str, int]) -> list[str]:
        """Return the counts that its left side adds up."""
        return [*self.plus, *(name for name in self.plus_if_counted if name in counts)]

    def left(self, counts: Mapping[str, int]) -> int:
        """Return the sum on its left side."""
        added = sum(counts[name] for name in self.added(counts))
        return added - sum(counts[name] for name in self.minus)

    def equation(self, counts: Mapping[str, int]) -> str:
        """Return it in numbers: '624 + 509 = 1,133', with '≠' where it does not hold."""
        left = " + ".join(f"{counts[name]:,}" for name in self.added(counts))
        left += "".join(f" − {counts[name]:,}" for name in self.minus)
        holds = self.left(counts) == counts[self.equals]
        return f"{left} {'=' if holds else '≠'} {counts[self.equals]:,}"


def _not_counted(names: Sequence[str]) -> str:
    """Return why an identity is not checked."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"not counted: {', '.join(names[:SHOWN])}{more}"


def read_identities(folder: Path) -> list[Identity]:
    """Return the identities of a folder that holds what ``expectations/`` does."""
    return [Identity.model_validate(entry) for entry in read_yaml(folder / "identities.yaml")]


def check_identities(
    counts: Mapping[str, int], identities: Sequence[Identity], *, subject: str
) -> list[Finding | Unchecked]:
    """Check every identity whose counts are known.

    Args:
        counts: by the names of ``identities.yaml``.
        identities: to check.
        subject: what the counts were taken from, in the plural.
    """
    known = [i for i in identities if all(name in counts for name in i.names)]
    parts: list[Finding | Unchecked] = [
        Unchecked(
            id=f"identity-{identity.id}",
            check=f"the identity '{identity.statement}'",
            reason=_not_counted([name for name in identity.names if name not in counts]),
        )
        for identity in identities
        if identity not in known
    ]
    if not known:
        return parts
    row: dict[str, Any] = {}
    expectations = []
    for identity in known:
        row[f"{identity.id}.left"] = identity.left(counts)
        row[f"{identity.id}.right"] = counts[identity.equals]
        expectations.append(
            {
                "type": "expect_column_pair_values_to_be_equal",
                "kwargs": {
                    "column_A": f"{identity.id}.left",
                    "column_B": f"{identity.id}.right",
                },
                "meta": {"id": identity.id},
            }
        )
    outcomes = run_suite(pd.DataFrame([row]), expectations, name="identities", key=[])
    for identity, outcome in zip(known, outcomes, strict=True):
        if outcome.error:
            raise RuntimeError(f"identity {identity.id}: {outcome.error}")
        verdict = "satisfy" if outcome.success else "contradict"
        parts.append(
            Finding(
                id=f"identity-{identity.id}",
                severity="pass" if outcome.success else "fail",
                statement=f"{subject.capitalize()} {verdict} the identity '{identity.statement}': "
                f"{identity.equation(counts)}.",
                numbers={
                    name: counts[name]
                    for name in [*identity.added(counts), *identity.minus, identity.equals]
                },
            )
        )
    return parts
