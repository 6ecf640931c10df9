import BenjiProtocol
import Store

/// How often one app may ask for one number's mask, so that nobody's asking shuts out the number's own phone.
///
/// A hotspot guest has the phone's address, and at `net` nothing but a device key tells the two apart; keys cost him nothing.
/// So what counts against everybody can be used up by him, and what is to hold him must count against himself:
///
/// - Each device key has a budget of its own. One that is used up stops that key alone.
/// - All keys of an app, a number and an assurance share a budget of the same size, in which everything is served in full.
///   Above it a key is served in full if it is familiar: the app's server has redeemed a login token of it for this person.
///   A phone that has logged in before does not notice a guest.
/// - A key that is not familiar is served *briefly* then: its scrip lives for two minutes and buys one token, and no line of
///   the trace is kept. It is enough for a person at a page, and leaves little behind. ``briefPerSecond`` of these are served
///   each second, whoever comes first. So a first login is slowed by somebody who sends a little more than that through the
///   phone, and shut out by a flood for as long as it lasts (docs/threat-model.md, "Locking a person out").
///
/// Assurances are counted apart: what is not attested never counts against what is.
package struct PrefetchBudget: Sendable {
    package enum Service: Equatable {
        case full
        /// A brief answer: short scrip, one token, no trace.
        case brief
        case refused
    }

    /// Brief answers for one app, number and assurance: so many a second, and so many at once.
    package static let briefPerSecond = 20
    package static let briefBurst = 300
    /// Seconds that a scrip of a brief answer lives.
    static let briefLifetime: Int64 = 120

    private let keys: RateLimiter
    private let shared: RateLimiter
    private let brief: RateBucket<String>

    /// - Parameters:
    ///   - limit: of one key, and of all keys together before familiarity is asked for, in ten minutes.
    ///   - capacity: names that are remembered.
    init(limit: Int, capacity: Int) {
        keys = RateLimiter(limit: limit, window: .seconds(600), capacity: capacity)
        shared = RateLimiter(limit: limit, window: .seconds(600), capacity: capacity)
        brief = RateBucket(perSecond: Self.briefPerSecond, burst: Self.briefBurst, capacity: capacity)
    }

    /// Counts one prefetch.
    /// - Parameters:
    ///   - name: app, number and assurance.
    ///   - key: the device key; `nil` of a caller that has none of its own.
    ///   - isFamiliar: asked only when the shared budget is used up.
    func take(
        _ name: String, key: String?, now: Timestamp, isFamiliar: () async throws(Refusal) -> Bool
    ) async throws(Refusal) -> Service {
        if let key, !keys.admits("\(name)/\(key)", now: now) { return .refused }
        if shared.admits(name, now: now) { return .full }
        if key != nil, try await isFamiliar() { return .full }
        return brief.admits(name, now: now) ? .brief : .refused
    }
}
