import Crypto
import Foundation
import HTTPTypes

/// Checks that an event is Benji's, new and not another: Standard Webhooks. What a server of your own needs.
struct WebhookVerifier: Sendable {
    /// Why a request is refused.
    enum Refusal: Error {
        case headersMissing, tooOld, signatureWrong, otherEvent
    }

    /// The members of an event that the shop reads; others are ignored.
    struct Event: Decodable, Sendable {
        struct Data: Decodable, Sendable {
            var appId: String
            var trace: String?
            var result: String?
            var openId: String?
        }

        var id: String
        var type: String
        var data: Data
    }

    /// How far an event's time may be from ours.
    static let tolerance: TimeInterval = 5 * 60

    /// The callback's secrets: one, or two while they change over.
    private let keys: [SymmetricKey]

    /// - Parameter secrets: as Benji printed them: "whsec_…".
    init(secrets: [String]) {
        keys = secrets.compactMap { secret in
            guard secret.hasPrefix("whsec_") else { return nil }
            return Foundation.Data(base64Encoded: String(secret.dropFirst(6))).map { SymmetricKey(data: $0) }
        }
    }

    /// - Parameter body: the bytes as they came, not JSON that was written again.
    func event(_ headers: HTTPFields, body: Foundation.Data, now: Date) throws -> Event {
        guard let id = headers[.webhookID], let time = headers[.webhookTimestamp], let seconds = Int64(time),
            let signatures = headers[.webhookSignature]
        else { throw Refusal.headersMissing }
        guard abs(now.timeIntervalSince1970 - TimeInterval(seconds)) <= Self.tolerance else { throw Refusal.tooOld }
        let signed = Foundation.Data("\(id).\(time).".utf8) + body
        let given = signatures.split(separator: " ").compactMap { signature in
            signature.hasPrefix("v1,") ? Foundation.Data(base64Encoded: String(signature.dropFirst(3))) : nil
        }
        // Takes as long for a wrong signature as for a right one.
        let isRight = keys.contains { key in
            given.contains { HMAC<SHA256>.isValidAuthenticationCode($0, authenticating: signed, using: key) }
        }
        guard isRight else { throw Refusal.signatureWrong }
        let event = try JSONDecoder().decode(Event.self, from: body)
        guard event.id == id else { throw Refusal.otherEvent }
        return event
    }
}

extension HTTPField.Name {
    static let webhookID = Self("webhook-id")!
    static let webhookTimestamp = Self("webhook-timestamp")!
    static let webhookSignature = Self("webhook-signature")!
}
