internal import Authority
internal import BenjiProtocol
internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// Bounds calls that lead nowhere, before anything is read of them or a signature is checked.
///
/// An address may send ``perAddress`` such calls in ten minutes and then so many a second. Others behind it are not held to that: whoever
/// has been answered lately is known by the head of their proofs, which holds their key, and goes on. A key can be named by anybody, so
/// what is known is worth ``perKey`` calls that lead nowhere, and one a second after that. Somebody new at such an address is
/// slowed and not shut out.
final class FaceStrangers: Sendable {
    /// Calls that lead nowhere, from one address or /64 of IPv6 in ten minutes; as many at once.
    static let perAddress = 6000
    static let perKey = 60.0
    private static let perKeyAndSecond = 1.0

    /// The head of somebody's proofs.
    struct Caller: Hashable {
        fileprivate var digest: SHA256Digest

        /// - Parameter headers: of a request. `nil` if it has no proof.
        init?(_ headers: HTTPFields) {
            guard let proof = headers[.deviceProof], let head = proof.split(separator: ".").first else { return nil }
            digest = SHA256.hash(data: Data(head.utf8))
        }
    }

    /// Calls that lead nowhere and are left to a caller.
    private struct Allowance {
        var left = FaceStrangers.perKey
        var at: Timestamp

        mutating func fill(_ now: Timestamp) {
            // A clock that is put back gives nothing and takes nothing.
            let passed = max(0, Double((now - at).wholeMilliseconds) / 1000)
            left = min(FaceStrangers.perKey, left + passed * FaceStrangers.perKeyAndSecond)
            at = now
        }
    }

    private let clock: any WallClock
    private let addresses: SourceLimiter
    /// Callers that are remembered; when there are more, those that were answered longest ago are forgotten.
    private let half: Int
    private let known = Mutex<(newer: [Caller: Allowance], older: [Caller: Allowance])>(([:], [:]))

    init(clock: any WallClock, perAddress: Int = FaceStrangers.perAddress, capacity: Int = 200_000) {
        self.clock = clock
        addresses = SourceLimiter(calls: perAddress)
        half = max(capacity / 2, 1)
    }

    /// Answers a call, unless it would be one too many that leads nowhere.
    func answer<Value>(
        _ request: Request, _ peer: Peer?, _ body: () async throws -> Value
    ) async throws -> Value {
        let caller = Caller(request.headers)
        guard mayCall(caller, peer) else {
            throw DeviceFailure(
                situation: .tooManyRequests,
                detail: "too many requests from this address that lead nowhere; try again later")
        }
        do {
            let value = try await body()
            if let caller { know(caller) }
            return value
        } catch {
            countFruitless(caller, peer)
            throw error
        }
    }

    private func mayCall(_ caller: Caller?, _ peer: Peer?) -> Bool {
        guard let peer, addresses.isSpent(peer.address, now: clock.now) else { return true }
        guard let caller else { return false }
        return change(caller) { $0.left >= 1 } ?? false
    }

    private func countFruitless(_ caller: Caller?, _ peer: Peer?) {
        let isAllowed = caller.flatMap { caller in
            change(caller) { allowance in
                guard allowance.left >= 1 else { return false }
                allowance.left -= 1
                return true
            }
        }
        if isAllowed != true { _ = addresses.admits(peer?.address, now: clock.now) }
    }

    private func know(_ caller: Caller) {
        guard change(caller, { _ in true }) == nil else { return }
        known.withLock { Self.keep(Allowance(at: clock.now), of: caller, in: &$0, half) }
    }

    /// `nil` if the caller is not known.
    private func change<Value: Sendable>(_ caller: Caller, _ change: (inout Allowance) -> Value) -> Value? {
        let now = clock.now
        return known.withLock { known in
            guard var allowance = known.newer[caller] ?? known.older.removeValue(forKey: caller) else { return nil }
            allowance.fill(now)
            let value = change(&allowance)
            Self.keep(allowance, of: caller, in: &known, half)
            return value
        }
    }

    private static func keep(
        _ allowance: Allowance, of caller: Caller,
        in known: inout (newer: [Caller: Allowance], older: [Caller: Allowance]), _ half: Int
    ) {
        if known.newer[caller] == nil, known.newer.count >= half { known = ([:], known.newer) }
        known.newer[caller] = allowance
    }
}
