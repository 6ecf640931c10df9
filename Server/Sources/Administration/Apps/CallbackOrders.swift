package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Where an app is told of its logins, what of, and how much waits; without the secrets.
package struct ShowCallback: Order {
    package static let name = "app.callback.show"
    package static let route = OrderRoute.get("/apps/{id}/callback")
    package static let summary = "Where an app is told of its logins, and of what; without the secrets."
    package static let answer = "Callback"
    package static let fields: [OrderField] = [.id]
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        context.callback(of: try await context.apps.find(id), try await context.usages(of: id))
    }
}

/// Registers an app's callback, or changes its named settings. Answers it, this once with the secret if it is new.
package struct SetCallback: Order {
    package static let name = "app.callback.set"
    package static let route = OrderRoute.patch("/apps/{id}/callback")
    package static let summary =
        "Register an app's callback, or change what is named of it. A new one's secret is answered this once."
    package static let answer = "Callback"
    package static let fields: [OrderField] = [
        .id,
        OrderField(
            "url", .text(0...1024), "https:// with a host's name, without a query. The present one if it is left out."),
        OrderField(
            "events",
            .list(
                .words(CallbackEventType.registrable.map(\.rawValue), schema: "CallbackEventType"), atMost: 200),
            "The present ones if empty; all of them for a new callback."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]
    package static let usual = [JSON.Member("events", .array([]))]

    package var id: AppID
    /// The present one if `nil`.
    package var url: String?
    /// The present ones if empty; all of them for a new callback.
    package var events: [CallbackEventType]
    package var app: AppID? { id }

    package init(_ id: AppID, url: String? = nil, events: [CallbackEventType] = []) {
        self.id = id
        self.url = url
        self.events = events
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let usages = try await context.usages(of: id)
        let done = try await context.apps.setCallback(
            of: id, url: url, events: Set(events), rules: context.authority.configuration.callbacks, by: context.note)
        return context.callback(of: done.app, usages, showsSecret: done.hasNewSecret)
    }
}

/// Ends an app's callback and its secrets. Events that wait are sent if another one is registered while they are kept.
package struct RemoveCallback: Order {
    package static let name = "app.callback.remove"
    package static let route = OrderRoute.post("/apps/{id}/callback/remove")
    package static let summary = "End an app's callback and its secrets."
    package static let answer = "Callback"
    package static let fields: [OrderField] = [.id]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let usages = try await context.usages(of: id)
        return context.callback(of: try await context.apps.removeCallback(of: id, by: context.note), usages)
    }
}

/// Gives an app's callback a new secret. Answers it, this once. Until the one before ends, events are signed with both.
package struct RotateCallbackSecret: Order {
    package static let name = "app.callback.rotate-secret"
    package static let route = OrderRoute.post("/apps/{id}/callback/rotate-secret")
    package static let summary =
        "Give a callback a new secret, which is answered this once. Until the one before ends, events have both "
        + "signatures."
    package static let answer = "Callback"
    package static let fields: [OrderField] = [
        .id,
        OrderField(
            "overlap", .either(.integer(1...3650), .words(["none"])),
            "Days that the secret before stays valid; none ends it at once."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]
    package static let usualDays = 1
    package static let usual = [JSON.Member("overlap", .integer(usualDays))]

    package var id: AppID
    /// A number of days, or none.
    package var overlap: KeyOverlap
    package var app: AppID? { id }

    package init(_ id: AppID, keeping overlap: KeyOverlap = .days(Self.usualDays)) {
        self.id = id
        self.overlap = overlap
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let usages = try await context.usages(of: id)
        let app = try await context.apps.rotateCallbackSecret(of: id, keeping: overlap, by: context.note)
        return context.callback(of: app, usages, showsSecret: true)
    }
}

/// Sends an app's callback an event of the type `callback.test`, by the way that all events take. Answers its id.
package struct TestCallback: Order {
    package static let name = "app.callback.test"
    package static let route = OrderRoute.post("/apps/{id}/callback/test")
    package static let summary = "Send an app's callback an event of the type callback.test."
    package static let answer = "CallbackTest"
    package static let fields: [OrderField] = [.id]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let callback = try await context.registeredCallback(of: id)
        guard callback.stoppedAt == nil else {
            throw Refusal(
                .parameterInvalid, "the callback is stopped, because its receiver said that it is gone; set it anew")
        }
        let event = CallbackEvent(.test, appID: id, at: context.now).outboxEvent(context.authority.random)
        let line = context.note.entry(at: context.now, app: id, subject: "event \(event.id)")
        try await context.stored { store throws(StoreError) in try await store.addEvent(event, audit: line) }
        return .object(["event": .string(event.id)])
    }
}

/// Lists events for an app's callback and their delivery states, newest first, without their contents.
package struct ListDeliveries: Order {
    package static let name = "app.callback.deliveries"
    package static let route = OrderRoute.get("/apps/{id}/callback/deliveries")
    package static let summary = "Events for an app's callback and what became of them, newest first."
    package static let answer = "Deliveries"
    package static let fields: [OrderField] = [
        .id,
        OrderField("state", .words(OutboxState.self, schema: "DeliveryState")),
        OrderField("before", .integer, "`next` of the answer before."),
        OrderField("limit", .integer(1...1000), "Events at the most."),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false
    package static let limits = 1...1000
    package static let usual = [JSON.Member("limit", 50)]

    package var id: AppID
    /// waiting, delivered or dead; all if `nil`.
    package var state: OutboxState?
    /// Only rows with a smaller number: the `next` of the answer before.
    package var before: Int64?
    package var limit: Int
    package var app: AppID? { id }

    package init(_ id: AppID, state: OutboxState? = nil, before: Int64? = nil, limit: Int = 50) {
        self.id = id
        self.state = state
        self.before = before
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        try await context.checkExists(id)
        let found = try await context.stored { store throws(StoreError) in
            try await store.outboxEntries(app: id, state: state, before: before, limit: limit)
        }
        return .object([
            "app": .string(id.rawValue), "deliveries": .array(found.map(\.json)),
            // There may be more.
            "next": found.count == limit ? found.last.map { .integer($0.row) } : nil,
        ])
    }
}

/// Sends events again: one by its id in any state, or an app's dead letters, all of them or those of a period. Answers
/// how many.
package struct ReplayDeliveries: Order {
    package static let name = "app.callback.replay"
    package static let route = OrderRoute.post("/apps/{id}/callback/replay")
    package static let summary = "Send events once more. Without an event, dead letters."
    package static let answer = "Replayed"
    package static let fields: [OrderField] = [
        .id,
        OrderField("event", .text(pattern: #"^evt_[0-9A-Za-z]{1,60}$"#), "The event's id, whatever became of it."),
        OrderField("since", .integer, "Dead letters from this moment on, milliseconds since 1970."),
        OrderField("until", .integer, "Dead letters before this moment, milliseconds since 1970."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    /// The event's id. Without it, dead letters are sent.
    package var event: String?
    package var since: Timestamp?
    package var until: Timestamp?
    package var app: AppID? { id }

    package init(_ id: AppID, event: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil) {
        self.id = id
        self.event = event
        self.since = since
        self.until = until
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        _ = try await context.registeredCallback(of: id)
        guard event == nil || (since == nil && until == nil) else {
            throw Refusal(.parameterInvalid, "event: names one; a time is for dead letters, not both")
        }
        if let event {
            let letters = event.dropFirst(4)
            guard event.hasPrefix("evt_"), (1...60).contains(letters.utf8.count),
                letters.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { throw Refusal(.parameterInvalid, "event: evt_ and letters and digits") }
        }
        let selection = event.map { OutboxSelection.event($0) } ?? .dead(LedgerRange(since: since, until: until))
        let line = context.note.entry(
            at: context.now, app: id, subject: event.map { "event \($0)" } ?? "dead letters")
        let count = try await context.stored { store throws(StoreError) in
            try await store.replayEvents(of: id, selection, at: context.now, audit: line)
        }
        return .object(["app": .string(id.rawValue), "replayed": .integer(count)])
    }
}

extension OrderContext {
    fileprivate func registeredCallback(of id: AppID) async throws(Refusal) -> CallbackRecord {
        guard let callback = try await apps.find(id).record.callback else {
            throw Apps.hasNoCallback
        }
        return callback
    }

    /// - Parameter showsSecret: whether its newest secret was made just now.
    fileprivate func callback(
        of app: RegisteredApp, _ usages: [AppKeyUsage], showsSecret: Bool = false
    ) -> JSON {
        let secret = showsSecret ? app.callbackSecrets.first?.key.reveal() : nil
        return .object([
            "app": .string(app.record.id.rawValue), "secret": secret.map { .string($0) },
            "callback": app.record.callback?.json ?? .null,
            "secrets": .array(
                app.record.keys.filter { $0.use == .callback }.map { KeySummary($0, use: $0.use, usages).json }),
        ])
    }
}

extension OutboxEntry {
    fileprivate var json: JSON {
        .object([
            "row": .integer(row), "event": .string(event.id), "type": .string(event.type.rawValue),
            "trace": event.trace.map { .string($0.rawValue) }, "at": .integer(event.at.milliseconds),
            "state": .string(state.rawValue), "attempts": .integer(attempts),
            "lastOutcome": outcome.map { .string($0) }, "triedAt": triedAt.map { .integer($0.milliseconds) },
            "dueAt": state == .waiting ? .integer(dueAt.milliseconds) : nil,
        ])
    }

    /// For the person that it is about.
    var exportJSON: JSON {
        .object([
            "app": .string(event.appID.rawValue), "type": .string(event.type.rawValue),
            "at": .integer(event.at.milliseconds), "state": .string(state.rawValue),
        ])
    }
}
