@_spi(Server) import BenjiProtocol
import GRDB
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("The public log of releases and consents")
struct LogTests {
    private func subscription(_ world: AuthorityWorld) async throws -> SubscriptionRecord {
        try #require(try await (world.store as any Store).subscription(world.subscription.subscription))
    }

    private func release(_ world: AuthorityWorld, times: Int = 1) async throws {
        for _ in 0..<times { _ = try await world.redeem(nil, try await world.token().token) }
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

    @Test("A released number and its consent are in the log, an answered verification is not, and its head is signed")
    func whatIsLogged() async throws {
        let world = try await AuthorityWorld()
        #expect(try await refusal { _ = try await world.authority.logHead() } == .storeUnavailable)
        _ = try await world.authority.appendToLog()
        #expect(try await world.authority.logHead().size == 0)
        try await release(world)
        let token = try await world.token(.verification)
        _ = try await world.verify(nil, token.token) { _ in true }
        #expect(try await !world.authority.appendToLog())
        let leaves = try await (world.store as any Store).logLeaves(from: 0, limit: 10)
        let inputs = try leaves.map { try #require($0.input.flatMap(LogInput.init)) }
        #expect(inputs.map(\.kind) == [.consent, .release])
        #expect(inputs.map(\.appID) == [world.app.record.id, world.app.record.id])
        #expect(inputs[1].detail == "test")
        #expect(inputs[0].contentDigest != nil && inputs[0].contentDigest == inputs[1].contentDigest)
        #expect(inputs.map(\.leafHash) == leaves.map(\.hash))
        let head = try await world.authority.logHead()
        #expect(head.size == 2 && head.root == MerkleTree.hash(leaves[0].hash, leaves[1].hash))
        let keys = try await world.authority.receiptKeys()
        let log = world.vault.installation
        #expect(try LogHead(verifying: head.text, log: log, keys: keys) == head)
        #expect(throws: JSONError.self) { try LogHead(verifying: head.text, log: "another", keys: keys) }
        let stranger = [PublishedReceiptKey(SoftwareDeviceSigner().publicKey)]
        #expect(throws: JSONError.self) { try LogHead(verifying: head.text, log: log, keys: stranger) }
        await world.end()
    }

    @Test(
        """
        A number without a page, under the app's grant, is in the log as its holder's, and a check of the log misses \
        none
        """
    )
    func withoutPage() async throws {
        let world = try await AuthorityWorld { $0.legacyNumberWithoutPage = true }
        let answer = try await world.redeem(nil, try await world.token(.verification).token)
        // Reading the steps writes them first. They state whose number it is.
        _ = try await world.authority.traceEvents(answer.trace)
        _ = try await world.authority.appendToLog()
        let evidence = try await world.authority.logEvidence(of: try await subscription(world), limit: 9)
        #expect(evidence.map(\.input.kind) == [.release] && evidence.map(\.input.contentDigest) == [nil])
        #expect(evidence.first?.input.text.contains("\n-\ntest\n") == true, "in the place of the page is a dash")
        #expect(try await world.authority.checkLog() == LogCheck(leaves: 1, remade: 1, owned: 1, heads: 1))
        // A log of rows marked "released" only would miss this row.
        try await tamper(world, "DELETE FROM log_leaf; DELETE FROM log_head")
        #expect(try await world.authority.checkLog().problems.contains("the release of row 1 has no leaf"))
        await world.end()
    }

    @Test("Answers that make no leaf do not hold up the releases behind them: a full batch of them asks for the next")
    func answersWithoutLeaves() async throws {
        let world = try await AuthorityWorld()
        var tokens: [String] = []
        for _ in 0..<3 { tokens.append(try await world.token(.verification).token) }
        _ = try await world.authority.appendToLog()
        for token in tokens { _ = try await world.verify(nil, token) { _ in true } }
        #expect(try await world.authority.appendToLog(limit: 2))
        #expect(try await world.authority.logHead().size == 0, "a verification makes no leaf")
        #expect(try await !world.authority.appendToLog(limit: 2))
        await world.end()
    }

    @Test(
        "A head is signed anew while nothing comes, and none is older than the one before it though the clock went back"
    )
    func freshHeads() async throws {
        let world = try await AuthorityWorld()
        _ = try await world.authority.appendToLog()
        let first = try await world.authority.logHead()
        _ = try await world.authority.appendToLog()
        #expect(try await world.authority.logHead() == first)
        world.clock.advance(by: .seconds(30))
        _ = try await world.authority.appendToLog()
        let second = try await world.authority.logHead()
        #expect(second.at == first.at + .seconds(30) && second.root == first.root)
        try await release(world)
        world.clock.advance(by: .seconds(-3600))
        _ = try await world.authority.appendToLog()
        let third = try await world.authority.logHead()
        #expect(third.size == 2 && third.at > second.at)
        await world.end()
    }

    @Test("Whoever asks has what proves each of their leaves, by their number alone; proofs of any size hold")
    func proofs() async throws {
        let world = try await AuthorityWorld()
        var heads: [LogHead] = []
        for _ in 0..<5 {
            try await release(world)
            world.clock.advance(by: .seconds(1))
            _ = try await world.authority.appendToLog()
            heads.append(try await world.authority.logHead())
        }
        let evidence = try await world.authority.logEvidence(of: try await subscription(world), limit: 100)
        #expect(evidence.map(\.inclusion.index) == Array((0..<10).reversed()))
        for one in evidence {
            #expect(one.input.commitment == LogInput.commitment(to: AuthorityWorld.number, salt: one.salt))
            #expect(one.input.commitment != LogInput.commitment(to: AuthorityWorld.otherNumber, salt: one.salt))
        }
        #expect(Set(evidence.map(\.salt)).count == 10)
        let some = try await world.authority.logEvidence(of: try await subscription(world), before: 7, limit: 2)
        #expect(some.map(\.inclusion.index) == [6, 5])
        for (first, second) in zip(heads, heads.dropFirst()) {
            let proof = try await world.authority.logConsistency(from: first.size, to: second.size)
            #expect(MerkleTree.isConsistent((first.size, first.root), (second.size, second.root), proof: proof))
        }
        let leaf = evidence[8].input.leafHash
        for head in heads {
            let found = try #require(try await world.authority.logInclusion(of: leaf, in: head.size))
            #expect(
                MerkleTree.isIncluded(leaf, at: 1, in: head.size, proof: found.path, root: head.root))
        }
        #expect(try await world.authority.logInclusion(of: leaf, in: 1) == nil)
        #expect(try await refusal { _ = try await world.authority.logInclusion(of: leaf, in: 11) } == .parameterInvalid)
        #expect(try await refusal { _ = try await world.authority.logConsistency(from: 3, to: 2) } == .parameterInvalid)
        #expect(try await world.authority.checkLog() == LogCheck(leaves: 10, remade: 10, owned: 10, heads: 1))
        await world.end()
    }

    @Test("A number's next holder sees nothing of the one before, and cannot prove it")
    func nextHolder() async throws {
        let world = try await AuthorityWorld()
        try await release(world)
        _ = try await world.authority.appendToLog()
        let former = try await subscription(world)
        let mine = try await world.authority.logEvidence(of: former, limit: 9)
        _ = try await (world.store as any Store).changeSubscriptions(
            [former.numberIndex].map { NumberIndex($0) }, audit: nil
        ) {
            _, present in
            var next = present
            next?.epoch += 1
            next?.epochKey = Array(repeating: 9, count: 16)
            return next
        }
        let next = try await subscription(world)
        #expect(try await world.authority.logEvidence(of: next, limit: 9).isEmpty)
        // The commitments are to the same number, and the key that they were made with is gone.
        for leaf in try await (world.store as any Store).logLeaves(from: 0, limit: 9) {
            let salt = world.vault.logSalt(leaf.kind, leaf.row, of: next)
            #expect(
                !mine.contains { $0.input.commitment == LogInput.commitment(to: AuthorityWorld.number, salt: salt) })
        }
        #expect(try await world.authority.checkLog() == LogCheck(leaves: 2, remade: 2, owned: 0, heads: 1))
        await world.end()
    }

    @Test(
        """
        Trying numbers finds nobody's leaf, neither in what is published nor in a stolen database; a hash without a \
        secret falls at once
        """
    )
    func guessing() async throws {
        let world = try await AuthorityWorld()
        try await release(world)
        _ = try await world.authority.appendToLog()
        let leaf = try #require(try await (world.store as any Store).logLeaves(from: 0, limit: 9).last)
        let input = try #require(leaf.input.flatMap(LogInput.init))
        let row = try await subscription(world)
        let numbers = (0..<2000).map { PhoneNumber("1380000\(String(10_000 + $0).suffix(4))")! }
        #expect(numbers.contains(AuthorityWorld.number))

        /// Returns the number found by an attacker who knows all of a leaf but the number, and tries these salts.
        func found(_ hash: [UInt8], _ salts: [[UInt8]]) -> PhoneNumber? {
            numbers.first { number in
                salts.contains { salt in
                    var guess = input
                    guess.commitment = LogInput.commitment(to: number, salt: salt)
                    return guess.leafHash == hash
                }
            }
        }
        // A log that hashes without a secret, and one whose salts stand in its database.
        var naive = input
        naive.commitment = LogInput.commitment(to: AuthorityWorld.number, salt: [])
        #expect(found(naive.leafHash, [[]]) == AuthorityWorld.number)
        naive.commitment = LogInput.commitment(to: AuthorityWorld.number, salt: row.epochKey)
        #expect(found(naive.leafHash, [row.epochKey]) == AuthorityWorld.number)

        let stranger = Vault(masterKey: MasterKey(bytes: Array(repeating: 7, count: 32)))
        let stolen = [[], row.epochKey, stranger.logSalt(leaf.kind, leaf.row, of: row), Array(String(leaf.row).utf8)]
        #expect(found(leaf.hash, stolen) == nil)
        let evidence = try await world.authority.logEvidence(of: row, limit: 9)
        // Another leaf's evidence does not help either: each has a salt of its own.
        #expect(found(leaf.hash, [evidence[1].salt]) == nil)
        #expect(found(leaf.hash, [evidence[0].salt]) == AuthorityWorld.number)
        await world.end()
    }

    @Test(
        """
        After an erasure the leaf is there, and whoever has all that is left, the secrets too, cannot tell whose it was
        """
    )
    func erasure() async throws {
        let world = try await AuthorityWorld()
        try await release(world)
        _ = try await world.authority.appendToLog()
        let row = try await subscription(world)
        let before = try await (world.store as any Store).logLeaves(from: 0, limit: 9)
        _ = try await (world.store as any Store).eraseSubscriber(
            SubscriberErasure(
                of: row, openIDs: [], mark: world.vault.erasureMark(of: AuthorityWorld.number), at: world.clock.now
            ) { _ in
                AuditEntry(at: world.clock.now, actor: "a", role: "operator", origin: "o", order: "subscriber.erase")
            })
        let after = try await (world.store as any Store).logLeaves(from: 0, limit: 9)
        #expect(after.map(\.hash) == before.map(\.hash))
        #expect(after.allSatisfy { $0.holder == nil })
        // The same number comes back as somebody new.
        _ = try await world.register.observe([
            .init(number: AuthorityWorld.number, imsi: "460000000000001", carrier: .mobile, eventTime: world.clock.now)
        ])
        let again = try #require(
            try await (world.store as any Store).subscription(numberIndex: world.vault.index(of: AuthorityWorld.number))
        )
        #expect(try await world.authority.logEvidence(of: again, limit: 9).isEmpty)
        for leaf in after {
            let input = try #require(leaf.input.flatMap(LogInput.init))
            let salt = world.vault.logSalt(leaf.kind, leaf.row, of: again)
            #expect(input.commitment != LogInput.commitment(to: AuthorityWorld.number, salt: salt))
        }
        #expect(try await world.authority.checkLog() == LogCheck(leaves: 2, remade: 2, owned: 0, heads: 1))
        await world.end()
    }

    @Test(
        """
        A line that is not whose login it says waits for the login's steps, and comes into the log as nobody's when \
        they do not come
        """
    )
    func nobody() async throws {
        let world = try await AuthorityWorld()
        try await release(world)
        try await tamper(world, "DELETE FROM consent; DELETE FROM trace_event")
        _ = try await (world.store as any Store).traceEvents(TraceID(random: SystemRandomSource()))
        try await tamper(world, "DELETE FROM trace_event")
        _ = try await world.authority.appendToLog()
        #expect(try await world.authority.logHead().size == 0)
        world.clock.advance(by: .seconds(6))
        _ = try await world.authority.appendToLog()
        let leaf = try #require(try await (world.store as any Store).logLeaves(from: 0, limit: 9).first)
        #expect(leaf.holder == nil && leaf.input?.contains("release\n") == true)
        await world.end()
    }

    @Test(
        "A check of the whole log says what was changed, and where",
        arguments: [
            ("UPDATE log_leaf SET hash = zeroblob(32) WHERE leaf = 3", "leaf 3 is not the hash"),
            (
                "UPDATE log_leaf SET input = replace(input, 'release', 'consent') WHERE leaf = 6",
                "leaf 6 is not the hash"
            ),
            ("UPDATE ledger SET at = at + 1 WHERE id = 2", "says something else than the release of row 2"),
            ("UPDATE consent SET app = '300000000099' WHERE id = 1", "says something else than the consent of row 1"),
            ("DELETE FROM log_leaf WHERE leaf = 2", "leaf 2 is missing"),
            ("DELETE FROM log_leaf WHERE leaf = 7", "a head of 8 leaves was signed, and there are 7"),
            ("DELETE FROM log_leaf WHERE leaf = 7", "the release of row 4 has no leaf"),
            ("UPDATE log_node SET hash = zeroblob(32) WHERE place = 1 << 56 | 1", "the node over leaves 2 to 3 is not"),
            ("DELETE FROM log_node WHERE place = 2 << 56", "the node over leaves 0 to 3 is missing"),
            ("UPDATE log_head SET root = zeroblob(32)", "the head of 8 leaves has another root"),
            ("UPDATE log_head SET at = at + 1", "the head of 8 leaves is not what was signed"),
            ("UPDATE log_head SET text = replace(text, '.', '.A')", "the head of 8 leaves: "),
            ("UPDATE log_leaf SET input = NULL WHERE leaf = 1", "leaf 1 lost what was hashed"),
            ("UPDATE subscription SET epoch_key = zeroblob(16)", "leaf 0 commits to another number"),
            (
                """
                INSERT INTO consent
                    (id, app, trace, subscription, epoch, sim_generation, content_digest, record, received_at)
                SELECT 99, app, trace, subscription, epoch, sim_generation, content_digest, record, received_at
                FROM consent WHERE id = 1;
                UPDATE log_mark SET source = 99 WHERE kind = 'consent'
                """,
                "the consent of row 99 has no leaf"
            ),
        ])
    func found(_ sql: String, _ words: String) async throws {
        let world = try await AuthorityWorld()
        try await release(world, times: 2)
        _ = try await world.authority.appendToLog()
        try await release(world, times: 2)
        _ = try await world.authority.appendToLog()
        #expect(try await world.authority.checkLog().problems.isEmpty)
        try await tamper(world, sql)
        let check = try await world.authority.checkLog()
        #expect(check.problems.contains { $0.contains(words) }, "\(check.problems)")
        await world.end()
    }
}
