package import BenjiProtocol

/// A carrier-grade NAT's report on a subscriber's ports: one of the three attributes of RFC 8045 §3.1.
package struct PortAttribute: Hashable, Sendable {
    /// Which of the three attributes: extended types 241.5, 241.6 and 241.7.
    package enum Kind: UInt8, Sendable, Hashable {
        /// How many ports the subscriber may use.
        case limitInfo = 5
        /// A block of ports that is given to or taken from the subscriber.
        case range = 6
        /// One external port that leads to one internal port.
        case forwardingMap = 7
    }

    package var kind: Kind
    /// IP-Port-Limit, TLV 2.
    package var limit: UInt32?
    /// IP-Port-Ext-IPv4-Addr, TLV 3: the address the world sees.
    package var externalAddress: InternetAddress?
    /// IP-Port-Int-IPv4-Addr or IP-Port-Int-IPv6-Addr, TLV 4 or 5: the address the subscriber has.
    package var internalAddress: InternetAddress?
    /// IP-Port-Int-Port, TLV 6.
    package var internalPort: UInt16?
    /// IP-Port-Ext-Port, TLV 7.
    package var externalPort: UInt16?
    /// IP-Port-Alloc, TLV 8: `true` for 1, `false` for 2, `nil` if absent.
    package var isAllocated: Bool?
    /// IP-Port-Range-Start and IP-Port-Range-End, TLVs 9 and 10. Without them a range is all ports of the address.
    package var ports: ClosedRange<UInt16>?

    package init(kind: Kind) { self.kind = kind }

    /// Reads an attribute of type 241; `nil` if its extended type is none of the three.
    package init?(_ attribute: Attribute) throws(PacketError) {
        guard let extendedType = attribute.value.first else { throw attribute.error(.valueLength) }
        guard let kind = Kind(rawValue: extendedType) else { return nil }
        self.init(kind: kind)
        var start: UInt16?
        var end: UInt16?
        var seen: Set<UInt8> = []
        for tlv in try TLV.sequence(in: attribute.value.dropFirst(), of: attribute) {
            func error(_ problem: PacketError.Problem) -> PacketError {
                PacketError(problem, attribute: attribute.type, offset: tlv.offset)
            }
            func integer() throws(PacketError) -> UInt32 {
                guard let integer = UInt32(bigEndian: tlv.value) else { throw error(.valueLength) }
                return integer
            }
            func port() throws(PacketError) -> UInt16 {
                guard let port = UInt16(exactly: try integer()) else { throw error(.portRange) }
                return port
            }
            func address(_ count: Int) throws(PacketError) -> InternetAddress {
                guard tlv.value.count == count, let address = InternetAddress(bytes: tlv.value) else {
                    throw error(.valueLength)
                }
                return address
            }
            guard seen.insert(tlv.type).inserted else { throw error(.repeated) }
            switch tlv.type {
            case 2: limit = try integer()
            case 3: externalAddress = try address(4)
            case 4: internalAddress = try address(4)
            case 5: internalAddress = try address(16)
            case 6: internalPort = try port()
            case 7: externalPort = try port()
            case 8:
                switch try integer() {
                case 1: isAllocated = true
                case 2: isAllocated = false
                default: break
                }
            case 9: start = try port()
            case 10: end = try port()
            default: break
            }
        }
        switch (start, end) {
        case (nil, nil): break
        case (let start?, let end?) where start <= end: ports = start...end
        default: throw attribute.error(.portRange)
        }
    }

    /// Lays the attribute out.
    package func encoded() throws(PacketError) -> Attribute {
        var bytes: [UInt8] = [kind.rawValue]
        func integer(_ type: UInt8, _ value: UInt32?) {
            if let value { bytes += TLV.encode(type, value.bigEndianBytes) }
        }
        integer(2, limit)
        if let externalAddress { bytes += TLV.encode(3, externalAddress.bytes) }
        if let internalAddress { bytes += TLV.encode(internalAddress.family == .v4 ? 4 : 5, internalAddress.bytes) }
        integer(6, internalPort.map(UInt32.init))
        integer(7, externalPort.map(UInt32.init))
        integer(8, isAllocated.map { $0 ? 1 : 2 })
        integer(9, ports.map { UInt32($0.lowerBound) })
        integer(10, ports.map { UInt32($0.upperBound) })
        return try Attribute(.extended1, bytes)
    }
}

/// A block of ports of a public address that is given to, or taken from, the subscriber of a packet.
package struct PortBlock: Hashable, Sendable {
    package var address: InternetAddress
    package var ports: ClosedRange<UInt16>
    /// `false` when the block is taken back.
    package var isAllocated: Bool

    package init(address: InternetAddress, ports: ClosedRange<UInt16>, isAllocated: Bool = true) {
        self.address = address
        self.ports = ports
        self.isAllocated = isAllocated
    }
}
