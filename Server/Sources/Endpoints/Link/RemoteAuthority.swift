import AsyncHTTPClient
package import Authority
package import BenjiProtocol
import Foundation
package import Logging
import NIOCore
package import Sightings
package import Store
import Synchronization

/// The gateway's side of the link: an authority in another process, asked over mutual TLS.
///
/// It never answers by itself. Whatever goes wrong on the way is a refusal to the phone and an error to accounting
/// (decision 13). A request is sent once: after a time-out nobody knows whether it was done, and only the caller can
/// tell what repeating it means.
///
/// Call ``shutdown()`` before the last reference goes.
package final class RemoteAuthority: DeviceDesk, RegisterDesk {
    /// The largest answer that is read, in bytes.
    static let maximumAnswer = 512 * 1024
    /// Shorter than the listener keeps an idle connection, so that no request is sent on one that is being closed.
    static let idleTime: Duration = .seconds(20)
    static let connections = 64

    let base: String
    let timeout: Duration
    let client: HTTPClient
    let logger: Logger
    /// Each request names it: the client keeps connections apart by it, so one that was made with a certificate before is not
    /// used any more once it was renewed, and is closed when it has been idle.
    let tls: RenewableTLS
    /// The last exchange's fault, to log changes and not every request.
    let fault = Mutex<LinkFault.Reason?>(nil)

    /// - Parameters:
    ///   - url: where the authority listens for gateways: `https`, a host that its certificate names, a port, no path.
    ///   - tls: this gateway's identity: as of ``LinkTLS/clientIdentity``.
    ///   - timeout: from the call to the whole answer.
    package init(url: String, tls: RenewableTLS, timeout: Duration = .seconds(2), logger: Logger)
        throws(LinkConfigurationError)
    {
        guard let parsed = URLComponents(string: url), parsed.scheme?.lowercased() == "https",
            parsed.host?.isEmpty == false,
            parsed.path.isEmpty || parsed.path == "/", parsed.query == nil, parsed.fragment == nil, parsed.user == nil,
            parsed.password == nil
        else { throw LinkConfigurationError("the authority's address must be https://host:port, without a path") }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.timeout = timeout
        self.logger = logger
        self.tls = tls
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(timeout), read: TimeAmount(timeout)),
            connectionPool: .init(
                idleTimeout: TimeAmount(Self.idleTime), concurrentHTTP1ConnectionsPerHostSoftLimit: Self.connections))
        // Fails at once instead of waiting for the connection time-out.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes all connections. Requests under way fail.
    package func shutdown() async { try? await client.shutdown() }

    package func prefetch(_ request: PrefetchRequest, from device: DeviceCall) async throws(Refusal)
        -> PrefetchResponse
    {
        try await call(.prefetch, request.json, device, PrefetchResponse.init)
    }

    package func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        try await call(.authorize, request.json, device, AuthorizeResponse.init)
    }

    package func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal) {
        try await call(.forget, request.json, device, Self.nothing)
    }

    package func policyDocument() async throws(Refusal) -> JSON {
        do { return try await ask(.policy, nil) { json throws(JSONError) in json } } catch {
            throw Self.refusal(error)
        }
    }

    package func attestationChallenge(for app: AppID) async throws(Refusal) -> String {
        do {
            return try await ask(.challenge, .object(["app": .string(app.rawValue)])) { json throws(JSONError) in
                var reader = try JSONObjectReader(json)
                let challenge = try reader.string("challenge", length: 1...128)
                try reader.finish()
                return challenge
            }
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Sends large batches in parts. When a later part fails the whole throws, and asking again is harmless.
    package func observe(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?] {
        var references: [SubscriptionReference?] = []
        for start in stride(from: 0, to: observations.count, by: ObservationBatch.maximumCount) {
            let end = min(start + ObservationBatch.maximumCount, observations.count)
            let batch = ObservationBatch(Array(observations[start..<end]))
            references += try await register(.observe, batch.json) { json throws(JSONError) in
                try ObservationAnswer(json, count: batch.observations.count).subscriptions
            }
        }
        return references
    }

    package func revoke(_ bindings: [BindingID]) async throws(StoreError) {
        for start in stride(from: 0, to: bindings.count, by: RevocationBatch.maximumCount) {
            let end = min(start + RevocationBatch.maximumCount, bindings.count)
            try await register(.revoke, RevocationBatch(Array(bindings[start..<end])).json, Self.nothing)
        }
    }

    package func erasedSubscriptions() async throws(StoreError) -> [Int64] {
        try await register(.erased, nil) { json throws(JSONError) in try ErasedSubscriptions(json).rows }
    }

    /// What is wrong with the link now, in a few words without values, or `nil`: asks the authority for its policy.
    package func problem() async -> String? {
        do { _ = try await ask(.policy, nil) { json throws(JSONError) in json } } catch {
            if case .fault(let fault) = error { return "link \(fault.reason.rawValue)" }
        }
        return nil
    }
}
