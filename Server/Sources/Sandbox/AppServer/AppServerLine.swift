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

    /// - Parameter authorization: the value of the header of this name, if there is one.
    func post(
        _ path: String, _ body: JSON, authorization: String? = nil
    ) async throws -> (status: Int, body: JSON) {
        var headers: HeaderFields = ["Content-Type": "application/json"]
        if let authorization { headers["Authorization"] = authorization }
        let response = try await transport.send(
            TransportRequest(
                method: "POST", url: try server.appending(path: path), headers: headers, body: body.serialized),
            timeout: .seconds(30))
        return (response.status, try JSON(parsing: response.body))
    }
}
