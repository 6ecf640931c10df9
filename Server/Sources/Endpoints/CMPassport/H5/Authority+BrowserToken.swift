package import Authority
import BenjiPolicy
package import BenjiProtocol
import Requests
package import ServerHTTP
import Sightings
import Store

extension CMPassportBrowserEndpoints {
    package init(
        authority: Authority, sightings: any SightingSource, clock: any WallClock = SystemWallClock()
    ) {
        self.init(sightings: sightings, clock: clock) { request, origin, sighting async throws(Refusal) in
            try await authority.browserToken(request, origin: origin, sighting: sighting)
        }
    }
}

extension Authority {
    /// Judges the sign of a request and issues a token for the phone that the gateway saw.
    /// - Parameter origin: of the page that asks, as the browser names it.
    fileprivate func browserToken(
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
