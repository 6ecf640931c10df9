@_spi(Server) package import BenjiProtocol

extension AccountingRequest {
    /// Reads a packet's attributes.
    ///
    /// Some attributes say who or where a subscriber is. Of the other attributes the first of each type counts, and a
    /// malformed one is ignored. A name of the NAS that has two values counts as absent, and so does an attribute
    /// without a value.
    /// - Throws: ``PacketError`` if Acct-Status-Type is missing. Also if one of the attributes that say who or where a
    ///   subscriber is, is malformed or has two values.
    package init(_ packet: Packet) throws(PacketError) {
        var layout = PacketLayout()
        try layout.read(packet.bytes.span)
        try self.init(layout, in: packet.bytes.span)
    }

    /// Reads the attributes of a packet where they lie. `layout` has read `datagram`.
    package init(_ layout: borrowing PacketLayout, in datagram: Span<UInt8>) throws(PacketError) {
        guard let status = try layout.integer(.acctStatusType, in: datagram) else {
            throw PacketError(.missing, attribute: .acctStatusType, offset: layout.length)
        }
        self.init(status: AccountingStatus(rawValue: status))
        try readStation(layout, in: datagram)
        try readAddresses(layout, in: datagram)
        delay = layout.firstValue(.acctDelayTime, in: datagram).flatMap { datagram.integer($0) }
        eventTimestamp = try layout.integer(.eventTimestamp, in: datagram)
        try readVendors(layout, in: datagram)
        try readPorts(layout, in: datagram)
    }

    private mutating func readPorts(_ layout: borrowing PacketLayout, in datagram: Span<UInt8>) throws(PacketError) {
        var offset = layout.first(.extended1)
        while offset < layout.length {
            let end = offset + Int(datagram[offset + 1])
            // No code reads the other extended types.
            if datagram[offset] == AttributeType.extended1.rawValue, end > offset + 2,
                datagram[offset + 2] == PortAttribute.Kind.range.rawValue
            {
                try read(ports: PortAttribute(datagram.attribute(at: offset)))
            }
            offset = end
        }
    }

    private mutating func readStation(
        _ layout: borrowing PacketLayout, in datagram: Span<UInt8>
    ) throws(PacketError) {
        sessionID = try layout.single(.acctSessionID, in: datagram).map { datagram.array($0) }
        readNames(layout, in: datagram)
        // Any bytes (RFC 2865 §5.31). Bytes that are not text are not a number, so they name no subscriber.
        if let value = try layout.single(.callingStationID, in: datagram) {
            callingStation = datagram.text(value) ?? String(decoding: datagram.array(value), as: UTF8.self)
        }
    }

    /// Reads the names of the NAS. A proxy may have added its own name: then neither value says which NAS it is.
    private mutating func readNames(_ layout: borrowing PacketLayout, in datagram: Span<UInt8>) {
        nasIdentifier = layout.agreed(.nasIdentifier, in: datagram).map { datagram.array($0) }
        nasIPAddress = layout.agreed(.nasIPAddress, in: datagram).flatMap { datagram.integer($0) }
            .map { InternetAddress(v4Value: $0) }
        nasIPv6Address = layout.agreed(.nasIPv6Address, in: datagram).flatMap {
            try? datagram.attribute(at: $0.lowerBound - 2).ipv6Address()
        }
    }

    private mutating func readAddresses(
        _ layout: borrowing PacketLayout, in datagram: Span<UInt8>
    ) throws(PacketError) {
        framedAddress = try layout.ipv4Address(.framedIPAddress, in: datagram)
        // RFC 2865 §5.8: all ones lets the user choose, all ones but the last bit lets the NAS choose; neither is an
        // address. Zero is none.
        if let value = framedAddress?.v4Value, value == 0 || value >> 8 == 0xff_ffff { framedAddress = nil }
        framedPrefix = try layout.ipv6Prefix(.framedIPv6Prefix, in: datagram)
    }

    private mutating func readVendors(
        _ layout: borrowing PacketLayout, in datagram: Span<UInt8>
    ) throws(PacketError) {
        var huawei = HuaweiBlock()
        var offset = layout.first(.vendorSpecific)
        while offset < layout.length {
            let end = offset + Int(datagram[offset + 1])
            if datagram[offset] == AttributeType.vendorSpecific.rawValue {
                let number = end - offset >= 6 ? datagram.integer((offset + 2)..<(offset + 6)) : nil
                switch number.map(Vendor.init(rawValue:)) {
                case .thirdGenerationPartnershipProject: try readMobile((offset + 6)..<end, in: datagram)
                case .huawei:
                    for attribute in try datagram.attribute(at: offset).vendorAttributes() {
                        try huawei.read(attribute)
                    }
                default: break
                }
            }
            offset = end
        }
        if let block = try huawei.block { portBlocks.append(block) }
    }

    /// Reads the sub-attributes of vendor 10415 that lie at `place`: all of them, or none if one does not fit.
    private mutating func readMobile(_ place: Range<Int>, in datagram: Span<UInt8>) throws(PacketError) {
        var offset = place.lowerBound
        while offset < place.upperBound {
            let end = offset + 2 <= place.upperBound ? offset + Int(datagram[offset + 1]) : offset
            guard end >= offset + 2, end <= place.upperBound else {
                throw PacketError(.attributeLength, attribute: .vendorSpecific, offset: offset)
            }
            offset = end
        }
        offset = place.lowerBound
        while offset < place.upperBound {
            let end = offset + Int(datagram[offset + 1])
            try readMobile(datagram[offset], (offset + 2)..<end, in: datagram)
            offset = end
        }
    }

    private mutating func readMobile(
        _ type: UInt8, _ value: Range<Int>, in datagram: Span<UInt8>
    ) throws(PacketError) {
        isMobile = true
        if type == ThirdGenerationAttribute.sessionStopIndicator { endsSession = true }
        // A value of no bytes is none, as in ``PacketLayout``.
        guard !value.isEmpty else { return }
        func text() throws(PacketError) -> String {
            guard let text = datagram.text(value) else {
                throw PacketError(.text, attribute: .vendorSpecific, offset: value.lowerBound - 2)
            }
            return text
        }
        switch type {
        case ThirdGenerationAttribute.imsi:
            let known = imsi
            imsi = try text()
            guard known == nil || known == imsi else {
                throw PacketError(.repeated, attribute: .vendorSpecific, offset: value.lowerBound - 2)
            }
        case ThirdGenerationAttribute.homeNetwork: homeNetwork = homeNetwork ?? datagram.text(value)
        case ThirdGenerationAttribute.servingNetwork: servingNetwork = servingNetwork ?? datagram.text(value)
        default: break
        }
    }

    private mutating func read(ports: PortAttribute?) {
        guard let ports, ports.kind == .range else { return }
        internalAddress = internalAddress ?? ports.internalAddress
        if let address = ports.externalAddress {
            portBlocks.append(
                PortBlock(address: address, ports: ports.ports ?? 0...65535, isAllocated: ports.isAllocated ?? true))
        }
    }
}

extension PacketLayout {
    /// Where the value of an attribute lies; `nil` if it is absent or has two values.
    fileprivate func agreed(_ type: AttributeType, in datagram: Span<UInt8>) -> Range<Int>? {
        try? single(type, in: datagram)
    }

    fileprivate func integer(_ type: AttributeType, in datagram: Span<UInt8>) throws(PacketError) -> UInt32? {
        guard let value = try single(type, in: datagram) else { return nil }
        guard let integer = datagram.integer(value) else {
            throw PacketError(.valueLength, attribute: type, offset: value.lowerBound - 2)
        }
        return integer
    }

    fileprivate func ipv4Address(
        _ type: AttributeType, in datagram: Span<UInt8>
    ) throws(PacketError) -> InternetAddress? {
        try integer(type, in: datagram).map { InternetAddress(v4Value: $0) }
    }

    /// One prefix may be written with more bytes and with fewer, so values are compared and not bytes.
    fileprivate func ipv6Prefix(
        _ type: AttributeType, in datagram: Span<UInt8>
    ) throws(PacketError) -> IPPrefix? {
        guard has(type) else { return nil }
        let prefix = try datagram.attribute(at: first(type)).ipv6Prefix()
        var offset = second(type)
        while offset < length {
            let end = offset + Int(datagram[offset + 1])
            if datagram[offset] == type.rawValue, end > offset + 2,
                try datagram.attribute(at: offset).ipv6Prefix() != prefix
            {
                throw PacketError(.repeated, attribute: type, offset: offset)
            }
            offset = end
        }
        return prefix
    }
}

extension Span<UInt8> {
    /// A copy of the attribute that begins at `offset`, for those that few packets have.
    fileprivate func attribute(at offset: Int) -> Attribute {
        Attribute(
            type: AttributeType(rawValue: self[offset]),
            value: ArraySlice(array((offset + 2)..<(offset + Int(self[offset + 1])))), offset: offset)
    }
}

/// Huawei writes a port block as three sub-attributes of one packet.
private struct HuaweiBlock {
    private var address: InternetAddress?
    private var start: UInt32?
    private var end: UInt32?
    private var last: VendorAttribute?

    mutating func read(_ attribute: VendorAttribute) throws(PacketError) {
        func keep<Value: Equatable>(_ value: Value, in known: inout Value?) throws(PacketError) {
            guard known == nil || known == value else { throw attribute.error(.repeated) }
            known = value
        }
        switch attribute.type {
        case HuaweiAttribute.natPublicAddress:
            guard attribute.value.count == 4, let value = InternetAddress(bytes: attribute.value) else {
                throw attribute.error(.valueLength)
            }
            try keep(value, in: &address)
        case HuaweiAttribute.natStartPort: try keep(try attribute.integer(), in: &start)
        case HuaweiAttribute.natEndPort: try keep(try attribute.integer(), in: &end)
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

extension AccountingRequest {
    /// Reads the NAS, session, subscriber, time, addresses and port blocks of a packet with invalid attributes. NAS and
    /// subscriber are read as in a valid packet; of the rest the first attribute of each type counts. Returns `nil`
    /// without Acct-Status-Type.
    package init?(readable layout: borrowing PacketLayout, in datagram: Span<UInt8>) {
        guard let place = layout.firstValue(.acctStatusType, in: datagram), let status = datagram.integer(place) else {
            return nil
        }
        self.init(status: AccountingStatus(rawValue: status))
        sessionID = layout.firstValue(.acctSessionID, in: datagram).map { datagram.array($0) }
        readNames(layout, in: datagram)
        eventTimestamp = layout.firstValue(.eventTimestamp, in: datagram).flatMap { datagram.integer($0) }
        framedAddress = layout.firstValue(.framedIPAddress, in: datagram).flatMap { datagram.integer($0) }
            .map { InternetAddress(v4Value: $0) }
        framedPrefix = layout.firstValue(.framedIPv6Prefix, in: datagram).flatMap {
            try? datagram.attribute(at: $0.lowerBound - 2).ipv6Prefix()
        }
        callingStation = layout.agreed(.callingStationID, in: datagram).flatMap { datagram.text($0) }
        // Attributes before an error count. One behind it may have said that the session ends.
        do throws(PacketError) { try readVendors(layout, in: datagram) } catch { endsSession = true }
        try? readPorts(layout, in: datagram)
    }
}
