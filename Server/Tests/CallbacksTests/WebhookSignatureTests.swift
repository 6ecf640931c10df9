import Authority
import BenjiProtocol
import Callbacks
import Testing

@Suite("What events are signed with")
struct WebhookSignatureTests {
    /// The example that the libraries of Standard Webhooks test themselves with.
    private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private let payload = #"{"test": 2432232314}"#
    private let secret = AppKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    private let moment = Timestamp(milliseconds: 1_614_265_330_999)

    @Test("an event has the signature that Standard Webhooks' own libraries compute")
    func vector() throws {
        let headers = try #require(
            WebhookSignature.headers(id: id, payload: payload, at: moment, secrets: [secret]))
        let values = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
        #expect(
            values == [
                "webhook-id": id, "webhook-timestamp": "1614265330",
                "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test("during a rotation there are two signatures, and what is no secret makes none")
    func several() throws {
        let other = AppKey("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        let headers = try #require(
            WebhookSignature.headers(id: id, payload: payload, at: moment, secrets: [other, secret]))
        let signatures = headers[2].value.split(separator: " ")
        #expect(signatures.count == 2 && signatures[1] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(WebhookSignature.headers(id: id, payload: payload, at: moment, secrets: [AppKey("no secret")]) == nil)
        #expect(WebhookSignature.headers(id: id, payload: payload, at: moment, secrets: []) == nil)
    }
}
