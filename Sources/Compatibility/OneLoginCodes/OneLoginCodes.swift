// The codes of OneLogin's SDK for each situation. A table and nothing else.
