// Input from an SMSC: a stream of PDUs, cut and whole, with their fields, receipts and texts. Also our own texts, which
// are cut into parts.
//
// Covers: Server/Sources/SMPP/PDU.swift
// Covers: Server/Sources/SMPP/PDUFields.swift
// Covers: Server/Sources/SMPP/PDUStream.swift
// Covers: Server/Sources/SMPP/Bind.swift
// Covers: Server/Sources/SMPP/Message.swift
// Covers: Server/Sources/SMPP/Receipt.swift
// Covers: Server/Sources/SMPP/DataCoding.swift
// Covers: Server/Sources/SMPP/DefaultAlphabet.swift
// Covers: Server/Sources/SMPP/MessageText.swift
@testable import SMPP

func target(_ input: [UInt8]) {
    var choices = Choices(input)
    let size = Int(choices.byte()) + 1
    let bytes = Array(choices.rest)
    stream(bytes, size: size)
    cut(bytes)
}

/// The same PDUs, and the same fault, whether the stream comes whole or in pieces.
private func stream(_ bytes: [UInt8], size: Int) {
    let whole = read([bytes[...]])
    let pieces = read(stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] })
    hold("a stream in pieces means what it means whole", whole.pdus == pieces.pdus && whole.fault == pieces.fault)
    hold("the PDUs are the front of the stream", bytes.starts(with: whole.pdus.joined()))
    for bytes in whole.pdus {
        let header = hold("what was cut off has a header") { try PDU.Header(bytes) }
        hold("a header says how long its PDU is", header.length == bytes.count)
        guard let pdu = try? PDU(decoding: bytes) else { continue }
        reached("a PDU")
        hold("a PDU is what its header says", pdu.command == header.command && pdu.sequence == header.sequence)
        // Longer texts than the standard allows and octets behind the last field are read, and never written.
        if let written = try? pdu.encoded() {
            reached("a PDU that can be written")
            hold("a PDU survives writing", (try? PDU(decoding: written)) == pdu)
            // An answer to deliver_sm or data_sm is written without what others put into it.
            if written.count == bytes.count, ![.deliverAnswer, .dataAnswer].contains(pdu.body) {
                hold("a PDU is written in one way", written == bytes)
            }
        }
        switch pdu.body {
        case .deliver(let message), .data(let message): look(into: message)
        default: break
        }
    }
}

private func read(_ pieces: [ArraySlice<UInt8>]) -> (pdus: [[UInt8]], fault: PDUError?) {
    var stream = PDUStream()
    var pdus: [[UInt8]] = []
    for piece in pieces {
        stream.append(piece)
        do { while let pdu = try stream.next() { pdus.append(pdu) } } catch { return (pdus, error) }
    }
    return (pdus, nil)
}

private func look(into message: Message) {
    if let receipt = Receipt(message) {
        reached("a receipt")
        hold("a receipt's id is one to 64 plain characters", (1...64).contains(receipt.messageID.utf8.count))
        hold("a receipt's id is ASCII", receipt.messageID.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
        hold("a delivery has no error code", receipt.state != .delivered || receipt.error == nil)
        hold("an error code is short", (receipt.error ?? "").utf8.count <= 33)
        hold("an error code is ASCII", (receipt.error ?? "").utf8.allSatisfy { (0x21..<0x7f).contains($0) })
        var wide = message
        wide.octets = message.octets.flatMap { [0, $0] }
        hold("a receipt means the same in UCS-2", Receipt(wide) == receipt)
    }
    if let text = message.text {
        reached("a text")
        // Every text can be sent, unless it is longer than 255 parts.
        if text.utf16.count <= 255 * 67 { hold("a text can be sent", MessageText(text, reference: 1) != nil) }
    }
}

/// A text is cut so that each part fits and can be read alone, and nothing is lost.
private func cut(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let cut = MessageText(text, reference: 7) else { return }
    var joined = ""
    for (index, part) in cut.parts.enumerated() {
        hold("a part fits a phone's message", part.count <= (cut.coding == .ucs2 ? 140 : cut.hasHeaders ? 159 : 160))
        let body = cut.hasHeaders ? Array(part.dropFirst(6)) : part
        if cut.hasHeaders {
            reached("parts")
            hold("a part says which it is", part[..<6] == [5, 0, 3, 7, UInt8(cut.parts.count), UInt8(index + 1)])
        }
        guard let read = cut.coding.text(body) else {
            hold("a part is a text of its own", false)
            return
        }
        joined += read
    }
    hold("nothing is lost", Array(joined.unicodeScalars) == Array(text.unicodeScalars))
}
