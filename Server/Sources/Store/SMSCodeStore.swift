package import BenjiProtocol
package import Sightings

/// Names one SMS code to the caller who ordered it: 32 random hexadecimal digits. It is not a secret without the code.
package struct SMSTransactionID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    /// `nil` unless `rawValue` is exactly 32 lower-case hexadecimal digits.
    package init?(rawValue: String) {
        guard TraceID(rawValue: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }

    package init(random: some RandomSource) { rawValue = TraceID(random: random).rawValue }
}

/// An SMS code as it is kept: neither the code nor the number that it was sent to can be read from it.
package struct SMSCodeRecord: Hashable, Sendable {
    package var id: SMSTransactionID
    package var appID: AppID
    package var purpose: TokenPurpose
    /// Keyed hash of the number, the same for all of its codes.
    package var number: BlindIndex
    /// Keyed hash of the digits and of what they are bound to.
    package var code: BlindIndex
    /// The holder of the number, if the register knows it.
    package var subscription: SubscriptionReference?
    package var trace: TraceID
    /// Wrong codes that are still answered as wrong; after them no code is judged any more.
    package var triesLeft: Int
    package var issuedAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        id: SMSTransactionID, appID: AppID, purpose: TokenPurpose, number: BlindIndex, code: BlindIndex,
        subscription: SubscriptionReference?, trace: TraceID, triesLeft: Int, issuedAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.appID = appID
        self.purpose = purpose
        self.number = number
        self.code = code
        self.subscription = subscription
        self.trace = trace
        self.triesLeft = triesLeft
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// How many codes one number is sent in any stretch of time of this length.
package struct SMSNumberLimit: Hashable, Sendable {
    package var count: Int
    package var window: Duration

    package init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }
}

/// How many codes are sent for something else than a number, from one moment to another.
package struct SMSBudget: Hashable, Sendable {
    /// The unit of counting.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case app
        /// Numbers that have all digits but the last in common.
        case prefix
        /// The caller: an app's server by its address.
        case source
    }

    package var kind: Kind
    /// Keyed hash of the name.
    package var name: BlindIndex
    package var begin: Timestamp
    package var end: Timestamp
    package var limit: Int

    package init(_ kind: Kind, name: BlindIndex, begin: Timestamp, end: Timestamp, limit: Int) {
        self.kind = kind
        self.name = name
        self.begin = begin
        self.end = end
        self.limit = limit
    }
}

/// A new code, and everything that happens in the same instant or not at all.
package struct SMSCodeIssue: Hashable, Sendable {
    package var code: SMSCodeRecord
    package var numberLimits: [SMSNumberLimit]
    /// At most one of each kind.
    package var budgets: [SMSBudget]

    package init(_ code: SMSCodeRecord, numberLimits: [SMSNumberLimit], budgets: [SMSBudget]) {
        self.code = code
        self.numberLimits = numberLimits
        self.budgets = budgets
    }
}

/// Only ``issued`` changes anything.
package enum SMSCodeIssueOutcome: Hashable, Sendable {
    case issued
    /// The number was sent as many as it may be.
    case tooManyForNumber
    case budgetUsedUp(SMSBudget.Kind)
}

/// Somebody shows digits.
package struct SMSCodeAttempt: Hashable, Sendable {
    package var id: SMSTransactionID
    package var appID: AppID
    package var purpose: TokenPurpose
    /// Keyed hash of the shown code, made as ``SMSCodeRecord/code``.
    package var code: BlindIndex
    package var now: Timestamp

    package init(id: SMSTransactionID, appID: AppID, purpose: TokenPurpose, code: BlindIndex, now: Timestamp) {
        self.id = id
        self.appID = appID
        self.purpose = purpose
        self.code = code
        self.now = now
    }
}

/// Checked in this order; only ``spent(_:)`` and ``wrong(_:)`` change anything.
package enum SMSCodeAttemptOutcome: Hashable, Sendable {
    /// It was the code, and now it is used.
    case spent(SMSCodeRecord)
    /// It was not, and a try less is left.
    case wrong(SMSCodeRecord)
    /// This app has no such code for this purpose.
    case unknown
    case alreadySpent(SMSCodeRecord)
    /// A newer one of the same app, purpose and number replaced it, or no sender took its message.
    case ended(SMSCodeRecord)
    case expired(SMSCodeRecord)
    /// All tries were wrong. Whether this one was right is not to be told.
    case triesUsedUp(SMSCodeRecord)
}

/// The outcome of handing over a code's message.
package enum SMSCodeSubmission: Hashable, Sendable {
    /// Receipts name it by `reference`.
    case accepted(by: String, reference: String)
    /// No sender took it: the code ends, and does not count against its number.
    case notTaken
}

/// A network's report about an accepted message.
package struct SMSCodeDelivery: Hashable, Sendable {
    package var sender: String
    /// The references that the code may have: one or two.
    package var references: [String]
    /// References that the code has if the network changes the number base: none to two. They may be those of other
    /// messages, so they find a code of another number only if `number` is `nil`.
    package var otherBases: [String]
    /// The number that the message was for; `nil` if the network does not name it.
    package var number: BlindIndex?
    /// Whether it concerns codes of `number` alone. Otherwise these are preferred.
    package var isOfNumber: Bool
    /// The word for it: "delivered", "expired".
    package var state: String
    package var at: Timestamp

    package init(
        sender: String, references: [String], otherBases: [String] = [], number: BlindIndex? = nil,
        isOfNumber: Bool = false, state: String, at: Timestamp
    ) {
        self.sender = sender
        self.references = references
        self.otherBases = otherBases
        self.number = number
        self.isOfNumber = isOfNumber
        self.state = state
        self.at = at
    }
}

/// Keeps SMS codes, and counts them.
package protocol SMSCodeStore: Sendable {
    /// Keeps a code, ends the one before it of the same app, purpose and number, and counts it. One durable step:
    /// however many calls and processes ask at once, no limit and no budget is passed, and a refused call is counted
    /// nowhere.
    func issueSMSCode(_ issue: SMSCodeIssue) async throws(StoreError) -> SMSCodeIssueOutcome
    /// Notes the outcome of a code's message. Has no effect on a code that is gone.
    func noteSubmission(_ submission: SMSCodeSubmission, of id: SMSTransactionID) async throws(StoreError)
    /// Compares, counts the try and spends the right code in one conditional write that is durable before this returns.
    /// However many calls and processes show one code, at most one gets ``SMSCodeAttemptOutcome/spent(_:)``, and no
    /// more than the code's tries get ``SMSCodeAttemptOutcome/wrong(_:)``.
    func trySMSCode(_ attempt: SMSCodeAttempt) async throws(StoreError) -> SMSCodeAttemptOutcome
    /// Notes a delivery with one code of that sender and one of the references or other bases. Returns this code, or
    /// `nil` if there is none. A code of the number is preferred, then one of the references, then the newest.
    func noteDelivery(_ delivery: SMSCodeDelivery) async throws(StoreError) -> SMSCodeRecord?
    /// The word for a network's last report about a code's message; `nil` if there is none, or the code is gone.
    func delivery(of id: SMSTransactionID) async throws(StoreError) -> String?
}
