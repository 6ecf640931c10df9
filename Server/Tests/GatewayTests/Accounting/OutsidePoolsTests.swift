import Logging
import ServerTestKit
import Testing

@testable import Gateway

@Suite("Addresses outside the pools")
struct OutsidePoolsTests {
    @Test("A NAS that announces addresses outside its pools is named in the log, once a minute, without the address")
    func told() async throws {
        let log = LogBook(from: .notice)
        let network = try Network(logger: log.logger)
        func told() -> [String] { log.lines.filter { $0.contains("outside_pools") } }
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
