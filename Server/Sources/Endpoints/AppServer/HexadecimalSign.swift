import BenjiProtocol

/// Comparing signs that callers write in hexadecimal.
package enum HexadecimalSign {
    /// Whether two signs are the same bytes. Digits count in either case; the time taken does not reveal how much is
    /// right.
    package static func areEqual(_ sign: String, _ expected: String) -> Bool {
        guard let sign = Hexadecimal.decode(sign), let expected = Hexadecimal.decode(expected) else { return false }
        return ConstantTime.areEqual(sign, expected)
    }
}
