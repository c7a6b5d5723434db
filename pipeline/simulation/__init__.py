"""A seeded, simulated world of stories whose hidden qualities shape their text."""
