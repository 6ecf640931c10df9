@_spi(Server) import BenjiProtocol

extension AccountingRequest {
    /// The request as a signed packet, for a program that plays a NAS.
    /// - Parameters:
    ///   - proxyStates: what proxies on the way have added, in order (RFC 2865 §5.33).
    ///   - withMessageAuthenticator: adds RFC 2869's Message-Authenticator.
    package func packet(
        identifier: UInt8, secret: SharedSecret, proxyStates: [[UInt8]] = [], withMessageAuthenticator: Bool = false
    ) throws(PacketError) -> [UInt8] {
        var attributes = try attributes()
        for state in proxyStates { attributes.append(try Attribute(.proxyState, state)) }
        return try Packet.accountingRequest(
            identifier: identifier, attributes: attributes, secret: secret,
            withMessageAuthenticator: withMessageAuthenticator)
    }

    /// The attributes that say what this request says.
    package func attributes() throws(PacketError) -> [Attribute] {
        var list: [Attribute] = []
        func add(_ type: AttributeType, _ value: [UInt8]?) throws(PacketError) {
            if let value { list.append(try Attribute(type, value)) }
        }
        func add(_ type: AttributeType, text: String?) throws(PacketError) {
            try add(type, text.map { Array($0.utf8) })
        }
        func add(_ type: AttributeType, integer: UInt32?) throws(PacketError) {
            try add(type, integer?.bigEndianBytes)
        }
        try add(.acctStatusType, integer: status.rawValue)
        try add(.acctSessionID, sessionID)
        try add(.nasIdentifier, nasIdentifier)
        try add(.nasIPAddress, nasIPAddress?.bytes)
        try add(.nasIPv6Address, nasIPv6Address?.bytes)
        try add(.framedIPAddress, framedAddress?.bytes)
        if let framedPrefix { list.append(try Attribute.ipv6Prefix(.framedIPv6Prefix, framedPrefix)) }
        try add(.callingStationID, text: callingStation)
        try add(.calledStationID, text: calledStation)
        try add(.acctDelayTime, integer: delay)
        try add(.eventTimestamp, integer: eventTimestamp)
        list += try mobileAttributes()
        for (index, block) in portBlocks.enumerated() {
            var attribute = PortAttribute(kind: .range)
            attribute.externalAddress = block.address
            attribute.internalAddress = index == 0 ? internalAddress : nil
            attribute.ports = block.ports
            attribute.isAllocated = block.isAllocated
            list.append(try attribute.encoded())
        }
        return list
    }

    private func mobileAttributes() throws(PacketError) -> [Attribute] {
        var list: [Attribute] = []
        func add(_ type: UInt8, _ value: [UInt8]?) throws(PacketError) {
            guard let value else { return }
            list.append(try Attribute(vendor: .thirdGenerationPartnershipProject, type: type, value))
        }
        try add(ThirdGenerationAttribute.imsi, imsi.map { Array($0.utf8) })
        try add(ThirdGenerationAttribute.homeNetwork, homeNetwork.map { Array($0.utf8) })
        try add(ThirdGenerationAttribute.servingNetwork, servingNetwork.map { Array($0.utf8) })
        try add(ThirdGenerationAttribute.radioAccess, radioAccess.map { [$0] })
        try add(ThirdGenerationAttribute.sessionStopIndicator, endsSession ? [0xff] : nil)
        // Without any other, the NSAPI shows that a mobile network speaks: default bearer 5 (TS 29.061 §16.4.7.2,
        // 3GPP-NSAPI).
        if list.isEmpty, isMobile { try add(10, Array("5".utf8)) }
        return list
    }
}
