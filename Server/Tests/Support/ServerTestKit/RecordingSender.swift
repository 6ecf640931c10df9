package import Authority
package import ShortMessages
import Synchronization

/// Takes every message and keeps it, unless it is told what to answer.
package final class RecordingSender: ShortMessageSender {
    package let name = "recording"
    private let state = Mutex<[ShortMessage]>([])
    private let answer: @Sendable (_ number: Int) async -> SubmissionOutcome

    /// - Parameter answer: the outcome of a message by its number, from one. By default `n` is accepted as `r-n`.
    package init(
        _ answer: @escaping @Sendable (_ number: Int) async -> SubmissionOutcome = {
            .accepted(by: "recording", reference: "r-\($0)")
        }
    ) { self.answer = answer }

    /// All that it was given, whatever it answered.
    package var messages: [ShortMessage] { state.withLock { $0 } }

    /// The digits in the text of the last message; empty if there are none.
    package var code: String {
        (messages.last?.text.firstMatch(of: /[0-9]{4,10}/)).map { String($0.0) } ?? ""
    }

    package func send(_ message: ShortMessage, before _: ContinuousClock.Instant) async -> SubmissionOutcome {
        let number = state.withLock { messages in
            messages.append(message)
            return messages.count
        }
        return await answer(number)
    }

    package func trouble() async -> String? { nil }
}

extension SMSCodes.Settings {
    /// The usual ones, changed.
    package static func with(_ change: (inout SMSCodes.Settings) -> Void) -> SMSCodes.Settings {
        var settings = SMSCodes.Settings()
        change(&settings)
        return settings
    }
}
