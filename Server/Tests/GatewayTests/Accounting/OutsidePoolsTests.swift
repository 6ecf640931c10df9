import Logging
import NIOConcurrencyHelpers
import Testing

@testable import Gateway

@Suite("Addresses outside the pools")
struct OutsidePoolsTests {
    /// Keeps what is logged at notice and above.
    private struct Recorder: LogHandler {
        let lines: NIOLockedValueBox<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(
            level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
            function: String, line: UInt
        ) {
            lines.withLockedValue { $0.append("\(message) \(metadata ?? [:])") }
        }
    }

    @Test("A NAS that announces addresses outside its pools is named in the log, once a minute, without the address")
    func told() async throws {
        let lines = NIOLockedValueBox<[String]>([])
        let network = try Network(logger: Logger(label: "test") { _ in Recorder(lines: lines) })
        func told() -> [String] { lines.withLockedValue { $0.filter { $0.contains("outside_pools") } } }
        try await network.start("a", address: "10.0.0.1")
        #expect(told().isEmpty)
        for number in 1...3 { try await network.start("b\(number)", address: "192.168.0.\(number)") }
        #expect(told().count == 1)
        #expect(told().first?.contains("nas.pgw.pools") == true && told().first?.contains("192.168") == false)
        network.clock.advance(by: 59)
        try await network.start("c", address: "192.168.0.1")
        #expect(told().count == 1)
        network.clock.advance(by: 1)
        try await network.start("d", address: "192.168.0.1")
        #expect(told().count == 2)
    }
}
