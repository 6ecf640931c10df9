import Foundation
import Synchronization

/// Writes operations to a file, one JSON object a line, as they end.
///
/// An operation without an answer is written as well. The lines are in the order of ends; the judge sorts.
package final class HistoryFile: Sendable {
    private struct State {
        var handle: FileHandle
        var waiting: [UInt8] = []
        var failed = false
    }

    private static let batch = 64 * 1024
    private let state: Mutex<State>

    /// Makes the file, for its owner alone; earlier contents are gone.
    /// - Throws: when it cannot be made.
    package init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        state = Mutex(State(handle: handle))
    }

    func append(_ operation: Operation) {
        let line = Array("\(operation.line)\n".utf8)
        state.withLock { state in
            state.waiting += line
            if state.waiting.count >= Self.batch { Self.write(&state) }
        }
    }

    /// Writes the waiting lines and closes the file.
    /// - Returns: whether everything could be written.
    package func close() -> Bool {
        state.withLock { state in
            Self.write(&state)
            do { try state.handle.close() } catch { state.failed = true }
            return !state.failed
        }
    }

    private static func write(_ state: inout State) {
        do { try state.handle.write(contentsOf: Data(state.waiting)) } catch { state.failed = true }
        state.waiting.removeAll(keepingCapacity: true)
    }
}
