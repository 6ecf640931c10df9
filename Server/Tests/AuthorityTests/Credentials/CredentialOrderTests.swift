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
        // 34 characters of 62 are 202 bits. Each character is drawn for each credential.
        #expect(grammar.length - order >= 34)
        for place in order..<grammar.length {
            #expect(Set(made.map { Array($0.utf8)[place] }).count > 20)
        }
    }

    @Test(
        """
        a text with another time, or with other random characters, has another key; so has what is no credential at all
        """
    )
    func forged() {
        let token = CredentialGrammar.token.make(at: Timestamp(milliseconds: 1_795_000_000_000), random: random)
        let key = CredentialHash(of: token, .token)
        var earlier = Array(token.utf8)
        earlier[11] = earlier[11] == 0x30 ? 0x31 : 0x30
        let other = CredentialHash(of: String(decoding: earlier, as: UTF8.self), .token)
        #expect(other.bytes.suffix(32) != key.bytes.suffix(32))
        for text in ["", "STsid", "STsid1", "\u{1f600}", String(token.dropLast())] {
            #expect(CredentialHash(of: text, .token).bytes.suffix(32) != key.bytes.suffix(32))
        }
        #expect(Array(key.bytes.suffix(32)) == CredentialHash(of: token).bytes)
    }

    /// One byte after the other, from one on.
    private struct Counting: RandomSource {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 + 1) } }
    }

    @Test(
        "the seven characters of a time are its milliseconds in base 62, and begin anew after them",
        arguments: [
            (-1, "0000000"), (0, "0000000"), (1, "0000001"), (61, "000000z"), (62, "0000010"),
            (1_795_000_000_000, "VbK14RE"), (3_521_614_606_207, "zzzzzzz"), (3_521_614_606_208, "0000000"),
        ] as [(Int64, String)])
    func times(milliseconds: Int64, digits: String) {
        let made = CredentialGrammar.token.make(at: Timestamp(milliseconds: milliseconds), random: random)
        #expect(made.dropFirst(5).prefix(7) == digits && made.utf8.count == CredentialGrammar.token.length)
        let key = CredentialHash(of: made, .token)
        #expect(key.bytes.prefix(7).elementsEqual(digits.utf8) && key.bytes.count == 39)
    }

    @Test("a trace's id is its time and ten random bytes, and a family eight, of which the sign is dropped")
    func bytes() {
        let id = TraceID(at: Timestamp(milliseconds: 0x0102_0304_0506), random: Counting())
        #expect(id.rawValue == "0102030405060102030405060708090a")
        #expect(TraceID(at: Timestamp(milliseconds: -1), random: Counting()).rawValue.hasPrefix("000000000000"))
        #expect(Counting().family() == 0x0102_0304_0506_0708)
        struct Full: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { Array(repeating: 255, count: count) }
        }
        #expect(Full().family() == .max)
    }

    @Test("a later trace has a later id")
    func traces() {
        let ids = moments.map { TraceID(at: $0, random: random).rawValue }
        #expect(ids == ids.sorted())
        #expect(Set((0..<100).map { _ in TraceID(at: moments[0], random: random) }).count == 100)
    }
}
