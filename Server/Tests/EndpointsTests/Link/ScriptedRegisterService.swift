import Sightings
import Store
import Synchronization

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// A register with scripted answers, which records its requests.
final class ScriptedRegisterService: RegisterService {
    struct Seen: Sendable {
        var batches: [[SubscriberObservation]] = []
        var revocations: [[BindingID]] = []
        /// Of each batch, whether its caller counted as proven.
        var proven: [Bool] = []
    }

    let error: StoreError?
    /// Rows that were erased.
    let erased: [Int64]
    private let state = Mutex(Seen())

    init(error: StoreError? = nil, erased: [Int64] = []) {
        self.error = error
        self.erased = erased
    }

    var seen: Seen { state.withLock { $0 } }

    /// The last four digits name the row; numbers that end in 0 have an older card than the register knows.
    func observe(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?] {
        let isProven = RequestSubject.current?.isProven ?? false
        state.withLock {
            $0.batches.append(observations)
            $0.proven.append(isProven)
        }
        if let error { throw error }
        return observations.map(Self.reference)
    }

    static func reference(_ observation: SubscriberObservation) -> SubscriptionReference? {
        guard let row = Int64(observation.number.e164.suffix(4)), row % 10 != 0 else { return nil }
        return SubscriptionReference(subscription: row, epoch: 2, simGeneration: 3)
    }

    func revoke(_ bindings: [BindingID]) async throws(StoreError) {
        state.withLock { $0.revocations.append(bindings) }
        if let error { throw error }
    }

    func erasedSubscriptions() async throws(StoreError) -> [Int64] {
        if let error { throw error }
        return erased
    }
}
