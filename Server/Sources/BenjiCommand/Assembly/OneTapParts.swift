import AsyncHTTPClient
import BenjiProtocol
import Console
import NIOCore
import NIOHTTP1
import ServerHTTP
import ServiceLifecycle
import ShortMessageSending

/// The console's line to the OpenID provider that knows admins' phones.
struct OneTapParts: Sendable {
    /// How long an answer of the provider's may take, with the connection.
    private static let responseTime: Duration = .seconds(10)

    let client: OneTapClient
    /// Ends the line when the server ends.
    let service: any Service
    private let http: HTTPClient

    init(_ settings: ServerConfiguration.OneTap, clock: any WallClock) {
        let http = HTTPSender.client(tls: settings.tls, responseTime: Self.responseTime)
        client = OneTapClient(settings.client, clock: clock) { call throws(OneTapClient.Unreachable) in
            try await Self.send(call, http)
        }
        self.http = http
        service = HTTPClientLifetime(client: http)
    }

    /// Ends the line where there is no server.
    func end() async { try? await http.shutdown() }

    /// Admins have another way in, so that a provider in trouble is a warning.
    var check: HealthEndpoints.Check {
        HealthEndpoints.Check(
            "one-tap", warnings: { [client] in [await client.trouble()].compactMap(\.self) }, problem: { nil })
    }

    private static func send(
        _ call: OneTapClient.Call, _ client: HTTPClient
    ) async throws(OneTapClient.Unreachable) -> OneTapClient.Answer {
        var request = HTTPClientRequest(url: call.url)
        request.headers.add(name: "accept", value: "application/json")
        if let authorization = call.authorization { request.headers.add(name: "authorization", value: authorization) }
        if let form = call.form {
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
        }
        do {
            let (status, body) = try await client.answer(
                to: request, within: responseTime, upTo: OneTapClient.answerLimit)
            return OneTapClient.Answer(status: status, body: body)
        } catch is NIOTooManyBytesError {
            throw OneTapClient.Unreachable("answers more than it may")
        } catch is HTTPClientError {
            throw OneTapClient.Unreachable("gives no answer in time")
        } catch { throw OneTapClient.Unreachable(ConnectionFault.words(error)) }
    }
}
