import BenjiProtocol
import Foundation
import Requests

/// A file that a command was given, or is to write.
package enum CommandFile {
    /// Its bytes.
    /// - Parameters:
    ///   - option: which option named it, for the failure.
    ///   - limit: reads at most `limit` + 1 bytes, so that the caller can refuse larger files.
    /// - Throws: ``CommandFailure`` if it cannot be read.
    package static func read(_ path: String, for option: String? = nil, upTo limit: Int = 64 << 20) throws -> [UInt8] {
        let name = option.map { "\($0) \(path)" } ?? path
        if let problem = readingProblem(path) { throw CommandFailure("\(name): \(problem)") }
        guard let file = FileHandle(forReadingAtPath: path) else { throw CommandFailure("\(name) cannot be read") }
        defer { try? file.close() }
        do { return Array(try file.read(upToCount: limit + 1) ?? Data()) } catch {
            throw CommandFailure("\(name) cannot be read: the disk or whatever gives it failed")
        }
    }

    /// A file of text, such as a key.
    package static func text(_ path: String, for option: String? = nil) throws -> String {
        String(decoding: try read(path, for: option), as: UTF8.self)
    }

    /// A file of JSON, as it is written there.
    package static func jsonText(_ path: String, for option: String? = nil) throws -> String {
        let bytes = try read(path, for: option)
        do { _ = try JSON(parsing: bytes) } catch {
            throw CommandFailure(
                "\(option.map { "\($0) \(path)" } ?? path): is no JSON: \(error.description.printable)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Why a file cannot be read, and what to do; `nil` if nothing is in the way.
    package static func readingProblem(_ path: String) -> String? {
        guard !path.isEmpty else { return "the name of a file is missing" }
        var isFolder: ObjCBool = false
        guard access(path, F_OK) == 0, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            if errno == EACCES { return "the user \(NSUserName()) may not look into its folder" }
            return "there is no such file"
                + (path.hasPrefix("/") ? "" : " in \(FileManager.default.currentDirectoryPath)")
        }
        if isFolder.boolValue { return "it is a folder; name a file in it" }
        guard access(path, R_OK) == 0 else { return "the user \(NSUserName()) may not read it; see: ls -l \(path)" }
        return nil
    }

    /// Why a folder could not be made, those above it included, and what to do.
    package static func makingProblem(_ folder: String) -> String {
        var place = URL(fileURLWithPath: folder).standardizedFileURL
        while place.path != "/", access(place.path, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno) {
            place.deleteLastPathComponent()
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), !isFolder.boolValue {
            return "\(place.path) is a file and not a folder"
        }
        guard access(place.path, W_OK | X_OK) == 0 else {
            return "the user \(NSUserName()) may not write into \(place.path); see: ls -ld \(place.path)"
        }
        return "the disk may be full or failing; see: df \(place.path)"
    }

    /// Whether a file that is not there could be made.
    package static func isWritable(_ path: String) -> Bool {
        access(URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path, W_OK | X_OK) == 0
    }

    /// Why a file could not be written, and what to do.
    package static func writingProblem(_ path: String) -> String {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            if isFolder.boolValue { return "it is a folder; name a file in it" }
            if access(path, W_OK) != 0 { return "the user \(NSUserName()) may not write it; see: ls -l \(path)" }
        }
        let parent = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
        guard access(parent, F_OK) == 0, FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder) else {
            return "the folder \(parent) does not exist; make it first"
        }
        guard isFolder.boolValue else { return "\(parent) is a file and not a folder" }
        guard access(parent, W_OK | X_OK) == 0 else {
            return "the user \(NSUserName()) may not write into \(parent); see: ls -ld \(parent)"
        }
        return "the disk may be full or failing; see: df \(parent)"
    }
}
