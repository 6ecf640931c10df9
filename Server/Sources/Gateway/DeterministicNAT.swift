@_spi(Server) package import BenjiProtocol

/// A NAT that gives each inside address a fixed block of ports (RFC 7422). Inside address and port block follow from
/// each other without logs.
///
/// Blocks are handed out in order, with `blockSize` ports each, from port 1024 up. The first inside addresses share the
/// first public address. `blockSize` is 64512 divided by the inside addresses per public address, rounded down. This is
/// Junos's deterministic port block allocation.
package struct DeterministicNAT: Sendable, Hashable {
    package let inside: IPPrefix
    package let outside: IPPrefix
    /// Domain of the inside addresses.
    package let insideDomain: String
    private let sharing: UInt64
    /// Ports an inside address may use.
    package let blockSize: Int

    private static let firstPort = 1024

    /// `nil` unless both are IPv4 and the inside is not smaller than the outside, with at least one port each.
    package init?(inside: IPPrefix, outside: IPPrefix, insideDomain: String) {
        guard inside.address.family == .v4, outside.address.family == .v4, inside.length <= outside.length else {
            return nil
        }
        self.inside = inside
        self.outside = outside
        self.insideDomain = insideDomain
        sharing = UInt64(1) << UInt64(outside.length - inside.length)
        blockSize = Int(UInt64(65536 - Self.firstPort) / sharing)
        guard blockSize >= 1 else { return nil }
    }

    /// The inside address behind a public address and port; `nil` for unassigned ports.
    package func insideAddress(of address: InternetAddress, port: UInt16) -> InternetAddress? {
        guard outside.contains(address), Int(port) >= Self.firstPort else { return nil }
        let block = UInt64(Int(port) - Self.firstPort) / UInt64(blockSize)
        guard block < sharing else { return nil }
        let offset = UInt64(address.v4Value - outside.address.v4Value) * sharing + block
        return InternetAddress(v4Value: inside.address.v4Value + UInt32(offset))
    }

    /// The public address and ports of an inside address; `nil` for one that is not inside.
    package func outsideBlock(of address: InternetAddress) -> (address: InternetAddress, ports: ClosedRange<UInt16>)? {
        guard inside.contains(address) else { return nil }
        let offset = UInt64(address.v4Value - inside.address.v4Value)
        let first = Self.firstPort + Int(offset % sharing) * blockSize
        return (
            InternetAddress(v4Value: outside.address.v4Value + UInt32(offset / sharing)),
            UInt16(first)...UInt16(first + blockSize - 1)
        )
    }
}
