// What GeYan's SDK answers for each situation, and what its document says for each carrier. A table and nothing else.
