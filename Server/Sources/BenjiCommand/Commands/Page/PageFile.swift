import ArgumentParser
import BenjiPage
import BenjiProtocol
import Foundation
import ServerRuntime

/// A description that was read from a file.
struct PageFile {
    /// The path that the person gave; `-` is standard input.
    let path: String
    let page: PageDescription

    init(_ path: String) throws(PageFileFailure) {
        self.path = path
        let text = try Self.bytes(path, limit: PageJSON.maximumSize)
        do { page = try PageDescription(parsing: text) } catch {
            throw PageFileFailure(
                path: path, place: error.place, problem: error.problem,
                remedy: "docs/page.md explains the fields; `benji page new --full` writes those that have a default")
        }
    }

    /// The page digest, as base64url, which is reviewed, approved, and carried by consents.
    var digest: String { get throws(PageError) { ConsentRecord.digest(ofPage: try page.bytesForDigest()) } }

    /// Returns a description's text as written. It need only be JSON; callers judge the rest.
    static func text(_ path: String) throws(PageFileFailure) -> String {
        let bytes = try bytes(path, limit: PageJSON.maximumSize)
        do { _ = try PageJSON(parsing: bytes) } catch {
            throw PageFileFailure(
                path: path, place: error.place, problem: error.problem,
                remedy: "it must be JSON; `benji page new --full` writes a description to start from")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// At most `limit` bytes of a file and one more, which shows that there are more.
    static func bytes(_ path: String, limit: Int) throws(PageFileFailure) -> [UInt8] {
        func failure(_ problem: String, _ remedy: String) -> PageFileFailure {
            PageFileFailure(path: path, place: nil, problem: problem, remedy: remedy)
        }
        var isFolder: ObjCBool = false
        if path != "-" {
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw failure("there is no such file", "`benji page new --out \(path)` writes one to start from")
            }
            guard !isFolder.boolValue else { throw failure("is a folder", "name the files in it: \(path)/*.json") }
        }
        do {
            let file =
                path == "-"
                ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            var bytes: [UInt8] = []
            while bytes.count <= limit, let part = try file.read(upToCount: limit + 1 - bytes.count), !part.isEmpty {
                bytes += part
            }
            return bytes
        } catch { throw failure("cannot be read", "look at its permissions: ls -l \(path)") }
    }
}

/// Why a file cannot be used: the place in it, the problem, the remedy.
struct PageFileFailure: Error, CustomStringConvertible {
    /// The exit status of a command that could not do its work; 1 is an answer.
    static let status: Int32 = 2

    var path: String
    /// The path of the field, such as `$.terms.items[1].url`; `nil` when it is about the whole file.
    var place: String?
    var problem: String
    var remedy: String

    var description: String {
        "\(path): \(place.map { "\($0): " } ?? "")\(problem)\nWhat to do: \(remedy)"
    }

    var json: PageJSON {
        .object([
            PageJSON.Member(
                "error",
                .object([
                    PageJSON.Member("place", place.map { .string($0) } ?? .null),
                    PageJSON.Member("problem", .string(problem)), PageJSON.Member("remedy", .string(remedy)),
                ]))
        ])
    }

    /// Reports to the person, on standard error.
    func tell() { FileHandle.standardError.write(Data("Error: \(self)\n".utf8)) }
}

/// Where a command writes what it made.
struct PageOutput {
    /// Standard output if `nil`.
    var path: String?
    var replaces: Bool

    func write(_ text: String) throws {
        let data = Data(text.utf8)
        guard let path else { return Terminal.write(data) }
        if !replaces, FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("\(path) is there already; give another name, or --force to replace it")
        }
        do { try data.write(to: URL(fileURLWithPath: path)) } catch {
            throw CommandFailure("\(path) cannot be written: \(CommandFile.writingProblem(path))")
        }
    }
}
