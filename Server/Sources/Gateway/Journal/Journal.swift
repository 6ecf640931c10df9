import BenjiProtocol
import NIOConcurrencyHelpers

/// The directory's memory across restarts: an append-only file of full session states.
///
/// One ``commit(_:at:)`` writes a whole batch of packets with one fdatasync, and only then are they answered. It holds
/// no number and no IMSI. Compaction writes a new file next to it, a slice at a time between batches, and renames it
/// into place.
///
/// After a failed write or sync the disk's content is unknown. So the journal counts as broken and is rewritten from
/// the directory before anything else is committed. An opened journal is rewritten as well. The process before may have
/// died of such a failure, and a system shows pages that it could not write (decision 20).
final class Journal: Sendable {
    private struct State {
        var file: (any JournalFile)?
        var size = 0
        var sizeAfterCompaction = 0
        var successor: (any JournalFile)?
        var successorSize = 0
        /// Whether something that it holds is to go, however small it is.
        var isCompactionAsked = false
    }

    /// The result of opening a journal.
    struct Recovery: Sendable, Hashable {
        /// The newest heartbeat; `nil` in a new journal.
        var lastHeartbeat: Timestamp?
        var records = 0
        /// Bytes of a torn or damaged end that were cut off.
        var lostBytes = 0
    }

    private let path: String
    private let disk: any JournalDisk
    private let state: NIOLockedValueBox<State>
    /// A journal below this size is not compacted.
    private let minimumSize: Int

    private init(path: String, disk: any JournalDisk, minimumSize: Int, state: State) {
        self.path = path
        self.disk = disk
        self.minimumSize = minimumSize
        self.state = NIOLockedValueBox(state)
    }

    /// Opens a journal, gives what it holds to `body`, and cuts off a torn end.
    ///
    /// - Parameter afterLoss: called when all is read and something is to be cut off. It returns the content that the
    ///   journal must hold instead. Otherwise the next run would not know of the loss.
    static func open(
        _ path: String, disk: any JournalDisk = SystemDisk(), minimumSize: Int = 64 << 20,
        afterLoss: () -> [DirectoryChange] = { [] }, _ body: (DirectoryChange) -> Void
    ) throws(JournalError) -> (journal: Journal, recovery: Recovery) {
        var recovery = Recovery()
        var reader = JournalReader()
        var length = 0
        _ = try disk.read(path) { piece in
            length += piece.count
            reader.read(piece) { record in
                recovery.records += 1
                switch record {
                case .change(let change): body(change)
                case .heartbeat(let time): recovery.lastHeartbeat = max(recovery.lastHeartbeat ?? time, time)
                }
            }
        }
        // A damaged or foreign beginning: whatever this file is, it is not ours to cut to nothing.
        if reader.isDamaged, reader.goodLength == 0 { throw JournalError(operation: "reading the header", code: 0) }
        recovery.lostBytes = length - reader.goodLength
        var state = State()
        // The damaged end stays until the copy, which records the loss, is in its place.
        var file = try disk.open(path, cutTo: reader.goodLength > 0 ? length : 0)
        state.size = reader.goodLength
        if reader.goodLength > 0 {
            let end = recovery.lostBytes > 0 ? Self.encode(afterLoss(), heartbeat: nil) : []
            file = try rewrite(path, file, upTo: reader.goodLength, end, disk: disk)
            state.size += end.count
        }
        state.file = file
        if reader.goodLength == 0 {
            try file.append(JournalCoding.magic)
            try file.sync()
            state.size = JournalCoding.magic.count
        }
        state.sizeAfterCompaction = state.size
        return (Journal(path: path, disk: disk, minimumSize: minimumSize, state: state), recovery)
    }

    /// Replaces a file with a copy of its first bytes and `end`, written and synced. Closes the file and returns the
    /// copy.
    private static func rewrite(
        _ path: String, _ file: any JournalFile, upTo length: Int, _ end: [UInt8], disk: any JournalDisk
    ) throws(JournalError) -> any JournalFile {
        defer { file.close() }
        let copy = try disk.open(path + ".new", cutTo: 0)
        do throws(JournalError) {
            var failure: JournalError?
            // The head may be an older version's.
            try copy.append(JournalCoding.magic)
            var head = JournalCoding.magic.count
            var rest = length
            _ = try disk.read(path) { piece in
                guard failure == nil else { return }
                let good = piece.prefix(rest)
                rest -= good.count
                let skipped = min(head, good.count)
                head -= skipped
                do throws(JournalError) { try copy.append(Array(good.dropFirst(skipped))) } catch { failure = error }
            }
            if let failure { throw failure }
            try copy.append(end)
            try copy.sync()
            try disk.move(path + ".new", to: path)
        } catch {
            copy.close()
            throw error
        }
        return copy
    }

    /// Whether the last write failed: the journal must be compacted before it takes anything.
    var isBroken: Bool { state.withLockedValue { $0.file == nil } }

    var isCompacting: Bool { state.withLockedValue { $0.successor != nil } }

    var wantsCompaction: Bool {
        state.withLockedValue {
            $0.successor == nil
                && ($0.file == nil || $0.isCompactionAsked || $0.size > max(minimumSize, 2 * $0.sizeAfterCompaction))
        }
    }

    /// Requests a compaction, whatever the journal's size.
    func askForCompaction() { state.withLockedValue { $0.isCompactionAsked = true } }

    /// Appends changes and a heartbeat, and returns when they are durable.
    ///
    /// - Parameter time: `nil` for no heartbeat.
    func commit(_ changes: [DirectoryChange], at time: Timestamp?) throws(JournalError) {
        let bytes = Self.encode(changes, heartbeat: time)
        let failure: JournalError? = state.withLockedValue { state in
            guard let file = state.file else { return JournalError(operation: "writing after a failure", code: 5) }
            do throws(JournalError) {
                try file.append(bytes)
                try file.sync()
                state.size += bytes.count
            } catch {
                file.close()
                state.file = nil
                return error
            }
            if let successor = state.successor {
                do throws(JournalError) {
                    try successor.append(bytes)
                    state.successorSize += bytes.count
                } catch {
                    successor.close()
                    state.successor = nil
                }
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Begins a new file beside the journal.
    func beginCompaction() throws(JournalError) {
        let successor = try disk.open(path + ".new", cutTo: 0)
        do throws(JournalError) {
            try successor.append(JournalCoding.magic)
        } catch {
            successor.close()
            throw error
        }
        state.withLockedValue {
            $0.successor?.close()
            $0.successor = successor
            $0.successorSize = JournalCoding.magic.count
        }
    }

    /// Writes states that the directory holds into the new file.
    func addToCompaction(_ changes: [DirectoryChange]) throws(JournalError) {
        try onSuccessor { (state, successor) throws(JournalError) in
            let bytes = Self.encode(changes, heartbeat: nil)
            try successor.append(bytes)
            state.successorSize += bytes.count
        }
    }

    /// Makes the new file the journal.
    func finishCompaction(_ changes: [DirectoryChange], at time: Timestamp?) throws(JournalError) {
        try onSuccessor { (state, successor) throws(JournalError) in
            let bytes = Self.encode(changes, heartbeat: time)
            try successor.append(bytes)
            try successor.sync()
            state.file?.close()
            // If the move fails, it is unknown which file has the name: the old one is not written to again.
            state.file = nil
            try disk.move(path + ".new", to: path)
            state.file = successor
            state.size = state.successorSize + bytes.count
            state.sizeAfterCompaction = state.size
            state.successor = nil
            state.isCompactionAsked = false
        }
    }

    private func onSuccessor(
        _ body: (inout State, any JournalFile) throws(JournalError) -> Void
    ) throws(JournalError) {
        let failure: JournalError? = state.withLockedValue { state in
            guard let successor = state.successor else { return JournalError(operation: "compacting", code: 5) }
            do throws(JournalError) {
                try body(&state, successor)
                return nil
            } catch {
                successor.close()
                state.successor = nil
                return error
            }
        }
        if let failure { throw failure }
    }

    func close() {
        state.withLockedValue {
            $0.file?.close()
            $0.successor?.close()
            $0.file = nil
            $0.successor = nil
        }
    }

    private static func encode(_ changes: [DirectoryChange], heartbeat: Timestamp?) -> [UInt8] {
        var bytes: [UInt8] = []
        // Most records are a session's state with its NAS's name.
        bytes.reserveCapacity(changes.count * 128 + 64)
        for change in changes { JournalCoding.append(.change(change), to: &bytes) }
        if let heartbeat { JournalCoding.append(.heartbeat(heartbeat), to: &bytes) }
        return bytes
    }
}
