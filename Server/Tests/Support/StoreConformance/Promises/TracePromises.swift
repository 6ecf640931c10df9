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
        StorePromise("logins are found by app, subscription, time and what a step ended in, each with its last step") {
            scenario in
            for number in 1...4 {
                var found = event(number, step: "sighting", after: .seconds(Int64(number)))
                found.login = TraceEvent.Login(
                    app: Scenario.appID(number % 2 + 1), subscription: Int64(number / 3 + 5), epoch: Int32(number))
                found.situation = .success
                var last = event(number, step: "last", after: .seconds(Int64(number) + 10))
                if number == 2 { last.situation = .tokenExpired }
                // A second step that found it out is no second login.
                if number == 3 { last.login = found.login }
                try await scenario.store.appendTraceEvents([found, last])
            }
            // Nobody knows whose this is.
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
                trace: Scenario.trace(2), app: Scenario.app, at: Scenario.now + .seconds(2), step: "last",
                situation: .tokenExpired)
            try expect(second, is: summary, "what is told of one")
            let events = try await scenario.store.traceEvents(Scenario.trace(2))
            let login = TraceEvent.Login(app: Scenario.app, subscription: 5, epoch: 2)
            try expect(events.map(\.login), is: [login, nil], "whose login it is")
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
