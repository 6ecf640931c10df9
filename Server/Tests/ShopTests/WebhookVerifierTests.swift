import Foundation
import HTTPTypes
import Testing

@testable import Shop

@Suite("The example shop checks Benji's events")
struct WebhookVerifierTests {
    private let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private let body = Data(#"{"id":"msg_1","type":"login.released","data":{"appId":"300000000001"}}"#.utf8)
    private let now = Date(timeIntervalSince1970: 1_614_265_330)
    /// Of this body under this secret, by openssl.
    private let signature = "v1,kaizVq989awL+9M3sa9lfIoVzQ6hcBotvkIVt7wFy7c="

    private var headers: HTTPFields {
        [.webhookID: "msg_1", .webhookTimestamp: "1614265330", .webhookSignature: "v1,AAAA \(signature)"]
    }

    @Test("a right event is taken, with one of two secrets")
    func taken() throws {
        let other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let event = try WebhookVerifier(secrets: [other, secret]).event(headers, body: body, now: now)
        #expect(event.id == "msg_1" && event.type == "login.released" && event.data.appId == "300000000001")
    }

    @Test("another body, id, time or secret, an old event, and one without headers are refused")
    func refused() {
        func attempt(
            _ change: (inout HTTPFields) -> Void = { _ in }, body: Data? = nil, at date: Date? = nil,
            secret: String? = nil
        ) throws {
            var headers = headers
            change(&headers)
            _ = try WebhookVerifier(secrets: [secret ?? self.secret]).event(
                headers, body: body ?? self.body, now: date ?? now)
        }
        typealias Refusal = WebhookVerifier.Refusal
        #expect(throws: Refusal.signatureWrong) { try attempt(body: body + Data(" ".utf8)) }
        #expect(throws: Refusal.signatureWrong) { try attempt { $0[.webhookID] = "msg_2" } }
        #expect(throws: Refusal.signatureWrong) { try attempt { $0[.webhookTimestamp] = "1614265331" } }
        #expect(throws: Refusal.signatureWrong) { try attempt(secret: "whsec_AAAA") }
        #expect(throws: Refusal.signatureWrong) { try attempt { $0[.webhookSignature] = "" } }
        #expect(throws: Refusal.tooOld) { try attempt(at: now + 301) }
        #expect(throws: Refusal.tooOld) { try attempt(at: now - 301) }
        #expect(throws: Refusal.headersMissing) { try attempt { $0[.webhookID] = nil } }
    }
}
