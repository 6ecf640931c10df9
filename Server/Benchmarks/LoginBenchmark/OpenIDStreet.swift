import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import Crypto
import Foundation
import Sandbox

/// Browsers on phones at the addresses of a ``Street``, and an app's server with a key.
final class OpenIDStreet: Sendable {
    static let callback = "https://shop.example/callback"

    private let deviceURL: String
    private let serverURL: String
    private let client: (id: String, secret: String)
    private let browsers: [CurlTransport]
    private let appServers: [CurlTransport]
    /// By which tokens are bound; `nil` for bearer tokens.
    private let key: SoftwareDeviceSigner?

    init(
        _ installation: Installation, client: (id: String, secret: String), phones: Int, lanes: Int, isBound: Bool
    ) throws {
        (deviceURL, serverURL) = (installation.deviceURL, installation.serverURL)
        self.client = client
        browsers = try (0..<phones).map { index in
            guard let address = InternetAddress("127.8.\(1 + index / 250).\(1 + index % 250)") else {
                throw BenchmarkFailure("too many phones")
            }
            return CurlTransport(.init(egress: .sourceAddress(address)))
        }
        appServers = (0..<lanes).map { _ in CurlTransport() }
        key = isBound ? SoftwareDeviceSigner() : nil
    }

    /// Lets everybody log in, a step before the next: page, tap, tokens, userinfo.
    func logIn() async throws {
        let codes = Slots(count: browsers.count)
        try await inLanes(appServers.count, count: browsers.count) { [self] index, _ in
            await codes.put(try await code(browsers[index]), at: index)
        }
        try await inLanes(appServers.count, count: browsers.count) { [self] index, lane in
            let token = try await token(try await codes.value(at: index), appServers[lane])
            let number = try await number(token, appServers[lane])
            guard number == "+86\(13_800_000_000 + index)" else {
                throw BenchmarkFailure("a login names another phone")
            }
        }
    }

    private actor Slots {
        private var values: [String?]
        init(count: Int) { values = Array(repeating: nil, count: count) }
        func put(_ value: String, at index: Int) { values[index] = value }
        func value(at index: Int) throws -> String {
            guard let value = values[index] else { throw BenchmarkFailure("a phone has no code") }
            return value
        }
    }

    // MARK: the browser

    private func code(_ browser: CurlTransport) async throws -> String {
        let query = [
            ("client_id", client.id), ("redirect_uri", "https%3A%2F%2Fshop.example%2Fcallback"),
            ("response_type", "code"),
            ("scope", "openid%20phone"), ("state", "s"), ("nonce", "n"),
        ].map { "\($0)=\($1)" }.joined(separator: "&")
        let shown = try await send(browser, "GET", deviceURL + "/openid/authorize?" + query)
        let page = String(decoding: shown.body, as: UTF8.self)
        guard let secret = page.firstMatch(of: /name="page" value="([A-Za-z0-9]+)"/)?.1,
            let cookie = shown.headers["Set-Cookie"]?.prefix(while: { $0 != ";" })
        else { throw BenchmarkFailure("no login page: \(shown.status) \(page.suffix(300))") }
        let tapped = try await send(
            browser, "POST", deviceURL + "/openid/login",
            ["Content-Type": Self.form, "Cookie": String(cookie)], "page=\(secret)&action=login&agreed=yes")
        guard let place = tapped.headers["Location"], let code = place.firstMatch(of: /[?&]code=([^&]+)/)?.1 else {
            throw BenchmarkFailure("a tap buys no code: \(tapped.status)")
        }
        return String(code)
    }

    // MARK: the app's server

    private func token(_ code: String, _ server: CurlTransport) async throws -> String {
        let url = serverURL + "/openid/token"
        let pair = Data("\(client.id):\(client.secret)".utf8).base64EncodedString()
        var headers: HeaderFields = ["Content-Type": Self.form, "Authorization": "Basic \(pair)"]
        if let proof = try proof("POST", url) { headers = HeaderFields(headers.fields + [.init("DPoP", proof)]) }
        let answer = try await send(
            server, "POST", url, headers,
            "grant_type=authorization_code&code=\(code)&redirect_uri=https%3A%2F%2Fshop.example%2Fcallback")
        let json = try? JSON(parsing: answer.body)
        guard let token = json?["access_token"]?.stringValue,
            json?["token_type"]?.stringValue == (key == nil ? "Bearer" : "DPoP")
        else {
            throw BenchmarkFailure("a code buys no token: \(json?["error_description"]?.stringValue ?? "")")
        }
        return token
    }

    private func number(_ token: String, _ server: CurlTransport) async throws -> String? {
        let url = serverURL + "/openid/userinfo"
        var headers: HeaderFields = ["Authorization": "\(key == nil ? "Bearer" : "DPoP") \(token)"]
        if let proof = try proof("GET", url, over: token) {
            headers = HeaderFields(headers.fields + [.init("DPoP", proof)])
        }
        let answer = try await send(server, "GET", url, headers)
        return (try? JSON(parsing: answer.body))?["phone_number"]?.stringValue
    }

    /// RFC 9449 §4.2.
    private func proof(_ method: String, _ url: String, over token: String? = nil) throws -> String? {
        guard let key else { return nil }
        return try CompactJWS.sign(
            header: [JSON.Member("typ", "dpop+jwt"), JSON.Member("jwk", key.publicKey.jwk)],
            payload: .object([
                "htm": .string(method), "htu": .string(url), "jti": .string(UUID().uuidString),
                "iat": .integer(SystemWallClock().now.seconds),
                "ath": token.map { .string(Base64URL.encode(Array(SHA256.hash(data: Array($0.utf8))))) },
            ]), with: key)
    }

    private static let form = "application/x-www-form-urlencoded"

    private func send(
        _ transport: CurlTransport, _ method: String, _ url: String, _ headers: HeaderFields = [:], _ body: String = ""
    ) async throws -> TransportResponse {
        try await transport.send(
            TransportRequest(method: method, url: try ServerURL(url), headers: headers, body: Array(body.utf8)),
            timeout: .seconds(10))
    }
}
