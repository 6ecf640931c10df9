// What SuperID's SDK answers for each situation of a face login. A table and nothing else.
