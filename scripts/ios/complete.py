"""The facades that are complete: of these everything that the documents promise must be there, and be called by a test.
Of a facade that is not listed what is missing is only counted."""

COMPLETE: list[str] = ["TYRZSDK", "TYRZLogin"]
