// The gateway's journal: bytes from a disk, whole and in pieces; and records whose checksum is right, because a fuzzer
// cannot guess one.
//
// Covers: Server/Sources/Gateway/Journal/JournalReader.swift
// Covers: Server/Sources/Gateway/Journal/JournalRecord.swift
// Covers: Server/Sources/Gateway/Journal/CRC32.swift
@_spi(Server) @testable import BenjiProtocol
@testable import Gateway

func target(_ input: [UInt8]) {
    var choices = Choices(input)
    let mode = choices.byte()
    let cut = choices.word()
    let journal = mode & 1 == 0 ? Array(choices.rest) : framed(choices.rest)
    let whole = read([journal])
    if !whole.records.isEmpty { reached("a record") }
    if whole.records.contains(where: \.isPut) { reached("a session's state") }
    hold("what is good is within the file", whole.goodLength <= journal.count)

    let middle = cut % (journal.count + 1)
    hold(
        "a journal in two pieces reads the same", read([Array(journal[..<middle]), Array(journal[middle...])]) == whole)
    // Byte by byte costs the square of the length of a record.
    if journal.count <= 512 { hold("a journal read byte by byte reads the same", read(journal.map { [$0] }) == whole) }

    hold("the good part stands alone", read([Array(journal.prefix(whole.goodLength))]).records == whole.records)
    guard whole.goodLength > 0 else { return }
    var written = JournalCoding.magic
    for record in whole.records { JournalCoding.append(record, to: &written) }
    // The head is written as today's version; the records of all versions are the same bytes.
    let head = JournalCoding.magic.count
    hold("records are written as they were read", written[head...] == journal.prefix(whole.goodLength)[head...])
}

private struct Reading: Equatable {
    var records: [JournalRecord] = []
    var goodLength = 0
    var isDamaged = false
}

private func read(_ pieces: [[UInt8]]) -> Reading {
    var reader = JournalReader()
    var reading = Reading()
    for piece in pieces { reader.read(piece) { reading.records.append($0) } }
    reading.goodLength = reader.goodLength
    reading.isDamaged = reader.isDamaged
    return reading
}

/// A journal whose payloads are the input: each starts with its length, one byte.
private func framed(_ input: ArraySlice<UInt8>) -> [UInt8] {
    var rest = input
    var journal = JournalCoding.magic
    while let length = rest.popFirst() {
        let payload = rest.prefix(Int(length))
        rest = rest.dropFirst(payload.count)
        var header = JournalEncoder()
        header.append(UInt32(payload.count))
        header.append(CRC32.checksum(payload.span))
        journal += header.bytes + payload
    }
    return journal
}

extension JournalRecord {
    fileprivate var isPut: Bool {
        guard case .change(.put) = self else { return false }
        return true
    }
}
