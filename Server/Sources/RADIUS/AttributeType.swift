/// The kind of an attribute: its first byte (RFC 2865 §5, and the standards named at each).
package struct AttributeType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let userName = AttributeType(rawValue: 1)
    package static let nasIPAddress = AttributeType(rawValue: 4)
    package static let framedIPAddress = AttributeType(rawValue: 8)
    package static let `class` = AttributeType(rawValue: 25)
    package static let vendorSpecific = AttributeType(rawValue: 26)
    /// The APN or DNN on Gi, SGi and N6 (3GPP TS 29.061 §16.4).
    package static let calledStationID = AttributeType(rawValue: 30)
    /// The MSISDN on Gi, SGi and N6 (3GPP TS 29.061 §16.4).
    package static let callingStationID = AttributeType(rawValue: 31)
    package static let nasIdentifier = AttributeType(rawValue: 32)
    package static let proxyState = AttributeType(rawValue: 33)
    /// RFC 2866 §5.1.
    package static let acctStatusType = AttributeType(rawValue: 40)
    package static let acctDelayTime = AttributeType(rawValue: 41)
    package static let acctSessionID = AttributeType(rawValue: 44)
    package static let acctSessionTime = AttributeType(rawValue: 46)
    package static let acctTerminateCause = AttributeType(rawValue: 49)
    package static let acctMultiSessionID = AttributeType(rawValue: 50)
    /// RFC 2869 §5.3.
    package static let eventTimestamp = AttributeType(rawValue: 55)
    /// RFC 2869 §5.14.
    package static let messageAuthenticator = AttributeType(rawValue: 80)
    package static let acctInterimInterval = AttributeType(rawValue: 85)
    /// RFC 3162 §2.1 and following.
    package static let nasIPv6Address = AttributeType(rawValue: 95)
    package static let framedInterfaceID = AttributeType(rawValue: 96)
    package static let framedIPv6Prefix = AttributeType(rawValue: 97)
    /// RFC 4818.
    package static let delegatedIPv6Prefix = AttributeType(rawValue: 123)
    /// RFC 6911 §3.1.
    package static let framedIPv6Address = AttributeType(rawValue: 168)
    /// The first of the extended types; RFC 8045 lives here (RFC 6929 §2.1).
    package static let extended1 = AttributeType(rawValue: 241)
}
