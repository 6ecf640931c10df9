@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

struct CallingNumberTests {
    private func number(
        _ text: String, _ country: String = "CN", _ form: NetworkAccessServer.NumberForm = .international
    )
        -> String?
    {
        CallingNumber.read(text, country: country, form: form)?.e164
    }

    @Test("a number is E.164 of the NAS's country, or nobody's")
    func country() {
        #expect(number("8613800000001") == "8613800000001")
        #expect(number("+8613800000001") == "8613800000001")
        #expect(number("008613800000001") == "8613800000001")
        // An American number, as 3GPP writes it, is not eleven digits of China's.
        #expect(number("12025550123") == nil)
        #expect(number("15012345678") == nil)
        #expect(number("12025550123", "US") == "12025550123")
        #expect(number("8613800000001", "US") == nil)
    }

    @Test(
        "a number with a digit too few or too many, of no mobile phone, or that is none, is refused",
        arguments: [
            "1380075001", "861380007401", "86138000000012", "861012345678", "861064800000001", "8612000000001",
            "MACHINE",
            "", "+", "86138 0000 0001", "86138-0000-0001", "8613800000001;ext=5", "８６13800000001", "86１3800000001",
            "8613800000001\u{0}",
        ])
    func refused(text: String) {
        #expect(number(text) == nil)
        #expect(number(text, "CN", .national) == nil)
    }

    @Test("a number of mainland China is a phone's exactly if the one definition of mobile numbers has its range")
    func prefixes() throws {
        for prefix in 100...199 {
            let expected = try #require(PhoneNumber("\(prefix)00000001"))
            let e164 = expected.isMainlandMobile ? expected.e164 : nil
            #expect(number("86\(prefix)00000001") == e164, "\(prefix)")
            #expect(number("\(prefix)00000001", "CN", .national) == e164, "\(prefix)")
        }
        #expect(number("8614900000001") != nil, "libphonenumber alone does not know 149")
        #expect(number("8615400000001") == nil && number("8616000000001") == nil)
    }

    @Test("a number of China that is read without parsing it is read as the parser reads what people dial")
    func withoutParsing() {
        for beginning in 1000...1999 {
            let digits = "\(beginning)8070605"
            #expect(number("86\(digits)") == number("\(digits)", "CN", .national))
        }
    }

    @Test("where a NAS writes what people dial, its country says what that means")
    func national() {
        #expect(number("13800000001", "CN", .national) == "8613800000001")
        #expect(number("8613800000001", "CN", .national) == "8613800000001")
        #expect(number("15012345678", "CN", .national) == "8615012345678")
        #expect(number("+15012345678", "CN", .national) == nil)
        #expect(number("13800000001") == nil)
    }

    @Test("a session whose number is none is not asked about again while it says the same")
    func memory() async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "12025550123")
        try await network.send(start)
        let known = { (number: String) in
            network.gateway.directory.withLockedValue { directory in
                var event = AccountingEvent(
                    kind: .interim, nas: 0, scope: "pgw\nid:pgw-1",
                    key: SessionKey(scope: "pgw\nid:pgw-1", sessionID: Array("a".utf8)),
                    time: UInt32(network.clock.now.seconds))
                event.calling = number
                return !directory.needsRegister(event)
            }
        }
        #expect(network.holder() == .failure(.unsupportedSubscriber))
        #expect(known("12025550123") && !known("8613800000001"))
        network.clock.advance(by: 10)
        try await network.send(
            network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test(
        "a country that libphonenumber does not know is a fault of the configuration",
        arguments: ["XX", "cn", "", "CHN"])
    func unknownCountry(country: String) {
        var server = Network.server
        server.country = country
        #expect(Network.configuration([server]).problems.count == 1)
    }
}
