// The operations of a page designer: fields, fixes, moves of a box, a page from a colour, and the description as code.
// It draws nothing and compiles as Embedded Swift. Begin with `PageDesign.swift`.
