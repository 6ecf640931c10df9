/// The kind of a PDU (SMPP 3.4 §5.1.2.1). An answer has the number of its request with the highest bit set.
package struct CommandID: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let genericNack = CommandID(rawValue: 0x8000_0000)
    package static let bindReceiver = CommandID(rawValue: 0x0000_0001)
    package static let bindTransmitter = CommandID(rawValue: 0x0000_0002)
    package static let submitSM = CommandID(rawValue: 0x0000_0004)
    package static let deliverSM = CommandID(rawValue: 0x0000_0005)
    package static let unbind = CommandID(rawValue: 0x0000_0006)
    package static let bindTransceiver = CommandID(rawValue: 0x0000_0009)
    package static let enquireLink = CommandID(rawValue: 0x0000_0015)
    package static let dataSM = CommandID(rawValue: 0x0000_0103)

    package var isAnswer: Bool { rawValue & 0x8000_0000 != 0 }
    /// The answer to this request.
    package var answer: CommandID { CommandID(rawValue: rawValue | 0x8000_0000) }
}
