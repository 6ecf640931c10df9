/// Finds the processes that have a port. The kernel lists its sockets, and the folders of processes show the owners.
package enum PortHolder {
    /// Processes, by id; none if they cannot be told.
    package static func find(_ port: UInt16, isUDP: Bool) -> [RunningProcess] {
        let name = isUDP ? "udp" : "tcp"
        let inodes = [name, "\(name)6"].reduce(into: Set<String>()) { inodes, table in
            inodes.formUnion(Self.inodes(of: port, isUDP: isUDP, in: SystemFile.text("/proc/net/\(table)") ?? ""))
        }
        return inodes.isEmpty ? [] : RunningProcess.having(open: Set(inodes.map { "socket:[\($0)]" }))
    }

    /// Sockets that hold a port, by a table of the kernel's (proc_net(5)). Local address, peer and state are the second
    /// to fourth columns; the inode is the tenth.
    package static func inodes(of port: UInt16, isUDP: Bool, in table: String) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            // A socket of TCP that does not listen (0A) blocks no other.
            guard words.count > 9, isUDP || words[3] == "0A", let place = words[1].split(separator: ":").last,
                UInt16(place, radix: 16) == port, words[9] != "0"
            else { return nil }
            return String(words[9])
        }
    }
}
