// What a page designer asks: which fields a description has, what a finding's fix is, where a box goes that was dragged, a page from a
// colour, and the description as code. It draws nothing and compiles as Embedded Swift. Begin with `PageDesign.swift`.
