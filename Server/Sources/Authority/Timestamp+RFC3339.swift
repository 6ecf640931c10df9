package import BenjiProtocol
import Foundation

extension Timestamp {
    /// RFC 3339 in UTC with milliseconds.
    package var rfc3339: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
