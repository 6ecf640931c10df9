@_spi(Server) import BenjiProtocol

extension AccountingRequest {
    /// Reads a packet's attributes.
    /// - Throws: ``PacketError`` for an attribute that breaks its type, for one that occurs twice though it decides who
    ///   or where a subscriber is, and for a missing Acct-Status-Type. Attributes that a gateway does not need are not
    ///   looked into.
    package init(_ packet: Packet) throws(PacketError) {
        guard let status = try packet.single(.acctStatusType) else {
            throw PacketError(.missing, attribute: .acctStatusType, offset: packet.bytes.count)
        }
        self.init(status: AccountingStatus(rawValue: try status.integer()))
        try readStation(packet)
        try readAddresses(packet)
        try readTimes(packet)
        var huawei = HuaweiBlock()
        for attribute in packet.attributes where attribute.type == .vendorSpecific {
            for vendorAttribute in try attribute.vendorAttributes() {
                switch vendorAttribute.vendor {
                case .thirdGenerationPartnershipProject: try read(mobile: vendorAttribute)
                case .huawei: try huawei.read(vendorAttribute)
                default: break
                }
            }
        }
        if let block = try huawei.block { portBlocks.append(block) }
        for attribute in packet.attributes where attribute.type == .extended1 {
            guard let port = try PortAttribute(attribute), port.kind == .range else { continue }
            internalAddress = internalAddress ?? port.internalAddress
            if let address = port.externalAddress {
                portBlocks.append(
                    PortBlock(address: address, ports: port.ports ?? 0...65535, isAllocated: port.isAllocated ?? true))
            }
        }
    }

    private mutating func readStation(_ packet: Packet) throws(PacketError) {
        sessionID = try packet.single(.acctSessionID).map { Array($0.value) }
        nasIdentifier = try packet.single(.nasIdentifier)?.text()
        nasAddress = try packet.single(.nasIPv6Address)?.ipv6Address()
        if let address = try packet.single(.nasIPAddress) { nasAddress = try address.ipv4Address() }
        callingStation = try packet.single(.callingStationID)?.text()
        calledStation = try packet.single(.calledStationID)?.text()
    }

    private mutating func readAddresses(_ packet: Packet) throws(PacketError) {
        framedAddress = try packet.single(.framedIPAddress)?.ipv4Address()
        // RFC 2865 §5.8: all ones lets the user choose, all ones but the last bit lets the NAS choose; neither is an
        // address. Zero is none.
        if let bytes = framedAddress?.bytes, bytes.allSatisfy({ $0 == 0 }) || bytes[..<3].allSatisfy({ $0 == 255 }) {
            framedAddress = nil
        }
        framedPrefix = try packet.single(.framedIPv6Prefix)?.ipv6Prefix()
        delegatedPrefix = try packet.single(.delegatedIPv6Prefix)?.ipv6Prefix()
    }

    private mutating func readTimes(_ packet: Packet) throws(PacketError) {
        delay = try packet.single(.acctDelayTime)?.integer()
        eventTimestamp = try packet.single(.eventTimestamp)?.integer()
        sessionTime = try packet.single(.acctSessionTime)?.integer()
    }

    private mutating func read(mobile attribute: VendorAttribute) throws(PacketError) {
        isMobile = true
        switch attribute.type {
        case ThirdGenerationAttribute.imsi:
            guard imsi == nil else { throw attribute.error(.repeated) }
            imsi = try attribute.text()
        case ThirdGenerationAttribute.homeNetwork: homeNetwork = try attribute.text()
        case ThirdGenerationAttribute.servingNetwork: servingNetwork = try attribute.text()
        case ThirdGenerationAttribute.sessionStopIndicator: endsSession = true
        case ThirdGenerationAttribute.radioAccess: radioAccess = attribute.value.first
        default: break
        }
    }
}

/// Huawei writes a port block as three sub-attributes of one packet.
private struct HuaweiBlock {
    private var address: InternetAddress?
    private var start: UInt32?
    private var end: UInt32?
    private var last: VendorAttribute?

    mutating func read(_ attribute: VendorAttribute) throws(PacketError) {
        switch attribute.type {
        case HuaweiAttribute.natPublicAddress:
            guard address == nil else { throw attribute.error(.repeated) }
            guard attribute.value.count == 4 else { throw attribute.error(.valueLength) }
            address = InternetAddress(bytes: attribute.value)
        case HuaweiAttribute.natStartPort:
            guard start == nil else { throw attribute.error(.repeated) }
            start = try attribute.integer()
        case HuaweiAttribute.natEndPort:
            guard end == nil else { throw attribute.error(.repeated) }
            end = try attribute.integer()
        default: return
        }
        last = attribute
    }

    /// The block, if the packet had one.
    var block: PortBlock? {
        get throws(PacketError) {
            guard let last else { return nil }
            guard let address, let start, let end else { throw last.error(.missing) }
            guard let lower = UInt16(exactly: start), let upper = UInt16(exactly: end), lower <= upper else {
                throw last.error(.portRange)
            }
            return PortBlock(address: address, ports: lower...upper)
        }
    }
}
