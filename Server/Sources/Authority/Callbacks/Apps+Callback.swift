package import BenjiProtocol
import Foundation
package import Requests
package import Store

/// Callbacks of apps, and the secrets that sign their events.
extension Apps {
    /// Registers an app's callback, or changes the given members of it. A stopped callback resumes.
    ///
    /// - Parameters:
    ///   - url: the present one if `nil`.
    ///   - events: the present ones if empty; all of them for a new callback.
    /// - Returns: the app, and whether it was given a secret, which is shown this once.
    package func setCallback(
        of id: AppID, url: String?, events: Set<CallbackEventType>, rules: CallbackRules, by note: OrderNote
    ) async throws(Refusal) -> (app: RegisteredApp, hasNewSecret: Bool) {
        if let url { _ = try CallbackURL(url, rules: rules) }
        guard !events.contains(.test) else {
            throw Refusal(.parameterInvalid, "events: \(CallbackEventType.test.rawValue) is sent when it is ordered")
        }
        let text = newCallbackSecret()
        var isNew = false
        let app = try await change(id, by: note) { record throws(Refusal) in
            guard let url = url ?? record.callback?.url else {
                throw Refusal(.parameterInvalid, "url: missing; where should events go?")
            }
            let present = record.callback?.events ?? Set(CallbackEventType.registrable)
            record.callback = CallbackRecord(url: url, events: events.isEmpty ? present : events)
            var secrets = record.keys(for: .callback)
            isNew = secrets.accepted(at: clock.now).isEmpty
            guard isNew else { return }
            try secrets.begin(
                with: seal(text, .callback, version: secrets.nextVersion, of: id), keeping: .none, now: clock.now)
            record.replaceKeys(of: .callback, by: secrets)
        }
        return (app, isNew)
    }

    /// Ends an app's callback and its secrets. What waits to be sent waits for another one.
    package func removeCallback(of id: AppID, by note: OrderNote) async throws(Refusal) -> RegisteredApp {
        try await change(id, by: note) { record throws(Refusal) in
            guard record.callback != nil else { throw Self.hasNoCallback }
            record.callback = nil
            // The newest leaves its version behind, so that it is not used again.
            var secrets = Array(record.keys(for: .callback).prefix(1))
            for place in secrets.indices { secrets[place].acceptedUntil = clock.now }
            record.replaceKeys(of: .callback, by: secrets)
        }
    }

    /// Gives a callback a new secret. Until the one before ends, events have both signatures.
    package func rotateCallbackSecret(
        of id: AppID, keeping overlap: KeyOverlap, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        guard overlap != .untilRetired else {
            throw Refusal(.parameterInvalid, "overlap: a number of days, or none; the secret before ends by itself")
        }
        let text = newCallbackSecret()
        return try await change(id, by: note) { record throws(Refusal) in
            guard record.callback != nil else { throw Self.hasNoCallback }
            var secrets = record.keys(for: .callback)
            try secrets.rotate(
                to: seal(text, .callback, version: secrets.nextVersion, of: id), keeping: overlap, now: clock.now,
                noun: AppKeyUse.callback.noun)
            record.replaceKeys(of: .callback, by: secrets)
        }
    }

    /// Stops sending to a receiver that reports it is gone, until a callback is registered again.
    ///
    /// - Parameter url: the one that reported it. If the app has another by now, nothing changes.
    package func stopCallback(of id: AppID, url: String) async throws(Refusal) {
        let note = OrderNote(actor: "benji", role: "installation", origin: "delivery", order: "app.callback.stop")
        let present = try await find(id).record.callback
        guard let present, present.url == url, present.stoppedAt == nil else { return }
        let now = clock.now
        try await change(id, by: note) { record throws(Refusal) in
            guard let present = record.callback, present.url == url, present.stoppedAt == nil else { return }
            record.callback?.stoppedAt = now
        }
    }

    package static let hasNoCallback = Refusal(
        .parameterInvalid, "the app has no callback; see: benji app callback set")

    private func newCallbackSecret() -> String { CallbackSecret.prefix + Data(random.bytes(32)).base64EncodedString() }
}

/// A secret that signs events, in the form of Standard Webhooks: `whsec_` and base64.
package enum CallbackSecret {
    package static let prefix = "whsec_"

    /// The bytes that sign.
    package static func bytes(_ secret: AppKey) -> [UInt8]? {
        let text = secret.reveal()
        guard text.hasPrefix(prefix) else { return nil }
        return Data(base64Encoded: String(text.dropFirst(prefix.count))).map { Array($0) }
    }
}
