@_spi(Server) package import BenjiProtocol
import Logging
package import Requests
package import Store

/// The public log of releases and consents (decision 58): what brings rows into it, and what proves that they are
/// there.
extension Authority {
    /// The promise to followers of the log: the greatest age of a head that is read, and the longest wait of a row.
    package static let logDelay: Duration = .seconds(60)
    /// The age at which a head is signed again although no leaf was added.
    static let logRenewal: Duration = .seconds(30)
    /// How long a release waits for a step of its login that says whose it is.
    static let logPatience: Duration = .seconds(5)
    /// Rows of each kind in one commit.
    package static let logBatch = 500

    /// Appends new rows to the log, and signs its head.
    ///
    /// - Parameter limit: rows of each kind that are looked at. A line of the ledger that released no number makes no
    ///   leaf.
    /// - Returns: whether there is more to bring at once.
    package func appendToLog(limit: Int = logBatch) async throws(StoreError) -> Bool {
        let state = try await store.logState()
        let isOld = state.head.map { clock.now - $0.at >= Self.logRenewal } ?? true
        guard state.hasMore || isOld else { return false }
        _ = try await store.appendLog(limit: limit) { [self] batch throws(StoreError) in
            try addition(to: batch)
        }
        guard state.hasMore else { return false }
        let marks = try await store.logState().marks
        return LogKind.allCases.contains { (marks[$0] ?? 0) - (state.marks[$0] ?? 0) >= Int64(limit) }
    }

    private func addition(to batch: LogBatch) throws(StoreError) -> LogAddition? {
        let now = clock.now
        var tree = MerkleTree.Growth(size: batch.head?.size ?? 0, frontier: batch.frontier)
        var leaves: [LogLeaf] = []
        for source in batch.sources {
            if source.holder == nil, source.kind == .release, now - source.at < Self.logPatience, source.at <= now {
                break
            }
            let input = LogInput(source, commitment: try logCommitment(source))
            leaves.append(
                LogLeaf(
                    index: tree.size, hash: input.leafHash, kind: source.kind, row: source.row,
                    holder: source.holder.map { .init(subscription: $0.id, epoch: $0.epoch) }, input: input.text))
            tree.append(input.leafHash)
        }
        let isDue = batch.head.map { now - $0.at >= Self.logRenewal } ?? true
        guard !leaves.isEmpty || isDue else { return nil }
        // A clock that went back gives no head that is older than the one before it.
        let at = batch.head.map { max(now, $0.at + .milliseconds(1)) } ?? now
        let head = try LogHead(size: tree.size, root: tree.root, at: at, vault: vault)
        return LogAddition(leaves: leaves, nodes: tree.takeNodes(), head: head)
    }

    private func logCommitment(_ source: LogSource) throws(StoreError) -> [UInt8] {
        do throws(VaultError) {
            if let known = try vault.logCommitment(source) { return known }
        } catch {
            if error.isKeyMissing { throw StoreError(.keyNotAtHand, "append to the log: a number does not open") }
            logger.error("a number in the register does not open; its leaf in the log is nobody's")
        }
        return random.bytes(32)
    }

    // MARK: what outsiders ask

    /// The newest head.
    package func logHead() async throws(Refusal) -> LogHead {
        let head = try await logged { store throws(StoreError) in try await store.logState().head }
        guard let head else { throw Refusal(.storeUnavailable, "the log has no head yet; ask again") }
        return head
    }

    package struct LogInclusion: Hashable, Sendable {
        package var index: Int64
        package var size: Int64
        package var path: [[UInt8]]
    }

    /// Where a leaf is, and the proof of it in the tree of a size; `nil` if it is not in it.
    package func logInclusion(of hash: [UInt8], in size: Int64) async throws(Refusal) -> LogInclusion? {
        try await checkLogSize(size)
        let found = try await logged { store throws(StoreError) in try await store.logLeaf(hash: hash) }
        guard let found, found.index < size else { return nil }
        return try await logInclusion(of: found.index, in: size)
    }

    private func logInclusion(of index: Int64, in size: Int64) async throws(Refusal) -> LogInclusion {
        LogInclusion(
            index: index, size: size, path: try await hashes(of: MerkleTree.inclusion(of: index, in: size)))
    }

    /// The proof that the tree of one size begins with that of another.
    package func logConsistency(from first: Int64, to second: Int64) async throws(Refusal) -> [[UInt8]] {
        guard 0 <= first, first <= second else { throw Refusal(.parameterInvalid, "first: 0 to second") }
        try await checkLogSize(second)
        return try await hashes(of: MerkleTree.consistency(from: first, to: second))
    }

    /// Hashes of leaves in their order.
    package func logLeafHashes(from start: Int64, to end: Int64) async throws(Refusal) -> [[UInt8]] {
        try await checkLogSize(end)
        guard 0 <= start, start <= end, end - start <= Self.logEntries else {
            throw Refusal(.parameterInvalid, "start, end: at most \(Self.logEntries) leaves, the first one of start")
        }
        return try await logged { store throws(StoreError) in
            try await store.logLeaves(from: start, limit: Int(end - start)).map(\.hash)
        }
    }

    /// Leaves that one answer has at the most.
    package static let logEntries: Int64 = 1000

    private func checkLogSize(_ size: Int64) async throws(Refusal) {
        let present = try await logHead().size
        guard 0 <= size, size <= present else {
            throw Refusal(.parameterInvalid, "the log has no more than \(present) leaves")
        }
    }

    private func hashes(of ranges: [Range<Int64>]) async throws(Refusal) -> [[UInt8]] {
        let places = ranges.flatMap(MerkleTree.places)
        let nodes = try await logged { store throws(StoreError) in try await store.logNodes(places) }
        let known = Dictionary(uniqueKeysWithValues: nodes.map { ($0.place, $0.hash) })
        let hashes = ranges.compactMap { MerkleTree.hash(of: $0, known) }
        guard hashes.count == ranges.count else {
            throw Refusal(.internalError, "a node of the log is missing; benji log verify tells more")
        }
        return hashes
    }

    func logged<Value: Sendable>(
        _ body: (any AuthorityStore) async throws(StoreError) -> Value
    ) async throws(Refusal) -> Value {
        do throws(StoreError) { return try await body(store) } catch { throw Refusal(error) }
    }

    // MARK: what a person asks

    /// The present names of the apps of these leaves; a deleted app has none.
    package func appNames(of evidence: [LogEvidence]) async throws(Refusal) -> [AppID: String] {
        var names: [AppID: String] = [:]
        for app in Set(evidence.map(\.input.appID)) {
            names[app] = try await logged { store throws(StoreError) in try await store.app(app)?.shownName }
        }
        return names
    }

    /// One of a holder's leaves with its proof. The salt and the number prove that the leaf is theirs.
    package struct LogEvidence: Hashable, Sendable {
        package var input: LogInput
        package var salt: [UInt8]
        package var inclusion: LogInclusion
        package var head: LogHead

        /// The input of `Examples/LogVerifier`.
        package var json: JSON {
            .object([
                "format": "benji-log-evidence/1", "leaf": .string(input.text), "salt": .string(Base64URL.encode(salt)),
                "index": .integer(inclusion.index),
                "path": .array(inclusion.path.map { .string(Base64URL.encode($0)) }), "head": .string(head.text),
            ])
        }
    }

    /// The leaves of whom the register has now, newest first, each with its proof in the tree of the newest head. What
    /// an earlier holder of the number left is never among them.
    package func logEvidence(
        of holder: SubscriptionRecord, before: Int64? = nil, limit: Int
    ) async throws(Refusal) -> [LogEvidence] {
        let head = try await logHead()
        let leaves = try await logged { store throws(StoreError) in
            try await store.logLeaves(
                of: .init(subscription: holder.id, epoch: holder.epoch), before: min(before ?? .max, head.size),
                limit: limit)
        }
        var evidence: [LogEvidence] = []
        for leaf in leaves {
            guard let input = leaf.input.flatMap(LogInput.init) else { continue }
            let inclusion = try await logInclusion(of: leaf.index, in: head.size)
            guard
                MerkleTree.isIncluded(
                    input.leafHash, at: leaf.index, in: head.size, proof: inclusion.path, root: head.root)
            else { throw Refusal(.internalError, "a leaf of the log is another; benji log verify tells more") }
            evidence.append(
                LogEvidence(
                    input: input, salt: vault.logSalt(leaf.kind, leaf.row, of: holder), inclusion: inclusion,
                    head: head))
        }
        return evidence
    }
}
