@_spi(Server) package import BenjiProtocol

/// Credentials whose rows lie in the order of their issue (decision 37): seven characters behind the prefix say when one was
/// made, and the store's key begins with them. They decide nothing else; no code reads the time from them.
extension CredentialGrammar {
    private static let orderLength = 7

    /// A new credential nobody can guess: milliseconds in seven digits of base 62, then random ones. They begin anew in 2081.
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

    /// The characters that say when a credential was made, of whatever a stranger says is one.
    func order(of credential: String) -> some Sequence<UInt8> {
        credential.utf8.dropFirst(prefix.utf8.count).prefix(Self.orderLength)
    }
}
