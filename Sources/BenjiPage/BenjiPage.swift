// The authorization page as data: its elements, their places on a screen, the effect of a tap, and its check against
// the carriers' rules. It draws nothing. It may import nothing but BenjiValues, not even Foundation, because it also
// compiles as Embedded Swift for WebAssembly. Begin with `Description/PageDescription.swift`, then
// `Layout/PageScene+Layout.swift`.
@_exported public import BenjiValues
