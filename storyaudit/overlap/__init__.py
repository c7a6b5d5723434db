"""What builders and audits know of overlap: its thresholds, and pairs without what overlaps."""
