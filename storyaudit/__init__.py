"""StoryAudit: reproducible tracking and auditing of story-preference studies."""

import os

__version__ = "0.1.0"

# No dependency may phone home; this runs before any of them is imported.
os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
os.environ["GX_ANALYTICS_ENABLED"] = "false"
os.environ["DVC_NO_ANALYTICS"] = "true"
