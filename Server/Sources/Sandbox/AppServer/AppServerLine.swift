import BenjiClient
import BenjiProtocol
import BenjiTransportCurl

/// The line from an app's server to the authority: posts JSON from an address that the app has registered.
struct AppServerLine: Sendable {
    private let server: ServerURL
    private let transport: any Transport

    init(server: ServerURL, source: InternetAddress, secrets: SecretsList?) {
        self.server = server
        let line = CurlTransport(.init(egress: .sourceAddress(source)))
        transport = secrets.map { RecordingTransport(base: line, secrets: $0) } ?? line
    }

    init(server: ServerURL, transport: any Transport) { (self.server, self.transport) = (server, transport) }

    func post(_ path: String, _ body: JSON) async throws -> (status: Int, body: JSON) {
        let response = try await transport.send(
            TransportRequest(
                method: "POST", url: try server.appending(path: path), headers: ["Content-Type": "application/json"],
                body: body.serialized), timeout: .seconds(30))
        return (response.status, try JSON(parsing: response.body))
    }
}
