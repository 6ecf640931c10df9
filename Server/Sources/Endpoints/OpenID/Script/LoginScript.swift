import BenjiProtocol
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import ServerHTTP

/// `benji.js`, the helper for web developers (docs/web-login.md), at a fixed address. Pages of any origin may load it;
/// better is a copy on their own host.
enum LoginScript {
    static let content = PackageResources.benji_js

    private static let tag = "\"\(Base64URL.encode(Array(SHA256.hash(data: content)).prefix(16)))\""

    static func answer(_ request: Request, _ context: EndpointContext) -> Response {
        context.outcome.note(code: Situation.success.rawValue)
        let isKnown = request.headers[.ifNoneMatch] == tag
        return Response(
            status: isKnown ? .notModified : .ok,
            headers: [
                .contentType: "text/javascript; charset=utf-8", .eTag: tag, .cacheControl: "public, max-age=3600",
                .accessControlAllowOrigin: "*", .resourcePolicy: "cross-origin", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", .referrerPolicy: "no-referrer",
            ], body: isKnown ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: content)))
    }
}
