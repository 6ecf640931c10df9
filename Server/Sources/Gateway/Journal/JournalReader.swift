/// Takes a journal apart as its bytes come in, and knows how many of them are good.
struct JournalReader {
    /// Bytes from the beginning of the file that are whole, undamaged records.
    private(set) var goodLength = 0
    /// Whether something was met that is not a record: all from there on is lost.
    private(set) var isDamaged = false
    private var rest: [UInt8] = []
    private var hasMagic = false

    /// Calls `body` with each record that `bytes` completes.
    mutating func read(_ bytes: [UInt8], _ body: (JournalRecord) -> Void) {
        guard !isDamaged else { return }
        rest += bytes
        var index = 0
        if !hasMagic {
            guard rest.count >= JournalCoding.magic.count else { return }
            guard JournalCoding.readable.contains(where: { rest.starts(with: $0) }) else {
                isDamaged = true
                return
            }
            hasMagic = true
            index = JournalCoding.magic.count
        }
        while rest.count - index >= 8 {
            var header = JournalDecoder(bytes: rest[index..<(index + 8)])
            guard let length: UInt32 = header.integer(), let checksum: UInt32 = header.integer(),
                length <= JournalCoding.maximumPayload
            else {
                isDamaged = true
                break
            }
            let end = index + 8 + Int(length)
            guard end <= rest.count else { break }
            let payload = rest[(index + 8)..<end]
            guard CRC32.checksum(payload.span) == checksum, let record = JournalCoding.decode(payload) else {
                isDamaged = true
                break
            }
            body(record)
            index = end
        }
        goodLength += index
        rest.removeFirst(index)
    }
}
