@_spi(Server) import BenjiProtocol
import RADIUS
import Testing

@testable import Gateway

/// The default values of an event, its key and its fingerprint.
struct AccountingEventTests {
    @Test("a session's key is 96 bits of the SHA-256 over its NAS, a zero byte and its id, and never zero")
    func keys() {
        #expect(
            SessionKey(scope: "pgw\nid:pgw-1", sessionID: Array("a".utf8))
                == SessionKey(a: 0xe240_e949, b: 0x22a3_4072, c: 0x15d5_f995))
        #expect(SessionKey(scope: "", sessionID: []) == SessionKey(a: 0x6e34_0b9d, b: 0xffb3_7a98, c: 0x9ca5_44e6))
        #expect(SessionKey(a: 0x0000_0003, b: 0x8000_0001, c: 0x8000_0002).hash == 0x8000_0001_8000_0001)
        #expect(SessionKey.none == SessionKey(a: 0, b: 0, c: 0))
    }

    @Test("an event of which nothing more is said is dated, of no mobile network, and ends nothing")
    func defaults() {
        let event = AccountingEvent(kind: .stop, nas: 0, scope: "pgw\n", key: .none, time: 7)
        #expect(event.isTimed && !event.isMobile && !event.isOff && !event.endsSession)
        #expect(event.timestamp == Timestamp(seconds: 7) && !event.isReportOfNAT)
    }

    @Test("an event with an inside address is a report of a NAT unless it takes an address itself")
    func reports() {
        for (address, prefix, inside, isReport) in [
            (nil, nil, "10.0.0.1", true), (nil, nil, nil, false), ("10.0.0.1", nil, "10.0.0.1", false),
            (nil, "2001:db8::/64", "10.0.0.1", false),
        ] as [(String?, String?, String?, Bool)] {
            var event = AccountingEvent(kind: .start, nas: 0, scope: "pgw\n", key: .none, time: 7)
            event.address = address.map { InternetAddress($0)! }
            event.prefix = prefix.map { IPPrefix($0)! }
            event.internalAddress = inside.map { InternetAddress($0)! }
            #expect(event.isReportOfNAT == isReport)
        }
    }

    /// A packet of a header alone, and every packet that differs from it in one bit of the fingerprint's input.
    private static let packets: [[UInt8]] = {
        let packet = [4, 0x55, 0, 20] + (0..<16).map { UInt8(truncatingIfNeeded: 0x35 + $0 * 29) }
        let places = [0, 1] + Array(4..<20)
        return [packet]
            + places.flatMap { place in
                (0..<8).map { bit in
                    var other = packet
                    other[place] ^= 1 << bit
                    return other
                }
            }
    }()

    @Test(
        """
        each bit of the authenticator tells packets apart, and so does each of code and identifier, source and \
        connection
        """,
        arguments: [0..<17, 17..<145])
    func fingerprints(places: Range<Int>) {
        let sources = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:1::1"].map { InternetAddress($0)! }
        let connections = [1, 2, 1 << 33].map { DatagramBatch.Connection(number: $0, nas: 0) }
        let all =
            ([Self.packets[0]] + Self.packets[places].dropFirst(places.lowerBound == 0 ? 1 : 0)).flatMap { packet in
                sources.map { Fingerprint(of: packet.span, from: $0) }
                    + connections.map { Fingerprint(of: packet.span, through: $0) }
            }
        #expect(Set(all).count == all.count && all.count == (places.lowerBound == 0 ? 17 : 129) * 7)
        // Its length, and which NAS the connection is of, follow from the rest.
        var longer = Self.packets[0]
        (longer[2], longer[3]) = (1, 0)
        #expect(Fingerprint(of: longer.span, from: sources[0]) == all[0])
        #expect(Fingerprint(of: longer.span, through: .init(number: 1, nas: 5)) == all[4])
    }

    @Test(
        "what was seen is remembered in two generations of half the limit each, one at least",
        arguments: [
            (0, [1, 2, 3, 2, 3, 2]), (1, [1, 2, 3, 2, 3, 2]), (3, [1, 2, 3, 2, 3, 2]),
            (4, [1, 2, 3, 4, 5, 3, 4, 5, 3]),
            (5, [1, 2, 3, 4, 5, 3]), (6, [1, 2, 3, 4, 5, 6, 7, 4]),
        ] as [(Int, [Int])])
    func generations(limit: Int, counts: [Int]) {
        var cache = FingerprintCache(limit: limit)
        var found: [Int] = []
        for packet in Self.packets.prefix(counts.count) {
            let fingerprint = Fingerprint(of: packet.span, from: Network.source)
            cache[fingerprint] = .done
            #expect(cache[fingerprint] == .done)
            found.append(cache.count)
        }
        #expect(found == counts)
    }

    @Test("a bucket holds a second's packets and is filled by the millisecond, also by a clock that was put back")
    func allowance() {
        var bucket = PacketAllowance(perSecond: 3)
        func taken(_ time: Int64) -> Int { (0..<5).count { _ in bucket.take(at: time) } }
        // From a clock that shows anything.
        #expect(taken(-7_000) == 3)
        #expect(taken(-6_667) == 0 && taken(-6_666) == 1)
        #expect(taken(-6_334) == 0 && taken(-6_333) == 1)
        // Not more than a second's, however long it was.
        #expect(taken(100_000) == 3 && taken(101_000) == 3 && taken(102_500) == 3)
        #expect(taken(50_000) == 0 && taken(50_333) == 0 && taken(50_334) == 1)
        var single = PacketAllowance(perSecond: 1)
        #expect((0..<3).map { _ in single.take(at: 0) } == [true, false, false])
        #expect(!single.take(at: 999) && single.take(at: 1000) && !single.take(at: 1999))
    }

    @Test("how far a clock is ahead is the median of the last 64 dated packets, once there are eight")
    func clockOffsets() {
        var clock = ClockOffsets()
        /// Notes packets whose time is so many seconds ahead of our clock. Event times have whole seconds, hence the
        /// half.
        func note(_ seconds: Int64, _ count: Int) {
            for _ in 0..<count {
                clock.note(event: 1000, delay: UInt32(5), arrival: (1005 - seconds) * 1000 + 500)
            }
        }
        note(7, 4)
        note(2, 3)
        #expect(clock.median == nil)
        note(2, 1)
        #expect(clock.median == .seconds(7), "of eight, the fifth")
        clock = ClockOffsets()
        note(0, 1)
        note(10, 32)
        note(0, 31)
        #expect(clock.median == .seconds(10))
        // In the place of the first one.
        note(0, 1)
        #expect(clock.median == .seconds(10))
        note(0, 1)
        #expect(clock.median == .zero)
        note(10, 31)
        #expect(clock.median == .zero)
        note(10, 31)
        #expect(clock.median == .seconds(10))
        note(-3, 32)
        #expect(clock.median == .seconds(10))
        note(-3, 1)
        #expect(clock.median == .seconds(-3))
        var far = ClockOffsets()
        for _ in 0..<8 { far.note(event: .max, delay: .max, arrival: 0) }
        #expect(far.median == .milliseconds(Int64(Int32.max)))
    }

    @Test("made-up numbers are mobile ones of the country, different, and no more than there are")
    func examples() {
        let numbers = CallingNumber.examples(of: "CN", count: 1000)
        #expect(numbers.count == 100 && Set(numbers.map(\.e164)).count == 100)
        #expect(numbers.allSatisfy { $0.isMainlandMobile })
        #expect(CallingNumber.examples(of: "CN", count: 3).map(\.e164) == numbers.prefix(3).map(\.e164))
        #expect(
            CallingNumber.examples(of: "CN", count: 0).isEmpty && CallingNumber.examples(of: "XX", count: 3).isEmpty)
        let german = CallingNumber.examples(of: "DE", count: 5)
        #expect(german.count == 5 && german.allSatisfy { $0.e164.hasPrefix("491") })
    }
}
