import Foundation
import GRDB

/// Bytes that pointed to somebody who was erased, looked for in files.
///
/// When SQLite moves rows between pages it leaves bytes behind, and later writes may leave a part of them. So they are
/// looked for in pieces of eight bytes: enough not to be met by chance.
struct Remnants: Sendable {
    private static let pieceSize = 8
    private static let blockSize = 4 << 20

    private let pieces: Set<UInt64>

    init(of values: [[UInt8]]) {
        var pieces: Set<UInt64> = []
        for value in values {
            for start in stride(from: 0, through: value.count - Self.pieceSize, by: Self.pieceSize) {
                pieces.insert(
                    value[start..<(start + Self.pieceSize)].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            }
        }
        self.pieces = pieces
    }

    /// Whether the database's file or its log holds a piece. Reads both to their ends.
    func isInFiles(of pool: DatabasePool) async throws -> Bool {
        // No transaction: it would keep the log from being emptied.
        try await pool.unsafeRead { db in try isInFiles(of: db) }
    }

    private func isInFiles(of db: Database) throws -> Bool {
        var database = try OpenDatabaseFile(db)
        if try isIn({ try database.read(upTo: $0) }) { return true }
        // The log bears no lock, so it may be opened and closed.
        guard let log = FileHandle(forReadingAtPath: database.path + "-wal") else { return false }
        defer { try? log.close() }
        return try isIn { try log.read(upToCount: $0).map(Array.init) ?? [] }
    }

    /// - Parameter read: the next bytes, at most so many; none at the end.
    private func isIn(_ read: (Int) throws -> [UInt8]) throws -> Bool {
        // The first two bytes of each piece: nearly every place of a file is passed with one look.
        var beginnings = [Bool](repeating: false, count: 1 << 16)
        for piece in pieces { beginnings[Int(UInt16(truncatingIfNeeded: UInt64(littleEndian: piece)))] = true }
        var block: [UInt8] = []
        while true {
            let more = try read(Self.blockSize)
            if more.isEmpty { break }
            block.append(contentsOf: more)
            if holds(block, beginnings) { return true }
            block.removeFirst(max(0, block.count - (Self.pieceSize - 1)))
        }
        return false
    }

    private func holds(_ block: [UInt8], _ beginnings: [Bool]) -> Bool {
        guard block.count >= Self.pieceSize else { return false }
        return block.withUnsafeBytes { bytes in
            beginnings.withUnsafeBufferPointer { beginnings in
                for place in 0...(bytes.count - Self.pieceSize) {
                    let beginning = UInt16(bytes[place]) | UInt16(bytes[place &+ 1]) << 8
                    guard beginnings[Int(beginning)] else { continue }
                    if pieces.contains(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return true }
                }
                return false
            }
        }
    }
}
