import BenjiProtocol
import Store

extension StoreConformance {
    static let traces: [StorePromise] = [
        StorePromise(
            "the events of a trace are found at once, oldest first, and as they were appended within one moment"
        ) { scenario in
            let first = (0..<3).map { event(1, step: "step \($0)") }
            let second = [
                event(1, step: "step 3"), event(2, step: "other"), event(1, step: "step 4", after: .seconds(1)),
            ]
            try await scenario.store.appendTraceEvents(first)
            try await scenario.store.appendTraceEvents([])
            try await scenario.store.appendTraceEvents(second)
            try expect(
                try await scenario.store.traceEvents(Scenario.trace(1)), is: first + [second[0], second[2]], "the trace"
            )
            try expect(try await scenario.store.traceEvents(Scenario.trace(2)), is: [second[1]], "another trace")
            try expect(try await scenario.store.traceEvents(Scenario.trace(3)), is: [], "an unknown trace")
        },
        StorePromise("logins are found by app, subscription, time and what a step ended in, each with how it ended") {
            scenario in
            for number in 1...4 {
                var found = event(number, step: "sighting", after: .seconds(Int64(number)))
                found.login = TraceEvent.Login(
                    app: Scenario.appID(number % 2 + 1), subscription: Int64(number / 3 + 5), epoch: Int32(number))
                found.situation = .success
                found.party = .gateway
                var last = event(number, step: "last", after: .seconds(Int64(number) + 10))
                if number == 2 { last.situation = .tokenExpired }
                // A second step that found it out is no second login.
                if number == 3 { last.login = found.login }
                try await scenario.store.appendTraceEvents([found, last])
            }
            // The subscriber of this trace is unknown.
            try await scenario.store.appendTraceEvents([event(9, step: "sighting")])
            func logins(_ filter: TraceFilter, limit: Int = 10) async throws -> [TraceID] {
                try await scenario.store.traces(filter, limit: limit).map(\.trace)
            }
            func traces(_ numbers: Int...) -> [TraceID] { numbers.map(Scenario.trace) }
            try expect(try await logins(TraceFilter()), is: traces(4, 3, 2, 1), "all of them")
            try expect(try await logins(TraceFilter(), limit: 1), is: traces(4), "the newest")
            try expect(try await logins(TraceFilter(app: Scenario.app)), is: traces(4, 2), "an app's")
            try expect(try await logins(TraceFilter(subscription: 6)), is: traces(4, 3), "a person's")
            try expect(
                try await logins(TraceFilter(subscription: 6, epoch: 3)), is: traces(3), "not the former holder's")
            try expect(
                try await logins(TraceFilter(situations: [.tokenExpired, .timedOut])), is: traces(2),
                "those that ended so")
            try expect(
                try await logins(
                    TraceFilter(since: Scenario.now + .seconds(2), until: Scenario.now + .seconds(4))),
                is: traces(3, 2), "from a moment on, and before another")
            let second = try await scenario.store.traces(TraceFilter(situations: [.tokenExpired]), limit: 1).first
            let summary = TraceSummary(
                trace: Scenario.trace(2), app: Scenario.app, at: Scenario.now + .seconds(2),
                outcome: LoginOutcome(decisive: .init("last", .tokenExpired), last: .init("last", .tokenExpired)))
            try expect(second, is: summary, "what is told of one")
            let events = try await scenario.store.traceEvents(Scenario.trace(2))
            let login = TraceEvent.Login(app: Scenario.app, subscription: 5, epoch: 2)
            try expect(events.map(\.login), is: [login, nil], "whose login it is")
        },
        StorePromise("a login whose server was answered is told by that answer, and by its last step besides") {
            scenario in
            func steps(_ trace: Int, _ steps: (String, Situation)...) async throws {
                let events = steps.enumerated().map { place, step in
                    var event = event(trace, step: step.0, after: .milliseconds(place))
                    event.situation = step.1
                    if place == 0 {
                        event.login = TraceEvent.Login(app: Scenario.app, subscription: 5, epoch: 1)
                        event.party = .authority
                    }
                    return event
                }
                try await scenario.store.appendTraceEvents(events)
            }
            try await steps(
                1, ("prefetch", .success), ("loginTokenValidate", .success), ("loginTokenValidate", .tokenSpent))
            try await steps(2, ("prefetch", .success), ("tokenValidate", .numberDiffers), ("authorize", .scripInvalid))
            try await steps(3, ("prefetch", .success), ("openid.token", .success), ("openid.userinfo", .tokenExpired))
            try await steps(4, ("prefetch", .success))
            try await steps(5, ("prefetch", .success), ("openid.userinfo", .success), ("openid.token", .tokenSpent))
            let found = try await scenario.store.traces(TraceFilter(), limit: 10)
            let outcomes: [(Int, decisive: LoginOutcome.Step, last: LoginOutcome.Step)] = [
                (1, .init("loginTokenValidate", .success), .init("loginTokenValidate", .tokenSpent)),
                (2, .init("tokenValidate", .numberDiffers), .init("authorize", .scripInvalid)),
                (3, .init("openid.userinfo", .tokenExpired), .init("openid.userinfo", .tokenExpired)),
                (4, .init("prefetch", .success), .init("prefetch", .success)),
                (5, .init("openid.userinfo", .success), .init("openid.token", .tokenSpent)),
            ]
            for (trace, decisive, last) in outcomes {
                let expected = LoginOutcome(decisive: decisive, last: last)
                let told = found.first { $0.trace == Scenario.trace(trace) }?.outcome
                try expect(told, is: expected, "login \(trace) among others")
                let events = try await scenario.store.traceEvents(Scenario.trace(trace))
                try expect(LoginOutcome(of: events), is: expected, "login \(trace) by its events")
            }
        },
        StorePromise("logins are told page after page, each once, also those of one millisecond") { scenario in
            for (number, delay) in [(1, 0), (2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 1)] {
                var found = event(number, step: "sighting", after: .milliseconds(delay))
                found.login = TraceEvent.Login(
                    app: number == 7 ? Scenario.appID(2) : Scenario.app, subscription: 5, epoch: 1)
                // A second step that found it out has no place of its own.
                var second = event(number, step: "prefetch", after: .milliseconds(delay + 5))
                second.login = found.login
                try await scenario.store.appendTraceEvents([found, second])
            }
            var filter = TraceFilter(app: Scenario.app)
            var pages: [[TraceID]] = []
            repeat {
                pages.append(try await scenario.store.traces(filter, limit: 2).map(\.trace))
                filter.after = pages.last?.last
            } while pages.last?.count == 2
            let expected = [[6, 5], [4, 3], [2, 1], []].map { $0.map(Scenario.trace) }
            try expect(pages, is: expected, "an app's logins by twos")
            filter.after = Scenario.trace(7)
            try expect(
                try await scenario.store.traces(filter, limit: 9).map(\.trace),
                is: (1...6).reversed().dropFirst()
                    .map(Scenario.trace), "those after another app's, the newest of its millisecond")
            filter.after = Scenario.trace(99)
            try expect(try await scenario.store.traces(filter, limit: 9), is: [], "after one that is gone")
        },
        StorePromise("no event is lost when 64 append at once between other writes") { scenario in
            let subscription = try await scenario.subscription()
            _ = try await race(64) { position in
                try await scenario.store.appendTraceEvents([event(position % 4, step: "\(position)")])
                try await scenario.store.insertScrip(scenario.scrip("s\(position)", of: subscription))
            }
            for trace in 0..<4 {
                let steps = try await scenario.store.traceEvents(Scenario.trace(trace)).map(\.step)
                let expected = (0..<64).filter { $0 % 4 == trace }.map(String.init)
                try expect(Set(steps), is: Set(expected), "steps of trace \(trace)")
                try expect(steps.count, is: expected.count, "events of trace \(trace)")
            }
        },
        StorePromise("deleting old events takes only those from before the moment, and at most as many as asked") {
            scenario in
            let old = (0..<3).map { _ in event(1, step: "old") }
            let kept = event(1, step: "kept", after: .seconds(10))
            try await scenario.store.appendTraceEvents(old + [kept])
            let moment = Scenario.now + .seconds(10)
            try expect(try await scenario.store.deleteTraceEvents(before: moment, limit: 2), is: 2, "the limit")
            try expect(try await scenario.store.deleteTraceEvents(before: moment, limit: 9), is: 1, "the rest")
            try expect(try await scenario.store.traceEvents(Scenario.trace(1)), is: [kept], "what is left")
        },
    ]
}

private func event(_ trace: Int, step: String, after delay: Duration = .zero) -> TraceEvent {
    TraceEvent(
        trace: Scenario.trace(trace), at: Scenario.now + delay, party: .appServer, step: step,
        situation: .tokenWrongApp, detail: "a few words")
}
