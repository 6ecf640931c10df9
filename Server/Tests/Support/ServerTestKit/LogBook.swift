package import Logging
import Synchronization

/// Keeps log lines for a test to read: `warning message name=value`, the names in their order.
package final class LogBook: Sendable {
    private let state = Mutex<[String]>([])
    private let level: Logger.Level

    /// - Parameter level: the lowest level that is kept.
    package init(from level: Logger.Level = .trace) { self.level = level }

    package var lines: [String] { state.withLock { $0 } }
    package var text: String { lines.joined(separator: "\n") }
    package var logger: Logger {
        Logger(label: "test") { [level] _ in Handler(book: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let words = ["\(event.level)", "\(event.message)"] + pairs.map { "\($0.key)=\($0.value)" }
            book.state.withLock { $0.append(words.joined(separator: " ")) }
        }
    }
}
