/// The parameters of a connection (SMPP 3.4 §4.1), the same for the three kinds of bind.
package struct Bind: Hashable, Sendable {
    /// The direction of a session.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case transceiver, transmitter, receiver

        package var command: CommandID {
            switch self {
            case .transceiver: .bindTransceiver
            case .transmitter: .bindTransmitter
            case .receiver: .bindReceiver
            }
        }
    }

    package var kind: Kind
    /// Up to 15 characters.
    package var systemID: String
    /// Up to 8 characters.
    package var password: String
    /// Up to 12 characters; empty for most SMSCs.
    package var systemType: String
    /// 0x34 for SMPP 3.4.
    package var version: UInt8
    /// The numbers whose messages a receiver wants; the digits are a pattern of up to 40 characters.
    package var range: Address

    package init(
        kind: Kind, systemID: String, password: String, systemType: String = "", version: UInt8 = 0x34,
        range: Address = Address(type: 0, plan: 0, digits: "")
    ) {
        self.kind = kind
        self.systemID = systemID
        self.password = password
        self.systemType = systemType
        self.version = version
        self.range = range
    }

    init(_ kind: Kind, _ fields: inout PDUFields) throws(PDUError) {
        self.init(
            kind: kind, systemID: fields.string(), password: fields.string(), systemType: fields.string(),
            version: try fields.octet(),
            range: Address(type: try fields.octet(), plan: try fields.octet(), digits: fields.string()))
    }

    func write(onto bytes: inout [UInt8]) throws(PDUError) {
        try bytes.append(string: systemID, most: 16)
        try bytes.append(string: password, most: 9)
        try bytes.append(string: systemType, most: 13)
        bytes += [version, range.type, range.plan]
        try bytes.append(string: range.digits, most: 41)
    }
}

extension Bind: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the password.
    package var description: String { "Bind(\(kind.rawValue))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
