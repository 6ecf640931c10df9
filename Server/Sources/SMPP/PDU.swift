/// One PDU (SMPP 3.4 §3.2): what it is, how the request went, which answer belongs to which request, and its body.
///
/// Reading never traps, and accepts what vendors write otherwise than the standard (`PDUFields`): a wrong length or a
/// missing mandatory field gives a ``PDUError``. Writing keeps the standard. A reader of a stream takes the header
/// first (``Header``): a body that cannot be read can still be answered.
package struct PDU: Hashable, Sendable {
    package static let headerLength = 16
    /// The longest PDU that is read or written. An optional parameter, such as message_payload, has up to 65,535
    /// octets; this leaves 8 KiB for the rest.
    package static let maximumLength = 73_728

    /// The first 16 octets.
    package struct Header: Hashable, Sendable {
        /// Octets of the whole PDU.
        package var length: Int
        package var command: CommandID
        package var status: CommandStatus
        package var sequence: UInt32

        /// - Parameter bytes: 16 octets at least; those behind are not looked at.
        package init(_ bytes: some Collection<UInt8>) throws(PDUError) {
            guard bytes.count >= PDU.headerLength else { throw PDUError(.tooShort, offset: bytes.count) }
            var words: [UInt32] = [0, 0, 0, 0]
            for (index, byte) in bytes.prefix(PDU.headerLength).enumerated() {
                words[index / 4] = words[index / 4] << 8 | UInt32(byte)
            }
            guard (UInt32(PDU.headerLength)...UInt32(PDU.maximumLength)).contains(words[0]) else {
                throw PDUError(.length, offset: 0)
            }
            length = Int(words[0])
            command = CommandID(rawValue: words[1])
            status = CommandStatus(rawValue: words[2])
            sequence = words[3]
        }
    }

    package enum Body: Hashable, Sendable {
        case bind(Bind)
        /// The SMSC's name; `nil` if the answer has no body, as after an error.
        case bindAnswer(Bind.Kind, systemID: String?, [OptionalParameter])
        case submit(Message)
        /// The id that receipts name; `nil` if the answer has no body, as after an error.
        case submitAnswer(messageID: String?, [OptionalParameter])
        case deliver(Message)
        case deliverAnswer
        /// The octets of its message are in message_payload.
        case data(Message)
        case dataAnswer
        case enquireLink
        case enquireLinkAnswer
        case unbind
        case unbindAnswer
        case genericNack
        /// A PDU of another kind, with its octets.
        case other(CommandID, [UInt8])
    }

    package var status: CommandStatus
    /// From 1 to 0x7fffffff; an answer has its request's.
    package var sequence: UInt32
    package var body: Body

    package init(_ body: Body, status: CommandStatus = .ok, sequence: UInt32) {
        self.body = body
        self.status = status
        self.sequence = sequence
    }

    package var command: CommandID {
        switch body {
        case .bind(let bind): bind.kind.command
        case .bindAnswer(let kind, _, _): kind.command.answer
        case .submit: .submitSM
        case .submitAnswer: .submitSM.answer
        case .deliver: .deliverSM
        case .deliverAnswer: .deliverSM.answer
        case .data: .dataSM
        case .dataAnswer: .dataSM.answer
        case .enquireLink: .enquireLink
        case .enquireLinkAnswer: .enquireLink.answer
        case .unbind: .unbind
        case .unbindAnswer: .unbind.answer
        case .genericNack: .genericNack
        case .other(let command, _): command
        }
    }

    /// Reads exactly one PDU.
    package init(decoding bytes: [UInt8]) throws(PDUError) {
        let header = try Header(bytes)
        guard header.length == bytes.count else { throw PDUError(.length, offset: 0) }
        status = header.status
        sequence = header.sequence
        var fields = PDUFields(bytes, at: Self.headerLength)
        switch header.command {
        case .bindTransceiver: body = .bind(try Bind(.transceiver, &fields))
        case .bindTransmitter: body = .bind(try Bind(.transmitter, &fields))
        case .bindReceiver: body = .bind(try Bind(.receiver, &fields))
        case .bindTransceiver.answer: body = Self.bindAnswer(.transceiver, &fields)
        case .bindTransmitter.answer: body = Self.bindAnswer(.transmitter, &fields)
        case .bindReceiver.answer: body = Self.bindAnswer(.receiver, &fields)
        case .submitSM: body = .submit(try Message(&fields))
        case .submitSM.answer:
            body =
                fields.isAtEnd
                ? .submitAnswer(messageID: nil, [])
                : .submitAnswer(messageID: fields.string(), fields.parameters())
        case .deliverSM: body = .deliver(try Message(&fields))
        // message_id is not used and is one zero (§4.6.2); some leave it out, and some repeat an id.
        case .deliverSM.answer: body = .deliverAnswer
        case .dataSM: body = .data(try Message(data: &fields))
        case .dataSM.answer: body = .dataAnswer
        // These have no body; octets that a vendor appends mean nothing.
        case .enquireLink: body = .enquireLink
        case .enquireLink.answer: body = .enquireLinkAnswer
        case .unbind: body = .unbind
        case .unbind.answer: body = .unbindAnswer
        case .genericNack: body = .genericNack
        default: body = .other(header.command, Array(bytes[Self.headerLength...]))
        }
    }

    private static func bindAnswer(_ kind: Bind.Kind, _ fields: inout PDUFields) -> Body {
        fields.isAtEnd
            ? .bindAnswer(kind, systemID: nil, [])
            : .bindAnswer(kind, systemID: fields.string(), fields.parameters())
    }

    /// The PDU as it is written.
    package func encoded() throws(PDUError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: 0)
        bytes.append(integer: command.rawValue)
        bytes.append(integer: status.rawValue)
        bytes.append(integer: sequence)
        switch body {
        case .bind(let bind): try bind.write(onto: &bytes)
        case .bindAnswer(_, let systemID, let parameters):
            if let systemID {
                try bytes.append(string: systemID, most: 16)
                try bytes.append(parameters: parameters)
            }
        case .submit(let message), .deliver(let message): try message.write(onto: &bytes)
        case .data(let message): try message.writeData(onto: &bytes)
        case .submitAnswer(let messageID, let parameters):
            if let messageID {
                try bytes.append(string: messageID, most: 65)
                try bytes.append(parameters: parameters)
            }
        case .deliverAnswer, .dataAnswer: bytes.append(0)
        case .other(_, let octets): bytes += octets
        case .enquireLink, .enquireLinkAnswer, .unbind, .unbindAnswer, .genericNack: break
        }
        guard bytes.count <= Self.maximumLength else { throw PDUError(.length, offset: 0) }
        var length: [UInt8] = []
        length.append(integer: UInt32(bytes.count))
        bytes.replaceSubrange(0..<4, with: length)
        return bytes
    }
}
