@_spi(Server) import BenjiProtocol
import Sightings
import Testing

@testable import Gateway

struct MemoryTests {
    @Test(
        """
        a session with an IPv4 address takes at most 64 bytes with its entries in the indexes, and one with an IPv6 \
        prefix too 69
        """,
        arguments: [(false, 64.0), (true, 69.0)])
    func bytesPerSession(hasPrefix: Bool, most: Double) {
        #expect(MemoryLayout<PackedSession>.stride == 52)
        #expect(MemoryLayout<PublicPorts.Block>.stride == 16)
        var directory = Directory(
            configuration: Network.configuration(), random: SeededRandom(seed: 3),
            now: Timestamp(seconds: Network.start))
        var greatest = 0.0
        for index in 0..<60_000 {
            var event = AccountingEvent(
                kind: .start, nas: 0, scope: "pgw\nid:pgw-1",
                key: SessionKey(scope: "", sessionID: Array("\(index)".utf8)), time: UInt32(Network.start))
            event.address = InternetAddress(v4Value: 0x0a00_0001 + UInt32(index))
            if hasPrefix {
                event.prefix = IPPrefix(
                    address: InternetAddress(
                        bytes: [0x20, 1, 0x0d, 0xb8, 0]
                            + [UInt8(index >> 16), UInt8(index >> 8 & 255), UInt8(index & 255)]
                            + [UInt8](repeating: 0, count: 8))!, length: 64)
            }
            let reference = SubscriptionReference(subscription: Int64(index), epoch: 1, simGeneration: 1)
            _ = directory.apply(
                event, identified: .subscriber(reference, identity: 1), at: Timestamp(seconds: Network.start))
            if index > 20_000, index.isMultiple(of: 1000) {
                greatest = max(greatest, Double(directory.memory) / Double(directory.sessions.count))
            }
        }
        #expect(greatest <= most)
    }
}
