package import BenjiProtocol

/// An event for an app's callback, as it is put into the outbox.
package struct OutboxEvent: Hashable, Sendable {
    /// Whom an event is about: a row of the register, and which of its holders.
    package struct Holder: Hashable, Sendable {
        package var subscription: Int64
        package var epoch: Int32

        package init(subscription: Int64, epoch: Int32) {
            self.subscription = subscription
            self.epoch = epoch
        }
    }

    /// The event's own name, the same at each attempt. Nothing else has it.
    package var id: String
    package var appID: AppID
    package var type: CallbackEventType
    /// The login that it is about.
    package var trace: TraceID?
    package var holder: Holder?
    /// The body of each attempt, byte for byte: JSON without a number and without a token.
    package var payload: String
    package var at: Timestamp

    package init(
        id: String, appID: AppID, type: CallbackEventType, trace: TraceID?, holder: Holder?, payload: String,
        at: Timestamp
    ) {
        self.id = id
        self.appID = appID
        self.type = type
        self.trace = trace
        self.holder = holder
        self.payload = payload
        self.at = at
    }
}

/// The state of an event.
package enum OutboxState: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is to be sent, or is being sent.
    case waiting
    case delivered
    /// It was tried in vain for as long as it is tried, or its receiver is gone: a dead letter.
    case dead
}

/// A row of the outbox, as it is listed.
package struct OutboxEntry: Hashable, Sendable {
    /// The row's number.
    package var row: Int64
    package var event: OutboxEvent
    package var state: OutboxState
    /// When it is tried next; while it is being sent, when the sender's lease ends.
    package var dueAt: Timestamp
    /// When it happened, or was last queued again by an order.
    package var queuedAt: Timestamp
    /// Attempts that have begun since it was queued.
    package var attempts: Int
    /// The outcome of the last attempt, in a word: "204", "time-out".
    package var outcome: String?
    package var triedAt: Timestamp?

    package init(
        row: Int64, event: OutboxEvent, state: OutboxState, dueAt: Timestamp, queuedAt: Timestamp, attempts: Int,
        outcome: String?, triedAt: Timestamp?
    ) {
        self.row = row
        self.event = event
        self.state = state
        self.dueAt = dueAt
        self.queuedAt = queuedAt
        self.attempts = attempts
        self.outcome = outcome
        self.triedAt = triedAt
    }
}

/// The new state of an event after an attempt.
package struct OutboxSettlement: Hashable, Sendable {
    package var state: OutboxState
    /// From when it may be claimed again; counts only while it waits.
    package var dueAt: Timestamp
    /// The outcome of the attempt; `nil` if it was broken off before it ended. Then it is not counted.
    package var outcome: String?
    package var at: Timestamp

    package init(state: OutboxState, dueAt: Timestamp, outcome: String?, at: Timestamp) {
        self.state = state
        self.dueAt = dueAt
        self.outcome = outcome
        self.at = at
    }
}

/// Which events are sent once more.
package enum OutboxSelection: Hashable, Sendable {
    /// One, whatever became of it, but not while it waits.
    case event(String)
    /// Dead letters that were put into the outbox within this time.
    case dead(LedgerRange)
}

/// How much is in the outbox.
package struct OutboxCounts: Hashable, Sendable {
    /// Of apps with a callback that is not stopped: the others' events wait for an order.
    package var waiting: Int
    package var dead: Int
    /// Since when the oldest waits.
    package var oldest: Timestamp?

    package init(waiting: Int, dead: Int, oldest: Timestamp?) {
        self.waiting = waiting
        self.dead = dead
        self.oldest = oldest
    }
}

/// Keeps events for apps' callbacks until they are delivered. An event of a redemption is put in by
/// ``LedgerStore/redeem(_:result:event:)`` and one of an order by ``AppStore/updateApp(_:event:audit:)``, in the same
/// commit.
///
/// A sender claims an event for a while: until its lease ends no other sender gets the event. If the sender dies, the
/// event can be claimed again then. So an event is sent at least once.
package protocol OutboxStore: Sendable {
    /// Puts an event in, with the line of the order that made it.
    func addEvent(_ event: OutboxEvent, audit: AuditEntry?) async throws(StoreError)
    /// The apps with an event that can be claimed at `moment`, by id: they have a callback that is not stopped.
    func appsWithDueEvents(at moment: Timestamp) async throws(StoreError) -> [AppID]
    /// Claims the event of an app that has been due longest, if there is one: until `end` no other call gets it.
    ///
    /// - Parameter lease: names this claim, and is never used for another.
    func claimEvent(
        of app: AppID, at moment: Timestamp, until end: Timestamp, lease: String
    ) async throws(StoreError) -> OutboxEntry?
    /// Writes the result of an attempt, if the claim is still this one. Otherwise another sender has the event.
    ///
    /// - Returns: whether it was; if not, nothing is changed.
    func settleEvent(_ row: Int64, lease: String, _ settlement: OutboxSettlement) async throws(StoreError) -> Bool
    /// Events of an app, newest first, at most `limit`.
    /// - Parameter before: only rows with a smaller number; `nil` from the newest on.
    func outboxEntries(
        app: AppID, state: OutboxState?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxEntry]
    /// Has events of an app sent once more, with as many attempts as new ones.
    ///
    /// - Returns: how many.
    func replayEvents(
        of app: AppID, _ selection: OutboxSelection, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Int
    func outboxCounts() async throws(StoreError) -> OutboxCounts
    /// Makes dead letters of what has waited since before a moment, at most `limit`; returns how many.
    func giveUpEvents(queuedBefore moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Deletes events delivered before one moment, and dead letters queued before another, at most `limit` of each.
    /// Returns how many it deleted.
    func deleteEvents(
        deliveredBefore delivered: Timestamp, deadBefore dead: Timestamp, limit: Int
    ) async throws(StoreError) -> Int
}
