package import BenjiProtocol
package import Sightings

/// A text that a person is to send from their phone, as it is kept. Neither the text nor the number that it came from
/// can be read from it.
package struct SMSUpstreamRecord: Hashable, Sendable {
    package var id: SMSTransactionID
    package var appID: AppID
    /// Keyed hash of the whole text.
    package var text: BlindIndex
    /// Keyed hash of the device key that alone may ask about the text, and of what that is bound to.
    package var device: BlindIndex
    package var trace: TraceID
    package var issuedAt: Timestamp
    package var expiresAt: Timestamp
    /// Keyed hash of the number that the text came from, the same as of ``SMSCodeRecord/number``; `nil` before it has
    /// come.
    package var number: BlindIndex?
    /// The number's holder then, if the register knew it and the sender of the message may speak for its carrier.
    package var subscription: SubscriptionReference?

    package init(
        id: SMSTransactionID, appID: AppID, text: BlindIndex, device: BlindIndex, trace: TraceID, issuedAt: Timestamp,
        expiresAt: Timestamp, number: BlindIndex? = nil, subscription: SubscriptionReference? = nil
    ) {
        self.id = id
        self.appID = appID
        self.text = text
        self.device = device
        self.trace = trace
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.number = number
        self.subscription = subscription
    }
}

/// A text came.
package struct SMSUpstreamArrival: Hashable, Sendable {
    /// Keyed hash of the message's text, made as ``SMSUpstreamRecord/text``.
    package var text: BlindIndex
    package var number: BlindIndex
    package var subscription: SubscriptionReference?
    package var now: Timestamp

    package init(text: BlindIndex, number: BlindIndex, subscription: SubscriptionReference?, now: Timestamp) {
        self.text = text
        self.number = number
        self.subscription = subscription
        self.now = now
    }
}

/// Checked in this order; only ``arrived(_:)`` and ``contested(_:)`` change anything.
package enum SMSUpstreamArrivalOutcome: Hashable, Sendable {
    /// The first message with this text.
    case arrived(SMSUpstreamRecord)
    /// Another number has sent the text before: it ends, and logs in no phone.
    case contested(SMSUpstreamRecord)
    /// The same number has sent it before.
    case repeated(SMSUpstreamRecord)
    /// It was used, has ended or has expired.
    case late(SMSUpstreamRecord)
    /// No phone was given this text.
    case unknown
}

/// A phone's question about a text, or its login by it.
package struct SMSUpstreamQuestion: Hashable, Sendable {
    package var id: SMSTransactionID
    package var appID: AppID
    /// Made as ``SMSUpstreamRecord/device``.
    package var device: BlindIndex
    package var now: Timestamp

    package init(id: SMSTransactionID, appID: AppID, device: BlindIndex, now: Timestamp) {
        self.id = id
        self.appID = appID
        self.device = device
        self.now = now
    }
}

/// The state of a text, checked in this order.
package enum SMSUpstreamStanding: Hashable, Sendable {
    /// This app and device key were given no such text.
    case unknown
    case alreadySpent(SMSUpstreamRecord)
    /// It came from two numbers, or the database was restored.
    case ended(SMSUpstreamRecord)
    case expired(SMSUpstreamRecord)
    /// It has not come yet.
    case awaited(SMSUpstreamRecord)
    /// It has come, and no login used it before. After ``SMSUpstreamStore/spendSMSUpstream(_:)`` it is spent.
    case arrived(SMSUpstreamRecord)
}

/// Keeps the texts that phones are to send, and who sent them.
package protocol SMSUpstreamStore: Sendable {
    /// Keeps a text and counts it, in one durable step. However many calls and processes ask at once, no budget is
    /// passed, and a refused call is counted nowhere.
    ///
    /// - Parameter budgets: at most one of each kind.
    /// - Returns: the budget that is used up; `nil` if the text is kept.
    func issueSMSUpstream(_ record: SMSUpstreamRecord, budgets: [SMSBudget]) async throws(StoreError) -> SMSBudget.Kind?
    /// Keeps the sender of a text, in one conditional write that is durable before this returns. However many messages
    /// and processes report one, one number has it, and a second one ends it.
    func noteSMSUpstream(_ arrival: SMSUpstreamArrival) async throws(StoreError) -> SMSUpstreamArrivalOutcome
    func standing(of question: SMSUpstreamQuestion) async throws(StoreError) -> SMSUpstreamStanding
    /// Spends a text that has come, in one conditional write that is durable before this returns. However many calls
    /// and processes want it, at most one gets ``SMSUpstreamStanding/arrived(_:)``; no other answer changes anything.
    func spendSMSUpstream(_ question: SMSUpstreamQuestion) async throws(StoreError) -> SMSUpstreamStanding
}
