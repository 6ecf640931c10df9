package import BenjiProtocol
package import Logging
package import ServerHTTP

/// Writes each log line as one JSON object, for programs that collect logs: `time`, `level`, `message`, `metadata`.
package struct JSONLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    private let clock: any WallClock
    private let output: LogOutput

    package init(clock: any WallClock = SystemWallClock(), output: LogOutput = .standardError) {
        self.clock = clock
        self.output = output
    }

    private static let second = SecondText.universal()

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let pairs = event.pairs(besides: metadata, error: "error").map { JSON.Member($0.key, Self.json($0.value)) }
        let line = JSON.object([
            "time": .string(Self.text(clock.now)), "level": .string(event.level.rawValue),
            "message": .string("\(event.message)"),
            "metadata": pairs.isEmpty ? nil : .object(pairs),
        ])
        output.append(line.serialized + [0x0a], at: event.level)
    }

    /// In UTC with milliseconds: `2026-11-22T07:00:00.042Z`.
    private static func text(_ time: Timestamp) -> String {
        let milliseconds = String(time.milliseconds - time.seconds * 1000)
        return
            "\(second.text(of: time.seconds)).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)Z"
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
}
