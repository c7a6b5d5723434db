"""Prompts, one file each, and how texts are put into them."""
