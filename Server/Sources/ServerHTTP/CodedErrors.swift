import BenjiProtocol
import HTTPTypes
package import Hummingbird
import Logging
import NIOHTTP1
package import Requests

/// Turns whatever a route throws into a coded JSON answer, so that no internal text ever leaves.
///
/// It also answers for addresses that do not exist, and with `Allow` for methods that an address does not know.
package struct CodedErrors: RouterMiddleware {
    private let methods: AllowedMethods
    private let families: [RouteFamily]

    package init(_ routes: [EndpointRoute]) {
        methods = AllowedMethods(routes)
        families = Dictionary(routes.compactMap(\.family).map { ($0.name, $0) }) { first, _ in first }.map(\.value)
    }

    package func handle(
        _ request: Request, context: EndpointContext,
        next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        let family = families.first { $0.covers(request.uri.path) }
        var response = try await answer(request, context, family, next)
        family?.complete(request, &response)
        // RFC 9110 §9.3.2: a client would take a body after HEAD for the beginning of the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        _ request: Request, _ context: EndpointContext, _ family: RouteFamily?,
        _ next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        // RFC 9112 §3.2. The first one is the request's authority, and stands no longer among its lines.
        if request.headers[.host] != nil {
            return refuse(.malformedRequest, "the request names more than one host", context)
        }
        if request.head.authority == nil { return refuse(.malformedRequest, "Host is missing", context) }
        if let allowed = methods.refusal(of: request.method, at: request.uri.path) {
            let problem = "this address answers to \(allowed)"
            var response = refuse(.methodNotAllowed, problem, context)
            if let family { response = family.refusal(.methodNotAllowed, problem) }
            response.headers[.allow] = allowed
            return response
        }
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            context.outcome.note(code: refusal.situation.rawValue, trace: refusal.trace)
            return Response(refusal)
        } catch let situation as Situation {
            return refuse(situation, "", context)
        } catch let error as HTTPParserError {
            // The connection is beyond repair: Hummingbird answers 400 and closes.
            throw error
        } catch let error as HTTPError where error.status == .notFound {
            let problem = "there is nothing at this address"
            let response = refuse(.notFound, problem, context)
            return family?.refusal(.notFound, problem) ?? response
        } catch {
            // The type is enough to find the place; the text may hold what must not be logged.
            context.logger.error("unexpected error", metadata: ["type": "\(type(of: error))"])
            return refuse(.internalError, "something went wrong on our side", context)
        }
    }

    private func refuse(_ situation: Situation, _ detail: String, _ context: EndpointContext) -> Response {
        context.outcome.note(code: situation.rawValue)
        var response = Response(Refusal(situation, detail))
        // Close instead of reading the rest of a body that is too large.
        if situation == .bodyTooLarge { response.headers[.connection] = "close" }
        return response
    }
}
