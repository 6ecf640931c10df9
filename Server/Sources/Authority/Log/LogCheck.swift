@_spi(Server) import BenjiProtocol
package import Requests
package import Store

/// The result of a check of the whole log.
package struct LogCheck: Hashable, Sendable {
    package var leaves: Int64 = 0
    /// Leaves whose row is kept, so that they were made again from it.
    package var remade: Int64 = 0
    /// Leaves of which the register still knows whose they are.
    package var owned: Int64 = 0
    package var heads = 0
    /// Problems and their places; the first hundred.
    package var problems: [String] = []
    package var problemCount = 0

    mutating func note(_ problem: String) {
        problemCount += 1
        if problems.count < 100 { problems.append(problem) }
    }
}

extension Authority {
    /// Recomputes the whole log and compares it with the stored nodes and the signed heads. Leaves come from the ledger
    /// and the consents where they are kept, nodes and roots from the leaves.
    package func checkLog() async throws(Refusal) -> LogCheck {
        var check = LogCheck()
        let keys = try await receiptKeys()
        let heads = try await logged { store throws(StoreError) in try await store.logHeads() }
        let state = try await logged { store throws(StoreError) in try await store.logState() }
        var due = heads[...]
        var tree = MerkleTree.Growth()
        var last: [LogKind: Int64] = [:]
        checkHeads(&due, tree, keys, &check)
        while true {
            let page = try await logged { [size = tree.size] store throws(StoreError) in
                try await store.logLeaves(from: size, limit: 500)
            }
            guard !page.isEmpty else { break }
            for kind in LogKind.allCases {
                let leaves = page.filter { $0.kind == kind }
                guard let end = leaves.map(\.row).max() else { continue }
                let sources = try await logged { [begin = last[kind] ?? 0] store throws(StoreError) in
                    try await store.logSources(kind, after: begin, through: end)
                }
                last[kind] = end
                compare(leaves, with: sources, kind, &check)
            }
            for leaf in page {
                if leaf.index != tree.size {
                    check.note("leaf \(tree.size) is missing: the next one is \(leaf.index)")
                    return check
                }
                tree.append(leaf.hash)
                checkHeads(&due, tree, keys, &check)
            }
            let made = tree.takeNodes()
            let kept = try await logged { store throws(StoreError) in try await store.logNodes(made.map(\.place)) }
            let known = Dictionary(uniqueKeysWithValues: kept.map { ($0.place, $0.hash) })
            for node in made where known[node.place] != node.hash {
                let first = node.place.index << node.place.level
                check.note(
                    "the node over leaves \(first) to \(first + (1 << node.place.level) - 1) "
                        + (known[node.place] == nil ? "is missing" : "is not the hash of what is below it"))
            }
        }
        check.leaves = tree.size
        for head in due { check.note("a head of \(head.size) leaves was signed, and there are \(tree.size)") }
        for kind in LogKind.allCases {
            guard let mark = state.marks[kind], mark > last[kind] ?? 0 else { continue }
            let left = try await logged { [begin = last[kind] ?? 0] store throws(StoreError) in
                try await store.logSources(kind, after: begin, through: mark)
            }
            for source in left { check.note("the \(kind.rawValue) of row \(source.row) has no leaf") }
        }
        return check
    }

    private func checkHeads(
        _ due: inout ArraySlice<LogHead>, _ tree: MerkleTree.Growth, _ keys: [PublishedReceiptKey],
        _ check: inout LogCheck
    ) {
        while let head = due.first, head.size == tree.size {
            due.removeFirst()
            check.heads += 1
            if head.root != tree.root {
                check.note("the head of \(head.size) leaves has another root than these leaves")
            }
            do throws(JSONError) {
                let signed = try LogHead(verifying: head.text, log: vault.installation, keys: keys)
                if signed != head { check.note("the head of \(head.size) leaves is not what was signed") }
            } catch { check.note("the head of \(head.size) leaves: \(error.description)") }
        }
    }

    private func compare(
        _ leaves: [LogLeaf], with sources: [LogSource], _ kind: LogKind, _ check: inout LogCheck
    ) {
        let byRow = Dictionary(uniqueKeysWithValues: leaves.map { ($0.row, $0) })
        for source in sources where byRow[source.row] == nil {
            check.note("the \(kind.rawValue) of row \(source.row) has no leaf")
        }
        let kept = Dictionary(uniqueKeysWithValues: sources.map { ($0.row, $0) })
        for leaf in leaves {
            guard let text = leaf.input else {
                if kept[leaf.row] != nil { check.note("leaf \(leaf.index) lost what was hashed, and its row is kept") }
                continue
            }
            guard let input = LogInput(parsing: text), input.leafHash == leaf.hash else {
                check.note("leaf \(leaf.index) is not the hash of what it is said to be of")
                continue
            }
            guard let source = kept[leaf.row] else { continue }
            var remade = LogInput(source, commitment: input.commitment)
            // The consent of a release is kept for a shorter time than its line.
            if source.contentDigest == nil { remade.contentDigest = input.contentDigest }
            guard remade == input else {
                check.note("leaf \(leaf.index) says something else than the \(kind.rawValue) of row \(leaf.row)")
                continue
            }
            check.remade += 1
            guard let holder = leaf.holder, let present = source.holder, present.id == holder.subscription,
                present.epoch == holder.epoch
            else { continue }
            guard (try? vault.logCommitment(source)) == input.commitment else {
                check.note("leaf \(leaf.index) commits to another number than its holder's")
                continue
            }
            check.owned += 1
        }
    }
}
