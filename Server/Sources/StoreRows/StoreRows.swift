// What both SQL drivers write and read in the same words: the rare orders, each with its statements and its rows, once. What is
// asked at every login is each driver's own. `Copying` reads and compares whole tables. `Waiting` says whose work is done first.
// Begin with `TableStore.swift`, then open the file of the table in question.
