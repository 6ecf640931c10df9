import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Sandbox
import ServerHTTP

/// Precedes all routes: keeps other sites' pages out, refuses unknown fields of an address, and adds headers to every
/// answer.
struct SandboxGuard: RouterMiddleware {
    let methods: AllowedMethods

    /// Nothing from another host, no inline script or style; in a frame of its own only the drawn phone, and itself in
    /// none.
    static let policy = policy()

    /// - Parameter windows: origins that the drawn phone may show besides, through its modem.
    static func policy(showing windows: [String] = []) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "frame-src \((["'self'"] + windows).joined(separator: " ")); form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'"
    }

    func handle(
        _ request: Request, context: EndpointContext, next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        if let problem = LoopbackCaller.problem("the sandbox", request) {
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
        // A drawn phone's page sets its own frame policy, and the page around it the frames that it shows.
        if response.headers[.contentSecurityPolicy] == nil { response.headers[.contentSecurityPolicy] = Self.policy }
        if response.headers[.frameOptions] == nil { response.headers[.frameOptions] = "DENY" }
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.openerPolicy] = "same-origin-allow-popups"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
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

    /// Where the caller has the sandbox's page: `http://127.0.0.1:8090`.
    var origin: String { "http://\(head.authority ?? "")" }

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
    /// Sent by the page's script: it wants the part of the page that has changed.
    static let part = Self("X-Benji-Part")!
}
