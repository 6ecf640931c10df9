import NIOConcurrencyHelpers

@testable import Gateway

/// A disk in memory that fails, or loses unsynced data, at a test's request.
final class MemoryDisk: JournalDisk {
    private struct State {
        var names: [String: Int] = [:]
        /// The content of each file after a power cut.
        var durable: [[UInt8]] = []
        /// Data that is written and not yet synced.
        var pending: [[UInt8]] = []
        /// Data that a failed sync lost and the system shows all the same, by file: the offset and the bytes.
        var shown: [Int: (at: Int, bytes: [UInt8])] = [:]
        var isFailing = false
        /// The name of the file that takes nothing.
        var full: String?
        var openFiles = 0
        var forgetsNextSync = false
        var syncs = 0
        var failsNextMove = false
        var duringSync: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    var isFailing: Bool {
        get { state.withLockedValue { $0.isFailing } }
        set { state.withLockedValue { $0.isFailing = newValue } }
    }

    /// Nothing can be written to the file of this name from now on.
    func failWrites(to path: String?) { state.withLockedValue { $0.full = path } }

    /// How many files are open.
    var openFiles: Int { state.withLockedValue { $0.openFiles } }

    /// The next sync fails as Linux's does: what it should have covered is gone, and shown to readers all the same.
    func forgetNextSync() { state.withLockedValue { $0.forgetsNextSync = true } }

    /// The next rename fails.
    func failNextMove() { state.withLockedValue { $0.failsNextMove = true } }

    /// Runs within each sync.
    func duringSync(_ body: (@Sendable () -> Void)?) { state.withLockedValue { $0.duringSync = body } }

    var syncs: Int { state.withLockedValue { $0.syncs } }

    func contents(_ path: String) -> [UInt8]? {
        state.withLockedValue { state in state.names[path].map { state.durable[$0] } }
    }

    func setContents(_ path: String, _ bytes: [UInt8]) {
        let file = file(path)
        state.withLockedValue { $0.durable[file] = bytes }
    }

    /// A disk as a power cut at this moment would leave it.
    func afterPowerCut() -> MemoryDisk {
        let disk = MemoryDisk()
        let (names, durable) = state.withLockedValue { ($0.names, $0.durable) }
        disk.state.withLockedValue {
            $0.names = names
            $0.durable = durable
            $0.pending = durable.map { _ in [] }
        }
        return disk
    }

    private func file(_ path: String) -> Int {
        state.withLockedValue { state in
            if let file = state.names[path] { return file }
            state.durable.append([])
            state.pending.append([])
            state.names[path] = state.durable.count - 1
            return state.durable.count - 1
        }
    }

    func read(_ path: String, _ body: ([UInt8]) -> Void) throws(JournalError) -> Bool {
        guard var bytes = contents(path) else { return false }
        let shown = state.withLockedValue { state in state.names[path].flatMap { state.shown[$0] } }
        if let shown {
            bytes = Array(bytes.prefix(shown.at)) + shown.bytes + bytes.dropFirst(shown.at + shown.bytes.count)
        }
        // In pieces of odd size, as a file may come.
        for start in stride(from: 0, to: bytes.count, by: 13) {
            body(Array(bytes[start..<min(start + 13, bytes.count)]))
        }
        return true
    }

    func open(_ path: String, cutTo length: Int) throws(JournalError) -> any JournalFile {
        try failIfAsked("open")
        let file = file(path)
        state.withLockedValue {
            $0.durable[file] = Array($0.durable[file].prefix(length))
            $0.pending[file] = []
            $0.openFiles += 1
        }
        return File(disk: self, number: file)
    }

    func move(_ source: String, to path: String) throws(JournalError) {
        try failIfAsked("rename")
        let fails = state.withLockedValue { state in
            defer { state.failsNextMove = false }
            return state.failsNextMove
        }
        if fails { throw JournalError(operation: "rename", code: 5) }
        state.withLockedValue { $0.names[path] = $0.names.removeValue(forKey: source) }
    }

    private func failIfAsked(_ operation: String) throws(JournalError) {
        if isFailing { throw JournalError(operation: operation, code: 28) }
    }

    private struct File: JournalFile {
        let disk: MemoryDisk
        let number: Int

        func append(_ bytes: [UInt8]) throws(JournalError) {
            // A full disk takes half of the data.
            let isFailing = disk.state.withLockedValue { state in
                state.isFailing || state.full.map { state.names[$0] == number } ?? false
            }
            disk.state.withLockedValue {
                $0.pending[number] += isFailing ? Array(bytes.prefix(bytes.count / 2)) : bytes
            }
            if isFailing { throw JournalError(operation: "write", code: 28) }
        }

        func sync() throws(JournalError) {
            try disk.failIfAsked("fdatasync")
            disk.state.withLockedValue { $0.duringSync }?()
            let forgets = disk.state.withLockedValue { state in
                guard state.forgetsNextSync else { return false }
                state.forgetsNextSync = false
                state.shown[number] = (state.durable[number].count, state.pending[number])
                state.pending[number] = []
                return true
            }
            if forgets { throw JournalError(operation: "fdatasync", code: 5) }
            disk.state.withLockedValue {
                $0.syncs += 1
                // The forgotten data leaves a hole of zeros.
                if let shown = $0.shown[number] {
                    let end = shown.at + shown.bytes.count
                    $0.durable[number] += Array(repeating: 0, count: max(0, end - $0.durable[number].count))
                }
                $0.durable[number] += $0.pending[number]
                $0.pending[number] = []
            }
        }

        func close() { disk.state.withLockedValue { $0.openFiles -= 1 } }
    }
}
