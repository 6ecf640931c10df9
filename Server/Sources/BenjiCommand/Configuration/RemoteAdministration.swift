import Administration
import AsyncHTTPClient
import Authority
import BenjiProtocol
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Gives orders over a server's admin interface (docs/openapi/admin.yaml).
struct RemoteAdministration: Sendable {
    private static let answerLimit = 16 << 20
    /// Long enough for a new master key.
    private static let timeout: TimeAmount = .minutes(10)
    /// An order that got no answer is sent again under the same name, so that it is carried out once.
    private static let attempts = 3

    private let server: String
    private let token: String?
    private let tls: TLSConfiguration

    /// - Parameters:
    ///   - server: the interface's address: `https://admin.example:8084`. Plain HTTP is for this machine alone.
    ///   - authority: PEM file of who signs the server's certificate; the system's if `nil`.
    ///   - identity: a client certificate.
    init(server: String, token: String?, authority: String?, identity: ServerConfiguration.Identity?) throws {
        guard let url = URL(string: server), let host = url.host, ["http", "https"].contains(url.scheme ?? ""),
            url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil
        else {
            throw CommandFailure("--server \(server): write an address such as https://benji.internal:8084")
        }
        let isOwn =
            host == "localhost" || InternetAddress(host).map { ListenAddress(host: $0, port: 1).isLoopback } == true
        guard url.scheme == "https" || isOwn else {
            throw CommandFailure("--server \(server): the token would cross the network in clear; use https")
        }
        guard token != nil || identity != nil else {
            throw CommandFailure(
                "the admin interface asks who you are: give --token-file FILE, or set BENJI_ADMIN_TOKEN. An operator makes a token "
                    + "with: benji admin grant NAME --role …")
        }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.token = token
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority {
            guard let roots = try? NIOSSLCertificate.fromPEMFile(authority), !roots.isEmpty else {
                throw CommandFailure("--server-authority \(authority): there is no PEM certificate")
            }
            tls.trustRoots = .certificates(roots)
        }
        if let identity {
            guard let chain = try? NIOSSLCertificate.fromPEMFile(identity.certificate), !chain.isEmpty else {
                throw CommandFailure("--client-certificate \(identity.certificate): there is no PEM certificate")
            }
            guard let key = try? NIOSSLPrivateKey(file: identity.key, format: .pem) else {
                throw CommandFailure("--client-key \(identity.key): there is no unencrypted PEM private key")
            }
            tls.certificateChain = chain.map { .certificate($0) }
            tls.privateKey = .privateKey(key)
        }
        self.tls = tls
    }

    /// - Throws: ``CommandFailure`` in the words of the server's refusal.
    func perform<Asked: Order>(_ order: Asked, reason: String?) async throws -> JSON {
        let request = try request(order, reason)
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: tls))
        do {
            let answer = try await send(request, client)
            try await client.shutdown()
            return answer
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    private func request<Asked: Order>(_ order: Asked, _ reason: String?) throws -> HTTPClientRequest {
        var (address, members) = try OrderForm.request(order)
        var request = HTTPClientRequest(url: server + address)
        request.method = HTTPMethod(rawValue: Asked.route.method.rawValue)
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        guard Asked.route.method != .get else { return request }
        if let reason { members.append(JSON.Member("reason", .string(reason))) }
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "idempotency-key", value: Hexadecimal.encode(SystemRandomSource().bytes(16)))
        request.body = .bytes(ByteBuffer(bytes: JSON.object(members).serialized))
        return request
    }

    private func send(_ request: HTTPClientRequest, _ client: HTTPClient) async throws -> JSON {
        for attempt in 1... {
            let response: HTTPClientResponse
            let bytes: [UInt8]
            do {
                response = try await client.execute(request, timeout: Self.timeout)
                bytes = Array(try await response.body.collect(upTo: Self.answerLimit).readableBytesView)
            } catch is NIOTooManyBytesError {
                throw CommandFailure(
                    "the answer of \(server) has more than \(ByteCount.text(Self.answerLimit)); give the order on its machine"
                )
            } catch {
                guard attempt < Self.attempts else {
                    throw CommandFailure(
                        "\(server) did not answer (\(error)). Is listen.administration set there, and does it listen?")
                }
                try await Task.sleep(for: .seconds(1))
                continue
            }
            guard let json = try? JSON(parsing: bytes) else {
                throw CommandFailure("\(server) answered something else than Benji does (HTTP \(response.status.code))")
            }
            guard response.status == .ok else {
                throw CommandFailure(
                    json["detail"]?.stringValue ?? json["error"]?.stringValue ?? "HTTP \(response.status.code)")
            }
            if let line = json["alreadyCarriedOut"] {
                throw CommandFailure(
                    "the order was carried out, but its answer was lost on the way (line \(line["id"]?.text ?? "?") of the audit "
                        + "log). What it would have shown once cannot be shown again")
            }
            return json
        }
        throw CommandFailure("\(server) did not answer")
    }
}
