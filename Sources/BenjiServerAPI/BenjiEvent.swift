import Crypto
public import Foundation

/// An event of an app's callback (docs/callbacks.md). It can come more than once: take each id once.
public struct BenjiEvent: Decodable, Hashable, Sendable {
    /// The members of `data` that most receivers need.
    public struct Subject: Decodable, Hashable, Sendable {
        public var appId: String
        public var trace: String?
        public var result: String?
        public var openId: String?
    }

    /// Why a request is no event of Benji's, or one that must not be taken.
    public enum Refusal: Error, Hashable, Sendable {
        case headersMissing, tooOld, signatureWrong, otherEvent
        /// A secret of ours is missing or cut off.
        case secretInvalid
    }

    public var id: String
    public var type: String
    public var data: Subject

    /// How far an event's time may be from ours, in seconds.
    public static let tolerance: TimeInterval = 5 * 60

    /// The event in a request's body, if it is signed with one of the secrets and not too old.
    ///
    /// - Parameters:
    ///   - body: the bytes as they came, not JSON that was written again.
    ///   - secrets: as Benji printed them: `whsec_…`. There are two while they change over.
    ///   - header: the value of a header, or `nil`.
    /// - Throws: ``Refusal``, or an error of `JSONDecoder`.
    public static func read(
        _ body: Data, secrets: [String], now: Date = Date(), header: (String) -> String?
    ) throws -> BenjiEvent {
        guard let id = header("webhook-id"), let time = header("webhook-timestamp"), let seconds = Int64(time),
            let signatures = header("webhook-signature")
        else { throw Refusal.headersMissing }
        guard abs(now.timeIntervalSince1970 - TimeInterval(seconds)) <= tolerance else { throw Refusal.tooOld }
        let signed = Data("\(id).\(time).".utf8) + body
        let given = signatures.split(separator: " ").compactMap { signature in
            signature.hasPrefix("v1,") ? Data(base64Encoded: String(signature.dropFirst(3))) : nil
        }
        let keys = try secrets.map { secret in
            guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))),
                key.count >= 16
            else { throw Refusal.secretInvalid }
            return SymmetricKey(data: key)
        }
        // Takes as long for a wrong signature as for a right one.
        let isRight = keys.contains { key in
            given.contains { HMAC<SHA256>.isValidAuthenticationCode($0, authenticating: signed, using: key) }
        }
        guard isRight else { throw Refusal.signatureWrong }
        let event = try JSONDecoder().decode(BenjiEvent.self, from: body)
        guard event.id == id else { throw Refusal.otherEvent }
        return event
    }
}
