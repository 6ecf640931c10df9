import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Sandbox

/// What stands before everything: other sites' pages are kept out, what an address does not know is refused, and every answer
/// gets its headers.
struct SandboxGuard: RouterMiddleware {
    let methods: AllowedMethods

    /// Nothing from another host, no inline script or style, no frame.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: EndpointContext, next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        if let problem = Self.problem(
            host: request.head.authority, origin: request.headers[.origin], site: request.headers[.secFetchSite],
            isChange: request.method != .get && request.method != .head)
        {
            response = Response(problem: "forbidden", problem, .forbidden)
        } else if let allowed = methods.refusal(of: request.method, at: request.uri.path) {
            response = Response(
                problem: "method_not_allowed", "this address answers to \(allowed)", .methodNotAllowed)
            response.headers[.allow] = allowed
        } else {
            do { response = try await next(request, context) } catch let problem as SandboxWorld.Problem {
                response = Response(problem: problem.code, problem.description, problem.status)
            } catch let error as JSONError {
                response = Response(problem: "parameter_invalid", error.description, .badRequest)
            } catch let error as HTTPError where error.status == .notFound {
                response = Response(problem: "not_found", "there is nothing at this address", .notFound)
            } catch is NIOTooManyBytesError {
                response = Response(
                    problem: "body_too_large", "at most \(Request.maximumBody) bytes", .contentTooLarge)
            } catch let error as any HTTPResponseError {
                throw error
            } catch {
                context.logger.error("unexpected error", metadata: ["type": "\(type(of: error))"])
                response = Response(problem: "internal_error", "something went wrong", .internalServerError)
            }
        }
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.frameOptions] = "DENY"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.openerPolicy] = "same-origin-allow-popups"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    /// Why a request is not answered, or `nil`.
    ///
    /// A page anywhere can send requests to the loopback. Under another name (DNS rebinding) it could also read the answers;
    /// and what it sends without reading could change a phone.
    static func problem(host: String?, origin: String?, site: String?, isChange: Bool) -> String? {
        guard let host else { return "the request names no host" }
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
        guard ["127.0.0.1", "localhost"].contains(name.lowercased()) else {
            return "the sandbox answers to 127.0.0.1 and localhost only"
        }
        guard isChange else { return nil }
        // A form of our own page says `Origin: null`, because the page's referrer policy hides where it comes from; so does
        // a page that hides. Sec-Fetch-Site, which no page can write, tells them apart.
        let isOwn =
            switch site {
            case "same-origin", "none": [nil, "null", "http://\(host)"].contains(origin)
            case nil: [nil, "http://\(host)"].contains(origin)
            default: false
            }
        return isOwn ? nil : "a page of another site may not change anything here"
    }
}

extension SandboxWorld.Problem {
    var status: HTTPResponse.Status {
        switch kind {
        case .unknownPhone: .notFound
        case .tooManyPhones: .conflict
        case .invalid: .badRequest
        case .packetCore: .serviceUnavailable
        }
    }

    var code: String {
        switch kind {
        case .unknownPhone: "not_found"
        case .tooManyPhones: "too_many_phones"
        case .invalid: "parameter_invalid"
        case .packetCore: "packet_core_unanswered"
        }
    }
}

extension Request {
    /// The largest body that is read, in bytes.
    static let maximumBody = 16 * 1024

    func bytes() async throws -> [UInt8] { Array(try await body.collect(upTo: Self.maximumBody).readableBytesView) }
}

extension Response {
    init(_ json: JSON, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.serialized)))
    }

    init(problem code: String, _ detail: String, _ status: HTTPResponse.Status) {
        self.init(.object(["code": .string(code), "detail": .string(detail)]), status: status)
    }

    init(_ text: String, type: String) { self.init(bytes: ByteBuffer(string: text), type: type) }

    init(bytes: ByteBuffer, type: String) {
        self.init(
            status: .ok, headers: [.contentType: "\(type); charset=utf-8"], body: ResponseBody(byteBuffer: bytes))
    }
}

extension HTTPField.Name {
    // All are tokens of RFC 9110 §5.6.2.
    static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
    /// Sent by the page's script: it wants the part of the page that has changed.
    static let part = Self("X-Benji-Part")!
}
