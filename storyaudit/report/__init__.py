"""Findings for people and machines: terminal, HTML, tracking."""
