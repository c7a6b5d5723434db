"""A seeded simulation of stories whose hidden qualities shape their text."""
