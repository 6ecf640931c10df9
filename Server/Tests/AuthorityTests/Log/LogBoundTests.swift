@_spi(Server) import BenjiProtocol
import GRDB
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("The public log to its last leaf and second")
struct LogBoundTests {
    private func withWorld(
        releases: Int = 0, _ body: (AuthorityWorld) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld()
        do {
            for _ in 0..<releases { _ = try await world.redeem(nil, try await world.token().token) }
            if releases > 0 { while try await world.authority.appendToLog() {} }
            try await body(world)
        } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    /// Statements on the database itself, past what protects the log there.
    private func tamper(_ world: AuthorityWorld, _ sql: String) async throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: world.directory + "/benji.sqlite", configuration: configuration)
        try await queue.write { db in
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
            try db.execute(sql: sql)
        }
        try queue.close()
    }

    private func leaves(_ world: AuthorityWorld) async throws -> [LogLeaf] {
        try await (world.store as any Store).logLeaves(from: 0, limit: 99)
    }

    @Test("a head is signed anew when it is half a minute old or something came, and then a millisecond later at least")
    func heads() async throws {
        try await withWorld(releases: 1) { world async throws in
            let first = try await world.authority.logHead()
            #expect(try await !world.authority.appendToLog(), "there is nothing to bring")
            #expect(try await world.authority.logHead() == first)
            world.clock.advance(by: .milliseconds(29_999))
            _ = try await world.authority.appendToLog()
            #expect(try await world.authority.logHead() == first)
            world.clock.advance(by: .milliseconds(1))
            #expect(try await !world.authority.appendToLog())
            let second = try await world.authority.logHead()
            #expect(second.at == first.at + .seconds(30) && second.size == first.size && second != first)
            // Answers without a number make no leaf, and no head.
            _ = try await world.verify(nil, try await world.token(.verification).token) { _ in true }
            _ = try await world.authority.appendToLog()
            #expect(try await world.authority.logHead() == second)
            _ = try await world.redeem(nil, try await world.token().token)
            _ = try await world.authority.appendToLog()
            let third = try await world.authority.logHead()
            #expect(third.at == second.at + .milliseconds(1) && third.size == 4)
        }
    }

    @Test("a release of nobody known waits five seconds, and its commitment is as long as any other")
    func patience() async throws {
        try await withWorld { world async throws in
            _ = try await world.redeem(nil, try await world.token().token)
            _ = try await (world.store as any Store).traceEvents(TraceID(random: SystemRandomSource()))
            try await tamper(world, "DELETE FROM consent; DELETE FROM trace_event")
            for (milliseconds, count) in [(0, 0), (4999, 0), (1, 1)] as [(Int64, Int)] {
                world.clock.advance(by: .milliseconds(milliseconds))
                _ = try await world.authority.appendToLog()
                #expect(try await leaves(world).count == count)
            }
            let leaf = try #require(try await leaves(world).first)
            #expect(leaf.holder == nil && leaf.input.flatMap(LogInput.init)?.commitment.count == 32)
        }
    }

    @Test("of trees from 0 to the whole log proofs are given, and of others, and of leaves that are not there, none")
    func ranges() async throws {
        try await withWorld(releases: 2) { world async throws in
            let authority = world.authority
            func end(_ body: () async throws -> Void) async throws -> Situation? { try await refusal(body) }
            for (first, second) in [(0, 0), (0, 4), (4, 4), (1, 3)] as [(Int64, Int64)] {
                let proof = try await authority.logConsistency(from: first, to: second)
                #expect(proof.isEmpty == (first != 1))
            }
            for (first, second) in [(-1, 1), (3, 2), (0, 5), (5, 5)] as [(Int64, Int64)] {
                #expect(
                    try await end { _ = try await authority.logConsistency(from: first, to: second) }
                        == .parameterInvalid, "\(first) to \(second)")
            }
            let all = try await leaves(world).map(\.hash)
            for (start, stop) in [(0, 4), (0, 0), (4, 4), (1, 3)] as [(Int64, Int64)] {
                let hashes = try await authority.logLeafHashes(from: start, to: stop)
                #expect(hashes == Array(all[Int(start)..<Int(stop)]))
            }
            for (start, stop) in [(-1, 2), (2, 1), (0, 5), (-2, -1)] as [(Int64, Int64)] {
                #expect(
                    try await end { _ = try await authority.logLeafHashes(from: start, to: stop) } == .parameterInvalid,
                    "\(start) to \(stop)")
            }
            let last = try #require(all.last)
            #expect(try await authority.logInclusion(of: last, in: 4)?.index == 3)
            #expect(try await authority.logInclusion(of: last, in: 3) == nil)
            #expect(try await authority.logInclusion(of: last, in: 0) == nil)
            #expect(try await authority.logInclusion(of: [1], in: 4) == nil)
            for size in [-1, 5] as [Int64] {
                #expect(
                    try await end { _ = try await authority.logInclusion(of: last, in: size) } == .parameterInvalid)
            }
            #expect(Authority.logEntries == 1000 && Authority.logDelay == .seconds(60))
        }
    }

    @Test("an answer has a thousand leaves at the most")
    func manyLeaves() async throws {
        try await withWorld(releases: 1) { world async throws in
            try await tamper(world, "UPDATE log_head SET size = 1001")
            let all = try await leaves(world).map(\.hash)
            #expect(try await world.authority.logLeafHashes(from: 0, to: 1000) == all)
            #expect(try await world.authority.logLeafHashes(from: 1, to: 1001) == Array(all[1...]))
            #expect(
                try await refusal { _ = try await world.authority.logLeafHashes(from: 0, to: 1001) }
                    == .parameterInvalid)
        }
    }

    @Test("of a log that lacks a node no proof is given that needs it")
    func missingNode() async throws {
        try await withWorld(releases: 2) { world async throws in
            try await tamper(world, "DELETE FROM log_node WHERE place = 1 << 56")
            let all = try await leaves(world).map(\.hash)
            #expect(try await world.authority.logInclusion(of: all[0], in: 4)?.path.count == 2)
            for ask in [
                { _ = try await world.authority.logInclusion(of: all[2], in: 4) },
                { _ = try await world.authority.logConsistency(from: 3, to: 4) },
            ] as [() async throws -> Void] { #expect(try await refusal(ask) == .internalError) }
        }
    }

    @Test("a number whose key is not at hand waits for the key, and one that is damaged comes in as nobody's")
    func unopened() async throws {
        try await withWorld { world async throws in
            _ = try await world.redeem(nil, try await world.token().token)
            let vault = Vault(
                MasterKey(bytes: Array(0..<32)), keeper: GivenMasterKeys(name: "x", keys: []), store: nil)
            let authority = Authority(
                configuration: world.authority.configuration, store: world.store, vault: vault, clock: world.clock,
                logger: AuthorityWorld.logger)
            try await tamper(
                world, "UPDATE subscription SET sealed_number = CAST(x'02' || zeroblob(60) AS BLOB)")
            let error = await #expect(throws: StoreError.self) { _ = try await authority.appendToLog() }
            #expect(error?.code == .keyNotAtHand)
            #expect(try await leaves(world).isEmpty)
            try await tamper(
                world, "UPDATE subscription SET sealed_number = CAST(x'01' || zeroblob(60) AS BLOB)")
            _ = try await authority.appendToLog()
            let row = try #require(try await (world.store as any Store).anySubscription())
            for leaf in try await leaves(world) {
                let input = try #require(leaf.input.flatMap(LogInput.init))
                let salt = vault.logSalt(leaf.kind, leaf.row, of: row)
                #expect(input.commitment.count == 32)
                #expect(input.commitment != LogInput.commitment(to: AuthorityWorld.number, salt: salt))
            }
            #expect(try await leaves(world).count == 2)
        }
    }

    @Test("a consent that is kept no more is no fault of its release")
    func consents() async throws {
        try await withWorld(releases: 2) { world async throws in
            try await tamper(world, "DELETE FROM consent")
            let check = try await world.authority.checkLog()
            #expect(check.problems.isEmpty && check.problemCount == 0 && check.leaves == 4 && check.heads == 1)
            #expect(check.remade == 2, "the releases")
        }
    }

    @Test("a leaf of another row of the register, or of another epoch, is not its holder's")
    func holders() async throws {
        for column in ["subscription", "epoch"] {
            try await withWorld(releases: 1) { world async throws in
                #expect(try await world.authority.checkLog().owned == 2)
                try await tamper(world, "UPDATE log_leaf SET \(column) = \(column) + 1 WHERE leaf = 1")
                let check = try await world.authority.checkLog()
                #expect(check.owned == 1 && check.remade == 2 && check.problems.isEmpty, "\(column)")
            }
        }
    }

    @Test("problems are counted without end, and a hundred of them are told")
    func problems() {
        var check = LogCheck()
        for number in 0..<150 { check.note("problem \(number)") }
        #expect(check.problemCount == 150 && check.problems.count == 100 && check.problems.last == "problem 99")
        #expect(LogCheck() == LogCheck(leaves: 0, remade: 0, owned: 0, heads: 0, problems: [], problemCount: 0))
    }

    // MARK: on a person's own phone

    @Test("a person's own list comes in pages of thirty, newest first, with what each leaf is of")
    func ownPages() async throws {
        try await withWorld(releases: 16) { world async throws in
            func page(_ before: Int64?) async throws -> (places: [Int64?], next: Int64?, first: JSON?) {
                let list = try await world.authority.ownLog(before: before, sighting: .success(world.sighting()))
                let leaves = list["leaves"]?.arrayValue ?? []
                return (leaves.map { $0["index"]?.integerValue }, list["next"]?.integerValue, leaves.first)
            }
            let first = try await page(nil)
            let expected: [Int64?] = (Int64(2)..<32).reversed().map { Int64?($0) }
            #expect(first.places == expected && first.next == 2)
            let second = try await page(first.next)
            #expect(second.places == [1, 0] && second.next == nil)
            let whole = try await page(30)
            #expect(whole.places.count == 30 && whole.next == 0, "whether there is more is not known yet")
            let empty = try await page(0)
            #expect(empty.places.isEmpty && empty.next == nil)
            #expect(first.first?["app"] == "Shop" && first.first?["kind"] == "release")
            #expect(first.first?["at"] == .integer(world.clock.now.milliseconds))
            #expect(first.first?["texts"]?.arrayValue?.contains("本机号码一键登录") == true)
            #expect(first.first?["texts"]?.arrayValue?.contains("《中国移动认证服务条款》") == true, "the links' titles too")
        }
    }

    @Test("one of a person's leaves is proved to who knows the number, of which five are tried in a day")
    func ownProofs() async throws {
        try await withWorld(releases: 1) { world async throws in
            func proof(_ leaf: Int64, _ number: PhoneNumber = AuthorityWorld.number) async throws -> Situation? {
                try await refusal {
                    let json = try await world.authority.ownLogProof(
                        of: leaf, number: number, sighting: .success(world.sighting()))
                    #expect(json["index"] == .integer(leaf))
                }
            }
            #expect(try await proof(0) == nil)
            #expect(try await proof(1) == nil)
            for leaf in [-1, 2, .max, .min] as [Int64] { #expect(try await proof(leaf) == .notFound, "\(leaf)") }
            for _ in 0..<5 { #expect(try await proof(0, AuthorityWorld.otherNumber) == .numberDiffers) }
            #expect(try await proof(0, AuthorityWorld.otherNumber) == .tooManyRequests)
            #expect(try await proof(0) == .tooManyRequests, "a right one is not told from a wrong one")
            world.clock.advance(by: .seconds(86_399))
            #expect(try await proof(0) == .tooManyRequests)
            world.clock.advance(by: .seconds(2))
            #expect(try await proof(0) == nil)
        }
    }

    @Test("a person looks at their list sixty times in an hour")
    func ownLooks() async throws {
        try await withWorld(releases: 1) { world async throws in
            func look() async throws -> Situation? {
                try await refusal {
                    _ = try await world.authority.ownLog(before: nil, sighting: .success(world.sighting()))
                }
            }
            for _ in 0..<60 { #expect(try await look() == nil) }
            #expect(try await look() == .tooManyRequests)
            world.clock.advance(by: .milliseconds(3_599_999))
            #expect(try await look() == .tooManyRequests)
            world.clock.advance(by: .milliseconds(1))
            #expect(try await look() == nil)
        }
    }
}
