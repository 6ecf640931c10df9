/// One sub-attribute of a Vendor-Specific attribute (RFC 2865 §5.26), in the usual form: a type byte, a length byte, a
/// value.
package struct VendorAttribute: Hashable, Sendable {
    /// The vendor's private enterprise number.
    package let vendor: Vendor
    package let type: UInt8
    package let value: ArraySlice<UInt8>
    /// Where the sub-attribute starts in its packet.
    package let offset: Int

    /// The four bytes as an integer, most significant first.
    package func integer() throws(PacketError) -> UInt32 {
        guard let integer = UInt32(bigEndian: value) else { throw error(.valueLength) }
        return integer
    }

    func error(_ problem: PacketError.Problem) -> PacketError {
        PacketError(problem, attribute: .vendorSpecific, offset: offset)
    }
}

/// A vendor's private enterprise number (IANA).
package struct Vendor: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 3GPP TS 29.061 §16.4.7.
    package static let thirdGenerationPartnershipProject = Vendor(rawValue: 10415)
    package static let huawei = Vendor(rawValue: 2011)
}

/// Sub-attributes of vendor 10415 that the gateway reads (3GPP TS 29.061 §16.4.7).
enum ThirdGenerationAttribute {
    static let imsi: UInt8 = 1
    static let chargingID: UInt8 = 2
    static let homeNetwork: UInt8 = 8
    static let sessionStopIndicator: UInt8 = 11
    static let servingNetwork: UInt8 = 18
    static let radioAccess: UInt8 = 21
}

/// Sub-attributes of vendor 2011 that describe a NAT port block.
enum HuaweiAttribute {
    static let natPublicAddress: UInt8 = 161
    static let natStartPort: UInt8 = 162
    static let natEndPort: UInt8 = 163
}

extension Attribute {
    /// The vendor of a Vendor-Specific attribute, and its sub-attributes.
    ///
    /// The vendor defines the bytes after its number. Only vendors known to use the usual form are parsed. For other
    /// vendors the list is empty.
    package func vendorAttributes() throws(PacketError) -> [VendorAttribute] {
        guard let number = UInt32(bigEndian: value.prefix(4)) else { throw error(.valueLength) }
        let vendor = Vendor(rawValue: number)
        guard vendor == .thirdGenerationPartnershipProject || vendor == .huawei else { return [] }
        return try TLV.sequence(in: value.dropFirst(4), of: self).map {
            VendorAttribute(vendor: vendor, type: $0.type, value: $0.value, offset: $0.offset)
        }
    }

    /// Builds a Vendor-Specific attribute with one sub-attribute of up to 247 bytes.
    package init(vendor: Vendor, type: UInt8, _ value: some Collection<UInt8>) throws(PacketError) {
        guard value.count <= 247 else { throw PacketError(.tooLong, attribute: .vendorSpecific, offset: 0) }
        try self.init(.vendorSpecific, vendor.rawValue.bigEndianBytes + [type, UInt8(value.count + 2)] + Array(value))
    }
}
