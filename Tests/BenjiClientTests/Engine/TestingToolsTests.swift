import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

/// The tools that users' tests rely on.
@Suite struct TestingToolsTests {
    @Test("A manual clock wakes exactly those whose time has come")
    func waking() async throws {
        let clock = ManualClock()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for seconds in [1, 2, 3] {
                let deadline = clock.now.advanced(by: .seconds(seconds))
                group.addTask {
                    try await clock.sleep(until: deadline, tolerance: nil)
                    return seconds
                }
            }
            clock.advance(by: .seconds(2) - .nanoseconds(1))
            let first = try await group.next()
            #expect(first == 1)
            clock.advance(by: .nanoseconds(1))
            let second = try await group.next()
            #expect(second == 2)
            group.cancelAll()
            let third = await group.nextResult()
            #expect(throws: CancellationError.self) { _ = try third?.get() }
        }
        #expect(clock.now.offset == .seconds(2))
    }

    @Test("A cancelled sleeper never sleeps, whenever the cancelling comes")
    func cancelling() async {
        let clock = ManualClock()
        for _ in 0..<200 {
            let awake = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        try await clock.sleep(for: .seconds(1))
                        return false
                    } catch {
                        return true
                    }
                }
                group.cancelAll()
                return await group.next()
            }
            #expect(awake == true)
        }
    }

    @Test("One seed gives one sequence, another seed another")
    func seeds() {
        let (one, same, other) = (SeededRandomSource(seed: 1), SeededRandomSource(seed: 1), SeededRandomSource(seed: 2))
        #expect(one.bytes(8) + one.bytes(8) == same.bytes(16))
        #expect(SeededRandomSource(seed: 1).bytes(16) != other.bytes(16))
    }

    @Test("A script that has ended refuses, and says so")
    func endOfScript() async {
        let transport = ScriptedTransport()
        let request = TransportRequest(method: "POST", url: EngineLab.server)
        await #expect(throws: TransportError(.connectionRefused, at: "", "")) {
            _ = try await transport.send(request, timeout: .seconds(1))
        }
        #expect(await transport.requests == [request])
    }

    @Test("The ready answers make whole logins, with a new scrip each time")
    func readyAnswers() async throws {
        let transport = ScriptedTransport([.prefetch(), .authorize(rotates: true), .authorize(), .prefetch()])
        let engine = LoginEngine(
            configuration: .init(
                appID: EngineLab.appID, appKey: "k", bundleID: "b", server: EngineLab.server), transport: transport,
            keyStore: MemoryDeviceKeyStore(), clock: ManualClock())
        let tokens = [
            try await engine.logIn(with: FakePresenter()).token, try await engine.verificationToken().token,
        ]
        #expect(tokens[0] != tokens[1])
        #expect(tokens.allSatisfy { CredentialGrammar.token.matches($0) })
        #expect(try await engine.prefetch().maskedNumber == "138****0000")
        #expect(await transport.requests.count == 4)
    }
}
