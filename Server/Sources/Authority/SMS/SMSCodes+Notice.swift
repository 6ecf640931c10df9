@_spi(Server) package import BenjiProtocol
import Requests
import ShortMessages
package import Store

/// Messages without a code.
extension SMSCodes {
    /// Hands a message over, at most once, unless the app's quota is used up. It counts by app and day and by prefix
    /// and hour, apart from codes and in this process. The caller limits messages per number.
    package func sendNotice(
        _ text: String, to number: PhoneNumber, of app: AppRecord, until end: Timestamp
    ) async -> (situation: Situation, detail: String) {
        guard let sender else { return (.messageNotSent, "this installation sends no messages") }
        if let problem = problem(with: number) { return (.numberNotServed, problem) }
        let now = authority.clock.now
        do throws(StoreError) {
            guard try await !isUsedUp(authority.quota(of: app, at: now), of: app.id, at: now) else {
                return (.quotaExceeded, Refusal.quotaIsUsedUp)
            }
        } catch { return (.storeUnavailable, "nobody knows whether the app's quota is used up") }
        // The app first: a message that its own limit refuses uses up nothing of a prefix, which all apps share.
        guard noticesOfApps.admits(app.id.rawValue, now: now),
            noticesOfPrefixes.admits(String(number.e164.dropLast(4)), now: now)
        else { return (.tooManyRequests, "as many messages went out as may") }
        let message = ShortMessage(to: number, text: text, expiresAt: end)
        return switch await sender.send(message, before: .now + Self.patience) {
        case .accepted(let name, _): (.success, "accepted by \(name)")
        case .unknown(let name): (.success, "may be under way by \(name)")
        case .notTaken: (.messageNotSent, "nobody took the message")
        }
    }
}

extension Vault {
    /// By what requests for a number are counted: no number, and the same whatever the master key.
    package func backchannelName(of number: PhoneNumber) -> String {
        Base64URL.encode(smsIndex("backchannel-number", [Array(number.e164.utf8)]).bytes)
    }
}
