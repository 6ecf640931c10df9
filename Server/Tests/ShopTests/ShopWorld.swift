import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import Shop

/// The shop before a scripted provider, and a browser that keeps cookies; no socket.
struct ShopWorld {
    let provider: ScriptedProvider
    private let application: Application<RouterResponder<BasicRequestContext>>

    init(_ lie: (inout ScriptedProvider.Lies) -> Void = { _ in }) throws {
        provider = ScriptedProvider(lie)
        var configuration = ShopConfiguration(origin: "https://shop.example")
        configuration.openID = .init(issuer: ScriptedProvider.issuer, clientID: "client-1", clientSecret: "a secret")
        configuration.operatorDialect = .init(
            server: ScriptedProvider.issuer, appID: "300000000001", serverSecret: "a server secret")
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        application = Application(
            router: try Shop.router(configuration, line: provider.line, logger: logger), logger: logger)
    }

    func visit(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
        try await application.test(.router) { client in try await body(Browser(client: client)) }
    }

    /// A separate browser. It keeps cookies, and withholds strict ones from requests that another site causes.
    final class Browser: @unchecked Sendable {  // one test uses it, one request after another
        private let client: any TestClientProtocol
        private var cookies: [String: String] = [:]

        init(client: any TestClientProtocol) { self.client = client }

        /// Another browser before the same shop.
        var other: Browser { Browser(client: client) }
        var cookieNames: Set<String> { Set(cookies.keys) }

        /// - Parameter isForeign: whether another site led here: then strict cookies stay behind.
        func send(
            _ method: HTTPRequest.Method, _ path: String, form: String? = nil, json: String? = nil,
            isForeign: Bool = false, headers: HTTPFields = [:]
        ) async throws -> TestResponse {
            var headers = headers
            headers[.accept] = "text/html"
            let sent = cookies.filter { !isForeign || $0.key != "__Host-shop" }
            if !sent.isEmpty { headers[.cookie] = sent.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
            if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
            if json != nil { headers[.contentType] = "application/json" }
            let response = try await client.execute(
                uri: path, method: method, headers: headers, body: (form ?? json).map { ByteBuffer(string: $0) })
            for line in response.headers[values: .setCookie] {
                let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                cookies[pair[0]] = line.contains("Max-Age=0") ? nil : pair.count > 1 ? pair[1] : ""
            }
            return response
        }

        /// Goes to the provider; returns the address there.
        func depart(_ query: String = "next=/account") async throws -> String {
            let answer = try await send(.get, "/login/start?\(query)")
            return try #require(answer.headers[.location])
        }
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}

/// A parameter of an address.
func parameter(_ name: String, of address: String) -> String {
    URLComponents(string: address)?.queryItems?.first { $0.name == name }?.value ?? ""
}
