package import BenjiProtocol

/// One line of the audit log: who ordered or looked at what, from where, when and why, and what it changed.
///
/// It holds no number, no key and no credential.
package struct AuditEntry: Hashable, Sendable {
    /// Counts the lines; 0 until it is written.
    package var id: Int64
    package var at: Timestamp
    /// The person or program: a user of the machine, or the name of an operator's token.
    package var actor: String
    /// The actor's role then: ``Role/rawValue`` of Administration.
    package var role: String
    /// Where the order was given: "command line", or an address.
    package var origin: String
    /// The order's name: "app.suspend".
    package var order: String
    /// The app that it is about, if it is about one.
    package var app: AppID?
    /// Another subject of it: "subscription 17", "token ops-1".
    package var subject: String?
    /// The old and new values, as JSON text of the members that changed; `nil` if there is no change.
    package var before: String?
    package var after: String?
    /// The reason that the actor gave.
    package var reason: String?
    /// ``BenjiProtocol/Situation/success``, or why the order was refused.
    package var outcome: Situation
    /// The request that gave the order; `nil` if it has no name.
    package var request: OrderRequest?

    package init(
        id: Int64 = 0, at: Timestamp, actor: String, role: String, origin: String, order: String, app: AppID? = nil,
        subject: String? = nil, before: String? = nil, after: String? = nil, reason: String? = nil,
        outcome: Situation = .success, request: OrderRequest? = nil
    ) {
        self.id = id
        self.at = at
        self.actor = actor
        self.role = role
        self.origin = origin
        self.order = order
        self.app = app
        self.subject = subject
        self.before = before
        self.after = after
        self.reason = reason
        self.outcome = outcome
        self.request = request
    }
}

/// A request that its sender named, so that sent again it is not carried out again.
package struct OrderRequest: Hashable, Sendable {
    /// The name, which its actor gave it: `Idempotency-Key` over HTTP. In the log it is a keyed hash of that.
    package var key: String
    /// A hash of the request, to distinguish the same request from another one of this name.
    package var digest: [UInt8]

    package init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// Selects lines of the audit log. A member that is `nil` matches all.
package struct AuditFilter: Hashable, Sendable, Codable {
    package var app: AppID?
    package var actor: String?
    package var order: String?
    package var since: Timestamp?
    package var until: Timestamp?

    package init(
        app: AppID? = nil, actor: String? = nil, order: String? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.app = app
        self.actor = actor
        self.order = order
        self.since = since
        self.until = until
    }
}

/// Keeps the audit log. An order that changes something writes its line with the change, in one commit. The methods
/// that change what operators decide take the line with it.
package protocol AuditStore: Sendable {
    /// Adds a line of something that changes nothing else: a refusal, a look at what concerns a person. Durable when it
    /// returns.
    ///
    /// - Throws: ``StoreError/Code/alreadyExists`` if the actor has a line of a request with this ``OrderRequest/key``.
    ///   So do the methods that write a line beside a change, and then nothing is changed.
    func appendAudit(_ entry: AuditEntry) async throws(StoreError)
    /// Lines, newest first, at most `limit`.
    /// - Parameter before: only lines with a smaller number; `nil` from the newest on.
    func auditEntries(_ filter: AuditFilter, before: Int64?, limit: Int) async throws(StoreError) -> [AuditEntry]
    /// Lines with a greater number than this, oldest first, at most `limit`: for who sends each line on. Leaves out a
    /// line whose number was never given out. With ``RowCodes/use(_:)``, and with a mark of the audit log, no line of
    /// Benji's comes later with a smaller number.
    func auditLines(after line: Int64, limit: Int) async throws(StoreError) -> [AuditEntry]
    /// The number of the newest line that ``auditLines(after:limit:)`` has; 0 if there is none.
    func lastAuditLine() async throws(StoreError) -> Int64
    /// The line of a request that has a name.
    func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry?
}
