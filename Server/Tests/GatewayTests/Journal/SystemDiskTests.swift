import Testing

@testable import Gateway

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The journal's files in a real file system.
struct SystemDiskTests {
    private let disk = SystemDisk()

    /// Calls `body` with a directory that is gone afterwards.
    private func inDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/benji-disk-XXXXXX".utf8CString)
        let directory = try #require(
            template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }.map { String(cString: $0) })
        defer {
            for name in ["journal", "other", "link"] { unlink(directory + "/" + name) }
            rmdir(directory)
        }
        try body(directory)
    }

    private func contents(_ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        #expect(try disk.read(path) { bytes += $0 })
        return bytes
    }

    @Test("a file is read in pieces of a mebibyte; where none is, nothing is read, and what cannot be read says why")
    func reading() throws {
        try inDirectory { directory in
            let path = directory + "/journal"
            #expect(try !disk.read(path) { _ in Issue.record("something was read") })
            let bytes = (0..<1_048_577).map { UInt8(truncatingIfNeeded: $0 / 3) }
            let file = try disk.open(path, cutTo: 0)
            try file.append(bytes)
            try file.sync()
            file.close()
            var pieces: [[UInt8]] = []
            #expect(try disk.read(path) { pieces.append($0) })
            #expect(pieces.map(\.count) == [1_048_576, 1] && Array(pieces.joined()) == bytes)
            #expect(throws: JournalError(operation: "open", code: ENOTDIR)) { try disk.read(path + "/x") { _ in } }
            #expect(throws: JournalError(operation: "read", code: EISDIR)) { try disk.read(directory) { _ in } }
        }
    }

    @Test("a file is opened for its owner and one holder alone, cut to a length, and written at its end")
    func opening() throws {
        try inDirectory { directory in
            let path = directory + "/journal"
            let first = try disk.open(path, cutTo: 0)
            try first.append([1, 2, 3, 4])
            #expect(throws: JournalError(operation: "flock", code: EWOULDBLOCK)) { try disk.open(path, cutTo: 0) }
            first.close()
            #expect(try contents(path) == [1, 2, 3, 4], "who did not get it has not cut it")
            #expect(chmod(path, 0o644) == 0)
            let second = try disk.open(path, cutTo: 3)
            try second.append([])
            try second.append([5, 6])
            try second.sync()
            second.close()
            #expect(try contents(path) == [1, 2, 3, 5, 6])
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test("what cannot be opened says why, and holds nothing")
    func refused() throws {
        try inDirectory { directory in
            let path = directory + "/journal"
            #expect(throws: JournalError(operation: "open", code: ENOENT)) {
                try disk.open(directory + "/none/journal", cutTo: 0)
            }
            #expect(symlink(path, directory + "/link") == 0)
            #expect(throws: JournalError(operation: "open", code: ELOOP)) {
                try disk.open(directory + "/link", cutTo: 0)
            }
            #expect(throws: JournalError(operation: "open", code: ELOOP)) {
                try disk.read(directory + "/link") { _ in }
            }
            for _ in 0..<2 {
                #expect(throws: JournalError(operation: "ftruncate", code: EINVAL)) { try disk.open(path, cutTo: -1) }
            }
            try disk.open(path, cutTo: 0).close()
        }
    }

    @Test("a file takes the place of another one, and a file that is not there takes none")
    func moving() throws {
        try inDirectory { directory in
            let (path, other) = (directory + "/journal", directory + "/other")
            for (name, byte) in [(path, 1), (other, 2)] as [(String, UInt8)] {
                let file = try disk.open(name, cutTo: 0)
                try file.append([byte])
                file.close()
            }
            try disk.move(other, to: path)
            #expect(try contents(path) == [2])
            #expect(try !disk.read(other) { _ in })
            #expect(throws: JournalError(operation: "rename", code: ENOENT)) { try disk.move(other, to: path) }
            #expect(try contents(path) == [2])
        }
    }

    @Test("bytes that the system does not take are not written")
    func full() throws {
        try inDirectory { directory in
            let path = directory + "/journal"
            // A file as long as the file system allows, and empty.
            var (length, step) = (0, 1 << 62)
            while step > 0 {
                if let file = try? disk.open(path, cutTo: length + step) {
                    file.close()
                    length += step
                }
                step /= 2
            }
            let file = try disk.open(path, cutTo: length)
            defer { file.close() }
            #expect(throws: JournalError(operation: "write", code: EFBIG)) { try file.append([1]) }
        }
    }

    @Test("an error is told in the system's words, and only a lock that another process has is held by another")
    func words() {
        for (operation, code, isHeld, text) in [
            ("flock", EWOULDBLOCK, true, String(cString: strerror(EWOULDBLOCK))),
            ("flock", ENOLCK, false, String(cString: strerror(ENOLCK))),
            ("open", EWOULDBLOCK, false, String(cString: strerror(EWOULDBLOCK))),
            ("write", 1, false, String(cString: strerror(1))),
            ("reading the header", 0, false, "this is no journal of a gateway"),
        ] as [(String, Int32, Bool, String)] {
            let error = JournalError(operation: operation, code: code)
            #expect(error.isHeldByAnother == isHeld)
            #expect(error.description == "journal: \(operation) failed: \(text)")
        }
    }
}
