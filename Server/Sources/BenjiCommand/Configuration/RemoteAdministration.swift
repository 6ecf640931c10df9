import Administration
import AsyncHTTPClient
import Authority
import BenjiProtocol
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import ServerHTTP
import ServerRuntime

/// Gives orders over a server's admin interface (docs/openapi/admin.yaml).
struct RemoteAdministration: Sendable {
    private static let answerLimit = 16 << 20
    /// Long enough for a new master key.
    static let answerTimeout: TimeAmount = .minutes(10)
    /// After so long the caller is notified that an order waits.
    private static let patience: Duration = .seconds(10)
    /// An order that got no answer is sent again under the same name, so that it is carried out once.
    private static let attempts = 3

    private let server: String
    private let host: String
    private let token: String?
    private let authority: String?
    private let connectSeconds: Int
    private let tls: TLSConfiguration

    /// - Parameters:
    ///   - server: the interface's address: `https://admin.example:8084`. Plain HTTP is for this machine alone.
    ///   - authority: PEM file of who signs the server's certificate; the system's if `nil`.
    ///   - identity: a client certificate.
    ///   - connectSeconds: how long to wait for the connection.
    init(
        server: String, token: String?, authority: String?, identity: CertificateFiles?,
        connectSeconds: Int
    ) throws {
        guard let url = URL(string: server), let host = url.host, ["http", "https"].contains(url.scheme ?? ""),
            url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil
        else {
            throw CommandFailure("--server \(server): write an address such as https://benji.internal:8084")
        }
        guard url.scheme == "https" || OwnMachine.isNamed(host) else {
            throw CommandFailure("--server \(server): the token would cross the network in clear; use https")
        }
        guard token != nil || identity != nil else {
            throw CommandFailure(
                "the admin interface asks who you are: give --token-file FILE, or set BENJI_ADMIN_TOKEN. An operator "
                    + "makes a token "
                    + "with: benji admin grant NAME --role …")
        }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.host = host
        self.token = token
        self.authority = authority
        self.connectSeconds = connectSeconds
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority {
            tls.trustRoots = .certificates(try PEMFile.certificates(authority, for: "--server-authority"))
        }
        if let identity {
            tls.certificateChain = try PEMFile.certificates(identity.certificate, for: "--client-certificate").map {
                .certificate($0)
            }
            tls.privateKey = .privateKey(try PEMFile.privateKey(identity.key, for: "--client-key"))
        }
        self.tls = tls
    }

    /// - Throws: ``CommandFailure`` in the words of the server's refusal.
    func perform<Asked: Order>(_ order: Asked, reason: String?) async throws -> JSON {
        let request = try request(order, reason)
        let client = client(tls)
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

    private func client(_ tls: TLSConfiguration) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Int64(connectSeconds))))
        // Fails at once instead of trying until the connection time-out.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func send(_ request: HTTPClientRequest, _ client: HTTPClient) async throws -> JSON {
        async let _: Void = remind()
        let (response, bytes) = try await answer(to: request, client)
        guard let json = try? JSON(parsing: bytes) else {
            throw CommandFailure(
                await otherListener(client)
                    ?? "\(server) answered something else than Benji does (HTTP \(response.status.code)). "
                    + "Name the address of its listen.administration")
        }
        guard response.status == .ok else {
            let words = json["detail"]?.stringValue ?? json["error"]?.stringValue ?? "HTTP \(response.status.code)"
            // Another listener may have answered: it knows none of the admin interface's paths, or is called by another
            // host name.
            let isElsewhere = [.notFound, .methodNotAllowed, .misdirectedRequest].contains(response.status)
            if isElsewhere, let other = await otherListener(client) { throw CommandFailure(other) }
            throw CommandFailure(refused: json["code"]?.stringValue.map(Situation.init(rawValue:)), words)
        }
        if let line = json["alreadyCarriedOut"] {
            throw CommandFailure(
                "the order was carried out, but its answer was lost on the way (line \(line["id"]?.text ?? "?") of the "
                    + "audit "
                    + "log). What it would have shown once cannot be shown again")
        }
        return json
    }

    /// Says that an answer takes its time.
    private func remind() async {
        do { try await Task.sleep(for: Self.patience) } catch { return }
        Terminal.note("waiting for the answer of \(server)")
    }

    /// The answer to a request. One whose answer was lost is sent again, because it may have been carried out.
    private func answer(
        to request: HTTPClientRequest, _ client: HTTPClient
    ) async throws -> (HTTPClientResponse, [UInt8]) {
        var fault = ServerFault.lost
        var wasSent = false
        for attempt in 1...Self.attempts {
            if attempt > 1 { try await Task.sleep(for: .seconds(1)) }
            do {
                let response = try await client.execute(request, timeout: Self.answerTimeout)
                return (response, Array(try await response.body.collect(upTo: Self.answerLimit).readableBytesView))
            } catch is NIOTooManyBytesError {
                throw CommandFailure(
                    "the answer of \(server) has more than \(ByteCount.text(Self.answerLimit)); give the order on its "
                        + "machine"
                )
            } catch {
                fault = ServerFault(error)
                if fault == .lost, await speaksTLS() { fault = .speaksTLS }
                wasSent = wasSent || fault == .lost || fault == .answerTimeout
            }
            // If there was a connection once, the server may be restarting: try again.
            guard wasSent, fault != .answerTimeout else { break }
        }
        let doubt =
            wasSent && request.method != .GET
            ? ". Whether the order was carried out is not known: benji audit tells" : ""
        throw CommandFailure(
            fault.problem(server, host: host, authority: authority, seconds: connectSeconds) + doubt)
    }

    /// Whether TLS is spoken where plain HTTP brought no answer. Nothing is told there but a request for nothing.
    private func speaksTLS() async -> Bool {
        guard server.hasPrefix("http://") else { return false }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        let client = client(tls)
        let request = HTTPClientRequest(url: "https" + server.dropFirst("http".count))
        let answer = try? await client.execute(request, timeout: .seconds(Int64(connectSeconds)))
        try? await client.shutdown()
        return answer != nil
    }

    /// Describes the fault of the address, if another listener of Benji's answers there. `nil` if it is the admin
    /// interface, or no listener of Benji's.
    private func otherListener(_ client: HTTPClient) async -> String? {
        let listener: (setting: String, of: String)
        let (status, answer) = await look("/v1/apps", client)
        if status == .misdirectedRequest {
            guard answer?["error"]?.stringValue?.hasSuffix(" admin.hosts") == true else { return nil }
            listener = ("listen.admin", "for health and metrics")
        } else if answer != nil, status != .notFound {
            return nil
        } else if await look("/health/live", client).answer?["status"] == "live" {
            listener = ("listen.admin", "for health and metrics")
        } else if answer?["code"]?.stringValue != Situation.notFound.rawValue {
            return nil
        } else if await look("/device/v1/policy", client).status != .notFound {
            listener = ("listen.device", "for phones")
        } else {
            listener = ("listen.server", "for apps' servers")
        }
        return
            "\(server) is Benji's listener \(listener.of) (\(listener.setting)), and not its admin interface. That is "
            + "where "
            + "listen.administration is set in the server's configuration, and nowhere if it is not set"
    }

    /// Returns the answer at an address to a caller without a token.
    private func look(_ path: String, _ client: HTTPClient) async -> (status: HTTPResponseStatus?, answer: JSON?) {
        let request = HTTPClientRequest(url: server + path)
        guard let response = try? await client.execute(request, timeout: .seconds(Int64(connectSeconds))) else {
            return (nil, nil)
        }
        let body = try? await response.body.collect(upTo: Self.answerLimit)
        return (response.status, body.flatMap { try? JSON(parsing: Array($0.readableBytesView)) })
    }
}
