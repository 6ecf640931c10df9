// Phones of benchmarks that sign what they will send before the clock runs, and the requests of their app's server.
// They know no installation, only where it is called. Begin with `SigningPhone.swift`.
package import BenchmarkSupport
import BenjiClient
package import BenjiProtocol
import BenjiTransportCurl
import Sandbox

/// A phone with a device key that it keeps over all its logins.
package struct SigningPhone: Sendable {
    package let address: InternetAddress
    package let number: PhoneNumber
    private let signer = SoftwareDeviceSigner()

    package init(at address: InternetAddress, number: PhoneNumber) { (self.address, self.number) = (address, number) }

    /// - Parameter server: where phones call, as of the other requests.
    package func prefetch(_ app: AppIdentity, at server: String) throws -> HTTPLoad.Request {
        try signed(.prefetch, at: server) { id in
            PrefetchRequest(
                appID: app.id, bundleID: Installation.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: app.key, appID: app.id, proofID: id, keyThumbprint: signer.publicKey.thumbprint),
                dialect: .device
            ).json
        }
    }

    /// - Parameter offer: the answer to the prefetch.
    package func authorize(_ app: AppIdentity, _ offer: PrefetchResponse, at server: String) throws -> HTTPLoad.Request
    {
        let script = DeviceScript(server: try ServerURL(server), transport: CurlTransport(), signer: signer)
        let consent = try script.consent(to: offer, appID: app.id)
        return try signed(.authorize, at: server) { _ in
            AuthorizeRequest(appID: app.id, scrip: offer.scrip, purpose: .login, consent: consent).json
        }
    }

    private func signed(
        _ path: DevicePath, at server: String, _ request: (String) throws -> JSON
    ) throws -> HTTPLoad.Request {
        let id = Base64URL.encode(SystemRandomSource().bytes(16))
        let body = try request(id).serialized
        let proof = DeviceProof(
            id: id, method: "POST", url: server + path.rawValue, issuedAt: SystemWallClock().now, body: body,
            localAddress: nil, key: signer.publicKey)
        return HTTPLoad.Request(
            path.rawValue, headers: ["DPoP: \(try proof.signed(by: signer))"], body: body, source: address)
    }
}
