import BenjiClient
import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import ServerHTTP
import ServerTestKit
import Sightings

/// Carries a phone's requests to the endpoints that phones meet in the field, without a socket.
struct EndpointTransport: Transport {
    static let server = "https://id.example.com"
    private static let phone = InternetAddress("10.0.0.7")!

    private let responder: RouterResponder<EndpointContext>
    /// Changes a request on its way.
    var meddle: @Sendable (inout TransportRequest) -> Void = { _ in }
    /// Whether the SDK believes that its pages may begin ticked, whatever the authority answers: a manipulated client.
    var goesOn = false

    /// - Parameter sighting: whose phone it is; the world's subscriber's unless told.
    init(_ world: AuthorityWorld, _ sighting: Sighting? = nil) {
        let endpoints = DeviceEndpoints(
            service: DeviceLogins(world.authority), sightings: OnePhone(sighting: sighting ?? world.sighting()),
            clock: world.clock,
            publicURLs: [Self.server])
        responder = PublicServer.router("device", routes: endpoints.routes).buildResponder()
    }

    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { Self.phone }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        var request = request
        meddle(&request)
        var headers = HTTPFields()
        for field in request.headers.fields {
            if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
        }
        do {
            let answer = try await Exchange.send(
                responder, .post, request.url.path, headers: headers, body: request.body, authority: "id.example.com",
                from: (Self.phone.description, 40_001), logger: AuthorityWorld.logger)
            var body = answer.body
            if goesOn, body.contains(#""maskedNumber""#) { body = #"{"tickedPage":true,"# + body.dropFirst() }
            return TransportResponse(
                status: answer.status.code, headers: ["Content-Type": answer.headers[.contentType] ?? ""],
                body: Array(body.utf8), localAddress: Self.phone)
        } catch {
            throw TransportError(.connectionLost, at: "endpoints", "\(error)")
        }
    }
}

/// Everybody who calls is the same subscriber.
private struct OnePhone: SightingSource {
    let sighting: Sighting

    func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal> { .success(sighting) }
}
