"""The rules by which a four-candidate benchmark gets its gold (StoryAlign, section 2.2)."""
