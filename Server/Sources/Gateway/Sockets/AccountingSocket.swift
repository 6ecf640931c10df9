import BenjiProtocol
import Glibc
import NIOCore

/// A UDP socket for accounting as the kernel has it: its filter, its buffer and what it dropped.
///
/// Made by system calls: the filter must exist before the socket is bound, or packets of unknown senders could come in.
struct AccountingSocket: Sendable {
    let descriptor: Int32
    /// The buffer that the kernel granted, in bytes.
    let receiveBuffer: Int
    /// Why the kernel does not filter unknown senders; `nil` if it does.
    let filterProblem: String?

    /// - Parameters:
    ///   - filter: `nil` if there are more sources than a filter can hold.
    ///   - receiveBuffer: bytes to ask for; the kernel gives `net.core.rmem_max` at most.
    static func open(
        _ address: InternetAddress, port: UInt16, filter: SourceFilter?, receiveBuffer: Int
    ) throws -> AccountingSocket {
        let family = address.family == .v4 ? AF_INET : AF_INET6
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        set(descriptor, SO_RCVBUF, Int32(clamping: receiveBuffer))
        let problem = filter.map { attach($0, to: descriptor) } ?? "more sources than a filter of the kernel can hold"
        guard try bind(descriptor, address, port) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw IOError(errnoCode: code, reason: "bind")
        }
        // The kernel counts its own overhead and says twice what it gave (socket(7)).
        return AccountingSocket(
            descriptor: descriptor, receiveBuffer: Int(get(descriptor, SO_RCVBUF) / 2), filterProblem: problem)
    }

    /// The kernel's state of the socket now.
    var state: DropWatch.Socket? {
        // SO_MEMINFO (Linux 4.12): nine numbers, of which we need the memory taken, the limit and the count of drops.
        var info = [UInt32](repeating: 0, count: 9)
        var size = socklen_t(info.count * 4)
        guard getsockopt(descriptor, SOL_SOCKET, 55, &info, &size) == 0, size == info.count * 4 else { return nil }
        return DropWatch.Socket(drops: info[8], taken: info[0], room: info[1])
    }

    /// The port that it is bound to.
    var port: UInt16 {
        get throws {
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            }
            guard result == 0 else { throw IOError(errnoCode: errno, reason: "getsockname") }
            // In both versions of IP it stands behind the family.
            return withUnsafeBytes(of: address) { UInt16($0[2]) << 8 | UInt16($0[3]) }
        }
    }

    func close() { Glibc.close(descriptor) }

    /// The receive errors of all UDP sockets of this network namespace.
    static func systemErrors() -> SystemErrors? {
        guard let snmp = read("/proc/net/snmp") else { return nil }
        return SystemErrors(snmp: snmp, snmp6: read("/proc/net/snmp6") ?? "")
    }

    private static func read(_ path: String) -> String? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(file, &piece, piece.count)
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += piece[..<count]
        }
    }

    @discardableResult
    private static func set(_ descriptor: Int32, _ option: Int32, _ value: Int32) -> Int32 {
        var value = value
        return setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func get(_ descriptor: Int32, _ option: Int32) -> Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, option, &value, &size)
        return value
    }

    /// Gives the kernel a filter. Answers why it does not take it, or `nil`.
    private static func attach(_ filter: SourceFilter, to descriptor: Int32) -> String? {
        var program: [UInt64] = []
        for instruction in filter.instructions {
            // `struct sock_filter`: two bytes, one, one, four.
            let bytes =
                withUnsafeBytes(of: instruction.code) { Array($0) } + [instruction.ifTrue, instruction.ifFalse]
                + withUnsafeBytes(of: instruction.operand) { Array($0) }
            program.append(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
        }
        let result = program.withUnsafeMutableBytes { program -> Int32 in
            // `struct sock_fprog`: the count, then the program's address at the next place of a pointer.
            var handle: (UInt, UInt) = (UInt(filter.instructions.count), UInt(bitPattern: program.baseAddress))
            return setsockopt(
                descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &handle, socklen_t(MemoryLayout.size(ofValue: handle)))
        }
        return result == 0 ? nil : String(cString: strerror(errno))
    }

    private static func bind(_ descriptor: Int32, _ address: InternetAddress, _ port: UInt16) throws -> Int32 {
        try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: Int(port)).withSockAddr {
            Glibc.bind(descriptor, $0, socklen_t($1))
        }
    }
}
