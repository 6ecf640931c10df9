import Testing

@testable import Gateway

struct DropWatchTests {
    /// A socket with room for 1000 bytes, and the system around it.
    private struct Kernel {
        var watch: DropWatch
        var socket: DropWatch.Socket
        var errors: SystemErrors? = SystemErrors(buffer: 100, memory: 10)
        var reads = 0

        init(hasFilter: Bool = true, drops: UInt32 = 0) {
            socket = DropWatch.Socket(drops: drops, taken: 1000, room: 1000)
            watch = DropWatch(hasFilter: hasFilter, drops: drops, errors: errors)
        }

        mutating func look(read: Int = 0) -> DropWatch.Look {
            let errors = errors
            var reads = 0
            let look = watch.look(socket, read: read) {
                reads += 1
                return errors
            }
            self.reads += reads
            return look
        }
    }

    @Test("packets that found no room are lost; those that the filter keeps out are not")
    func apart() {
        var kernel = Kernel()
        kernel.socket.drops += 5
        #expect(kernel.look() == .init(lost: 0, keptOut: 5))
        #expect(kernel.look() == .init(lost: 0, keptOut: 0))
        kernel.socket.drops += 7
        kernel.errors!.buffer += 2
        #expect(kernel.look() == .init(lost: 2, keptOut: 5))
    }

    @Test("a buffer that has had room since the beginning has lost nothing")
    func roomAtFirst() {
        var kernel = Kernel()
        kernel.socket.taken = 999
        kernel.socket.drops += 3
        kernel.errors!.buffer += 3
        #expect(kernel.look() == .init(lost: 0, keptOut: 3))
    }

    @Test(
        "a count of the system that goes back says nothing, and every drop since is a loss", arguments: [true, false])
    func backwards(isBuffer: Bool) {
        var kernel = Kernel()
        kernel.socket.drops += 4
        kernel.errors = isBuffer ? SystemErrors(buffer: 99, memory: 10) : SystemErrors(buffer: 100, memory: 9)
        #expect(kernel.look() == .init(lost: 4, keptOut: 0))
    }

    @Test("another socket's errors lose nothing here, also while strangers are kept out")
    func others() {
        var kernel = Kernel()
        kernel.errors!.buffer += 50
        #expect(kernel.look() == .init())
        #expect(kernel.reads == 0)
        // There was room all the time: the waiting and the read data together are less than the buffer holds.
        kernel.socket.taken = 300
        _ = kernel.look()
        kernel.socket.drops += 9
        kernel.errors!.buffer += 50
        #expect(kernel.look(read: 600) == .init(keptOut: 9))
        kernel.socket.drops += 9
        kernel.errors!.buffer += 50
        #expect(kernel.look(read: 700).lost > 0)
    }

    @Test("when the memory of all sockets is full, packets are lost although this socket has room")
    func memory() {
        var kernel = Kernel()
        kernel.socket.taken = 0
        _ = kernel.look()
        kernel.socket.drops += 3
        kernel.errors!.memory += 3
        #expect(kernel.look() == .init(lost: 3))
    }

    @Test(
        "a loss is seen whichever of the counters is seen to rise first, and though the buffer is read empty meanwhile")
    func skew() {
        var socketFirst = Kernel()
        socketFirst.socket.drops += 1
        #expect(socketFirst.look().lost == 0)
        socketFirst.socket.taken = 0
        socketFirst.errors!.buffer += 1
        #expect(socketFirst.look().lost > 0)
        var systemFirst = Kernel()
        systemFirst.errors!.buffer += 1
        #expect(systemFirst.look().lost == 0)
        systemFirst.socket.drops += 1
        #expect(systemFirst.look().lost > 0)
    }

    @Test("without a filter, or when the system's count cannot be read, every drop is a loss")
    func blind() {
        var kernel = Kernel(hasFilter: false)
        kernel.socket.drops += 3
        #expect(kernel.look() == .init(lost: 3))
        kernel = Kernel()
        kernel.socket.drops += 3
        kernel.errors = nil
        #expect(kernel.look() == .init(lost: 3))
    }

    @Test("the socket's count may pass 2³²")
    func wrap() {
        var kernel = Kernel(hasFilter: false, drops: .max - 1)
        kernel.socket.drops &+= 4
        #expect(kernel.look() == .init(lost: 4))
    }

    @Test("receive errors are read from the system's own tables, of both versions of IP")
    func tables() {
        let snmp = """
            Ip: Forwarding DefaultTTL
            Ip: 1 64
            Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors
            Udp: 72 3 9 73 5 1 2 0 4
            UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors
            UdpLite: 0 0 0 0 1000
            """
        let snmp6 = "Udp6InErrors                    \t70\nUdp6RcvbufErrors                \t20\nUdp6MemErrors \t300\n"
        #expect(SystemErrors(snmp: snmp, snmp6: snmp6) == SystemErrors(buffer: 25, memory: 304))
        #expect(SystemErrors(snmp: snmp, snmp6: "") == SystemErrors(buffer: 5, memory: 4))
        #expect(SystemErrors(snmp: "", snmp6: snmp6) == nil)
        #expect(SystemErrors(snmp: "Udp: InDatagrams\nUdp: 5", snmp6: "") == nil)
        let bare = "Udp: RcvbufErrors\nUdp: 5"
        #expect(SystemErrors(snmp: bare, snmp6: "Udp6RcvbufErrors\t7") == SystemErrors(buffer: 12, memory: 0))
        for broken in [bare + "\nUdp: 6", bare + " 6", "Udp: RcvbufErrors MemErrors\nUdp: 5", "Udp: RcvbufErrors"] {
            #expect(SystemErrors(snmp: broken, snmp6: "") == nil, "\(broken)")
        }
        for broken in ["Udp6RcvbufErrors", "Udp6RcvbufErrors 1 2", "Udp6RcvbufErrors x"] {
            #expect(SystemErrors(snmp: bare, snmp6: broken) == nil, "\(broken)")
        }
        #expect(SystemErrors(snmp: bare, snmp6: "Ip6InReceives x y")?.buffer == 5, "another protocol's")
    }
}
