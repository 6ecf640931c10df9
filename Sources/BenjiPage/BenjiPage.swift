// The authorization page as data: what stands on it, where it lies on a screen, what a tap does, and whether it keeps the
// carriers' rules. It draws nothing. It may import nothing but BenjiValues, not even Foundation, because it also compiles as
// Embedded Swift for WebAssembly. Begin with `Description/PageDescription.swift`, then `Layout/PageScene+Layout.swift`.
@_exported public import BenjiValues
