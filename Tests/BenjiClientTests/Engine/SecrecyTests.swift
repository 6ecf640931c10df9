import BenjiPolicy
import BenjiProtocol
import BenjiTesting
import Foundation
import Testing

@testable import BenjiClient

@Suite struct SecrecyTests {
    private static let secrets = [
        EngineLab.scrip(1), EngineLab.nonce(1), EngineLab.token, EngineLab.openID, EngineLab.appKey, "138****4321",
        "13855554321", "138 5555 4321",
        "138-5555-4321", "+8613855554321",
    ]

    private func expectNoSecret(_ value: Any) {
        var text = "\(value) \(String(reflecting: value)) \([value])"
        dump(value, to: &text)
        for secret in Self.secrets { #expect(text.range(of: secret) == nil, "\(type(of: value)) shows a secret") }
    }

    @Test("No error shows a number or a credential, even when the server's detail holds one")
    func errors() async {
        for secret in Self.secrets where ![EngineLab.appKey, EngineLab.openID].contains(secret) {
            for detail in [
                secret, "the value \(secret) is wrong", "\"\(secret)\"", "\(secret).", "number=\(secret)&x=1",
            ] {
                let lab = EngineLab(.refused(.parameterInvalid, detail: detail))
                let error = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }
                #expect(error?.situation == .parameterInvalid)
                expectNoSecret(error as Any)
            }
        }
    }

    @Test("Neither events nor results nor the engine's own values print what they must not")
    func eventsAndResults() async throws {
        let lab = EngineLab(
            .prefetched(), .authorized(next: 1), .refused(.scripInvalid, detail: EngineLab.token), .prefetched(),
            .authorized())
        let stream = await lab.engine.events()
        let token = try await lab.engine.logIn(with: FakePresenter())
        expectNoSecret(token)
        for event in await EngineLab.steps(stream) { expectNoSecret(event) }
        for request in await lab.transport.requests { expectNoSecret(request.description) }
        expectNoSecret(
            LoginEngine.Configuration(
                appID: EngineLab.appID, appKey: EngineLab.appKey, bundleID: "b", server: EngineLab.server))
        let held = LoginMemory.Prefetched(
            offer: PageOffer(
                maskedNumber: "138****4321", carrier: .mobile, page: CarrierPolicy.standard.carriers[.mobile]!.page,
                policyVersion: "v",
                trace: EngineLab.trace), scrip: EngineLab.scrip(1), nonce: EngineLab.nonce(1), assurance: .net,
            expiresAt: .zero)
        expectNoSecret(held)
    }

    @Test(
        "Hiding leaves what a developer needs",
        arguments: [
            "iat is 300 s behind", "https://127.0.0.1:8443: status 502", "$.consent.tappedAt: missing",
            "must be 1 to 2592000", "中国联通 is switched off",
            "a-very-long-word-of-plain-letters-stays", "",
        ])
    func plainTexts(text: String) {
        if text.contains("2592000") {
            #expect(Redaction.redact(text) == "must be 1 to [hidden]")
        } else {
            #expect(Redaction.redact(text) == text)
        }
    }

    @Test("A text without end is cut, and control characters cannot forge a line of a log")
    func bounds() {
        #expect(Redaction.redact(String(repeating: "x ", count: 10_000)).count <= Redaction.maximumLength)
        #expect(Redaction.redact("a\r\nERROR b\u{1b}[31m\u{0}") == "a  ERROR b [31m ")
        #expect(Redaction.redact("１３８５５５５４３２１") == Redaction.hidden, "digits of other scripts are digits")
    }
}
