package import BenjiProtocol
import Requests

/// The detail of the trace's step `consent`. A page parses it to show the time in its own language.
package struct ConsentDetail: Hashable, Sendable {
    /// By the phone's clock.
    package var tappedAt: Timestamp
    package var assurance: Assurance

    package init(tappedAt: Timestamp, assurance: Assurance) {
        self.tappedAt = tappedAt
        self.assurance = assurance
    }

    /// - Parameter text: as ``text`` is written. Milliseconds since 1970 stood there once, and lines are kept for days.
    package init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /tapped at (\S+) by its clock, (\S+)/)?.output,
            let assurance = Assurance(rawValue: String(parts.2))
        else { return nil }
        let said = String(parts.1)
        guard let tappedAt = Int64(said).map(Timestamp.init(milliseconds:)) ?? Timestamp(rfc3339: said) else {
            return nil
        }
        self.init(tappedAt: tappedAt, assurance: assurance)
    }

    package var text: String { "tapped at \(tappedAt.rfc3339) by its clock, \(assurance.rawValue)" }
}
