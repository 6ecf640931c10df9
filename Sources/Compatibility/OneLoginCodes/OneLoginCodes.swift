// What OneLogin's SDK answers for each situation. A table and nothing else.
