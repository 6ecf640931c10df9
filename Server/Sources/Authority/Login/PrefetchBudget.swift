import BenjiProtocol
import Requests
import Store

/// Limits how often one app may ask for one number's mask, so that others cannot shut out the number's own phone.
///
/// A hotspot guest has the phone's address, and at `net` only a device key distinguishes the two; keys cost nothing.
/// The guest can use up any shared budget, so a limit on the guest must count against the guest alone:
///
/// - Each device key has a budget of its own. One that is used up stops that key alone.
/// - All keys of an app, a number and an assurance share a budget of the same size, in which everything is served in
///   full. Above it a key is served in full if it is familiar: the app's server has redeemed a login token of it for
///   this person. A phone that has logged in before does not notice a guest.
/// - Another key is then served *briefly*: its scrip lives for two minutes and buys one token, and no trace is kept. It
///   is enough for a person at a page, and leaves few rows. ``briefPerSecond`` of these are served each second, first
///   come, first served. A guest who sends a little more slows a first login. A flood shuts it out while it lasts
///   (docs/threat-model/service.md, "Locking a person out").
///
/// Assurances are counted separately: unattested requests never count against attested ones.
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
