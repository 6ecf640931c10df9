package import Authority
import BenjiPolicy
package import BenjiProtocol
package import Requests
package import Sightings
import Store

/// The authority's interface for the operator's H5 interface.
package protocol BrowserTokenDesk: Sendable {
    /// Judges the sign of a request and issues a token for the phone that the gateway saw.
    /// - Parameter origin: of the page that asks, as the browser names it.
    func browserToken(
        _ request: BrowserTokenRequest, origin: String?, sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> (token: String, trace: TraceID)
}

extension Authority: BrowserTokenDesk {
    package func browserToken(
        _ request: BrowserTokenRequest, origin: String?, sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> (token: String, trace: TraceID) {
        let app = try await registeredApp(request.appID)
        guard app.record.signAlgorithm == .md5 else {
            throw Refusal(.signAlgorithmMismatch, "the app signs with RSA, and this interface knows MD5 only")
        }
        guard let key = app.serverKey({ request.isSigned(with: $0) }) else {
            throw Refusal(.signWrong, "the sign is wrong")
        }
        return try await browserToken(
            BrowserTokenCall(
                app: app, key: key, messageID: request.messageID, sentAt: request.sentAt, dialect: .cmpassport,
                origin: origin, sighting: sighting))
    }
}
