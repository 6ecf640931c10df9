package import BenjiProtocol
import Foundation

extension Timestamp {
    /// RFC 3339 in UTC with milliseconds.
    package var rfc3339: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// The same of a moment that anybody may have written: of the nearer end outside the years 1970 to 9999.
    package var boundedText: String {
        Timestamp(milliseconds: min(max(milliseconds, 0), 253_402_300_799_999)).rfc3339
    }

    /// - Parameter text: as ``rfc3339`` writes it.
    package init?(rfc3339 text: String) {
        guard let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text) else { return nil }
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
