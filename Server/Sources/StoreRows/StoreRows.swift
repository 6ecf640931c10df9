// The statements that both SQL drivers share: the rare orders, with their rows. The operations of every login are in
// each driver. `Copying` reads and compares whole tables. `Waiting` decides whose work is done first. Begin with
// `TableStore.swift`, then open the file of the table in question.
