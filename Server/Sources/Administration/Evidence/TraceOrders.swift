package import Authority
@_spi(Server) package import BenjiProtocol
package import Requests
package import Store

/// The story of one login, oldest step first.
package struct ShowTrace: Order {
    package static let name = "trace.show"
    package static let route = OrderRoute.get("/traces/{trace}")
    package static let summary = "The story of a login."
    package static let answer = "Trace"
    package static let fields: [OrderField] = [
        OrderField("trace", .trace),
        OrderField("app", .app),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package var trace: TraceID
    /// The app that it must be of; a developer names one of theirs.
    package var app: AppID?

    package init(_ trace: TraceID, app: AppID? = nil) {
        self.trace = trace
        self.app = app
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let events = try await context.authority.traceEvents(trace)
        let of = events.lazy.compactMap(\.login?.app).first
        guard !events.isEmpty, app == nil || app == of else {
            throw Refusal(
                .processIDUnknown,
                "no login has this trace, or it is older than traces are kept, or so new that it is not written yet: "
                    + "ask again in a second"
            )
        }
        return .object([
            "trace": .string(trace.rawValue), "app": of.map { .string($0.rawValue) },
            "outcome": LoginOutcome(of: events).map { .object($0.members) },
            "events": .array(
                events.map { event in
                    .object([
                        "at": .integer(event.at.milliseconds), "party": .string(event.party.rawValue),
                        "step": .string(event.step), "situation": .string(event.situation.rawValue),
                        "detail": .string(event.detail),
                    ])
                }),
        ])
    }
}

/// Exports one login for a replay elsewhere: each step's ending, the carrier and the kind of app. Names no person, app
/// or login.
package struct ExportTrace: Order {
    package static let name = "trace.export"
    package static let route = OrderRoute.get("/traces/{trace}/export")
    package static let summary = "A login without anybody's name, for `benji replay`."
    package static let answer = "Recording"
    package static let fields: [OrderField] = [
        OrderField("trace", .trace),
        OrderField("app", .app),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false
    /// Names the answer's format. A changed format gets another name.
    package static let format = "benji-login-1"

    package var trace: TraceID
    /// The app that it must be of; a developer names one of theirs.
    package var app: AppID?

    package init(_ trace: TraceID, app: AppID? = nil) {
        self.trace = trace
        self.app = app
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let events = try await context.authority.traceEvents(trace)
        guard let id = events.lazy.compactMap(\.login?.app).first, let first = events.first, app == nil || app == id
        else {
            throw Refusal(
                .processIDUnknown,
                "no login has this trace, or it is older than traces are kept, or so new that it is not written yet: "
                    + "ask again in a second"
            )
        }
        let record = try await context.stored { store throws(StoreError) in try await store.app(id) }
        // "mobile, by gateway-1".
        let carrier = events.first { $0.step == "sighting" }?.detail.split(separator: ",").first.map(String.init)
        return .object([
            "format": .string(Self.format), "carrier": carrier.map { .string($0) } ?? .null,
            "app": .object([
                "capabilities": .array((record?.capabilities ?? []).map(\.rawValue).sorted().map { .string($0) }),
                "leastAssurance": .string((record?.leastAssurance ?? .net).rawValue),
                "numberWithoutPage": .bool(record?.legacyNumberWithoutPage ?? false),
            ]),
            "steps": .array(
                events.map { event in
                    .object([
                        "after": .integer(event.at.milliseconds - first.at.milliseconds),
                        "party": .string(event.party.rawValue), "step": .string(event.step),
                        "situation": .string(event.situation.rawValue),
                    ])
                }),
        ])
    }
}

/// Logins, newest first: of an app, of a number, in a time, or with a step that ended in some situation.
package struct FindTraces: Order {
    package static let name = "trace.find"
    package static let route = OrderRoute.post("/traces/find")
    package static let summary =
        "Logins, newest first. A search by number is written into the audit log before it is answered."
    package static let answer = "Traces"
    package static let fields: [OrderField] = [
        OrderField("app", .app),
        OrderField("number", .text, "Whose logins; an operator's, support's and auditor's to ask."),
        OrderField("situations", .list(.text)),
        OrderField("since", .integer, "From this moment on, milliseconds since 1970."),
        OrderField("until", .integer, "Before this moment, milliseconds since 1970."),
        OrderField("after", .text(pattern: #"^[0-9a-f]{32}$"#), "Go on after this login, the last one that was told."),
        OrderField("limit", .integer(1...500), "Logins at the most."),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false
    package static let limits = 1...500

    package var filter: TraceFilter
    /// The number whose logins are sought; a developer may not name one.
    package var number: PhoneNumber?
    package var limit: Int
    package var app: AppID? { filter.app }
    package var operatorsPart: String? { number == nil ? nil : "number" }

    package init(_ filter: TraceFilter, number: PhoneNumber? = nil, limit: Int = 20) {
        self.filter = filter
        self.number = number
        self.limit = limit
    }

    private enum CodingKeys: CodingKey { case number, limit }
    package static let usual = [JSON.Member("situations", .array([])), JSON.Member("limit", 20)]
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        filter = try TraceFilter(from: decoder)
        number = try container.decodeIfPresent(PhoneNumber.self, forKey: .number)
        limit = try container.decode(Int.self, forKey: .limit)
    }
    package func encode(to encoder: any Encoder) throws {
        try filter.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(number, forKey: .number)
        try container.encode(limit, forKey: .limit)
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        var filter = filter
        if let number {
            let subscription = try await context.subscriptionToLookAt(number, app: app)
            filter.subscription = subscription.id
            filter.epoch = subscription.epoch
        }
        if let after = filter.after {
            let last = try await context.authority.traceEvents(after).lazy.compactMap(\.login).first
            guard let last, filter.app == nil || filter.app == last.app else {
                throw Refusal(.processIDUnknown, "after: no login has this trace any more; begin with the newest again")
            }
        }
        let found = try await context.stored { [filter] store throws(StoreError) in
            try await store.traces(filter, limit: limit)
        }
        return .object([
            "traces": .array(
                found.map { login in
                    .object(
                        [
                            JSON.Member("trace", .string(login.trace.rawValue)),
                            JSON.Member("app", .string(login.app.rawValue)),
                            JSON.Member("at", .integer(login.at.milliseconds)),
                        ] + login.outcome.members)
                })
        ])
    }
}

extension LoginOutcome {
    /// `step` and `situation`, and in `then` a refusal that followed an answer.
    fileprivate var members: [JSON.Member] {
        let own = decisive.members
        guard last != decisive, last.situation.isRefusal else { return own }
        return own + [JSON.Member("then", .object(last.members))]
    }
}

extension LoginOutcome.Step {
    fileprivate var members: [JSON.Member] {
        [JSON.Member("step", .string(step)), JSON.Member("situation", .string(situation.rawValue))]
    }
}
