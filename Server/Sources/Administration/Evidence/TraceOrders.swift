package import Authority
@_spi(Server) package import BenjiProtocol
package import Store

/// The story of one login, oldest step first.
package struct ShowTrace: Order {
    package static let name = "trace.show"
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
            throw Refusal(.processIDUnknown, "no login has this trace, or it is older than traces are kept")
        }
        return .object([
            "trace": .string(trace.rawValue), "app": of.map { .string($0.rawValue) },
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

/// Logins, newest first: of an app, of a number, in a time, or with a step that ended in some situation.
package struct FindTraces: Order {
    package static let name = "trace.find"
    package static let roles = Set(Role.allCases)
    package static let changes = false
    package static let limits = 1...500

    package var filter: TraceFilter
    /// Whose logins; a developer may not ask for one.
    package var number: PhoneNumber?
    package var limit: Int
    package var app: AppID? { filter.app }
    package var operatorsPart: String? { number == nil ? nil : "number" }

    package init(_ filter: TraceFilter, number: PhoneNumber? = nil, limit: Int = 20) {
        self.filter = filter
        self.number = number
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard Self.limits.contains(limit) else {
            throw Refusal(.parameterInvalid, "limit: \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
        }
        var filter = filter
        if let number {
            guard let subscription = try await context.subscription(of: number) else {
                try await context.noteLook(app: app, subject: "a number that nobody has")
                throw Refusal(.numberUnknown, "the register has never seen this number")
            }
            // Who looks at a person's logins is written down before they are read.
            try await context.noteLook(app: app, subject: "subscription \(subscription.id)")
            filter.subscription = subscription.id
            filter.epoch = subscription.epoch
        }
        let found: [TraceSummary]
        do throws(StoreError) { found = try await context.store.traces(filter, limit: limit) } catch {
            throw Refusal(error)
        }
        return .object([
            "traces": .array(
                found.map { login in
                    .object([
                        "trace": .string(login.trace.rawValue), "app": .string(login.app.rawValue),
                        "at": .integer(login.at.milliseconds), "step": .string(login.step),
                        "situation": .string(login.situation.rawValue),
                    ])
                })
        ])
    }
}
