import Authority
import BenjiProtocol
import Requests
import ServerTestKit
import Store
import Testing

@Suite("Clocks that are compared")
struct ClockComparisonTests {
    private static let noon = Timestamp(seconds: 1_790_000_000)

    private func comparison(other: Duration, answerAfter: Duration = .zero) -> ClockComparison {
        ClockComparison(asked: Self.noon, answered: Self.noon + answerAfter, other: Self.noon + other)
    }

    @Test(
        "Two seconds are no difference, thirty are a warning, and more make a machine unfit",
        arguments: [
            (0, ClockComparison.Verdict.good), (2, .good), (3, .warning), (30, .warning), (31, .unfit), (1800, .unfit),
        ] as [(Int64, ClockComparison.Verdict)])
    func verdicts(seconds: Int64, verdict: ClockComparison.Verdict) {
        #expect(comparison(other: .seconds(seconds)).verdict() == verdict)
        #expect(comparison(other: .seconds(-seconds)).verdict() == verdict)
    }

    /// The reason for which a node refuses another node's token; `nil` if it accepts it.
    ///
    /// - Parameters:
    ///   - ahead: how far the node's clock is ahead of the one that issued the token.
    ///   - age: of the token, which lives for two minutes.
    private func refusal(ahead: Duration, age: Duration) async throws -> Situation? {
        let world = try await AuthorityWorld()
        let clock = TestClock(world.clock.now + ahead)
        let node = Authority(
            configuration: world.authority.configuration, store: world.store, vault: world.vault, clock: clock,
            logger: AuthorityWorld.logger)
        let token = try await world.token().token
        clock.advance(by: age)
        let call = ServerCall(
            app: world.app, messageID: "message", interface: "test", peer: AuthorityWorld.peer, sentAt: nil)
        let situation = try await ServerTestKit.refusal {
            _ = try await node.redeemNumber(node.admit(call, needs: .login), token: token)
        }
        await world.end()
        return situation
    }

    @Test(
        "A node with a fit clock takes others' fresh tokens and refuses expired ones; an unfit one that serves does not"
    )
    func lives() async throws {
        let (fresh, expired) = (Duration.seconds(60), Duration.seconds(160))
        for ahead in [ClockComparison.maximum, .zero - ClockComparison.maximum] {
            #expect(comparison(other: .zero - ahead).verdict() != .unfit)
            #expect(try await refusal(ahead: ahead, age: fresh) == nil)
            #expect(try await refusal(ahead: ahead, age: expired) == .tokenExpired)
        }
        // The doubles serve because their store answers.
        for ahead in [Duration.seconds(1800), .seconds(-1800)] {
            #expect(comparison(other: .zero - ahead).verdict() == .unfit)
        }
        #expect(try await refusal(ahead: .seconds(1800), age: fresh) == .tokenExpired, "the double must fall")
        #expect(try await refusal(ahead: .seconds(-1800), age: expired) == nil, "the double must fall")
    }

    @Test("A slow answer shows no difference that is not there")
    func slowAnswer() {
        let slow = comparison(other: .seconds(1), answerAfter: .seconds(20))
        #expect(slow.ahead == .zero && slow.verdict() == .good)
        // The double compares with the moment of the answer alone.
        let naive = ClockComparison(asked: slow.answered, answered: slow.answered, other: slow.other)
        #expect(naive.verdict() == .warning)
        #expect(comparison(other: .seconds(60), answerAfter: .seconds(20)).verdict() == .unfit)
    }

    @Test("A slow answer makes no verdict better; a difference that it shows all the same counts")
    func slowAnswers() {
        var standing = ClockStanding()
        func note(_ comparison: ClockComparison) -> ClockComparison.Verdict? { standing.note(comparison) }
        #expect(note(comparison(other: .seconds(60))) == .unfit)
        let hiding = comparison(other: .seconds(60), answerAfter: .seconds(60))
        #expect(note(hiding) == nil)
        #expect(standing.verdict == .unfit)
        #expect(standing.text(of: .unfit, "x")?.contains("60 s behind") == true)
        // The double goes by the last answer.
        #expect(hiding.verdict() == .good, "the double must fall")
        #expect(note(comparison(other: .zero, answerAfter: .seconds(1))) == .good)
        #expect(note(comparison(other: .seconds(60), answerAfter: .seconds(5))) == .unfit)
    }

    @Test("A clock near a limit keeps its verdict until it is below half the limit")
    func steady() {
        let distances: [Int64] = [
            31_000, 29_000, 31_000, 29_000, 16_000, 14_000, 16_000, 3_000, 1_900, 2_100, 1_100, 900,
        ]
        let comparisons = distances.map { comparison(other: .milliseconds($0)) }
        var standing = ClockStanding()
        let verdicts = comparisons.compactMap { standing.note($0) }
        #expect(verdicts == [.unfit, .warning, .good])
        #expect(standing.text(of: .warning, "x") == nil)
        // The double goes by each comparison alone.
        let naive = comparisons.map { $0.verdict() }
        #expect(zip(naive, naive.dropFirst()).count { $0 != $1 } > 3, "the double must fall")
    }

    @Test("A clock that is put back between question and answer shows no difference within the step")
    func steppedBack() {
        let stepped = ClockComparison(
            asked: Self.noon, answered: Self.noon - .seconds(60), other: Self.noon - .seconds(30))
        #expect(stepped.verdict() == .good)
    }

    @Test("The message has both times, the direction and the remedy")
    func text() {
        let behind = comparison(other: .seconds(1800))
        #expect(
            behind.text("the database's")
                == "this machine's clock says 2026-09-21T14:13:20.000Z and the database's 2026-09-21T14:43:20.000Z, so "
                + "it is "
                + "1800 s behind; run NTP on both machines")
        #expect(comparison(other: .seconds(-5)).text("x").contains("5 s ahead"))
    }

    @Test("The greatest and the smallest moment can be compared and shown", arguments: [Int64.max, .min])
    func extremes(milliseconds: Int64) {
        let far = ClockComparison(
            asked: Self.noon, answered: Self.noon, other: Timestamp(milliseconds: milliseconds))
        #expect(far.verdict() == .unfit)
        let year = milliseconds > 0 ? "9999-12-31T23:59:59" : "1970-01-01T00:00:00"
        #expect(far.text("the authority's").contains("the authority's \(year)"))
    }
}
