package import Authority
package import BenjiProtocol
import Store

/// The consents of one login: what the person was shown, when they ticked and tapped, and the record that their device key
/// signed.
package struct ShowConsents: Order {
    package static let name = "consent.show"
    package static let route = OrderRoute.get("/traces/{trace}/consents")
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package var trace: TraceID
    /// The app that they must be for; a developer names one of theirs.
    package var app: AppID?

    package init(_ trace: TraceID, app: AppID? = nil) {
        self.trace = trace
        self.app = app
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.noteLook(app: app, subject: "consents of \(trace.rawValue)")
        let kept = try await context.stored { store throws(StoreError) in
            try await store.consents(of: trace)
        }
        let shown = kept.filter { app == nil || $0.appID == app }
        guard !shown.isEmpty else { throw Refusal(.consentMissing, "no consent is kept of this login") }
        return .object(["trace": .string(trace.rawValue), "consents": .array(shown.map(\.json))])
    }
}

extension ConsentEvidence {
    var json: JSON {
        // For a page in a browser nobody signs the record: it is the authority's own statement (decision 25).
        let signed = try? CompactJWS(parsing: record).payload
        return .object([
            "app": .string(appID.rawValue), "receivedAt": .integer(receivedAt.milliseconds),
            "contentDigest": .string(contentDigest), "assurance": assurance.map { .string($0.rawValue) },
            "shown": signed ?? (try? JSON(parsing: record)), "record": .string(record),
        ])
    }
}
