import Authority
import BenjiProtocol
import Store
import Testing

@Suite("Credentials are kept in the order of their issue")
struct CredentialOrderTests {
    private let random = SystemRandomSource()
    private let moments = [0, 1, 61, 62, 3843, 3844, 1_795_000_000_000, 1_795_000_000_001].map {
        Timestamp(milliseconds: $0)
    }

    @Test(
        "a later one has a later key, whatever is random in it", arguments: [CredentialGrammar.token, .scrip, .openID])
    func order(grammar: CredentialGrammar) {
        for _ in 0..<50 {
            let keys = moments.map { CredentialHash(of: grammar.make(at: $0, random: random), grammar).bytes }
            for (earlier, later) in zip(keys, keys.dropFirst()) {
                #expect(earlier.lexicographicallyPrecedes(later))
            }
        }
    }

    @Test(
        "it has the length and the letters that are documented, and 200 random bits or more",
        arguments: [CredentialGrammar.token, .scrip, .openID])
    func grammar(grammar: CredentialGrammar) {
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        let made = (0..<100).map { _ in grammar.make(at: now, random: random) }
        #expect(made.allSatisfy { grammar.matches($0) })
        let order = grammar.prefix.utf8.count + 7
        #expect(Set(made.map { $0.prefix(order) }).count == 1)
        // 34 characters of 62 are 202 bits. Each place is drawn anew.
        #expect(grammar.length - order >= 34)
        for place in order..<grammar.length {
            #expect(Set(made.map { Array($0.utf8)[place] }).count > 20)
        }
    }

    @Test(
        "a text with another time, or with other random characters, has another key; so has what is no credential at all"
    )
    func forged() {
        let token = CredentialGrammar.token.make(at: Timestamp(milliseconds: 1_795_000_000_000), random: random)
        let key = CredentialHash(of: token, .token)
        var earlier = Array(token.utf8)
        earlier[11] = earlier[11] == 0x30 ? 0x31 : 0x30
        let other = CredentialHash(of: String(decoding: earlier, as: UTF8.self), .token)
        #expect(other.former != key.former)
        for text in ["", "STsid", "STsid1", "\u{1f600}", String(token.dropLast())] {
            #expect(CredentialHash(of: text, .token).bytes.suffix(32) != key.bytes.suffix(32))
        }
        #expect(key.former == CredentialHash(of: token))
    }

    @Test("a later trace has a later id")
    func traces() {
        let ids = moments.map { TraceID(at: $0, random: random).rawValue }
        #expect(ids == ids.sorted())
        #expect(Set((0..<100).map { _ in TraceID(at: moments[0], random: random) }).count == 100)
    }
}
