import Foundation
import Synchronization

/// The text of a second. All that is written in one second shares it: to make it takes longer than to write the rest of
/// a log line.
package final class SecondText: Sendable {
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))
    private let make: @Sendable (Int64) -> String

    package init(make: @escaping @Sendable (Int64) -> String) { self.make = make }

    package func text(of second: Int64) -> String {
        last.withLock { last in
            if last.second != second { last = (second, make(second)) }
            return last.text
        }
    }
}

extension SecondText {
    /// - Parameters:
    ///   - format: as strftime(3) has it. No library here sets a locale, so names of days and months are English.
    ///   - isLocal: in the machine's time zone; else in UTC.
    package convenience init(as format: String, isLocal: Bool = false) {
        self.init { second in
            var (moment, fields) = (time_t(second), tm())
            _ = isLocal ? localtime_r(&moment, &fields) : gmtime_r(&moment, &fields)
            return String(unsafeUninitializedCapacity: 64) { buffer in
                buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, format, &fields) }
            }
        }
    }

    /// As the header `Date` has it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    package static func header() -> SecondText { SecondText(as: "%a, %d %b %Y %H:%M:%S GMT") }
}
