// The codes of GeYan's SDK for each situation, and its document's codes for each carrier. A table and nothing else.
