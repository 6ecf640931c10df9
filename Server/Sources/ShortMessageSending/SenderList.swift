import Metrics
package import ShortMessages
import Synchronization

/// Senders in the order in which they are asked; the next only if the one before has nothing of the message
/// (`FailOver`).
package final class SenderList: ShortMessageSender {
    package let name = "senders"
    private let senders: [any ShortMessageSender]
    private let failOver: Mutex<FailOver>

    /// - Parameter senders: one at least, in the order in which they are asked.
    package init(_ senders: [any ShortMessageSender]) {
        self.senders = senders
        failOver = Mutex(FailOver(count: senders.count))
    }

    package func send(_ message: ShortMessage, before deadline: ContinuousClock.Instant) async -> SubmissionOutcome {
        var isThrottled = false
        for index in failOver.withLock({ $0.order(at: .now) }) {
            // Too late for the caller.
            guard deadline > .now else { break }
            let outcome = await senders[index].send(message, before: deadline)
            count(outcome, of: senders[index].name)
            failOver.withLock { $0.note(outcome, of: index, at: .now) }
            guard FailOver.asksNext(after: outcome) else { return outcome }
            isThrottled = isThrottled || outcome == .notTaken(reason: .throttled)
        }
        return .notTaken(reason: isThrottled ? .throttled : .unavailable)
    }

    /// Nothing while one of them would take a message.
    package func trouble() async -> String? {
        let troubles = await troubles()
        return troubles.count == senders.count ? troubles.joined(separator: "; ") : nil
    }

    /// The problem of each sender that would take no message now.
    package func troubles() async -> [String] {
        var troubles: [String] = []
        for sender in senders { if let trouble = await sender.trouble() { troubles.append(trouble) } }
        return troubles
    }

    private func count(_ outcome: SubmissionOutcome, of sender: String) {
        let word =
            switch outcome {
            case .accepted: "accepted"
            case .notTaken(let reason): reason.rawValue
            case .unknown: "unknown"
            }
        Counter(label: "benji_sms_messages_total", dimensions: [("sender", sender), ("outcome", word)]).increment()
    }
}

/// Counts receipts and messages before passing them on.
package struct CountingListener: ShortMessageListener {
    private let listener: any ShortMessageListener

    package init(_ listener: any ShortMessageListener) { self.listener = listener }

    package func hear(_ receipt: DeliveryReceipt) async -> ReceiptOutcome {
        let outcome = await listener.hear(receipt)
        if let labels = Self.labels(of: receipt, outcome) {
            Counter(label: "benji_sms_receipts_total", dimensions: labels).increment()
        }
        return outcome
    }

    /// The labels under which a receipt counts; `nil` if it comes again. A receipt whose message is unknown is no
    /// delivery. Its error code may be any text, and so may that of a receipt that a phone may have written.
    static func labels(of receipt: DeliveryReceipt, _ outcome: ReceiptOutcome) -> [(String, String)]? {
        let state: String
        let error: String?
        switch outcome {
        case .matched: (state, error) = (receipt.state.rawValue, receipt.isFromSender ? receipt.error : nil)
        case .unmatched: (state, error) = ("unmatched", nil)
        case .notKept: return nil
        }
        return [("sender", receipt.sender), ("state", state), ("error", error ?? "none")]
    }

    package func hear(_ message: ReceivedShortMessage) async -> Bool { await listener.hear(message) }
}

/// Keeps nothing and reports that, so that the SMSC sends receipts and phones' messages again to the next that binds.
package struct UnheardShortMessages: ShortMessageListener {
    package init() {}
    package func hear(_ receipt: DeliveryReceipt) async -> ReceiptOutcome { .notKept }
    package func hear(_ message: ReceivedShortMessage) async -> Bool { false }
}
