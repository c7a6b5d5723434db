"""The family of processors on which ``dvc.lock`` was made: elsewhere its last bits may differ.

``python -m storyaudit.runs.processor > dvc.lock.processor`` records it.
"""

import platform
import re
import sys
from pathlib import Path


def processor_family(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Return architecture, vendor and family, such as 'x86_64 GenuineIntel 6'.

    Vendor and family are 'unknown' where the system does not say; on Arm they are the implementer
    and the architecture's version.
    """
    try:
        text = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    vendor = _field("vendor_id|CPU implementer", text)
    family = _field("cpu family|CPU architecture", text)
    return f"{platform.machine() or 'unknown'} {vendor} {family}"


def _field(names: str, text: str) -> str:
    found = re.search(rf"^(?:{names})[ \t]*:[ \t]*(\S+)", text, re.MULTILINE)
    return found[1] if found else "unknown"


if __name__ == "__main__":
    sys.stdout.write(f"{processor_family()}\n")
