@_spi(Server) import BenjiProtocol

/// One entry of the journal.
enum JournalRecord: Hashable, Sendable {
    case change(DirectoryChange)
    /// The gateway was alive and its journal complete at this time.
    case heartbeat(Timestamp)
}

/// The bytes of records: length and CRC-32 as four bytes each, little-endian, then the payload.
enum JournalCoding {
    /// The first bytes of every journal that is written; the digit is the format's version.
    static let magic = Array("BENJIGW3".utf8)
    /// Version 2 lacks ``DirectoryChange/named(scope:restartedAt:)``. Version 1 also lacks lost news and the givers of
    /// port blocks. Both are read, and written again as version 3. A program for an older version refuses a newer
    /// journal. If it skipped unreadable records, it could name a previous owner.
    static let readable = [magic, Array("BENJIGW2".utf8), Array("BENJIGW1".utf8)]
    /// Longer than any record: a length above it is damage.
    static let maximumPayload = 1 << 20

    static func append(_ record: JournalRecord, to bytes: inout [UInt8]) {
        let start = bytes.count
        // The payload is written where it stays; its length and checksum follow.
        var payload = JournalEncoder()
        swap(&payload.bytes, &bytes)
        payload.append(UInt64(0))
        switch record {
        case .heartbeat(let time):
            payload.append(UInt8(0))
            payload.append(time.milliseconds)
        case .change(.put(let state)):
            payload.append(UInt8(state.namesGivers ? 6 : 1))
            payload.append(state)
        case .change(.removed(let key, let time)):
            payload.append(UInt8(2))
            payload.append(key)
            payload.append(time)
        case .change(.reset(let scope, let time)):
            payload.append(UInt8(3))
            payload.append(scope)
            payload.append(time)
        case .change(.missed(let domain, let time)):
            payload.append(UInt8(4))
            payload.append(domain)
            payload.append(time)
        case .change(.missedScope(let scope, let time)):
            payload.append(UInt8(5))
            payload.append(scope)
            payload.append(time)
        case .change(.named(let scope, let time)):
            payload.append(UInt8(7))
            payload.append(scope)
            payload.append(time)
        }
        swap(&payload.bytes, &bytes)
        let length = UInt32(bytes.count - start - 8)
        let checksum = CRC32.checksum(bytes.span.extracting((start + 8)...))
        for place in 0..<4 {
            bytes[start + place] = UInt8(truncatingIfNeeded: length >> UInt32(8 * place))
            bytes[start + 4 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place))
        }
    }

    /// `nil` if the payload is not a record of this version.
    static func decode(_ payload: ArraySlice<UInt8>) -> JournalRecord? {
        var decoder = JournalDecoder(bytes: payload)
        guard let kind: UInt8 = decoder.integer() else { return nil }
        let record: JournalRecord?
        switch kind {
        case 0: record = decoder.integer().map { .heartbeat(Timestamp(milliseconds: $0)) }
        case 1: record = decoder.state(namesGivers: false).map { .change(.put($0)) }
        case 6: record = decoder.state(namesGivers: true).flatMap { $0.blocks.isEmpty ? nil : .change(.put($0)) }
        case 2:
            guard let key = decoder.key(), let time: UInt32 = decoder.integer() else { return nil }
            record = .change(.removed(key, at: time))
        case 3:
            guard let scope = decoder.text(), let time: UInt32 = decoder.integer() else { return nil }
            record = .change(.reset(scope: scope, at: time))
        case 4:
            guard let domain = decoder.text(), let time: UInt32 = decoder.integer() else { return nil }
            record = .change(.missed(domain: domain, at: time))
        case 5:
            guard let scope = decoder.text(), let time: UInt32 = decoder.integer() else { return nil }
            record = .change(.missedScope(scope, at: time))
        case 7:
            guard let scope = decoder.text(), let time: UInt32 = decoder.integer() else { return nil }
            record = .change(.named(scope: scope, restartedAt: time))
        default: record = nil
        }
        return decoder.isAtEnd ? record : nil
    }
}

extension DirectoryChange.SessionState {
    /// Whether it has blocks and says who gave each. Version 1 did not.
    fileprivate var namesGivers: Bool { !blocks.isEmpty && blocks.allSatisfy { $0.scope != nil } }
}

struct JournalEncoder {
    fileprivate(set) var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func append(_ text: String) {
        append(UInt16(clamping: text.utf8.count))
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0.prefix(Int(UInt16.max))) }
    }

    mutating func append(_ key: SessionKey) {
        append(key.a)
        append(key.b)
        append(key.c)
    }

    mutating func append(_ state: DirectoryChange.SessionState) {
        append(state.key)
        append(state.scope)
        append(state.subscription)
        append(state.epoch)
        append(state.simGeneration)
        append(state.binding)
        append(state.address)
        append(state.prefix)
        append(state.prefixLength)
        append(state.startedAt)
        append(state.heardAt)
        append(state.flags)
        append(UInt16(clamping: state.aliases.count))
        for alias in state.aliases { append(alias) }
        append(UInt16(clamping: state.blocks.count))
        for block in state.blocks.prefix(Int(UInt16.max)) {
            append(block.address)
            append(block.first)
            append(block.last)
            append(block.time)
            if state.namesGivers { append(block.scope ?? "") }
        }
    }
}

struct JournalDecoder {
    private var bytes: ArraySlice<UInt8>

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func integer<Number: FixedWidthInteger>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.count >= size else { return nil }
        let number = bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
        bytes = bytes.dropFirst(size)
        return Number(littleEndian: number)
    }

    mutating func text() -> String? {
        guard let count: UInt16 = integer(), bytes.count >= Int(count) else { return nil }
        let text = String(validating: bytes.prefix(Int(count)), as: UTF8.self)
        bytes = bytes.dropFirst(Int(count))
        return text
    }

    mutating func key() -> SessionKey? {
        guard let a: UInt32 = integer(), let b: UInt32 = integer(), let c: UInt32 = integer() else { return nil }
        let key = SessionKey(a: a, b: b, c: c)
        return key == .none ? nil : key
    }

    mutating func state(namesGivers: Bool) -> DirectoryChange.SessionState? {
        guard let key = key(), let scope = text(), let subscription: Int64 = integer(), let epoch: Int32 = integer(),
            let simGeneration: Int32 = integer(), let binding: Int64 = integer(), let address: UInt32 = integer(),
            let prefix: UInt64 = integer(), let prefixLength: UInt8 = integer(), let startedAt: UInt32 = integer(),
            let heardAt: UInt32 = integer(), let flags: UInt8 = integer(), let aliasCount: UInt16 = integer()
        else { return nil }
        var aliases: [SessionKey] = []
        for _ in 0..<aliasCount {
            guard let alias = self.key() else { return nil }
            aliases.append(alias)
        }
        guard let blockCount: UInt16 = integer() else { return nil }
        var blocks: [DirectoryChange.Block] = []
        for _ in 0..<blockCount {
            guard let address: UInt32 = integer(), let first: UInt16 = integer(), let last: UInt16 = integer(),
                let time: UInt32 = integer()
            else { return nil }
            var scope: String?
            if namesGivers {
                scope = text()
                guard scope != nil else { return nil }
            }
            blocks.append(.init(address: address, first: first, last: last, time: time, scope: scope))
        }
        return .init(
            key: key, scope: scope, subscription: subscription, epoch: epoch, simGeneration: simGeneration,
            binding: binding, address: address, prefix: prefix, prefixLength: prefixLength, startedAt: startedAt,
            heardAt: heardAt, flags: flags, aliases: aliases, blocks: blocks)
    }
}
