"""Human annotations: blind annotation forms go out, filled ones come back as tables."""
