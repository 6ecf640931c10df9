import Authority
@_spi(Server) import BenjiProtocol
import Requests
import Sightings
import Store

/// The means that an order has while it is carried out.
package struct OrderContext: Sendable {
    let authority: Authority
    let store: any AdministrationStore
    let caller: Caller
    /// For whatever is changed: the change takes it and writes the order's line.
    let note: OrderNote
    let describesFace: FaceDescriber
    let findsSessions: SessionFinder?

    var apps: Apps { authority.apps }
    var now: Timestamp { authority.clock.now }

    /// Returns the store's answer; throws a refusal if the store fails.
    func stored<Value: Sendable>(
        _ body: (any AdministrationStore) async throws(StoreError) -> Value
    ) async throws(Refusal) -> Value {
        do throws(StoreError) { return try await body(store) } catch { throw Refusal(error) }
    }

    /// Returns the store's answer to a change of a holder's data; refuses if it fails or the number has a new holder.
    func storedOfHolder<Value: Sendable>(
        _ body: (any AdministrationStore) async throws(StoreError) -> Value
    ) async throws(Refusal) -> Value {
        do throws(StoreError) { return try await body(store) } catch {
            guard error.code == .outdated else { throw Refusal(error) }
            throw Refusal(.subscriptionChanged, "the number's holder changed while the order was given; give it again")
        }
    }

    /// A number as this caller may see it. No answer has one that did not come from here.
    func shown(_ number: PhoneNumber) -> String { caller.seesNumbers ? "+" + number.e164 : number.masked }

    /// Checks that the order asks for no more and no fewer than an answer may hold.
    func check(_ limit: Int, in limits: ClosedRange<Int>) throws(Refusal) {
        guard limits.contains(limit) else {
            throw Refusal(.parameterInvalid, "limit: \(limits.lowerBound) to \(limits.upperBound)")
        }
    }

    /// Checks that there is or was an app with this id: the books of a deleted app stay.
    func checkExists(_ app: AppID) async throws(Refusal) { _ = try await bookedApp(app) }

    /// An app that there is or was.
    func bookedApp(_ id: AppID) async throws(Refusal) -> AppRecord {
        guard let app = try await stored({ store throws(StoreError) in try await store.app(id) }) else {
            throw Refusal(.appUnknown, "no app has this id")
        }
        return app
    }

    /// The row of the register that a number has now.
    func subscription(of number: PhoneNumber) async throws(Refusal) -> SubscriptionRecord? {
        try await stored { store throws(StoreError) in
            try await authority.vault.subscription(of: number, in: store)
        }
    }

    static let numberUnknown = Refusal(.numberUnknown, "the register does not know this number")

    /// The row of a number that somebody looks at; that they look is written down first.
    func subscriptionToLookAt(_ number: PhoneNumber, app: AppID? = nil) async throws(Refusal) -> SubscriptionRecord {
        guard let row = try await subscription(of: number) else {
            try await noteLook(app: app, subject: "a number that nobody has")
            throw Self.numberUnknown
        }
        try await noteLook(app: app, subject: "subscription \(row.id)")
        return row
    }

    /// Writes the line of an order that changes nothing and is written down all the same: it looks at what concerns a
    /// person. To be called before the answer is read.
    func noteLook(app: AppID? = nil, subject: String? = nil) async throws(Refusal) {
        try await append(note.entry(at: now, app: app, subject: subject))
    }

    /// Writes a line that goes with no change of the store.
    func append(_ line: AuditEntry) async throws(Refusal) {
        try await stored { store throws(StoreError) in try await store.appendAudit(line) }
    }
}
