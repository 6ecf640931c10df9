/// Separates packets that the kernel dropped for lack of room from those that a socket's filter kept out.
///
/// Linux counts both on the socket. Only the first are also receive errors in the system's UDP counters, which cover
/// all sockets of the network namespace. So packets may be lost when both have risen. They cannot be lost if neither
/// the socket's buffer nor the memory of all sockets was full. The counters do not rise at the same instant, so each
/// look covers the time since the look before the last.
struct DropWatch: Sendable {
    /// The kernel's state of a socket.
    struct Socket: Hashable, Sendable {
        /// Packets dropped, modulo 2³².
        var drops: UInt32
        /// Bytes of memory that waiting packets take, and that they may take.
        var taken: UInt32
        var room: UInt32
    }

    /// The result of a look.
    struct Look: Hashable, Sendable {
        /// Packets that were lost; at least one if any was.
        var lost = 0
        /// Packets of sources that are not listed.
        var keptOut = 0
    }

    private let hasFilter: Bool
    private var drops: UInt32
    private var errors: SystemErrors
    /// The drops that the last look counted on the socket, and whether its buffer may have been full.
    private var before = (risen: 0, wasFull: false)

    /// - Parameters:
    ///   - drops: the socket's count at the beginning.
    ///   - errors: the system's; `nil` if it cannot be read.
    init(hasFilter: Bool, drops: UInt32, errors: SystemErrors?) {
        self.hasFilter = hasFilter
        self.drops = drops
        self.errors = errors ?? SystemErrors(buffer: 0, memory: 0)
    }

    /// - Parameters:
    ///   - read: at least the memory, in bytes, that the packets took which were read since the last look.
    ///   - readErrors: reads the system's receive errors. It is asked only when the socket's count has risen.
    mutating func look(_ socket: Socket, read: Int, readErrors: () -> SystemErrors?) -> Look {
        let risen = Int(socket.drops &- drops)
        let all = risen + before.risen
        // Packets that took room since the last look have been read, or still wait.
        let isFull = Int(socket.taken) + read >= Int(socket.room)
        let wasFull = isFull || before.wasFull
        drops = socket.drops
        before = (risen, isFull)
        guard all > 0 else { return Look() }
        guard hasFilter, let now = readErrors() else { return Look(lost: risen) }
        // Counters of a namespace do not go back; if they seem to, they are unusable.
        let buffer = now.buffer >= errors.buffer ? now.buffer - errors.buffer : .max
        let memory = now.memory >= errors.memory ? now.memory - errors.memory : .max
        errors = now
        let lost = min(wasFull ? buffer : 0, UInt64(all)) + min(memory, UInt64(all))
        let counted = Int(min(lost, UInt64(all)))
        return Look(lost: counted, keptOut: max(risen - counted, 0))
    }
}

/// The receive errors of all UDP sockets of a network namespace, both versions of IP together.
struct SystemErrors: Hashable, Sendable {
    /// A socket's buffer was full.
    var buffer: UInt64
    /// The memory that all UDP sockets may take was full.
    var memory: UInt64

    init(buffer: UInt64, memory: UInt64) { (self.buffer, self.memory) = (buffer, memory) }

    /// Reads /proc/net/snmp and /proc/net/snmp6; `nil` if they have no UDP counters.
    init?(snmp: String, snmp6: String) {
        let rows = snmp.split(separator: "\n").filter { $0.hasPrefix("Udp:") }.map { $0.split(separator: " ") }
        guard rows.count == 2, rows[0].count == rows[1].count else { return nil }
        var sums: [Substring: UInt64] = [:]
        for (name, value) in zip(rows[0], rows[1]).dropFirst() { sums[name] = UInt64(value) }
        guard let buffer = sums["RcvbufErrors"] else { return nil }
        for line in snmp6.split(separator: "\n") where line.hasPrefix("Udp6") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count == 2, let value = UInt64(words[1]) else { return nil }
            sums[words[0]] = value
        }
        self.buffer = buffer + (sums["Udp6RcvbufErrors"] ?? 0)
        // Older systems do not have these.
        memory = (sums["MemErrors"] ?? 0) + (sums["Udp6MemErrors"] ?? 0)
    }
}
