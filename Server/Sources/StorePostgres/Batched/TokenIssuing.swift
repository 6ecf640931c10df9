import BenjiProtocol
import Sightings
import Store
import StoreRows

/// Token issues in one transaction: rows of the register, scrips and tokens are locked and read, then all is decided
/// here, then written. The row of the register is the number's lock: issues for one number come one after the other.
enum TokenIssuing {
    static func locks(_ issues: [TokenIssue]) -> [StoreLock] {
        var locks: [StoreLock] = []
        for issue in issues {
            locks.append(.credentials(issue.token.binding).shared)
            if let fence = issue.fence { locks.append(.pair(fence.pair).shared) }
            if let next = issue.nextScrip {
                locks.append(.credentials(next.binding).shared)
                locks.append(.credentials(next.family).shared)
            }
        }
        if issues.contains(where: { $0.consent != nil }) { locks.append(.consents.shared) }
        return locks
    }

    static func perform(
        _ issues: [TokenIssue], _ db: Session
    ) throws -> [Result<TokenIssueOutcome, StoreError>] {
        var book = try IssueBatch(issues, db)
        let results = issues.map { issue in
            Result { () throws(StoreError) in try book.decide(issue) }
        }
        try book.write(db)
        return results
    }
}

/// The rows that token issues have found, and the rows to write.
private struct IssueBatch {
    private struct Scrip {
        var app: AppID
        var subscription: SubscriptionReference
        var expiresAt: Timestamp
        /// Neither used nor revoked.
        var isAlive: Bool
    }

    private var scrips: [CredentialHash: Scrip] = [:]
    private var holders: [Int64: SubscriptionReference] = [:]
    private var unused: [Int64: [UnusedToken]] = [:]
    private var revisions: [AppID: Int64] = [:]
    private var revoked: Set<Int64> = []
    private var pairs: [String: PairStanding] = [:]
    private var counts: [NumberCounts.Day: Int] = [:]

    private var usedScrips: [CredentialHash] = []
    private var tokens: [TokenRecord] = []
    private var nextScrips: [ScripRecord] = []
    private var consents: [ConsentRows.New] = []
    private var removed: [UnusedToken] = []
    /// The moment of the latest issue.
    private let now: Timestamp
    private var counted: Set<NumberCounts.Day> = []

    init(_ issues: [TokenIssue], _ db: Session) throws {
        now = issues.map(\.now).max() ?? Timestamp(milliseconds: 0)
        let subscriptions = Values(Set(issues.map(\.token.subscription.subscription)).sorted())
        let presented = Values(Set(issues.map(\.scrip.bytes)))
        let bindings = Values(
            Set(issues.map(\.token.binding.rawValue) + issues.compactMap(\.nextScrip?.binding.rawValue)))
        // Each reads what it locks: a row may come between two statements.
        var statements = [
            Statement(
                """
                SELECT id, epoch, sim_generation FROM subscription WHERE id = ANY($1)
                ORDER BY id FOR NO KEY UPDATE
                """, subscriptions),
            Statement(
                """
                SELECT hash, app, subscription, epoch, sim_generation, expires_at, NOT used AND NOT revoked FROM scrip
                WHERE hash = ANY($1) ORDER BY hash FOR UPDATE
                """, presented),
            Statement(
                """
                SELECT hash, subscription, app, assurance, device_key, trace, issued_at FROM token
                WHERE subscription = ANY($1) AND spent_at IS NULL AND NOT revoked ORDER BY hash FOR UPDATE
                """, subscriptions),
            AppRows.revisions(of: issues.map(\.token.appID)),
            Statement("SELECT binding FROM revoked_binding WHERE binding = ANY($1)", bindings),
        ]
        let fences = issues.compactMap(\.fence)
        if !fences.isEmpty { statements.append(PairRows.standings(of: fences)) }
        let limited = Set(issues.compactMap(NumberCounts.Day.init))
        let countsPlace = statements.count
        if !limited.isEmpty { statements.append(NumberCounts.locking(limited)) }
        var book = (
            scrips: scrips, holders: holders, unused: unused, revisions: revisions, revoked: revoked, pairs: pairs,
            counts: counts
        )
        try db.run(statements) { place, answer in
            switch place {
            case 0:
                for holder in try answer.rows(of: "subscription", read: { try $0.reference() }) {
                    book.holders[holder.subscription] = holder
                }
            case 1:
                for (hash, scrip) in try answer.rows(of: "scrip", read: Self.scrip) { book.scrips[hash] = scrip }
            case 2:
                let found = try answer.rows(of: "token", read: UnusedToken.init)
                book.unused = Dictionary(grouping: found, by: \.subscription)
            case 3: book.revisions = try AppRows.revisions(answer)
            case 4: book.revoked = Set(try answer.rows(of: "revoked_binding") { try $0.integer(Int64.self) })
            case countsPlace: book.counts = try NumberCounts.read(answer)
            default: book.pairs = try PairRows.standings(answer)
            }
        }
        (scrips, holders, unused, revisions, revoked, pairs, counts) = book
    }

    private static func scrip(_ columns: inout ColumnReader) throws -> (CredentialHash, Scrip) {
        (
            try columns.hash(),
            Scrip(
                app: try columns.raw(), subscription: try columns.reference(), expiresAt: try columns.timestamp(),
                isAlive: try columns.bool())
        )
    }

    // MARK: deciding

    mutating func decide(_ issue: TokenIssue) throws(StoreError) -> TokenIssueOutcome {
        let token = issue.token
        if let revision = issue.appRevision, revisions[token.appID] != revision { return .appChanged }
        if let fence = issue.fence, pairs[fence.pair]?.isUnder(fence) != true { return .gatewayReplaced }
        // Tokens and scrips of a subscription that is not there were not locked, and are refused with it.
        guard let scrip = scrips[issue.scrip], scrip.isAlive, scrip.app == token.appID,
            scrip.expiresAt > issue.now, !revoked.contains(token.binding.rawValue)
        else { return .scripGone }
        let subscription = token.subscription.subscription
        let present = unused[subscription] ?? []
        let ofKey = present.count {
            $0.app == token.appID && $0.deviceKey == token.deviceKey && $0.issuedAt > issue.unusedSince
        }
        guard ofKey < issue.unusedPerKey else { return .tooManyForKey }
        guard scrip.subscription == token.subscription, holders[subscription] == token.subscription else {
            return .subscriptionChanged
        }
        if let limit = issue.numberLimit, let day = NumberCounts.Day(issue) {
            guard counts[day, default: 0] < limit.tokens else { return .tooManyForNumber }
            counts[day, default: 0] += 1
            counted.insert(day)
        }
        scrips[issue.scrip]?.isAlive = false
        usedScrips.append(issue.scrip)
        tokens.append(token)
        if let next = issue.nextScrip {
            nextScrips.append(next)
            scrips[next.hash] = Scrip(
                app: next.appID, subscription: next.subscription, expiresAt: next.expiresAt,
                isAlive: !revoked.contains(next.binding.rawValue))
        }
        if let consent = issue.consent { consents.append(ConsentRows.New(consent: consent, credential: token.hash)) }
        makeRoom(issue, present + [UnusedToken(token)])
        return .issued
    }

    /// Puts out the unused tokens that are too many, with the evidence of what then bought nothing.
    private mutating func makeRoom(_ issue: TokenIssue, _ present: [UnusedToken]) {
        let token = issue.token
        let counted = present.filter { $0.app == token.appID && $0.assurance == token.assurance }
        var left = present
        if counted.count > issue.unusedPerNumber {
            let out = UnusedToken.excess(counted, beyond: issue.unusedPerNumber, keeping: token.hash)
            removed += out
            let gone = Set(out.map(\.hash))
            left.removeAll { gone.contains($0.hash) }
            // One of this very transaction, too.
            tokens.removeAll { gone.contains($0.hash) }
            consents.removeAll { consent in
                out.contains { $0.hash == consent.credential && $0.trace == consent.consent.trace }
            }
        }
        unused[token.subscription.subscription] = left
    }

    // MARK: writing

    func write(_ db: Session) throws {
        if usedScrips.isEmpty { return try db.commit() }
        // The scrip of a later issue may be the next of an earlier one.
        var statements: [Statement] = []
        if !nextScrips.isEmpty { statements.append(ScripRows.inserting(nextScrips.map { NewScrip(scrip: $0) })) }
        statements.append(
            Statement("UPDATE scrip SET used = true WHERE hash = ANY($1)", Values(usedScrips.map(\.bytes))))
        if !tokens.isEmpty { statements.append(TokenRows.inserting(tokens)) }
        if !removed.isEmpty {
            statements.append(Statement("DELETE FROM token WHERE hash = ANY($1)", Values(removed.map(\.hash.bytes))))
            try ConsentRows.deletePending(of: removed.map { ($0.hash, $0.trace) }, at: now, db)
        }
        if !consents.isEmpty { statements += try ConsentRows.inserting(consents, db) }
        if !counted.isEmpty { statements.append(NumberCounts.writing(counts.filter { counted.contains($0.key) })) }
        try db.commit(after: statements)
    }
}
