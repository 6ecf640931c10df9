package import BenjiProtocol

/// The subject of a leaf of the public log.
package enum LogKind: String, CaseIterable, Hashable, Sendable {
    /// A person's consent, as it came.
    case consent
    /// A number that an app got, with or without a page: a ledger line (``BilledResult/tellsNumber``).
    case release
}

/// A row that has its place in the log, or waits for one.
package struct LogSource: Hashable, Sendable {
    package var kind: LogKind
    /// Its number in the table of its kind.
    package var row: Int64
    package var appID: AppID
    package var at: Timestamp
    /// The digest of the page's content; `nil` where there was no page, or its consent is not kept any more.
    package var contentDigest: String?
    /// Of a release the interface, of a consent the record as it came.
    package var detail: String
    /// The holder, if they are still in the register.
    package var holder: SubscriptionRecord?

    package init(
        kind: LogKind, row: Int64, appID: AppID, at: Timestamp, contentDigest: String?, detail: String,
        holder: SubscriptionRecord?
    ) {
        self.kind = kind
        self.row = row
        self.appID = appID
        self.at = at
        self.contentDigest = contentDigest
        self.detail = detail
        self.holder = holder
    }
}

/// A leaf of the log. Its place and its hash never change.
package struct LogLeaf: Hashable, Sendable {
    package struct Holder: Hashable, Sendable {
        package var subscription: Int64
        package var epoch: Int32

        package init(subscription: Int64, epoch: Int32) {
            self.subscription = subscription
            self.epoch = epoch
        }
    }

    /// From 0 on, without a gap.
    package var index: Int64
    /// 32 bytes (RFC 9162 §2.1.1).
    package var hash: [UInt8]
    package var kind: LogKind
    /// ``LogSource/row``.
    package var row: Int64
    /// The holder; `nil` if unknown, after their erasure, and once its row is not kept any more.
    package var holder: Holder?
    /// The hashed text; `nil` once its row is not kept any more.
    package var input: String?

    package init(index: Int64, hash: [UInt8], kind: LogKind, row: Int64, holder: Holder?, input: String?) {
        self.index = index
        self.hash = hash
        self.kind = kind
        self.row = row
        self.holder = holder
        self.input = input
    }
}

/// The hash over 2^level leaves that begin at `index` · 2^level.
package struct LogNode: Hashable, Sendable {
    /// Which node it is. A leaf is a node of level 0.
    package struct Place: Hashable, Sendable {
        package var level: Int
        package var index: Int64

        package init(level: Int, index: Int64) {
            self.level = level
            self.index = index
        }
    }

    package var place: Place
    package var hash: [UInt8]

    package init(place: Place, hash: [UInt8]) {
        self.place = place
        self.hash = hash
    }
}

/// A signed tree head: what the log was at a moment.
package struct LogHead: Hashable, Sendable {
    /// How many leaves.
    package var size: Int64
    package var root: [UInt8]
    package var at: Timestamp
    /// The signed text.
    package var text: String

    package init(size: Int64, root: [UInt8], at: Timestamp, text: String) {
        self.size = size
        self.root = root
        self.at = at
        self.text = text
    }
}

/// The source of the next leaves.
package struct LogBatch: Hashable, Sendable {
    /// Rows that are not in the log yet, in the order in which they come into it.
    package var sources: [LogSource]
    /// `nil` before the first.
    package var head: LogHead?
    /// The nodes that the leaves so far are made of, the greatest first: one for each bit of their number.
    package var frontier: [LogNode]

    package init(sources: [LogSource], head: LogHead?, frontier: [LogNode]) {
        self.sources = sources
        self.head = head
        self.frontier = frontier
    }
}

/// The additions to the log in one step.
package struct LogAddition: Hashable, Sendable {
    /// Of the batch's first rows, one each. May be empty: then only the head is new.
    package var leaves: [LogLeaf]
    /// Of levels above 0.
    package var nodes: [LogNode]
    package var head: LogHead

    package init(leaves: [LogLeaf], nodes: [LogNode], head: LogHead) {
        self.leaves = leaves
        self.nodes = nodes
        self.head = head
    }
}

/// How far the log is.
package struct LogState: Hashable, Sendable {
    /// The newest.
    package var head: LogHead?
    /// The last row of each kind that was looked at for the log.
    package var marks: [LogKind: Int64]
    /// Whether there are rows after them.
    package var hasMore: Bool

    package init(head: LogHead?, marks: [LogKind: Int64], hasMore: Bool) {
        self.head = head
        self.marks = marks
        self.hasMore = hasMore
    }
}

/// Keeps the public log of releases and consents (decision 58): leaves in an order that nothing changes, the nodes
/// above them, and signed heads.
///
/// Rows enter the log after the commit that wrote them, and never twice, however many processes work on it. A leaf may
/// lose its holder and its hashed text; its hash stays when its row goes.
package protocol LogStore: Sendable {
    /// Appends the addition that `make` returns for the next rows to the log with its head, in one durable step.
    ///
    /// `make` may run more than once and must not have effects. `nil` leaves the log as it is.
    ///
    /// - Parameter limit: rows of each kind that are looked at.
    /// - Returns: the newest head.
    func appendLog(
        limit: Int, _ make: @escaping @Sendable (LogBatch) throws(StoreError) -> LogAddition?
    ) async throws(StoreError) -> LogHead?
    func logState() async throws(StoreError) -> LogState
    /// One head of each hour, its last, and the newest; oldest first.
    func logHeads() async throws(StoreError) -> [LogHead]
    /// Leaves in their order, at most `limit`.
    func logLeaves(from index: Int64, limit: Int) async throws(StoreError) -> [LogLeaf]
    func logLeaf(hash: [UInt8]) async throws(StoreError) -> LogLeaf?
    /// A holder's leaves, newest first, at most `limit`.
    /// - Parameter before: only leaves with a smaller index; `nil` from the newest on.
    func logLeaves(
        of holder: LogLeaf.Holder, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LogLeaf]
    /// The oldest and the newest consent to each page that a holder agreed on, in the order in which they were
    /// received. Of those by a remembered consent the record has no words; one of the two nearly always has.
    func outerConsents(of holder: LogLeaf.Holder) async throws(StoreError) -> [ConsentEvidence]
    /// Those of these nodes that there are, leaves among them.
    func logNodes(_ places: [LogNode.Place]) async throws(StoreError) -> [LogNode]
    /// Rows that are kept, in their order, also those that are in the log already.
    func logSources(_ kind: LogKind, after row: Int64, through last: Int64) async throws(StoreError) -> [LogSource]
}
