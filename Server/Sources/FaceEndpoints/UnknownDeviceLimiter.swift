import BenjiProtocol
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Requests
import ServerHTTP
import Synchronization

/// Bounds calls that lead nowhere, before anything is read of them or a signature is checked.
///
/// An address may send ``perAddress`` such calls at once, and as many again in each ten minutes. A caller that was
/// answered lately is exempt: it is known by the head of its proofs, which holds its key. Because anyone can name a
/// key, a known caller gets ``perKey`` fruitless calls, and one a second after that. A new caller at such an address is
/// slowed and not locked out.
final class UnknownDeviceLimiter: Sendable {
    /// Calls that lead nowhere, from one address or /64 of IPv6 in ten minutes; as many at once.
    static let perAddress = 6000
    static let perKey = 60.0
    private static let perKeyAndSecond = 1.0

    /// The head of a caller's proofs.
    struct Caller: Hashable {
        fileprivate var digest: SHA256Digest

        /// - Parameter headers: of a request. `nil` if it has no proof.
        init?(_ headers: HTTPFields) {
            guard let proof = headers[.deviceProof], let head = proof.split(separator: ".").first else { return nil }
            digest = SHA256.hash(data: Data(head.utf8))
        }
    }

    private let clock: any WallClock
    private let addresses: SourceLimiter
    /// For each caller who was answered lately, the calls that lead nowhere and are left to him.
    private let known: Mutex<RecentMemory<Caller, TokenBucket>>

    init(clock: any WallClock, perAddress: Int = UnknownDeviceLimiter.perAddress, capacity: Int = 200_000) {
        self.clock = clock
        addresses = SourceLimiter(calls: perAddress)
        known = Mutex(RecentMemory(capacity: capacity))
    }

    /// Answers a call, unless it would be one too many that leads nowhere.
    func answer<Value>(
        _ request: Request, _ peer: Peer?, _ body: () async throws -> Value
    ) async throws -> Value {
        let caller = Caller(request.headers)
        guard mayCall(caller, peer) else {
            throw Refusal(.tooManyRequests, "too many requests from this address that lead nowhere; try again later")
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
        return change(caller) { $0.hasRoom } ?? false
    }

    private func countFruitless(_ caller: Caller?, _ peer: Peer?) {
        let isAllowed = caller.flatMap { change($0) { $0.take() } }
        if isAllowed != true { _ = addresses.admits(peer?.address, now: clock.now) }
    }

    private func know(_ caller: Caller) {
        guard change(caller, { _ in true }) == nil else { return }
        known.withLock { $0.keep(TokenBucket(burst: Self.perKey, now: clock.now), of: caller) }
    }

    /// `nil` if the caller is not known.
    private func change<Value: Sendable>(_ caller: Caller, _ change: (inout TokenBucket) -> Value) -> Value? {
        let now = clock.now
        return known.withLock { known in
            guard var bucket = known.take(caller) else { return nil }
            bucket.fill(perSecond: Self.perKeyAndSecond, burst: Self.perKey, now: now)
            let value = change(&bucket)
            known.keep(bucket, of: caller)
            return value
        }
    }
}
