// BenjiServerAPI: Benji's server API for servers in Swift (docs/server-api.md). It knows nothing of the SDK in apps.
// `BenjiEvent.swift` reads the events of callbacks.
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An app's server at Benji. A request is sent again, at most twice, if no answer came or the status is 502, 503 or
/// 504.
public struct BenjiServer: Sendable {
    /// The answer to a redeemed token.
    public struct Login: Decodable, Hashable, Sendable {
        /// The phone's number in E.164, with its plus sign.
        public var number: String
        /// The person's identifier at your app. It stays the same while the number is theirs.
        public var account: String
        /// The carrier's id in the operator's policy, such as `mobile`.
        public var carrier: String
        /// The level of assurance, weakest first: `sms-upstream`, `sms`, `net`, `net+app`, `net+app+address`.
        public var assurance: String
        /// How the person logged in: `one-tap`, `sms` or `sms-upstream`.
        public var method: String
        /// When the token was earned, as RFC 3339 writes it.
        public var authenticatedAt: String
        /// The login's name in the operator's traces.
        public var trace: String
    }

    /// The app as it is registered.
    public struct App: Decodable, Hashable, Sendable {
        public var id: String
        public var name: String
        /// Its capabilities: `login`, `verification` and others.
        public var capabilities: [String]
        public var leastAssurance: String
    }

    /// The server refused the request, or did not answer it.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The result code, such as `token_spent`; `no_answer` if the server was not reached.
        public var code: String
        public var detail: String
        /// The HTTP status; 0 without an answer.
        public var status: Int
        /// The member or header that is wrong.
        public var param: String?
        /// The login's name in the operator's traces.
        public var trace: String?

        public var description: String { "\(code): \(detail)" }
    }

    private static let attempts = 3

    private let url: String
    private let authorization: String
    private let timeout: TimeInterval
    private let language: String

    /// - Parameters:
    ///   - url: where apps' servers call: `https://id.example.com`, without a path.
    ///   - app: the app's id.
    ///   - secret: its server secret.
    ///   - timeout: the longest wait for one answer, in seconds.
    ///   - language: that of errors: `en` or `zh`.
    public init(url: String, app: String, secret: String, timeout: TimeInterval = 10, language: String = "en") {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        authorization = "Basic " + Data("\(app):\(secret)".utf8).base64EncodedString()
        self.timeout = timeout
        self.language = language
    }

    /// Spends a login token.
    ///
    /// - Parameter key: a request with the same key and token has the same answer and is billed once. 1 to 255 visible
    ///   ASCII characters without spaces.
    /// - Throws: ``Failure``, or `CancellationError`.
    public func redeem(_ token: String, key: String = UUID().uuidString) async throws -> Login {
        try await send("/v1/tokens/redeem", ["token": token], key)
    }

    /// Spends a verification token and returns whether a number, in E.164 with its plus sign, is the phone's.
    ///
    /// - Parameter key: as for ``redeem(_:key:)``.
    /// - Throws: ``Failure``, or `CancellationError`.
    public func verify(_ token: String, is number: String, key: String = UUID().uuidString) async throws -> Bool {
        struct Answer: Decodable { var isSame: Bool }
        let answer: Answer = try await send("/v1/tokens/verify", ["token": token, "number": number], key)
        return answer.isSame
    }

    /// The app that id and secret belong to.
    ///
    /// - Throws: ``Failure``, or `CancellationError`.
    public func app() async throws -> App { try await send("/v1/apps/me") }

    private static func keepsSecrets(_ url: URL) -> Bool {
        guard url.scheme == "http", let host = url.host else { return url.scheme == "https" }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
    }

    private func send<Answer: Decodable>(
        _ path: String, _ body: [String: String]? = nil, _ key: String = ""
    ) async throws -> Answer {
        guard let url = URL(string: url + path), Self.keepsSecrets(url) else {
            throw Failure(
                code: "no_answer", detail: "url: must begin with https://; http:// is for this machine alone", status: 0
            )
        }
        guard body == nil || (1...255).contains(key.utf8.count) && key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Failure(
                code: "parameter_invalid", detail: "key: must be 1 to 255 visible ASCII characters without spaces",
                status: 0, param: "Idempotency-Key")
        }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(language, forHTTPHeaderField: "Accept-Language")
        if let body {
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
            request.httpBody = try JSONEncoder().encode(body)
        }
        var attempt = 1
        while true {
            let failure: Failure
            do {
                let (data, response) = try await Exchanges.answer(to: request)
                let status = response.statusCode
                if status == 200 { return try JSONDecoder().decode(Answer.self, from: data) }
                failure = Self.failure(data, status)
            } catch let error where !(error is CancellationError) {
                failure = Failure(code: "no_answer", detail: error.localizedDescription, status: 0)
            }
            guard attempt < Self.attempts, [0, 502, 503, 504].contains(failure.status) else { throw failure }
            try await Task.sleep(for: .seconds(attempt))
            attempt += 1
        }
    }

    private static func failure(_ data: Data, _ status: Int) -> Failure {
        struct Problem: Decodable {
            var code: String
            var detail: String
            var param: String?
            var trace: String?
        }
        guard let problem = try? JSONDecoder().decode(Problem.self, from: data) else {
            return Failure(code: "no_answer", detail: "HTTP status \(status)", status: status)
        }
        return Failure(
            code: problem.code, detail: problem.detail, status: status, param: problem.param, trace: problem.trace)
    }
}
