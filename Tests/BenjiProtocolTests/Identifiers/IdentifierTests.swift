import BenjiProtocol
import Testing

@Suite struct CredentialGrammarTests {
    struct Fixed: RandomSource {
        var byte: UInt8
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
    }

    @Test(
        "A made credential matches its own grammar and no other", arguments: [CredentialGrammar.token, .scrip, .nonce])
    func making(grammar: CredentialGrammar) {
        let credential = grammar.make(random: SystemRandomSource())
        #expect(grammar.matches(credential))
        #expect(credential.utf8.count == grammar.length)
        for other in [CredentialGrammar.token, .scrip, .nonce] where other != grammar {
            #expect(!other.matches(credential))
        }
        #expect(grammar.make(random: SystemRandomSource()) != credential)
    }

    @Test("Every grammar leaves at least 190 random bits")
    func entropy() {
        for grammar in [CredentialGrammar.token, .scrip, .nonce] {
            #expect(Double(grammar.length - grammar.prefix.utf8.count) * 5.954 >= 190)
        }
    }

    @Test("Other lengths, prefixes and characters are refused")
    func refusals() {
        let good = "STsid" + String(repeating: "a", count: 51)
        #expect(CredentialGrammar.token.matches(good))
        let head = String(good.dropLast())
        let random = String(good.dropFirst(5))
        let bad: [String] = [
            "", head, "\(good)a", "STsie\(random)", "stsid\(random)", "\(head)-", "\(head)_", "\(head) ", "\(head)\n",
            "\(head)\0",
            "\(good.dropLast(2))é", "\(good.dropLast(3))\u{212a}",
        ]
        for bad in bad {
            #expect(!CredentialGrammar.token.matches(bad))
        }
    }

    @Test("Characters are drawn evenly: a byte beyond the last whole round is thrown away")
    func even() {
        struct Counting: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: 248 + ($0 + 8) % 9) } }
        }
        // 248...255 are refused and 256 wraps to 0, so only "0" is left.
        #expect(Counting().alphanumerics(40) == String(repeating: "0", count: 40))
        #expect(Fixed(byte: 247).alphanumerics(2) == "zz")
        var seen: Set<Character> = []
        for _ in 0..<200 { seen.formUnion(SystemRandomSource().alphanumerics(62)) }
        #expect(seen.count == 62)
    }
}

@Suite struct IdentifierTests {
    @Test(
        "An app id of any vendor is kept as it is",
        arguments: [
            "300000000001", "b41a959b5cac4dd1277183e074630945", "oCRdOzLa9S8Jyf3hVbpYa5", "5f0e3b9a7c1d2e4f6a8b0c2d",
            String(repeating: "Z", count: 64),
        ])
    func appID(text: String) {
        #expect(AppID(rawValue: text)?.rawValue == text)
    }

    @Test("The case of an app id counts")
    func appIDCase() { #expect(AppID(rawValue: "abcdefabcdef") != AppID(rawValue: "abcdefabcdeF")) }

    @Test("An app id is 12 to 64 ASCII letters and digits and nothing else")
    func noAppID() {
        for bad in [
            "", "30000000001", String(repeating: "1", count: 65), "３00000000001", "30000000000\n", "-00000000001",
            "30000000000é", "300000 000001", "300000/000001", "300000\0000001", "300000000001\u{301}",
        ] {
            #expect(AppID(rawValue: bad) == nil, "\(bad.debugDescription)")
        }
    }

    @Test("A trace id is exactly 32 lower-case hexadecimal digits")
    func traceID() {
        let made = TraceID(random: SystemRandomSource())
        #expect(TraceID(rawValue: made.rawValue) == made)
        for bad in [
            "", String(repeating: "a", count: 31), String(repeating: "A", count: 32), String(repeating: "g", count: 32),
        ] {
            #expect(TraceID(rawValue: bad) == nil)
        }
    }

    @Test("Assurances are ordered from weak to strong")
    func assurances() {
        #expect(Assurance.allCases.sorted() == [.smsUpstream, .sms, .net, .netApp, .netAppAddress, .sim])
    }
}
