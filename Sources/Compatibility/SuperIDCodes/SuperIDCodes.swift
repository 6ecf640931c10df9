// The codes of SuperID's SDK for each situation of a face login. A table and nothing else.
