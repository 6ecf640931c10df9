"""The state of the facades. For a facade that is not listed, missing parts are only counted."""

# Everything that the documents promise is there, as they declare it, and their samples compile.
DECLARED: list[str] = ["TYRZSDK", "TYRZLogin", "GeYanSdk", "SuperIDSDK", "OneLoginSDK"]

# And every method, property and key of it is called by a test.
COMPLETE: list[str] = ["TYRZSDK", "TYRZLogin", "GeYanSdk", "SuperIDSDK", "OneLoginSDK"]
