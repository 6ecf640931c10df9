package import Authority
package import BenjiProtocol
package import Requests
import Store

/// The consents of one login: what the person was shown, when they ticked and tapped, and the record that their device
/// key signed.
package struct ShowConsents: Order {
    package static let name = "consent.show"
    package static let route = OrderRoute.get("/traces/{trace}/consents")
    package static let summary = "What the person of a login was shown and agreed to."
    package static let answer = "Consents"
    package static let fields: [OrderField] = [
        OrderField("trace", .trace),
        OrderField("app", .app),
    ]
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

/// Withdraws a person's consent to one app: its credentials for the person become invalid, and its callback is
/// notified. The evidence of earlier consents stays.
package struct WithdrawConsent: Order {
    package static let name = "consent.withdraw"
    package static let route = OrderRoute.post("/apps/{id}/consents/withdraw")
    package static let summary = "A person takes back what they agreed to in an app."
    package static let answer = "ConsentWithdrawn"
    package static let fields: [OrderField] = [.id, .number]
    package static let roles: Set<Role> = [.operator]

    package var id: AppID
    package var number: PhoneNumber
    package var app: AppID? { id }

    package init(_ number: PhoneNumber, to id: AppID) {
        self.number = number
        self.id = id
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.apps.find(id).record
        guard let row = try await context.subscription(of: number) else { throw OrderContext.numberUnknown }
        let (authority, note, now) = (context.authority, context.note, context.now)
        let openID = authority.vault.openID(row, app: id)
        let event = app.event(ofWithdrawalBy: row, openID: openID, at: now, random: authority.random)
        let withdrawal = ConsentWithdrawal(of: row, to: id, at: now, event: event) { [id] counts in
            note.entry(
                at: now, app: id, subject: "subscription \(row.id)", from: .object(["kept": counts.json]),
                to: .object(["kept": .object(["consents": .integer(Int64(counts[.consents] ?? 0))])]))
        }
        let ended = try await context.storedOfHolder { store throws(StoreError) in
            try await store.withdrawConsents(withdrawal)
        }
        guard !ended.isEmpty else {
            throw Refusal(
                .consentMissing,
                "nothing is kept of this number's holder and this app: they have not logged in there, or it is older "
                    + "than consents are kept. There is nothing to end"
            )
        }
        return .object([
            "subscription": .integer(row.id), "openId": .string(openID),
            "ended": ended.filter { $0.key != .consents }.json,
            "consents": .integer(Int64(ended[.consents] ?? 0)), "event": event.map { .string($0.id) },
        ])
    }
}

extension ConsentEvidence {
    var json: JSON {
        // The record of a page in a browser is unsigned: it is the authority's own statement (decision 25).
        let signed = try? CompactJWS(parsing: record).payload
        return .object([
            "app": .string(appID.rawValue), "receivedAt": .integer(receivedAt.milliseconds),
            "contentDigest": .string(contentDigest), "assurance": assurance.map { .string($0.rawValue) },
            "shown": signed ?? (try? JSON(parsing: record)), "record": .string(record),
        ])
    }
}
