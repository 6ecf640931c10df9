@_spi(Server) package import BenjiProtocol

/// Credentials whose rows lie in the order of their issue (decision 37). Seven characters after the prefix encode the
/// time of issue, and the store's key begins with them. They decide nothing else; no code reads the time from them.
extension CredentialGrammar {
    private static let orderLength = 7

    /// A new unguessable credential: milliseconds in seven base-62 digits, which wrap in 2081, then random ones.
    package func make(at moment: Timestamp, random: some RandomSource) -> String {
        var rest = UInt64(clamping: moment.milliseconds)
        var order: [UInt8] = []
        for _ in 0..<Self.orderLength {
            order.append(Self.digits[Int(rest % 62)])
            rest /= 62
        }
        let length = length - prefix.utf8.count - Self.orderLength
        return prefix + String(decoding: order.reversed(), as: UTF8.self) + random.alphanumerics(length)
    }

    /// The characters that encode the time of issue, in any text that a caller presents as a credential.
    func order(of credential: String) -> some Sequence<UInt8> {
        credential.utf8.dropFirst(prefix.utf8.count).prefix(Self.orderLength)
    }
}
