"""What language models are asked for, a file a use, and how strictly their answers are read.

The papers' own prompts are not printed in what is known of them here; the wording is ours.
"""
