@_spi(Server) package import BenjiProtocol

/// The attributes of an Accounting-Request that a gateway needs (RFC 2866, 2869, 3162, 8045; 3GPP TS 29.061 §16.4).
///
/// It is read from a ``Packet`` and, by the sandbox's packet core and by tests, turned into one. It holds a number and
/// an IMSI for as long as it takes to look them up; it prints neither.
package struct AccountingRequest: Hashable, Sendable {
    package var status: AccountingStatus
    /// Acct-Session-Id: any bytes, the same from Start to Stop. On Gi it is the gateway's address and the Charging-ID
    /// in hexadecimal.
    package var sessionID: [UInt8]?
    /// NAS-Identifier: any bytes (RFC 2865 §5.32).
    package var nasIdentifier: [UInt8]?
    /// NAS-IP-Address.
    package var nasIPAddress: InternetAddress?
    /// NAS-IPv6-Address.
    package var nasIPv6Address: InternetAddress?
    package var framedAddress: InternetAddress?
    /// Framed-IPv6-Prefix, one a packet on a mobile network.
    package var framedPrefix: IPPrefix?
    /// Calling-Station-Id: the MSISDN as the network wrote it.
    package var callingStation: String?
    /// Called-Station-Id: the APN or DNN. Only built, never read.
    package var calledStation: String?
    package var imsi: String?
    /// 3GPP-IMSI-MCC-MNC: the home network, five or six digits.
    package var homeNetwork: String?
    /// 3GPP-SGSN-MCC-MNC: the serving network, five or six digits.
    package var servingNetwork: String?
    /// 3GPP-RAT-Type. Only built, never read.
    package var radioAccess: UInt8?
    /// 3GPP-Session-Stop-Indicator: the last bearer of the session has gone.
    package var endsSession = false
    /// Whether any attribute of vendor 10415 was there: only then does a missing ``endsSession`` mean that the session
    /// goes on.
    package var isMobile = false
    /// Acct-Delay-Time in seconds.
    package var delay: UInt32?
    /// Event-Timestamp in seconds since 1970.
    package var eventTimestamp: UInt32?
    /// Port blocks from IP-Port-Range and from Huawei's attributes.
    package var portBlocks: [PortBlock] = []
    /// IP-Port-Int-IPv4-Addr of a NAT that reports blocks without Framed-IP-Address.
    package var internalAddress: InternetAddress?

    package init(status: AccountingStatus, sessionID: [UInt8]? = nil) {
        self.status = status
        self.sessionID = sessionID
    }

    /// A request about the session of this name.
    package init(status: AccountingStatus, sessionID: String) {
        self.init(status: status, sessionID: Array(sessionID.utf8))
    }
}

extension AccountingRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "AccountingRequest(status: \(status.rawValue))" }
    package var debugDescription: String { description }
    /// A mirror without children, so that `dump` and test failures print no number, IMSI or address.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
