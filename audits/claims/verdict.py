"""The verdict on one entry of a ledger."""

from dataclasses import dataclass, field
from typing import Literal

from storyaudit.findings import Number

NOT_DETERMINABLE = "not determinable from what is reported"
Outcome = Literal["pass", "fail", "warn", "note", "unchecked"]


@dataclass(frozen=True)
class Checked:
    """What a check says of one entry of a ledger.

    Attributes:
        id: the entry's.
        section: of the ledger, which names the check; ``conventions`` for a remark on one.
        where: where the entry is printed.
        printed: what is printed, as text.
        verdict: in the check's own words: 'reproduced', 'contradicted', ….
        outcome: what becomes of it in the report.
        sentence: states it.
        numbers: behind it.
    """

    id: str
    section: str
    where: str
    printed: str
    verdict: str
    outcome: Outcome
    sentence: str
    numbers: dict[str, Number] = field(default_factory=dict)
