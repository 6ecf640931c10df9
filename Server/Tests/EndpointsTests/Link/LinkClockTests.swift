import ServerTestKit
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Link

@Suite("A gateway's clock beside the authority's", .serialized)
struct LinkClockTests {
    /// No clock of these tests runs. Certificates, which `openssl` dates by the machine's clock, are valid at this
    /// time.
    private static let base = SystemWallClock().now + .seconds(43_200)

    /// A gateway's messages about nodes whose clocks are ahead of its own.
    private struct Said {
        var problem: String?
        var warnings: [String]
        var isAnswered: Bool
        var log: String
    }

    /// - Parameter problem: of the first node, by its own word.
    private func said(nodesAhead: [Duration], problem: String? = nil) async throws -> Said {
        let log = LogBook()
        let gateway = TestClock(Self.base - (nodesAhead.first ?? .zero))
        let nodes = nodesAhead.enumerated().map { place, ahead in
            LinkNodesTests.Node(clock: TestClock(gateway.now + ahead)) { place == 0 ? problem : nil }
        }
        var said: Said?
        try await LinkNodesTests().world(nodes, log: log, clock: gateway) { remote in
            let problem = await remote.problem()
            let isAnswered = (try? await remote.erasedSubscriptions()) != nil
            said = Said(problem: problem, warnings: remote.warnings, isAnswered: isAnswered, log: log.text)
        }
        return try #require(said)
    }

    @Test("A gateway that the authority refuses for its clock is not ready, and names both times", arguments: [1, 2])
    func unfit(nodes: Int) async throws {
        let said = try await said(nodesAhead: Array(repeating: .seconds(1200), count: nodes))
        // The double goes by the answer alone, as readiness did.
        #expect(said.isAnswered)
        let problem = try #require(said.problem)
        #expect(problem.contains("the authority's") && problem.contains("behind") && problem.contains("run NTP"))
        #expect(said.log.contains("this machine's clock"))
        // The clock is the gateway's own: nothing is wrong with the nodes.
        #expect(!said.warnings.contains { $0.contains("left alone") }, "\(said.warnings)")
        #expect(!said.log.contains("no authority answers"), "\(said.log)")
        // The double takes each node for failed, and so leaves all of them alone.
        var naive = NodeChoice((0..<nodes).map { "node \($0)" })
        for node in 0..<nodes { naive.failed(node, asked: .zero, at: .zero) }
        let raisesAlarm = (0..<nodes).allSatisfy(naive.isLeftAlone)
        #expect(raisesAlarm, "the double must fall")
    }

    @Test("A node whose clock differs, while another's does not, is left alone, and the gateway is ready")
    func oneNode() async throws {
        // Whichever answers first, the second question knows both clocks.
        let gateway = TestClock(Self.base)
        let nodes = [
            LinkNodesTests.Node(clock: gateway), LinkNodesTests.Node(clock: TestClock(Self.base + .seconds(1200))),
        ]
        try await LinkNodesTests().world(nodes, clock: gateway) { remote in
            #expect(await remote.problem() == nil)
            let warnings = remote.warnings
            #expect(warnings.count == 1 && warnings[0].contains("is left alone: this machine's clock"), "\(warnings)")
        }
    }

    @Test("A gateway a minute from the authority is ready with a warning")
    func warning() async throws {
        let said = try await said(nodesAhead: [.seconds(60)])
        #expect(said.problem == nil && said.warnings.count == 1, "\(said)")
        #expect(said.warnings.first?.contains("the authority's") == true)
    }

    @Test("A gateway with the authority's time is ready without a warning")
    func good() async throws {
        let said = try await said(nodesAhead: [.zero])
        #expect(said.problem == nil && said.warnings.isEmpty && said.isAnswered)
    }

    @Test("A node that is unfit by its own clock serves no gateway: another one does, and without another none")
    func unfitNode() async throws {
        let own = "this machine's clock says 1 and the database's 2"
        let beside = try await said(nodesAhead: [.zero, .zero], problem: own)
        #expect(beside.problem == nil && beside.isAnswered)
        #expect(beside.warnings.count == 1 && beside.warnings[0].contains("is left alone"), "\(beside.warnings)")
        let alone = try await said(nodesAhead: [.zero], problem: own)
        #expect(alone.problem?.contains("store unavailable") == true && !alone.isAnswered)
        // The double does not report its clock to gateways.
        let naive = try await said(nodesAhead: [.zero])
        #expect(naive.problem == nil && naive.isAnswered, "the double must fall")
    }
}
