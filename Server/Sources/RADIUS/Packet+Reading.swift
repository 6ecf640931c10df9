import BenjiProtocol
import Foundation

/// An attribute of a packet, or a vendor's sub-attribute, as people read it.
///
/// It holds what the packet holds: a subscriber's number among it. It is for somebody who opens a packet, and for no
/// log.
package struct ReadableAttribute: Hashable, Sendable {
    /// As the standard calls it; the number where this package knows no name.
    package let name: String
    /// `nil` where the bytes are no value of the attribute's type, and where the type is not known.
    package let value: String?
    /// The bytes of the value alone.
    package let bytes: [UInt8]
}

extension PacketCode {
    /// As RFC 2866 §3 and RFC 5997 §2 call it.
    package var name: String {
        switch self {
        case .accountingRequest: "Accounting-Request"
        case .accountingResponse: "Accounting-Response"
        case .statusServer: "Status-Server"
        default: "\(rawValue)"
        }
    }
}

extension Packet {
    /// All attributes in the packet's order, those of vendors taken apart.
    package var readable: [ReadableAttribute] { attributes.flatMap(\.readable) }
}

extension Attribute {
    /// The name of an attribute in the standards; its number where this package knows no name.
    static func name(of type: AttributeType) -> String { names[type]?.name ?? "\(type.rawValue)" }

    fileprivate var readable: [ReadableAttribute] {
        if type == .vendorSpecific, let parts = try? vendorAttributes(), !parts.isEmpty {
            return parts.map { part in
                let known = Self.vendorNames[part.vendor]?[part.type]
                return ReadableAttribute(
                    name: known?.name ?? "\(Self.vendorName(part.vendor))-\(part.type)",
                    value: known?.form.text(part.value), bytes: Array(part.value))
            }
        }
        let known = Self.names[type]
        return [
            ReadableAttribute(
                name: Self.name(of: type), value: known?.form.text(value), bytes: Array(value))
        ]
    }

    /// How the bytes of a value are read (RFC 8044 §3).
    private enum Form {
        case text, integer, time, address, prefix, status, octet
        /// Nothing that says more than its bytes.
        case opaque

        func text(_ value: ArraySlice<UInt8>) -> String? {
            switch self {
            case .text: String(validating: value, as: UTF8.self)
            case .integer: UInt32(bigEndian: value).map { "\($0)" }
            case .time: UInt32(bigEndian: value).map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) }
            case .address: InternetAddress(bytes: value).map { "\($0)" }
            case .prefix: (try? Attribute(.framedIPv6Prefix, value).ipv6Prefix()).map { "\($0)" }
            case .status:
                UInt32(bigEndian: value).map { number in
                    Attribute.statusNames[AccountingStatus(rawValue: number)].map { "\($0) (\(number))" } ?? "\(number)"
                }
            case .octet: value.count == 1 ? value.first.map { "\($0)" } : nil
            case .opaque: nil
            }
        }
    }

    private static let statusNames: [AccountingStatus: String] = [
        .start: "Start", .stop: "Stop", .interimUpdate: "Interim-Update", .accountingOn: "Accounting-On",
        .accountingOff: "Accounting-Off", .failed: "Failed",
    ]

    /// By the standards named at ``AttributeType``.
    private static let names: [AttributeType: (name: String, form: Form)] = [
        .userName: ("User-Name", .text), .nasIPAddress: ("NAS-IP-Address", .address),
        .framedIPAddress: ("Framed-IP-Address", .address), .class: ("Class", .opaque),
        .vendorSpecific: ("Vendor-Specific", .opaque), .calledStationID: ("Called-Station-Id", .text),
        .callingStationID: ("Calling-Station-Id", .text), .nasIdentifier: ("NAS-Identifier", .text),
        .proxyState: ("Proxy-State", .opaque), .acctStatusType: ("Acct-Status-Type", .status),
        .acctDelayTime: ("Acct-Delay-Time", .integer), .acctSessionID: ("Acct-Session-Id", .text),
        .acctSessionTime: ("Acct-Session-Time", .integer), .acctTerminateCause: ("Acct-Terminate-Cause", .integer),
        .acctMultiSessionID: ("Acct-Multi-Session-Id", .text), .eventTimestamp: ("Event-Timestamp", .time),
        .messageAuthenticator: ("Message-Authenticator", .opaque),
        .acctInterimInterval: ("Acct-Interim-Interval", .integer), .nasIPv6Address: ("NAS-IPv6-Address", .address),
        .framedInterfaceID: ("Framed-Interface-Id", .opaque), .framedIPv6Prefix: ("Framed-IPv6-Prefix", .prefix),
        .delegatedIPv6Prefix: ("Delegated-IPv6-Prefix", .prefix),
        .framedIPv6Address: ("Framed-IPv6-Address", .address), .extended1: ("Extended-Type-1", .opaque),
    ]

    /// 3GPP TS 29.061 §16.4.7, and Huawei's dictionary of its NAT.
    private static let vendorNames: [Vendor: [UInt8: (name: String, form: Form)]] = [
        .thirdGenerationPartnershipProject: [
            ThirdGenerationAttribute.imsi: ("3GPP-IMSI", .text),
            ThirdGenerationAttribute.chargingID: ("3GPP-Charging-Id", .integer),
            ThirdGenerationAttribute.homeNetwork: ("3GPP-IMSI-MCC-MNC", .text), 10: ("3GPP-NSAPI", .text),
            ThirdGenerationAttribute.sessionStopIndicator: ("3GPP-Session-Stop-Indicator", .octet),
            ThirdGenerationAttribute.servingNetwork: ("3GPP-SGSN-MCC-MNC", .text),
            ThirdGenerationAttribute.radioAccess: ("3GPP-RAT-Type", .octet),
        ],
        .huawei: [
            HuaweiAttribute.natPublicAddress: ("HW-NAT-Public-Address", .address),
            HuaweiAttribute.natStartPort: ("HW-NAT-Start-Port", .integer),
            HuaweiAttribute.natEndPort: ("HW-NAT-End-Port", .integer),
        ],
    ]

    private static func vendorName(_ vendor: Vendor) -> String {
        vendor == .thirdGenerationPartnershipProject ? "3GPP" : "HW"
    }
}
