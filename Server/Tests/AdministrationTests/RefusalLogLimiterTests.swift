import Administration
import Authority
import BenjiProtocol
import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Lines of refused orders")
struct RefusalLogLimiterTests {
    private static let maximumLines = 30

    private func refuse(_ world: AdministrationWorld, _ order: some Order, times: Int) async throws {
        for _ in 0..<times {
            #expect(try await world.refused(order, by: world.caller(.support)) == .orderNotPermitted)
        }
    }

    @Test(
        "of one caller and order the log gets so many refusals an hour, and then one line with how many were left out")
    func bounded() async throws {
        let world = try await AdministrationWorld()
        let begin = world.clock.now
        try await refuse(world, SuspendApp(world.app), times: Self.maximumLines + 7)
        var lines = try await world.lines()
        #expect(lines.count == Self.maximumLines)
        let end = begin + .seconds(3600)
        #expect(lines[0].after == #"{"noLinesUntil":\#(end.milliseconds)}"# && lines[1].after == nil)
        try await refuse(world, ResumeApp(world.app), times: 1)
        #expect(try await world.lines().count == Self.maximumLines + 1, "another order has lines of its own")
        try await world.order(SuspendApp(world.app))
        #expect(try await world.lines().count == Self.maximumLines + 2, "what is carried out always has its line")

        world.clock.advance(by: .seconds(3599))
        await world.administration.writeLeftOutRefusals()
        #expect(try await world.lines().count == Self.maximumLines + 2, "the hour has not ended")
        world.clock.advance(by: .seconds(1))
        for _ in 0..<2 { await world.administration.writeLeftOutRefusals() }
        lines = try await world.lines()
        #expect(lines.count == Self.maximumLines + 3)
        #expect(lines[0].order == "app.suspend" && lines[0].actor == "ops" && lines[0].outcome == .orderNotPermitted)
        #expect(lines[0].after == #"{"leftOut":7,"since":\#(begin.milliseconds)}"# && lines[0].app == nil)
        try await refuse(world, SuspendApp(world.app), times: 1)
        #expect(try await world.lines().count == Self.maximumLines + 4, "the next hour has lines again")
        await world.end()
    }

    @Test("the next refusal after the hour brings the line of what was left out, and so does the process's end")
    func ends() async throws {
        let world = try await AdministrationWorld()
        try await refuse(world, SuspendApp(world.app), times: Self.maximumLines + 2)
        world.clock.advance(by: .seconds(4000))
        try await refuse(world, SuspendApp(world.app), times: Self.maximumLines + 3)
        #expect(try await world.lines().count == 2 * Self.maximumLines + 1)
        await world.administration.writeLeftOutRefusals(isEnd: true)
        let lines = try await world.lines()
        #expect(lines.count == 2 * Self.maximumLines + 2)
        #expect(
            lines.compactMap(\.after).filter { $0.contains("leftOut") }.map { $0.prefix(12) } == [
                #"{"leftOut":3"#, #"{"leftOut":2"#,
            ])
        await world.end()
    }

    @Test("refusals whose line cannot be written are counted in the next line of what was left out, each of them once")
    func unwritten() async throws {
        let world = try await AdministrationWorld()
        let begin = world.clock.now
        func writable(_ isWritable: Bool) async throws {
            try await world.database(
                isWritable
                    ? "DROP TRIGGER audit_is_full"
                    : "CREATE TRIGGER audit_is_full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        try await refuse(world, SuspendApp(world.app), times: Self.maximumLines + 7)
        world.clock.advance(by: .seconds(3600))
        try await writable(false)
        for _ in 0..<3 { await world.administration.writeLeftOutRefusals() }
        // A new hour: neither the line of the last one nor its own can be written.
        try await refuse(world, SuspendApp(world.app), times: 2)
        try await writable(true)
        #expect(try await world.lines().count == Self.maximumLines)
        world.clock.advance(by: .seconds(3600))
        for _ in 0..<2 { await world.administration.writeLeftOutRefusals() }
        let lines = try await world.lines()
        #expect(lines.count == Self.maximumLines + 1)
        #expect(lines[0].after == #"{"leftOut":9,"since":\#(begin.milliseconds)}"#)
        await world.end()
    }

    @Test("orders that are refused before they are read are bounded alike")
    func unread() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.support)
        let before = try await world.base.lines().count
        for _ in 0..<(Self.maximumLines + 5) {
            #expect(try await world.send(.post, "/v1/apps", token: token, "{").status == .forbidden)
        }
        #expect(try await world.base.lines().count == before + Self.maximumLines)
        await world.end()
    }
}
