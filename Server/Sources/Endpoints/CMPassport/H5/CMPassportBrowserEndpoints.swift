package import BenjiProtocol
import Catalogue
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP
package import Sightings

/// The operator's H5 interface. A web page sends a request, signed by the app's server, over the phone's data
/// connection. It gets a token whose redemption names `requesterType` 1 (WAP, TYRZSDK's document §5.2).
///
/// It belongs where phones call. The status is 200 whatever the code, and only pages of origins that the app registered
/// may read the answer.
package struct CMPassportBrowserEndpoints: Sendable {
    package static let path = "/h5/getMobile"

    /// Judges a request of a page of this origin, and issues a token for the phone that the gateway saw.
    package typealias Issuing =
        @Sendable (
            _ request: BrowserTokenRequest, _ origin: String?, _ sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> (token: String, trace: TraceID)

    let sightings: any SightingSource
    let clock: any WallClock
    private let issue: Issuing

    package init(
        sightings: any SightingSource, clock: any WallClock = SystemWallClock(), issuing issue: @escaping Issuing
    ) {
        self.issue = issue
        self.sightings = sightings
        self.clock = clock
    }

    package var routes: [EndpointRoute] {
        [
            EndpointRoute(.post, Self.path) { request, context in await answer(request, context) },
            // A page of another origin must ask before it posts JSON. Which origin is right, only the app's id can
            // tell.
            EndpointRoute(.options, Self.path) { _, context in
                context.outcome.note(code: Situation.success.rawValue)
                return Response(
                    status: .noContent,
                    headers: [
                        .accessControlAllowOrigin: "*", .accessControlAllowMethods: "POST",
                        .accessControlAllowHeaders: "Content-Type", .accessControlMaxAge: "600",
                    ])
            },
        ]
    }

    private func answer(_ request: Request, _ context: EndpointContext) async -> Response {
        let origin = request.headers[values: .origin].count == 1 ? request.headers[.origin] : nil
        var json = JSON.null
        let result: ServerResult
        var issued: (token: String, trace: TraceID)?
        var trace: TraceID?
        var isOver = false
        do throws(Refusal) {
            do {
                json = try EndpointRoute.parse(try await request.bytes(upTo: EndpointRoute.maximumServerBody)).get()
            } catch {
                isOver = error as? Situation == .bodyTooLarge
                throw error as? Refusal
                    ?? Refusal(isOver ? .bodyTooLarge : .malformedRequest, "the body cannot be read")
            }
            issued = try await issue(
                BrowserTokenRequest(json), origin, await sightings.sighting(of: context))
            trace = issued?.trace
            result = ServerResult(operator: .success, in: .cmPhone)
        } catch {
            trace = error.trace
            if error.situation == .storeUnavailable { context.outcome.noteUnable() }
            result = ServerResult(operator: error.situation, in: .cmPhone, carrier: error.carrier)
        }
        context.outcome.note(code: result.code, trace: trace)
        var response = Response(
            .object([
                "header": .object([
                    "appId": .string(CallerFields.echo(json, "appId", CMPassportGrammar.isAppID)),
                    "msgId": .string(CallerFields.echo(json, "msgId", CMPassportGrammar.isBrowserMessageID)),
                    "timestamp": .string(CMPassportTime.format(clock.now)),
                ]),
                "body": .object([
                    "resultCode": .string(result.code), "resultDesc": .string(result.description),
                    "token": issued.map { .string($0.token) }, "taskId": trace.map { .string($0.rawValue) },
                ]),
            ]))
        // Any origin may read the answer: it describes the phone only if the origin was found to be the app's.
        if let origin { response.headers[.accessControlAllowOrigin] = origin }
        response.headers[.vary] = "Origin"
        if isOver { response.headers[.connection] = "close" }
        return response
    }
}
