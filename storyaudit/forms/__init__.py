"""People's decisions: blind sheets go out, filled ones come back as annotations and ratings."""
