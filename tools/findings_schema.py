"""Write the JSON Schema of a report into ``docs/schema``, from the models that it is checked by.

python tools/findings_schema.py     # or make schema
"""

import json
from pathlib import Path
from typing import Any, get_args

from storyaudit.findings import Report, SchemaVersion

(VERSION,) = get_args(SchemaVersion)
SCHEMA = Path(__file__).resolve().parents[1] / "docs" / "schema" / f"findings-{VERSION}.json"


def findings_schema() -> dict[str, Any]:
    """Return the schema of what a report is written as."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Report.model_json_schema(mode="serialization"),
        "title": f"StoryAudit findings {VERSION}",
    }


def text() -> str:
    """Return the file's content."""
    return json.dumps(findings_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.parent.mkdir(parents=True, exist_ok=True)
    SCHEMA.write_text(text(), encoding="utf-8")
    print(f"{SCHEMA}: written.")
