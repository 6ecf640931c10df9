import Authority
import BenjiProtocol
import OpenIDProvider
import Requests
import ServerTestKit

/// For tests that do not ask who ordered it.
extension OpenIDClients {
    func register(_ registration: Registration) async throws(Refusal) -> Registered {
        try await register(registration, by: .test)
    }

    func set(
        _ app: AppID, _ change: (inout Registration) throws(Refusal) -> Void
    ) async throws(Refusal) -> Registered { try await set(app, by: .test, change) }

    func rotateSecret(
        of app: AppID, keeping overlap: KeyOverlap = .untilRetired
    ) async throws(Refusal) -> Registered { try await rotateSecret(of: app, keeping: overlap, by: .test) }

    func retireSecret(of app: AppID) async throws(Refusal) -> Registered { try await retireSecret(of: app, by: .test) }

    func remove(_ app: AppID) async throws(Refusal) { try await remove(app, by: .test) }

    func rotateKeys() async throws(Refusal) { try await rotateKeys(by: .test) }
}
