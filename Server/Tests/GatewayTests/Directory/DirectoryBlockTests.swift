@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// The holder of a block of ports, report by report.
struct DirectoryBlockTests {
    /// Two sessions behind one address of a NAT that is a NAS of its own; the first was given its ports at 10.
    private func behindNAT(samePerson: Bool = false) -> DirectoryAlone {
        var nat = Network.server
        (nat.name, nat.sources) = ("nat", [IPPrefix("192.0.2.2")!])
        var alone = DirectoryAlone([Network.server, nat])
        alone.now = 20
        alone.apply(alone.event(.start, "a", at: 5, address: "10.0.0.1"), person: 1)
        alone.apply(alone.event(.start, "b", at: 5, address: "10.0.0.2"), person: samePerson ? 1 : 2)
        report(&alone, of: "10.0.0.1", at: 10)
        return alone
    }

    @discardableResult
    private func report(
        _ alone: inout DirectoryAlone, of inside: String, at time: UInt32,
        _ ports: ClosedRange<UInt16> = DirectoryAlone.ports,
        isAllocated: Bool = true
    ) -> Directory.Outcome {
        var report = alone.event(.start, "nat-\(time)", at: time, nas: 1, name: "nat-1")
        report.internalAddress = InternetAddress(inside)
        report.blocks = [
            PortBlock(address: InternetAddress("203.0.113.1")!, ports: ports, isAllocated: isAllocated)
        ]
        return alone.apply(report)
    }

    private func holder(_ alone: DirectoryAlone, _ port: UInt16) -> Result<Int64, SightingRefusal> {
        alone.holder("203.0.113.1", port: port, domain: "internet")
    }

    @Test("a block that is given back and given to another in one second is the other's, in either order")
    func passesOn() {
        for isReturnFirst in [true, false] {
            var alone = behindNAT()
            for isReturn in [isReturnFirst, !isReturnFirst] {
                report(&alone, of: isReturn ? "10.0.0.1" : "10.0.0.2", at: 15, isAllocated: !isReturn)
            }
            #expect(holder(alone, 1100) == .success(2), "\(isReturnFirst)")
        }
        // For one session the order of the two is not known.
        var alone = behindNAT()
        for isReturn in [true, false] { report(&alone, of: "10.0.0.1", at: 15, isAllocated: !isReturn) }
        #expect(holder(alone, 1100) == .failure(.unknownAddress))
    }

    @Test("a session has 256 blocks at most; one more takes the place of the oldest, whose credentials end")
    func limit() throws {
        var alone = behindNAT()
        alone.now = 270
        for time in UInt32(11)...266 {
            report(&alone, of: "10.0.0.1", at: time, UInt16(time) * 100...UInt16(time) * 100 + 99)
        }
        #expect(holder(alone, 1100) == .success(1))
        let repeated = report(&alone, of: "10.0.0.1", at: 267, 26_600...26_699)
        #expect(repeated.revoked.isEmpty && holder(alone, 1100) == .success(1), "a block again is not one more")
        let outcome = report(&alone, of: "10.0.0.1", at: 268, 60_000...60_099)
        #expect(outcome.revoked.count == 1)
        #expect(holder(alone, 1100) == .failure(.unknownAddress))
        #expect(holder(alone, 1150) == .failure(.unknownAddress) && holder(alone, 60_000) == .success(1))
        let index = try #require(alone.directory.find(alone.event(.interim, "a").key))
        #expect(alone.directory.state(of: index).blocks.count == 256)
    }

    @Test("former holders of ports are forgotten, and too many of one address deny all reports of before")
    func former() {
        let site = PublicPorts.Address(domain: 0, address: 1)
        var ports = PublicPorts()
        for port in UInt16(1)...1024 { ports.note(port...port, formerAt: UInt32(port), by: 0, site) }
        #expect(ports.hadHolder(1024...1025, since: 1023, for: 1, site))
        #expect(
            !ports.hadHolder(1024...1025, since: 1024, for: 1, site)
                && !ports.hadHolder(1025...1025, since: 0, for: 1, site))
        ports.note(1025...1025, formerAt: 1000, by: 0, site)
        #expect(ports.hadHolder(60_000...60_001, since: 1024, for: 1, site))
        #expect(!ports.hadHolder(60_000...60_001, since: 1025, for: 1, site))
        ports.forget(before: 1024)
        #expect(ports.hadHolder(60_000...60_001, since: 1024, for: 1, site))
        ports.forget(before: 1025)
        #expect(!ports.hadHolder(60_000...60_001, since: 0, for: 1, site))
    }

    @Test("the newest report wins a block of ports, and of two in one second nobody is named")
    func blocks() throws {
        let both = Result<Int64, SightingRefusal>.failure(.ambiguousAddress)
        for (time, ports, holder, isLost) in [
            (9, 1024...1535, .success(1), false), (10, 1024...1535, both, false), (11, 1024...1535, .success(2), true),
            (9, 1536...2047, .success(1), false), (11, 1536...2047, .success(1), false),
            (11, 1535...1600, .success(2), true), (11, 1000...1024, .success(2), true),
            (11, 1000...1023, .success(1), false),
        ] as [(UInt32, ClosedRange<UInt16>, Result<Int64, SightingRefusal>, Bool)] {
            var alone = behindNAT()
            let before = try #require(alone.session("a")).binding
            let outcome = report(&alone, of: "10.0.0.2", at: time, ports)
            let port = min(max(ports.lowerBound, 1024), 1535)
            #expect(self.holder(alone, ports.overlaps(1024...1535) ? port : 1100) == holder, "\(time) \(ports)")
            #expect(outcome.revoked == (isLost ? [BindingID(rawValue: before)] : []), "\(time) \(ports)")
            let after = try #require(alone.session("a"))
            #expect((after.binding != before) == isLost)
            #expect((after.publicAddress == 0) == isLost)
            #expect(outcome.changes.last == .put(alone.directory.state(of: 1)))
            if isLost { #expect(outcome.changes.contains(.put(alone.directory.state(of: 0)))) }
        }
        var alone = behindNAT(samePerson: true)
        let before = try #require(alone.session("a")).binding
        let outcome = report(&alone, of: "10.0.0.2", at: 11)
        #expect(outcome.revoked.isEmpty && alone.session("a")?.binding == before)
    }

    @Test("a block that is taken back is nobody's, and known late it revokes what was earned through it")
    func blockTakenBack() throws {
        for (time, now, isLate) in [(9, 20, false), (10, 20, false), (10, 21, true), (12, 20, false)]
            as [(UInt32, UInt32, Bool)]
        {
            var alone = behindNAT()
            alone.now = now
            let before = try #require(alone.session("a")).binding
            let outcome = report(&alone, of: "10.0.0.1", at: time, 1500...1600, isAllocated: false)
            #expect(holder(alone, 1024) == (time < 10 ? .success(1) : .failure(.unknownAddress)), "\(time) \(now)")
            #expect(outcome.revoked == (isLate ? [BindingID(rawValue: before)] : []))
            #expect((alone.session("a")?.binding != before) == isLate)
            #expect((alone.session("a")?.publicAddress == 0) == (time >= 10))
            #expect(outcome.changes == [.put(alone.directory.state(of: 0))])
        }
        // Where nothing is taken back nothing is revoked.
        var alone = behindNAT()
        alone.now = 100
        let outcome = report(&alone, of: "10.0.0.1", at: 20, 2000...2001, isAllocated: false)
        #expect(outcome.revoked.isEmpty && holder(alone, 1024) == .success(1))
    }

    @Test("a report about an inside address that nobody holds, or held then, takes the block from whoever had it")
    func blockOfNobody() throws {
        for (inside, time, isLost) in [("10.0.0.9", 9, false), ("10.0.0.9", 10, true), ("10.0.0.2", 4, false)]
            as [(String, UInt32, Bool)]
        {
            var alone = behindNAT()
            let before = try #require(alone.session("a")).binding
            let outcome = report(&alone, of: inside, at: time)
            #expect(holder(alone, 1100) == (isLost ? .failure(.unknownAddress) : .success(1)), "\(inside) \(time)")
            #expect(outcome.revoked == (isLost ? [BindingID(rawValue: before)] : []))
        }
    }

    @Test("a session has blocks at several addresses, and each is left by itself")
    func severalAddresses() throws {
        var alone = DirectoryAlone()
        func event(_ kind: AccountingEvent.Kind, _ addresses: [String], isAllocated: Bool = true) -> AccountingEvent {
            var event = alone.event(kind, "a", address: kind == .start ? "10.0.0.1" : nil)
            event.blocks = addresses.map {
                PortBlock(address: InternetAddress($0)!, ports: DirectoryAlone.ports, isAllocated: isAllocated)
            }
            return event
        }
        let all = ["203.0.113.1", "203.0.113.2", "203.0.113.3"]
        alone.apply(event(.start, all + all), person: 1)
        let values = all.map { InternetAddress($0)!.v4Value }
        #expect(alone.directory.publicAddresses(of: 0) == values && alone.directory.ports.count == 3)
        alone.now = 1
        alone.apply(event(.interim, [all[0]], isAllocated: false), person: 1)
        #expect(alone.directory.publicAddresses(of: 0) == Array(values[1...]))
        #expect(alone.directory.state(of: 0).blocks.map(\.address) == Array(values[1...]))
        alone.now = 2
        alone.apply(event(.interim, [all[2]], isAllocated: false), person: 1)
        #expect(alone.directory.publicAddresses(of: 0) == [values[1]])
        #expect(alone.directory.furtherPublicAddresses.isEmpty)
        alone.apply(alone.event(.stop, "a"))
        #expect(alone.directory.ports.isEmpty && alone.directory.ports.count(of: 0) == 0)
    }
}
