package import Authority
package import BenjiProtocol
package import Requests
package import Sightings
package import Store

extension OrderNote {
    /// A note of no particular caller.
    package static let test = OrderNote(actor: "tester", role: "operator", origin: "a test", order: "test")
}

// For tests that do not ask who ordered it.

extension Apps {
    package func register(_ registration: Registration) async throws(Refusal) -> RegisteredApp {
        try await register(registration, by: .test)
    }

    @discardableResult
    package func change(
        _ id: AppID, acceptingWideAddresses: Bool = false, _ change: (inout AppRecord) throws(Refusal) -> Void
    ) async throws(Refusal) -> RegisteredApp {
        try await self.change(id, by: .test, acceptingWideAddresses: acceptingWideAddresses, change)
    }

    @discardableResult
    package func rotateKey(
        _ use: AppKeyUse = .package, of id: AppID, keeping overlap: KeyOverlap = .untilRetired
    ) async throws(Refusal) -> RegisteredApp { try await rotateKey(use, of: id, keeping: overlap, by: .test) }

    @discardableResult
    package func retireKey(
        _ use: AppKeyUse = .package, of id: AppID, version: Int? = nil
    ) async throws(Refusal) -> RegisteredApp { try await retireKey(use, of: id, version: version, by: .test) }

    @discardableResult
    package func splitKeys(
        of id: AppID, keeping overlap: KeyOverlap = .untilRetired
    ) async throws(Refusal) -> RegisteredApp { try await splitKeys(of: id, keeping: overlap, by: .test) }
}

extension OpenIDClientStore {
    @discardableResult
    package func putOpenIDClient(_ client: OpenIDClientRecord) async throws(StoreError) -> OpenIDClientRecord {
        try await putOpenIDClient(client, media: [], removedMedia: [], audit: nil)
    }
}

extension RegisterStore {
    package func changeSubscriptions(
        _ numberIndices: [BlindIndex], _ change: @escaping @Sendable (Int, SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?] {
        try await changeSubscriptions(numberIndices.map { NumberIndex($0) }, audit: nil, change)
    }

    package func subscription(numberIndex: BlindIndex) async throws(StoreError) -> SubscriptionRecord? {
        try await subscription(numberIndex: NumberIndex(numberIndex))
    }
}

extension Register {
    package func reassign(_ number: PhoneNumber, at time: Timestamp) async throws(StoreError) -> SubscriptionReference?
    {
        try await reassign(number, at: time, by: .test)
    }

    package func port(
        _ number: PhoneNumber, to carrier: Carrier, at time: Timestamp
    ) async throws(StoreError) -> SubscriptionReference? { try await port(number, to: carrier, at: time, by: .test) }
}

extension AppStore {
    package func createApp(_ app: AppRecord) async throws(StoreError) { try await createApp(app, audit: nil) }
    package func updateApp(_ app: AppRecord) async throws(StoreError) { try await updateApp(app, audit: nil) }
}
