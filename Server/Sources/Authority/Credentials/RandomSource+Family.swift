import BenjiProtocol

extension RandomSource {
    /// A number for credentials that are issued and ended together.
    package func family() -> Int64 { bytes(8).reduce(0) { $0 << 8 | Int64($1) } & .max }
}
