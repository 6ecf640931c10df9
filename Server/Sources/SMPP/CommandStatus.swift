/// How a request went (SMPP 3.4 §5.1.3).
package struct CommandStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let ok = CommandStatus(rawValue: 0x00)
    package static let invalidCommandLength = CommandStatus(rawValue: 0x02)
    package static let invalidCommandID = CommandStatus(rawValue: 0x03)
    package static let invalidBindStatus = CommandStatus(rawValue: 0x04)
    package static let alreadyBound = CommandStatus(rawValue: 0x05)
    package static let systemError = CommandStatus(rawValue: 0x08)
    package static let invalidSourceAddress = CommandStatus(rawValue: 0x0a)
    package static let invalidDestinationAddress = CommandStatus(rawValue: 0x0b)
    package static let bindFailed = CommandStatus(rawValue: 0x0d)
    package static let invalidPassword = CommandStatus(rawValue: 0x0e)
    package static let invalidSystemID = CommandStatus(rawValue: 0x0f)
    package static let messageQueueFull = CommandStatus(rawValue: 0x14)
    package static let invalidServiceType = CommandStatus(rawValue: 0x15)
    package static let invalidSourceTON = CommandStatus(rawValue: 0x48)
    package static let invalidSourceNPI = CommandStatus(rawValue: 0x49)
    package static let invalidDestinationTON = CommandStatus(rawValue: 0x50)
    package static let invalidDestinationNPI = CommandStatus(rawValue: 0x51)
    package static let invalidSystemType = CommandStatus(rawValue: 0x53)
    package static let throttled = CommandStatus(rawValue: 0x58)
    /// The receiver has a temporary fault: the other end sends the PDU again.
    package static let receiverTemporaryError = CommandStatus(rawValue: 0x64)
    package static let receiverPermanentError = CommandStatus(rawValue: 0x65)

    /// The standard's name, or the number.
    package var description: String {
        Self.names[rawValue] ?? "0x" + String(rawValue, radix: 16)
    }

    private static let names: [UInt32: String] = [
        0x00: "ESME_ROK", 0x01: "ESME_RINVMSGLEN", 0x02: "ESME_RINVCMDLEN", 0x03: "ESME_RINVCMDID",
        0x04: "ESME_RINVBNDSTS", 0x05: "ESME_RALYBND", 0x06: "ESME_RINVPRTFLG", 0x07: "ESME_RINVREGDLVFLG",
        0x08: "ESME_RSYSERR", 0x0a: "ESME_RINVSRCADR", 0x0b: "ESME_RINVDSTADR", 0x0c: "ESME_RINVMSGID",
        0x0d: "ESME_RBINDFAIL", 0x0e: "ESME_RINVPASWD", 0x0f: "ESME_RINVSYSID", 0x14: "ESME_RMSGQFUL",
        0x15: "ESME_RINVSERTYP", 0x33: "ESME_RINVNUMDESTS", 0x34: "ESME_RINVDLNAME", 0x40: "ESME_RINVDESTFLAG",
        0x42: "ESME_RINVSUBREP", 0x43: "ESME_RINVESMCLASS", 0x44: "ESME_RCNTSUBDL", 0x45: "ESME_RSUBMITFAIL",
        0x48: "ESME_RINVSRCTON", 0x49: "ESME_RINVSRCNPI", 0x50: "ESME_RINVDSTTON", 0x51: "ESME_RINVDSTNPI",
        0x53: "ESME_RINVSYSTYP", 0x54: "ESME_RINVREPFLAG", 0x55: "ESME_RINVNUMMSGS", 0x58: "ESME_RTHROTTLED",
        0x61: "ESME_RINVSCHED", 0x62: "ESME_RINVEXPIRY", 0x63: "ESME_RINVDFTMSGID", 0x64: "ESME_RX_T_APPN",
        0x65: "ESME_RX_P_APPN", 0x66: "ESME_RX_R_APPN", 0x67: "ESME_RQUERYFAIL", 0xc0: "ESME_RINVOPTPARSTREAM",
        0xc1: "ESME_ROPTPARNOTALLWD", 0xc2: "ESME_RINVPARLEN", 0xc3: "ESME_RMISSINGOPTPARAM",
        0xc4: "ESME_RINVOPTPARAMVAL", 0xfe: "ESME_RDELIVERYFAILURE", 0xff: "ESME_RUNKNOWNERR",
    ]
}
