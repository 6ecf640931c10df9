import BenchmarkSupport
import Foundation
import GRDBSQLite

/// A whole single sign-on server: an authorization code of its OpenID plugin is given for a token. Its client is
/// public, with PKCE, and tokens are signed with a shared secret, because this needs least work for each code.
final class Glewlwyd {
    private let scratch: Scratch
    private let core: Int
    private let port: UInt16
    private let group = ProcessGroup()
    private var cookie = ""
    private let verifier = String(repeating: "v", count: 43)

    init(_ scratch: Scratch, core: Int) throws {
        try Installed.require("glewlwyd", package: "glewlwyd")
        (self.scratch, self.core) = (scratch, core)
        port = try Loopback.freePort()
        try makeDatabase()
        try """
        port=\(port)
        bind_address="127.0.0.1"
        external_url="http://localhost:\(port)/"
        login_url="login.html"
        api_prefix="api"
        log_mode="console"
        log_level="ERROR"
        cookie_secure=0
        session_expiration=2419200
        session_key="SESSION"
        admin_scope="g_admin"
        profile_scope="g_profile"
        user_module_path="/usr/lib/glewlwyd/user"
        client_module_path="/usr/lib/glewlwyd/client"
        user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
        plugin_module_path="/usr/lib/glewlwyd/plugin"
        use_secure_connection=false
        secure_connection_key_file=""
        secure_connection_pem_file=""
        secure_connection_ca_file=""
        hash_algorithm="SHA512"
        database={ type="sqlite3" path="\(scratch.file("glewlwyd.sqlite"))" };

        """.write(toFile: scratch.file("glewlwyd.conf"), atomically: true, encoding: .utf8)
        try start(tracing: nil)
        try register()
    }

    /// - Parameter perRound: codes that are made and spent in each round.
    func contestant(_ load: Load, perRound: Int, codes: (slice: Int, kill: Int)) -> Contestant {
        let witness = Witness(
            port: port, path: "/api/oidc/token", type: "application/x-www-form-urlencoded", marker: "access_token",
            connections: load.connections, core: load.core)
        return .overHTTP("glewlwyd", group, witness, start: start, take: take, body: body, codes: codes) { [self] _ in
            let bodies = try take(perRound).map(body)
            let (processor, written) = (try group.processorTime, group.written)
            let done = try witness.run(bodies)
            let count = Double(bodies.count)
            guard done.accepted.count == bodies.count else {
                throw BenchmarkFailure("glewlwyd took \(done.accepted.count) of \(bodies.count) codes")
            }
            return Measurement(
                requests: bodies.count, seconds: done.seconds,
                processor: (try group.processorTime - processor) / count * 1e6,
                written: Double(group.written - written) / count)
        }
    }

    private func makeDatabase() throws {
        let tables = try Installed.require(
            "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3", package: "glewlwyd")
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(scratch.file("glewlwyd.sqlite"), &database) == SQLITE_OK,
            sqlite3_exec(database, try String(contentsOfFile: tables, encoding: .utf8), nil, nil, nil) == SQLITE_OK
        else { throw BenchmarkFailure("glewlwyd's tables: \(String(cString: sqlite3_errmsg(database)))") }
    }

    private func start(tracing: String?) throws {
        let process = try group.start(
            "glewlwyd", ["-c", scratch.file("glewlwyd.conf")], log: scratch.file("glewlwyd.log"), core: core,
            tracing: tracing)
        try process.wait { Loopback.get("/config", port: port) != nil }
    }

    /// The administrator of a new installation makes plugin and client, and agrees to everything.
    private func register() throws {
        try ask("POST", "/api/auth/", #"{"username":"admin","password":"password"}"#)
        try ask(
            "POST", "/api/mod/plugin/",
            """
            {"module":"oidc","name":"oidc","display_name":"oidc","parameters":{"iss":"http://localhost:\(port)/",
            "jwt-type":"sha","jwt-key-size":"256","key":"0123456789abcdef0123456789abcdef","jwks-show":false,
            "access-token-duration":3600,"refresh-token-duration":86400,"code-duration":86400,
            "refresh-token-rolling":false,"allow-non-oidc":true,"auth-type-code-enabled":true,
            "auth-type-token-enabled":false,"auth-type-id-token-enabled":true,"auth-type-none-enabled":false,
            "auth-type-password-enabled":false,"auth-type-client-enabled":false,"auth-type-device-enabled":false,
            "auth-type-refresh-enabled":false,"scope":[],"additional-parameters":[],"claims":[],"pkce-allowed":true,
            "pkce-method-plain-allowed":true,"introspection-revocation-allowed":false,"register-client-allowed":false,
            "request-parameter-allow":false,"session-management-allowed":false,"subject-type":"public",
            "name-claim":"no","email-claim":"no","scope-claim":"no","phone-claim":"no","address-claim":{"type":"no"}}}
            """)
        try ask(
            "PUT", "/api/user/admin",
            #"{"username":"admin","name":"A","enabled":true,"scope":["g_admin","g_profile","openid"]}"#)
        try ask(
            "POST", "/api/client/",
            #"{"client_id":"app","name":"app","confidential":false,"enabled":true,"redirect_uri":["http://app/"],"#
                + #""authorization_type":["code"],"scope":["openid"]}"#)
        try ask("PUT", "/api/auth/grant/app", #"{"scope":"openid"}"#)
    }

    /// Codes, each for a visit of the administrator, who has agreed.
    private func take(_ count: Int) throws -> [String] {
        try (0..<count).map { _ in
            let head = try ask(
                "GET",
                "/api/oidc/auth?response_type=code&client_id=app&redirect_uri=http%3A%2F%2Fapp%2F&scope=openid"
                    + "&code_challenge=\(verifier)&code_challenge_method=plain&nonce=n&g_continue=")
            guard let code = head.split(separator: "app/?code=").dropFirst().first?.prefix(while: \.isLetterOrDigit)
            else { throw BenchmarkFailure("glewlwyd gives no code: \(head.prefix(400))") }
            return String(code)
        }
    }

    private func body(_ code: String) -> String {
        "grant_type=authorization_code&client_id=app&redirect_uri=http%3A%2F%2Fapp%2F&code=\(code)"
            + "&code_verifier=\(verifier)"
    }

    @discardableResult
    private func ask(_ method: String, _ path: String, _ content: String = "") throws -> String {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: \(cookie)\r\n"
        let request = Array((head + "Content-Length: \(content.utf8.count)\r\n\r\n" + content).utf8)
        guard let answer = try HTTPConnection(port: port).exchange(request),
            answer.hasPrefix("HTTP/1.1 2") || answer.hasPrefix("HTTP/1.1 3")
        else { throw BenchmarkFailure("glewlwyd does not do as it is told: \(method) \(path.prefix(30))") }
        if let value = answer.split(separator: "Set-Cookie: ").dropFirst().first?.prefix(while: { $0 != ";" }) {
            cookie = String(value)
        }
        return answer
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
