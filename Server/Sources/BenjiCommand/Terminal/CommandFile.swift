import Foundation

/// A file that a command was given.
enum CommandFile {
    /// Its bytes.
    /// - Parameter limit: reads at most `limit` + 1 bytes, so that the caller can refuse larger files.
    /// - Throws: ``CommandFailure`` if it cannot be read.
    static func read(_ path: String, upTo limit: Int = 64 << 20) throws -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else { throw CommandFailure("\(path) cannot be read") }
        defer { try? file.close() }
        do { return Array(try file.read(upToCount: limit + 1) ?? Data()) } catch {
            throw CommandFailure("\(path) cannot be read")
        }
    }
}
