import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat

extension Request {
    /// A parameter of the address.
    func query(_ name: String) -> String? { uri.queryParameters[Substring(name)].map { String($0) } }

    /// The fields of a form of the shop's own.
    func form() async throws -> [String: String] {
        guard headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else {
            throw HTTPError(.unsupportedMediaType)
        }
        let body = try await body.collect(upTo: 4096)
        var parts = URLComponents()
        parts.percentEncodedQuery = String(buffer: body).replacingOccurrences(of: "+", with: "%20")
        return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        guard headers[.contentType]?.hasPrefix("application/json") == true else {
            throw HTTPError(.unsupportedMediaType)
        }
        let body = try await body.collect(upTo: 8192)
        do { return try JSONDecoder().decode(type, from: body) } catch { throw HTTPError(.badRequest) }
    }
}

enum ShopPath {
    /// Returns the text if it is a path of this shop, and otherwise `/`: no browser is sent elsewhere.
    static func own(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), text.utf8.count <= 100,
            text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || $0 == 0x2f }), !text.hasPrefix("//")
        else { return "/" }
        return text
    }

    /// The name of a window, if it can be one: it is written into a page.
    static func windowName(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
                || $0 == 0x5f
        }
        return isName && (1...64).contains(text.utf8.count) ? text : nil
    }
}

extension Response {
    /// The browser fetches `path` next, with GET.
    static func goTo(_ path: String) -> Response { Response(status: .seeOther, headers: [.location: path]) }
}
