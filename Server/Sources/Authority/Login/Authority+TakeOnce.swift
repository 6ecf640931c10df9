package import BenjiProtocol
package import Requests
import Store

/// Requests that are signed and carry no device proof: each counts once, and not long after it was signed.
extension Authority {
    /// How old a signed request may be, in seconds either way. Fixed, because others may have read the request.
    static let maximumRequestAge: Duration = .seconds(300)

    /// Takes a request that was signed lately, once.
    /// - Parameter name: its own among all of the app's. Dialects must not share names.
    package func consume(_ name: String, of app: AppID, sentAt: Timestamp) async throws(Refusal) {
        let clock = clock.now
        guard max(sentAt, clock) - min(sentAt, clock) <= Self.maximumRequestAge else {
            throw Refusal(.messageStale, "the request was signed more than five minutes from the server's time")
        }
        let now = expiryClock.now
        let isNew: Bool
        do {
            // As long as other dialects remember names (decision 19), so that a clock that is put back makes nothing
            // good again.
            isNew = try await store.takeName(
                name, app: app, until: now + .seconds(configuration.messageMemory), now: now)
        } catch { throw Refusal(error) }
        guard isNew else { throw Refusal(.messageReplayed, "a request of this name was seen before") }
    }
}
