package import BenjiProtocol

/// A sender of short messages: an SMSC, a provider, a file.
package protocol ShortMessageSender: Sendable {
    /// Its name in the configuration, in metrics and in the store: letters, digits and hyphens.
    var name: String { get }
    /// Hands over one message, at most once, and waits for the answer.
    /// - Parameter deadline: when an answer comes too late for the caller.
    func send(_ message: ShortMessage, before deadline: ContinuousClock.Instant) async -> SubmissionOutcome
    /// Returns `nil` if it would take a message now, else the problem for an operator to read. Without numbers.
    func trouble() async -> String?
}

/// The outcome of handing over a message.
package enum SubmissionOutcome: Hashable, Sendable {
    /// The sender took it. Receipts name it by `reference`, which is unique at the sender of that name.
    case accepted(by: String, reference: String)
    /// The sender did not take it: another sender may be asked.
    case notTaken(reason: NotTakenReason)
    /// It may be on its way. Sending it again may send it twice.
    case unknown(by: String)
}

/// The reason why a sender did not take a message.
package enum NotTakenReason: String, Hashable, Sendable {
    /// This number gets no message, at this sender at least.
    case destination
    /// The sender takes no more for now.
    case throttled
    /// No connection, no answer to earlier messages, or the sender takes nothing.
    case unavailable
    /// It did not take this message and would not take it again.
    case refused
}

/// A network's later report on a message that was accepted.
package struct DeliveryReceipt: Hashable, Sendable {
    /// As in SMPP 3.4, 5.2.28; those that say that nothing has happened yet are left out.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        case delivered
        /// Not delivered until it expired.
        case expired
        case undeliverable
        case rejected
        case deleted
    }

    package var sender: String
    /// As the receipt writes it. That of the answer may have another form, see ``MessageReference``.
    package var reference: String
    package var state: State
    /// The network's code for a failure, such as `075` or `MK:0001`; `nil` if it gives none. Up to 33 letters, digits
    /// and punctuation marks, fit for metrics.
    package var error: String?
    /// The phone that the message was for; `nil` if the receipt does not name it.
    package var phone: PhoneNumber?
    /// Whether only the sender can have written the receipt. Otherwise a phone may have: ``phone``, about messages to
    /// other numbers too.
    package var isFromSender: Bool
    package var at: Timestamp

    package init(
        sender: String, reference: String, state: State, error: String? = nil, phone: PhoneNumber? = nil,
        isFromSender: Bool = true, at: Timestamp
    ) {
        self.sender = sender
        self.reference = reference
        self.state = state
        self.error = error
        self.phone = phone
        self.isFromSender = isFromSender
        self.at = at
    }
}

/// The listener's answer to a receipt.
package enum ReceiptOutcome: Hashable, Sendable {
    /// It is kept with its message.
    case matched
    /// No message has its reference. It would have none the next time either.
    case unmatched
    /// It could not be kept now: the network is to send it again.
    case notKept
}

/// A text that a phone sent to us.
package struct ReceivedShortMessage: Hashable, Sendable {
    package var sender: String
    package var from: PhoneNumber
    /// The number that it was sent to.
    package var to: String
    package var text: String

    package init(sender: String, from: PhoneNumber, to: String, text: String) {
        self.sender = sender
        self.from = from
        self.to = to
        self.text = text
    }
}

extension ReceivedShortMessage: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without numbers and text.
    package var description: String { "ReceivedShortMessage(sender: \(sender))" }
    package var debugDescription: String { description }
}

/// The recipient of receipts and of messages from phones.
package protocol ShortMessageListener: Sendable {
    func hear(_ receipt: DeliveryReceipt) async -> ReceiptOutcome
    /// - Returns: Whether it is kept now. If not, the network is told that it was not taken, and sends it again.
    func hear(_ message: ReceivedShortMessage) async -> Bool
}
