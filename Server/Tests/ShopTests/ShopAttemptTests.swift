import Testing

@testable import Shop

@Suite struct ShopAttemptTests {
    @Test("the challenge is the one of RFC 7636, appendix B")
    func challenge() {
        #expect(
            LoginAttempt.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("two attempts share nothing that could be guessed")
    func differ() {
        let attempts = (0..<2).map { _ in LoginAttempt(next: "/", popup: nil, session: nil) }
        let secrets = attempts.flatMap { [$0.state, $0.nonce, $0.verifier] }
        #expect(Set(secrets).count == 6)
        #expect(secrets.allSatisfy { $0.count == 43 })
    }
}
