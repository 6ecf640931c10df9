import BenjiProtocol
import Foundation
import Logging

/// Writes each log line as one JSON object, for programs that collect logs: `time`, `level`, `message`, `metadata`.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info
    private let clock: any WallClock
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a line with its end; standard error unless a test says otherwise.
    init(
        clock: any WallClock = SystemWallClock(),
        write: @escaping @Sendable (String) -> Void = Self.writeToStandardError
    ) {
        self.clock = clock
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        if let error = event.error { all["error"] = "\(error)" }
        let line = JSON.object([
            "time": .string(Self.text(clock.now)), "level": .string(event.level.rawValue),
            "message": .string("\(event.message)"),
            "metadata": all.isEmpty ? nil : Self.json(all),
        ])
        write(line.text + "\n")
    }

    /// In UTC with milliseconds: `2026-11-22T07:00:00.042Z`.
    private static func text(_ time: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func json(_ metadata: Logger.Metadata) -> JSON {
        .object(metadata.sorted { $0.key < $1.key }.map { JSON.Member($0.key, json($0.value)) })
    }

    private static func json(_ value: Logger.MetadataValue) -> JSON {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string("\(value)")
        case .array(let values): .array(values.map(json))
        case .dictionary(let values): json(values)
        }
    }

    /// In one call, so that lines of several threads do not mix.
    private static let writeToStandardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data(line.utf8))
    }
}
