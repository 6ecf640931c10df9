/// The kind of an attribute: its first byte (RFC 2865 §5, and the standards named at each).
public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let userName = AttributeType(rawValue: 1)
    public static let nasIPAddress = AttributeType(rawValue: 4)
    public static let framedIPAddress = AttributeType(rawValue: 8)
    public static let `class` = AttributeType(rawValue: 25)
    public static let vendorSpecific = AttributeType(rawValue: 26)
    /// The APN or DNN on Gi, SGi and N6 (3GPP TS 29.061 §16.4).
    public static let calledStationID = AttributeType(rawValue: 30)
    /// The MSISDN on Gi, SGi and N6 (3GPP TS 29.061 §16.4).
    public static let callingStationID = AttributeType(rawValue: 31)
    public static let nasIdentifier = AttributeType(rawValue: 32)
    public static let proxyState = AttributeType(rawValue: 33)
    /// RFC 2866 §5.1.
    public static let acctStatusType = AttributeType(rawValue: 40)
    public static let acctDelayTime = AttributeType(rawValue: 41)
    public static let acctSessionID = AttributeType(rawValue: 44)
    public static let acctSessionTime = AttributeType(rawValue: 46)
    public static let acctTerminateCause = AttributeType(rawValue: 49)
    public static let acctMultiSessionID = AttributeType(rawValue: 50)
    /// RFC 2869 §5.3.
    public static let eventTimestamp = AttributeType(rawValue: 55)
    /// RFC 2869 §5.14.
    public static let messageAuthenticator = AttributeType(rawValue: 80)
    public static let acctInterimInterval = AttributeType(rawValue: 85)
    /// RFC 3162 §2.1 and following.
    public static let nasIPv6Address = AttributeType(rawValue: 95)
    public static let framedInterfaceID = AttributeType(rawValue: 96)
    public static let framedIPv6Prefix = AttributeType(rawValue: 97)
    /// RFC 4818.
    public static let delegatedIPv6Prefix = AttributeType(rawValue: 123)
    /// RFC 6911 §3.1.
    public static let framedIPv6Address = AttributeType(rawValue: 168)
    /// The first of the extended types; RFC 8045 lives here (RFC 6929 §2.1).
    public static let extended1 = AttributeType(rawValue: 241)
}
