package import Authority
package import BenjiProtocol
import Crypto
import Foundation

/// The headers by which a receiver knows that an event is ours, new and not another (Standard Webhooks 1.0).
package enum WebhookSignature {
    /// `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    ///
    /// - Parameters:
    ///   - moment: Of this attempt; receivers refuse a much older one.
    ///   - secrets: one, or two while they change over; each makes a signature.
    /// - Returns: `nil` if there is no secret that can sign.
    package static func headers(
        id: String, payload: String, at moment: Timestamp, secrets: [AppKey]
    ) -> [(name: String, value: String)]? {
        let time = String(moment.milliseconds / 1000)
        let signed = Array("\(id).\(time).\(payload)".utf8)
        let signatures = secrets.compactMap { secret in
            CallbackSecret.bytes(secret).map { key in
                "v1,"
                    + Data(HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key)))
                    .base64EncodedString()
            }
        }
        guard !signatures.isEmpty else { return nil }
        return [
            ("webhook-id", id), ("webhook-timestamp", time), ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
