@_spi(Server) import BenjiProtocol
import Metrics
import NIOConcurrencyHelpers
import Sightings

/// A gateway's part in its pair: whether it owns it, under which fence, and for how long that may be believed.
///
/// The gateway of a pair keeps no journal. What it would write there it records with the authority, and the other
/// gateway reads it (decision 43).
final class PairMembership: Sendable {
    private struct State {
        var watch = PairWatch()
        /// How far the record is read.
        var readUntil: Int64 = 0
        /// The record's sequence when it was begun to be read; `nil` before that.
        var sequenceAtFirst: Int64?
        /// Under which fence it has taken over, or is about to.
        var claimed: Int64?
        var owned: Ownership?
    }

    /// The state of an owner.
    struct Ownership: Hashable, Sendable {
        var fence: Int64
        /// The record's sequence.
        var sequence: Int64
        /// When it took over, by ``PairMembership/uptime``: the clock of the day may be put back afterwards.
        var since: Duration
        /// Until when no other gateway can have taken over; `nil` before anything was recorded.
        var validUntil: Duration?
    }

    /// How long after its last record an owner answers phones: less than ``PairWatch/patience``, so that it has stopped
    /// by itself before another begins.
    static let validity: Duration = .seconds(4)
    /// How often an owner records something, and another reads.
    static let interval: Duration = .seconds(1)
    /// Bytes of entries that one call carries at most, unless a single one is larger; how many,
    /// ``Sightings/PairEntry/recordLimit`` says.
    static let recordSize = 192 * 1024

    let service: any PairService
    let random: any RandomSource
    let uptime: @Sendable () -> Duration
    private let state = NIOLockedValueBox(State())
    private let isOwnerGauge = Gauge(label: "benji_gateway_pair_owner")
    private let fenceGauge = Gauge(label: "benji_gateway_pair_fence")
    private let recorded = Counter(label: "benji_gateway_pair_recorded_total")
    private let read = Counter(label: "benji_gateway_pair_read_total")

    init(
        service: any PairService, random: any RandomSource,
        uptime: @escaping @Sendable () -> Duration = PairMembership.systemUptime
    ) {
        self.service = service
        self.random = random
        self.uptime = uptime
        isOwnerGauge.record(0)
    }

    // Goes on while the machine sleeps.
    private static let begin = ContinuousClock.now
    static let systemUptime: @Sendable () -> Duration = { ContinuousClock.now - begin }

    // MARK: the owner

    /// This gateway's ownership; `nil` if it does not own the pair, as far as it knows.
    var owned: Ownership? { state.withLockedValue { $0.owned } }

    /// Under which fence phones may be told apart now; `nil` if they may not.
    var fence: Int64? {
        let now = uptime()
        return state.withLockedValue { state in
            guard let owned = state.owned, let end = owned.validUntil, now < end else { return nil }
            return owned.fence
        }
    }

    /// It has taken over, and read to the end.
    func own(_ standing: PairStanding) {
        let now = uptime()
        state.withLockedValue { state in
            state.owned = Ownership(fence: standing.fence, sequence: standing.sequence, since: now)
        }
        isOwnerGauge.record(1)
        fenceGauge.record(standing.fence)
    }

    /// Notes that the entries that the owner sent are durable.
    func didRecord(_ count: Int, sequence: Int64) {
        recorded.increment(by: count)
        state.withLockedValue { $0.owned?.sequence = sequence }
    }

    /// The record has another sequence than was known.
    func correct(sequence: Int64) { state.withLockedValue { $0.owned?.sequence = sequence } }

    /// All was recorded that there was when this began.
    func didRecordAll(begun: Duration) {
        state.withLockedValue { $0.owned?.validUntil = begun + Self.validity }
    }

    /// Another gateway has taken over. This one must read everything again.
    func lose() {
        state.withLockedValue { $0 = State() }
        isOwnerGauge.record(0)
    }

    /// Gives the pair back at the end, so that the other gateway need not wait.
    func release() async throws {
        guard
            let fence = state.withLockedValue({ state in
                defer { state.owned = nil }
                return state.owned?.fence
            })
        else { return }
        isOwnerGauge.record(0)
        try await service.release(fence: fence)
    }

    // MARK: the other one

    /// How the pair was last seen.
    var seen: PairStanding? { state.withLockedValue { $0.watch.seen } }

    var readUntil: Int64 { state.withLockedValue { $0.readUntil } }

    /// Notes news, and returns whether it fits the entries read before. If not, everything must be read again.
    func take(_ news: PairUpdates) -> Bool {
        let now = uptime()
        read.increment(by: news.entries.count)
        fenceGauge.record(news.standing.fence)
        return state.withLockedValue { state in
            if let seen = state.watch.seen, news.standing.sequence < seen.sequence || news.standing.fence < seen.fence {
                // A backup was restored. Its content is outdated.
                state = State()
                return false
            }
            state.watch.saw(news.standing, at: now)
            let first = state.sequenceAtFirst ?? news.standing.sequence
            state.sequenceAtFirst = first
            // An end may have been forgotten that was not read. What had ended before reading began had replaced its
            // beginning by then.
            guard news.standing.forgottenUntil <= max(first, state.readUntil) else {
                state.readUntil = 0
                state.sequenceAtFirst = nil
                return false
            }
            state.readUntil = news.readUntil
            return true
        }
    }

    /// The record could not be read.
    func didFail() { state.withLockedValue { $0.watch.lost() } }

    /// How the pair stands, if this gateway may take it over.
    var claimable: PairStanding? {
        let now = uptime()
        return state.withLockedValue { $0.watch.claimable(at: now) }
    }

    /// Whether this gateway has taken over already and is still to read the rest.
    func hasClaimed(_ standing: PairStanding?, as name: String) -> Bool {
        state.withLockedValue { standing?.owner == name && standing?.fence == $0.claimed }
    }

    func didClaim(_ standing: PairStanding) {
        let now = uptime()
        state.withLockedValue { state in
            state.claimed = standing.fence
            state.watch.saw(standing, at: now)
        }
    }

    /// How long ago the previous owner was surely alive; `nil` if it was never seen alive.
    ///
    /// - Parameter aliveAt: from before this gateway took over.
    func silence(since aliveAt: Duration?) -> Duration? { aliveAt.map { uptime() - $0 } }

    var aliveAt: Duration? { state.withLockedValue { $0.watch.aliveAt } }
}
