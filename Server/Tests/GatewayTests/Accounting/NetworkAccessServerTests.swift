import BenjiProtocol
import Testing

@testable import Gateway

struct NetworkAccessServerTests {
    @Test(
        "a NAS has one source if it has one address or one certificate, however often that is listed",
        arguments: [
            (["192.0.2.1"], 0, false), (["192.0.2.1", "192.0.2.1"], 0, false), (["192.0.2.1", "192.0.2.2"], 0, true),
            (["192.0.2.0/31"], 0, true), (["192.0.2.1", "192.0.2.0/24"], 0, true), (["2001:db8::1"], 0, false),
            (["2001:db8::/127"], 0, true), ([], 0, false), ([], 1, false), ([], 2, true),
        ] as [([String], Int, Bool)])
    func sources(sources: [String], certificates: Int, hasMany: Bool) {
        var nas = Network.server
        nas.sources = sources.map { IPPrefix($0)! }
        nas.certificates = (0..<certificates).map { .host("\($0).example") }
        #expect(nas.hasManySources == hasMany)
    }

    @Test("a NAS speaks from its sources, and of addresses and prefixes inside its pools")
    func pools() {
        var nas = Network.server
        nas.sources = [IPPrefix("192.0.2.1")!, IPPrefix("198.51.100.0/24")!]
        for (source, isItsOwn) in [("192.0.2.1", true), ("192.0.2.2", false), ("198.51.100.9", true)] {
            #expect(nas.maySend(from: InternetAddress(source)!) == isItsOwn)
        }
        nas.pools = [IPPrefix("10.0.0.0/8")!, IPPrefix("2001:db8::/32")!]
        for (address, isItsOwn) in [("10.0.0.1", true), ("11.0.0.1", false), ("2001:db8::1", true), ("::1", false)] {
            #expect(nas.mayAnnounce(InternetAddress(address)!) == isItsOwn)
        }
        for (prefix, isItsOwn) in [
            ("2001:db8::/32", true), ("2001:db8:1::/64", true), ("2001:db8::/31", false), ("2001:db9::/64", false),
        ] {
            #expect(nas.mayAnnounce(IPPrefix(prefix)!) == isItsOwn, "\(prefix)")
        }
    }

    @Test("a number can log in if a range has it, and no range that is left out")
    func numbers() throws {
        var nas = Network.server
        let number = try #require(nas.number("8613800000001"))
        let second = try #require(nas.number("8613900000002"))
        for (ranges, excluded, served) in [
            (nil, [], [true, true]), (nil, ["86139"], [true, false]), (["86138"], [], [true, false]),
            (["86138", "86139"], ["861390"], [true, false]), ([], [], [false, false]),
        ] as [([String]?, [String], [Bool])] {
            (nas.numberRanges, nas.excludedNumberRanges) = (ranges, excluded)
            #expect([nas.serves(number), nas.serves(second)] == served)
        }
    }
}
