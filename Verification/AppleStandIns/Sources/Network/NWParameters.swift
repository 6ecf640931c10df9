public import Foundation
public import Security

public class NWProtocolOptions: @unchecked Sendable {}

public enum NWProtocolTLS {
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        public let securityProtocolOptions = sec_protocol_options_t()
        public override init() { super.init() }
    }
}

public final class NWParameters: @unchecked Sendable {
    public let standInTLS: NWProtocolTLS.Options?
    public let standInIsDatagram: Bool
    public var requiredInterfaceType = NWInterface.InterfaceType.other
    public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]?
    public var preferNoProxies = false

    public init(tls: NWProtocolTLS.Options?) {
        standInTLS = tls
        standInIsDatagram = false
    }

    private init(datagram: Bool) {
        standInTLS = nil
        standInIsDatagram = datagram
    }

    public static var tls: NWParameters { NWParameters(tls: NWProtocolTLS.Options()) }
    public static var tcp: NWParameters { NWParameters(tls: nil) }
    public static var udp: NWParameters { NWParameters(datagram: true) }
}

public struct IPv4Address: Hashable, Sendable {
    public let rawValue: Data

    /// Four numbers with dots.
    public init(_ text: String) { rawValue = Data(text.split(separator: ".").compactMap { UInt8($0) }) }
}

public struct IPv6Address: Hashable, Sendable {
    public let rawValue: Data

    public init?(_ bytes: Data) {
        guard bytes.count == 16 else { return nil }
        rawValue = bytes
    }
}

public enum NWEndpoint: Hashable, Sendable {
    public enum Host: Hashable, Sendable {
        case name(String, NWInterface?)
        case ipv4(IPv4Address)
        case ipv6(IPv6Address)

        public init(_ text: String) {
            let address = IPv4Address(text)
            self = address.rawValue.count == 4 ? .ipv4(address) : .name(text, nil)
        }
    }

    public struct Port: Hashable, Sendable {
        public let rawValue: UInt16
        public init?(rawValue: UInt16) { self.rawValue = rawValue }
        private init(_ number: UInt16) { rawValue = number }
        public static let https = Port(443)
    }

    case hostPort(host: Host, port: Port)
}

public enum NWError: Error, Equatable, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(Int32)
}
