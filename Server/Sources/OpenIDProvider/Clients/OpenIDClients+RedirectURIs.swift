package import Authority
package import BenjiProtocol
import Store

extension OpenIDClients {
    /// Changes where answers for a client may go, and nothing else of it.
    package func setRedirectURIs(_ uris: [String], of app: AppID, by note: OrderNote) async throws(Refusal) {
        let present = try await find(app)
        var record = present
        guard (1...32).contains(uris.count) else { throw Refusal(.parameterInvalid, "give 1 to 32") }
        for uri in uris {
            guard let problem = Self.problem(ofRedirectURI: uri) else { continue }
            throw Refusal(.parameterInvalid, "\(uri.prefix(200)): \(problem)")
        }
        record.redirectURIs = uris
        let entry = note.entry(at: clock.now, app: app, from: present.json(), to: record.json())
        do {
            try await store.putOpenIDClient(record, media: [], removedMedia: [], audit: entry)
        } catch { throw Refusal(error) }
    }
}
