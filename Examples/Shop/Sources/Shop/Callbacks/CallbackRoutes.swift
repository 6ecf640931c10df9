import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOFoundationCompat

/// Takes Benji's events at `/benji/events`.
struct CallbackRoutes: Sendable {
    let verifier: WebhookVerifier
    let logger: Logger
    let seen = SeenEvents()

    func add(to router: Router<BasicRequestContext>) {
        router.post("/benji/events") { request, _ in try await take(request) }
    }

    private func take(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 64 * 1024)
        let event: WebhookVerifier.Event
        do { event = try verifier.event(request.headers, body: Data(buffer: body), now: Date()) } catch {
            logger.notice("an event was refused", metadata: ["reason": "\(error)"])
            return Response(status: .unauthorized)
        }
        // A double is taken too: else it would come again.
        if await seen.isNew(event.id) {
            logger.info(
                "event",
                metadata: [
                    "id": "\(event.id)", "type": "\(event.type)", "trace": "\(event.data.trace ?? "")",
                    "result": "\(event.data.result ?? "")",
                ])
        }
        return Response(status: .noContent)
    }
}

/// Ids of events that were taken: an event can come more than once. A shop with a database keeps them there, in the
/// same transaction as what the event makes it do.
actor SeenEvents {
    private var ids: Set<String> = []

    func isNew(_ id: String) -> Bool { ids.insert(id).inserted }
}
