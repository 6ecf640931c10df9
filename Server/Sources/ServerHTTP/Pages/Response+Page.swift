import HTTPTypes
package import Hummingbird
import NIOCore

extension Response {
    /// A page that nothing may keep or learn an address from, and that only pages of these origins may frame.
    package static func page(
        _ document: String, status: HTTPResponse.Status = .ok, policy: String, frameAncestors: [String] = []
    ) -> Response {
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .contentSecurityPolicy: policy,
                .referrerPolicy: "no-referrer", .frameOptions: "DENY", .xContentTypeOptions: "nosniff",
                .resourcePolicy: "same-origin",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: document)))
        // The older header knows one origin or none (RFC 7034); the policy says who may.
        if !frameAncestors.isEmpty { response.headers[.frameOptions] = nil }
        return response
    }
    /// Makes the browser use TLS for a year (RFC 6797; FAPI 2.0 §5.2.3). What a developer's own machine serves is not
    /// held to it.
    /// - Parameter pages: where browsers reach the page: `https://gw.example.com`, without a path.
    package func strict(at pages: String) -> Response {
        let scheme = "https://"
        guard pages.hasPrefix(scheme), pages.dropFirst(scheme.count).prefix(while: { $0 != ":" }) != "localhost" else {
            return self
        }
        var response = self
        response.headers[.strictTransportSecurity] = "max-age=31536000"
        return response
    }
}
