import Foundation
import Glibc

/// Runs the `openssl` program for tests that need certificates.
///
/// Foundation's `Process` is not used. On Linux it waits with `select`, which cannot see descriptors above 1,023. In a
/// test process that holds more of them open it waits for ever.
package enum OpenSSL {
    /// Why it did not do its work. Holds the arguments, which name files and no secrets.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// On a thread of its own, which waits for the program.
    package static func run(_ arguments: [String]) async throws {
        try await onOwnThread { try runHere(arguments) }
    }

    private static func runHere(_ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, "openssl", &actions, nil, &words, environ)
        guard error == 0 else { throw Failure(description: "openssl: \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw Failure(description: "openssl \(arguments.joined(separator: " ")): ended with status \(status)")
        }
    }
}
