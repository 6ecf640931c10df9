/// The one way a credential is written: a fixed prefix, then letters and digits, of a fixed length.
///
/// Fixed lengths leave nothing to shift between the fields of an old dialect's sign, which has no separators (decision
/// 11). Different prefixes keep a scrip from being taken for a token.
public struct CredentialGrammar: Sendable, Hashable {
    public let prefix: String
    /// The length of the whole, prefix included, in characters.
    public let length: Int

    /// A token that an app's server redeems. China Mobile's documents print tokens of 56 characters that start with
    /// `STsid`. In the server's, the first seven characters after it state when they were made; the others carry 262
    /// bits.
    public static let token = CredentialGrammar(prefix: "STsid", length: 56)
    /// A scrip that a phone keeps between prefetch and authorize: 48 characters after the prefix.
    public static let scrip = CredentialGrammar(prefix: "SCrip", length: 53)
    /// A nonce that a prefetch gives for the consent record to repeat: 44 random characters, 261 bits.
    public static let nonce = CredentialGrammar(prefix: "SNonc", length: 49)

    /// A credential of OpenID Connect, or one that identifies a browser: 43 characters.
    public static let openID = CredentialGrammar(prefix: "", length: 43)

    /// The 62 letters and digits, in the order of their bytes.
    @_spi(Server) public static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// For the credentials that another module knows.
    ///
    /// - Parameter length: of the whole, prefix included, in characters.
    package init(prefix: String, length: Int) {
        self.prefix = prefix
        self.length = length
    }

    public func matches(_ text: some StringProtocol) -> Bool {
        // Hostile texts may be long: nothing is copied before the length is known.
        guard text.utf8.count == length else { return false }
        let bytes = Array(text.utf8)
        return bytes.starts(with: prefix.utf8)
            && bytes.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
            }
    }

    /// Returns a new credential that cannot be guessed.
    public func make(random: some RandomSource) -> String {
        prefix + random.alphanumerics(length - prefix.utf8.count)
    }
}

extension JSONObjectReader {
    /// A credential of one grammar. `noun` names it in the error.
    package mutating func credential(
        _ name: String, _ grammar: CredentialGrammar, _ noun: String
    ) throws(JSONError) -> String {
        try value(name, "must be \(noun)") { grammar.matches($0) ? $0 : nil }
    }

    package mutating func optionalCredential(
        _ name: String, _ grammar: CredentialGrammar, _ noun: String
    ) throws(JSONError) -> String? {
        optional(name) == nil ? nil : try credential(name, grammar, noun)
    }
}
