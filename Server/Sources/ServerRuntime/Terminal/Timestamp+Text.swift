import BenjiProtocol
import Foundation

extension Timestamp {
    /// As people read it, in UTC: `2026-11-22T07:00:00Z`.
    package var dateText: String { Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601) }
}
