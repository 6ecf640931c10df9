package import BenjiProtocol
import ShortMessages
import Synchronization

/// A short message as the phone shows it.
package struct ReceivedText: Hashable, Sendable {
    package var at: Timestamp
    package var text: String
}

/// The short messages to the sandbox's cards, in memory alone. Every viewer of the sandbox's page can read them, as a
/// phone's holder reads its messages.
final class SandboxInbox: Sendable {
    /// Messages that a card keeps.
    static let perCard = 10

    private let texts = Mutex<[PhoneNumber: [ReceivedText]]>([:])

    /// Newest first.
    func texts(to number: PhoneNumber?) -> [ReceivedText] {
        number.flatMap { number in texts.withLock { $0[number] } } ?? []
    }

    func keep(_ text: ReceivedText, to number: PhoneNumber) {
        texts.withLock { $0[number] = Array(([text] + ($0[number] ?? [])).prefix(Self.perCard)) }
    }
}

/// The sandbox's network for short messages: it brings each to the phone whose card has the number, whatever the
/// phone's data goes by.
struct SandboxSender: ShortMessageSender {
    let name = "sandbox"
    let wiring: SandboxWiring
    let clock: any WallClock

    func trouble() async -> String? { nil }

    func send(_ message: ShortMessage, before _: ContinuousClock.Instant) async -> SubmissionOutcome {
        let reference = Hexadecimal.encode(SystemRandomSource().bytes(8))
        guard let phone = wiring.phone(withNumber: message.to) else {
            // A network takes messages for phones that are off, or for unassigned numbers.
            return .accepted(by: name, reference: reference)
        }
        wiring.inbox.keep(ReceivedText(at: clock.now, text: message.text), to: message.to)
        wiring.noteMessage(message.text, to: phone)
        return .accepted(by: name, reference: reference)
    }
}
