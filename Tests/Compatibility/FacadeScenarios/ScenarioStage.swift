import BenjiClient
import BenjiProtocol
package import BenjiTesting
package import OneTapShell
import OneTapTesting
import Testing
import Waiting

/// Plays a scenario with one facade: no network, no screen, and time only when somebody waits for it.
package struct ScenarioStage: Sendable {
    package let carrier: ScriptedCarrier
    package let page: FakePresenter
    let scenario: Scenario
    let clock = ManualClock()
    let shell: OneTapShell
    /// While it is set the clock stands still, however long somebody waits.
    private let timeStands = Locked(false)

    package init(_ scenario: Scenario, _ facade: Facade) {
        self.scenario = scenario
        carrier = ScriptedCarrier(number: scenario.number, hasWiFi: scenario.hasWiFi, clock: clock)
        page = FakePresenter(scenario.person)
        shell = OneTapShell(facade, surroundings: carrier.surroundings(page: page, server: scenario.server))
    }

    /// The dictionaries that the app's blocks got, in the order of its calls.
    package func play(_ column: some FacadeColumn) async -> [ResultFields] {
        await OneTapShell.$scoped.withValue(shell) {
            if scenario.registers { column.register(appID: scenario.appID, appKey: scenario.appKey) }
            let silences = await carrier.silences
            let time = Task { [clock, timeStands] in
                for await silence in silences {
                    await eventually("the clock may go on") { !timeStands.withLock { $0 } }
                    clock.advance(by: silence ?? column.facade.timeout)
                }
            }
            defer { time.cancel() }
            let answers = Answers()
            for act in scenario.acts {
                await perform(act, column, answers)
                await answers.complete()
            }
            // A block that the SDK has let go of is not called again.
            await answers.release()
            let spelled = await readable(answers.heard)
            #expect(answers.calls == spelled.count, "every block is called exactly once")
            return spelled
        }
    }

    private func perform(_ act: Scenario.Act, _ column: some FacadeColumn, _ answers: Answers) async {
        switch act {
        case .prefetch: column.prefetch(seconds: nil, answers.next())
        case .prefetchWithin(let seconds): column.prefetch(seconds: seconds, answers.next())
        case .enter: column.enter(answers.next())
        case .verify: column.verify(answers.next())
        case .pass(let time): clock.advance(by: time)
        case .forget: column.forget()
        case .twice(let act):
            timeStands.withLock { $0 = true }
            await perform(act, column, answers)
            await perform(act, column, answers)
            timeStands.withLock { $0 = false }
        case .behindPage(let first, let second):
            await perform(first, column, answers)
            await page.shown()
            await perform(second, column, answers)
            await answers.complete(but: 1)
            shell.cancel()
        case .dismissed(let act):
            await perform(act, column, answers)
            await page.shown()
            await column.dismissPage(page)
        case .cancelled(let act):
            timeStands.withLock { $0 = true }
            let sent = await carrier.requests.count
            await perform(act, column, answers)
            await eventually("the request is sent") { await carrier.requests.count > sent }
            column.cancel()
            await answers.complete()
            timeStands.withLock { $0 = false }
        }
    }

    /// Replaces random values by names.
    private func readable(_ heard: [ResultFields]) async -> [ResultFields] {
        let tokens = await carrier.tokens
        return heard.map { fields in
            fields.mapTexts { text in
                if tokens.contains(text) { return "TOKEN" }
                if text == carrier.openID { return "OPENID" }
                return text == carrier.trace.rawValue ? "TRACE" : text
            }
        }
    }
}
