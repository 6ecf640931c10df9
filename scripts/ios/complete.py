"""How far the facades are. What is missing of a facade that is not listed is only counted."""

# Everything that the documents promise is there, as they declare it, and their samples compile.
DECLARED: list[str] = ["TYRZSDK", "TYRZLogin", "GeYanSdk", "SuperIDSDK", "OneLoginSDK"]

# And every method, property and key of it is called by a test.
COMPLETE: list[str] = ["TYRZSDK", "TYRZLogin", "GeYanSdk", "SuperIDSDK", "OneLoginSDK"]
