import Authority
import BenjiProtocol
import Foundation
import Hummingbird
import OpenIDProvider
import Requests
import ServerHTTP

/// The app that calls, authenticated in one of three ways:
///
/// - the server secret by HTTP Basic (RFC 7617);
/// - a `private_key_jwt` or `client_secret_jwt` as a bearer token (RFC 7523 §2.2);
/// - on the listener for mutual TLS, a client certificate (RFC 8705 §2). HTTP Basic then has the app's id and an empty
///   secret.
struct ServerAPICaller: Sendable {
    let app: AppID
    /// The secret of HTTP Basic; `nil` for an assertion or a certificate.
    private let secret: [UInt8]?

    /// - Parameters:
    ///   - provider: who checks assertions and certificates; `nil` if the installation has no OpenID provider.
    ///   - isMutualTLS: whether the listener asks for client certificates.
    init(
        _ request: Request, _ context: EndpointContext, _ provider: OpenIDProvider?, isMutualTLS: Bool
    ) async throws(Problem) {
        if isMutualTLS, request.isCrossOrigin(isSecure: true) {
            throw Problem(
                .malformedRequest, "Origin 或 Sec-Fetch-Site 表明请求来自另一网站的页面，请从服务器发送，不带这些头",
                "Origin or Sec-Fetch-Site names a page of another site; send the request from a server, without these "
                    + "headers"
            )
        }
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else {
            throw Problem(
                .signMissing, "缺少 Authorization：请用 HTTP Basic 发送应用 ID 和服务器密钥",
                "Authorization: missing; send the app's id and server secret by HTTP Basic")
        }
        guard headers.count == 1 else {
            throw Problem(.malformedRequest, "Authorization 不能多于一个", "Authorization: must occur once")
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == "bearer", let provider {
            app = try await Problem.ofOpenID { () async throws(OpenIDFailure) in
                try await provider.app(asserting: String(parts[1]), at: context.peer?.address)
            }
            secret = nil
            return
        }
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = Data(base64Encoded: String(parts[1])).map(Array.init),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let text = String(validating: bytes[..<colon], as: UTF8.self)
        else {
            throw Problem(
                .signMissing, "Authorization 必须是 Basic，内容为应用 ID 和服务器密钥",
                "Authorization: must be Basic with the app's id and server secret")
        }
        guard let app = AppID(rawValue: text) else { throw Problem(Self.wrong) }
        let secret = Array(bytes[(colon + 1)...])
        if isMutualTLS, secret.isEmpty, let provider {
            let certificate = await context.clientCertificate()
            _ = try await Problem.ofOpenID { () async throws(OpenIDFailure) in
                try await provider.app(app, by: certificate, at: context.peer?.address)
            }
            self.secret = nil
        } else {
            self.secret = secret
        }
        self.app = app
    }

    /// The request as the authority judges it.
    func call(
        _ path: ServerAPIEndpoints.Path, _ name: RequestName?, of app: RegisteredApp, _ peer: InternetAddress?
    ) throws(Refusal) -> ServerCall {
        var key: RegisteredKey?
        if let secret {
            key = app.serverKey { ConstantTime.areEqual(Array($0.reveal().utf8), secret) }
            guard key != nil else { throw Self.wrong }
        }
        var call = ServerCall(
            app: app, key: key, messageID: name?.text, interface: path.rawValue,
            peer: try ServerCall.address(of: peer), sentAt: nil)
        call.repeatsAnswer = name != nil
        call.isProvenByClient = secret == nil
        return call
    }

    /// One refusal for an unknown app and a wrong secret: otherwise a caller could find out which ids exist.
    static let wrong = Refusal(.appKeyWrong, "no app has this id and server secret")
}
