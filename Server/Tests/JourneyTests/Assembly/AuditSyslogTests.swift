import BenjiProtocol
import Foundation
import Glibc
import Logging
import ServerTestKit
import ServiceLifecycle
import Store
import Synchronization
import Testing

@testable import BenjiCommand
@testable import ServerHTTP
@testable import ServerRuntime

@Suite("Lines of the audit log in syslog")
struct AuditSyslogTests {
    private static func entry(_ order: String = "app.suspend") -> AuditEntry {
        AuditEntry(
            id: 17, at: Timestamp(milliseconds: 1_795_000_000_042), actor: "ana", role: "operator",
            origin: "203.0.113.9",
            order: order, app: AppID(rawValue: "300000000001"), subject: "token ops-1", before: #"{"suspended":false}"#,
            after: #"{"suspended":true}"#, reason: "asked\nfor", request: OrderRequest(key: "secret", digest: [1]))
    }

    private static func text(_ entry: AuditEntry, host: String = "node-1") -> String {
        String(decoding: SyslogMessage(entry, host: host, process: 42).bytes, as: UTF8.self)
    }

    // MARK: the format

    @Test("A line is one message of RFC 5424, with what the line says and without the name of its request")
    func format() {
        #expect(
            Self.text(Self.entry())
                == #"<109>1 2026-11-18T11:06:40.042Z node-1 benji 42 app.suspend - {"id":17,"at":1795000000042,"#
                + #""actor":"ana","role":"operator","origin":"203.0.113.9","order":"app.suspend","#
                + #""app":"300000000001","subject":"token ops-1","before":{"suspended":false},"#
                + #""after":{"suspended":true},"reason":"asked\nfor","#
                + #""outcome":"\#(Situation.success.rawValue)"}"#
        )
    }

    @Test("A refused order is a warning; fields of the header are printable; a long line is cut and says so")
    func fields() {
        var entry = Self.entry("öffne\n<1> " + String(repeating: "x", count: 40))
        entry.outcome = .appSuspended
        let text = Self.text(entry, host: "")
        let name = "ffne<1>" + String(repeating: "x", count: 25)
        #expect(text.hasPrefix("<108>1 2026-11-18T11:06:40.042Z - benji 42 \(name) - {"), "\(text)")
        #expect(!text.contains("\n"))
        var long = Self.entry()
        long.after = #"{"texts":"\#(String(repeating: "長", count: 5000))"}"#
        let words = Self.text(long)
        #expect(words.utf8.count < SyslogMessage.maximumBytes)
        #expect(words.contains(#""isCut":true"#) && words.contains(#""id":17"#) && !words.contains("after"))
        // One character of any size.
        long.reason = "e" + String(repeating: "\u{301}", count: 9000)
        long.subject = String(repeating: "\u{1}", count: 9000)
        #expect(Self.text(long).utf8.count < SyslogMessage.maximumBytes)
        (long.reason, long.subject) = (nil, nil)
        long.after = "no JSON"
        #expect(Self.text(long).contains(#""after":"no JSON""#))
    }

    @Test("A time of any year is one of RFC 5424")
    func times() {
        var entry = Self.entry()
        entry.at = Timestamp(milliseconds: .max)
        #expect(Self.text(entry).hasPrefix("<109>1 9999-12-31T23:59:59."))
    }

    // MARK: a daemon

    /// A syslog daemon: reads a datagram socket.
    private final class Daemon {
        private let descriptor: Int32
        private let path: String

        init(_ path: String) throws {
            self.path = path
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(result == 0)
        }

        /// The messages that have come so far.
        func messages() -> [String] {
            var messages: [String] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count >= 0 else { return messages }
                messages.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }

        /// Waits for a message.
        func arrival() async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread { [descriptor] in
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    _ = poll(&wanted, 1, -1)
                    continuation.resume()
                }
            }
        }

        func end() {
            close(descriptor)
            unlink(path)
        }
    }

    private func withPlace(_ body: (Installation, String, LogBook) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "syslog-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = try DemoStage.configuration(dataDirectory: folder + "/data", ports: (0, 0, 0, 0))
        let book = LogBook()
        let installation = try await Installation.open(configuration, beginning: true, environment: [:])
        do { try await body(installation, folder + "/log", book) } catch {
            await installation.close()
            throw error
        }
        await installation.close()
    }

    private func syslog(_ installation: Installation, _ path: String, _ book: LogBook) -> AuditSyslog {
        AuditSyslog(
            SyslogSocket(path: path), store: installation.store,
            dataDirectory: installation.configuration.dataDirectory, logger: book.logger)
    }

    private func order(_ name: String, _ installation: Installation) async throws {
        try await installation.store.appendAudit(
            AuditEntry(
                at: Timestamp(milliseconds: 1_795_000_000_042), actor: "ana", role: "operator", origin: "test",
                order: name))
    }

    @Test("Each line is sent once, in its order; what no daemon takes waits, also over a restart")
    func sent() async throws {
        try await withPlace { installation, path, book in
            try await order("before", installation)
            let daemon = try Daemon(path)
            let first = syslog(installation, path, book)
            await first.send()
            #expect(names(daemon).last == "before", "the newest lines, too")
            for name in ["first", "second"] { try await order(name, installation) }
            await first.send()
            await first.send()
            #expect(names(daemon) == ["first", "second"])
            // Now it knows that they were read.
            await first.send()
            daemon.end()

            #expect(SyslogSocket(path: path).problem != nil)
            try await order("third", installation)
            await first.send()
            await first.send()
            let warning = await first.check.warnings()
            #expect(warning.count == 1 && warning[0].contains("no such file"), "\(warning)")
            #expect(book.lines.filter { $0.contains("wait until syslog takes them") }.count == 1)
            try await order("fourth", installation)

            let again = try Daemon(path)
            let second = syslog(installation, path, book)
            await second.send()
            #expect(names(again) == ["third", "fourth"])
            #expect(second.problem == nil)
            #expect(SyslogSocket(path: path).problem == nil)
            again.end()
        }
    }

    @Test(
        "A daemon that does not read loses no line; after a database was brought back its newest lines are sent again")
    func full() async throws {
        try await withPlace { installation, path, book in
            let daemon = try Daemon(path)
            let syslog = syslog(installation, path, book)
            func drain(_ syslog: AuditSyslog, until last: String) async -> [String] {
                var found: [String] = []
                for _ in 0..<700 where found.last != last {
                    await syslog.send()
                    found += daemon.messages().map { String($0.split(separator: " ")[5]) }
                }
                return found
            }
            await syslog.send()
            _ = daemon.messages()
            let room = try String(contentsOfFile: "/proc/sys/net/unix/max_dgram_qlen", encoding: .utf8)
            let count = try #require(Int(room.trimmingCharacters(in: .whitespacesAndNewlines))) + 100
            for number in 1...count { try await order("order.\(number)", installation) }
            await syslog.send()
            #expect(syslog.problem == nil, "a daemon that takes some has the rest a second later")
            await syslog.send()
            #expect(syslog.problem?.contains("does not read") == true)
            let orders = (1...count).map { "order.\($0)" }
            let all = await drain(syslog, until: "order.\(count)")
            #expect(all == orders)
            await syslog.send()
            #expect(syslog.problem == nil)

            let started = self.syslog(installation, path, book)
            await started.send()
            #expect(daemon.messages() == [], "each line was sent")
            let file = URL(fileURLWithPath: installation.configuration.dataDirectory).appendingPathComponent(
                AuditSyslog.fileName)
            let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: " ")[0]
            // A line of that number is there, and is another one.
            for text in ["999999 1795000000042", "\(kept) 5", "no number"] {
                try Data(text.utf8).write(to: file)
                let restored = self.syslog(installation, path, book)
                let found = await drain(restored, until: "order.\(count)")
                let newest = orders.suffix(Int(AuditSyslog.firstLines))
                #expect(Array(found.suffix(newest.count)) == Array(newest), "\(text)")
            }
            daemon.end()
        }
    }

    private func names(_ daemon: Daemon) -> [String] {
        daemon.messages().map { String($0.split(separator: " ")[5]) }
    }

    @Test("What a daemon had not read when it ended is sent again to the next one", arguments: [true, false])
    func endedUnread(isRestarted: Bool) async throws {
        try await withPlace { installation, path, book in
            let daemon = try Daemon(path)
            var sender = syslog(installation, path, book)
            await sender.send()
            _ = daemon.messages()
            await sender.send()
            for name in ["first", "second"] { try await order(name, installation) }
            await sender.send()
            daemon.end()
            let next = try Daemon(path)
            if isRestarted { sender = syslog(installation, path, book) }
            try await order("third", installation)
            await sender.send()
            #expect(names(next) == ["first", "second", "third"])
            await sender.send()
            #expect(sender.problem == nil && names(next) == [])
            next.end()
        }
    }

    /// An audit log whose lines can be put back.
    private final class Lines: AuditStore {
        let entries = Mutex<[AuditEntry]>([])

        func put(_ names: [String]) {
            let made = names.enumerated().map { place, name in
                AuditEntry(
                    id: Int64(place + 1), at: Timestamp(milliseconds: Int64(name.count)), actor: "ana",
                    role: "operator", origin: "test", order: name)
            }
            entries.withLock { $0 = made }
        }

        func appendAudit(_ entry: AuditEntry) async throws(StoreError) { entries.withLock { $0.append(entry) } }
        func auditEntries(
            _ filter: AuditFilter, before: Int64?, limit: Int
        ) async throws(StoreError) -> [AuditEntry] { [] }
        func auditLines(after line: Int64, limit: Int) async throws(StoreError) -> [AuditEntry] {
            Array(entries.withLock { $0 }.filter { $0.id > line }.prefix(limit))
        }
        func lastAuditLine() async throws(StoreError) -> Int64 { entries.withLock { $0.last?.id ?? 0 } }
        func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry? { nil }
    }

    @Test("Lines of an audit log that was put back under a running server are sent, whatever numbers they have")
    func putBack() async throws {
        try await withPlace { installation, path, book in
            let daemon = try Daemon(path)
            let lines = Lines()
            lines.put(["a", "b", "c"])
            let sender = AuditSyslog(
                SyslogSocket(path: path), store: lines, dataDirectory: installation.configuration.dataDirectory,
                logger: book.logger)
            await sender.send()
            #expect(names(daemon) == ["a", "b", "c"])
            // The third was lost, and its number is another line's.
            lines.put(["a", "b", "other", "d"])
            await sender.send()
            #expect(names(daemon) == ["a", "b", "other", "d"])
            lines.put(["a"])
            await sender.send()
            #expect(names(daemon) == ["a"])
            daemon.end()
        }
    }

    @Test("A message that the socket cannot take is passed over, and those after it are sent")
    func tooLarge() async throws {
        try await withPlace { _, path, _ in
            let daemon = try Daemon(path)
            let socket = SyslogSocket(path: path)
            let taken = socket.send([[65], [UInt8](repeating: 66, count: 16 << 20), [67]])
            #expect(taken.count == 3 && taken.tooLong == [1] && taken.problem == nil, "\(taken)")
            #expect(socket.state == .unread)
            #expect(daemon.messages() == ["A", "C"])
            #expect(socket.state == .read)
            daemon.end()
            #expect(socket.state == .lost)
        }
    }

    @Test("The last lines are sent when the server stops")
    func stopped() async throws {
        try await withPlace { installation, path, book in
            let daemon = try Daemon(path)
            try await order("before", installation)
            let service = syslog(installation, path, book)
            let group = ServiceGroup(services: [service], logger: book.logger)
            async let ended: Void = group.run()
            var found: [String] = []
            while found.last != "before" {
                await daemon.arrival()
                found += names(daemon)
            }
            try await order("last", installation)
            await group.triggerGracefulShutdown()
            try await ended
            #expect(names(daemon) == ["last"])
            daemon.end()
        }
    }

    @Test("A path that no socket can have is refused")
    func tooLong() throws {
        func read(_ path: String) throws -> String? {
            try ServerConfiguration(
                Settings(file: nil, flags: ["audit.syslog": path, "data": "/tmp/x"], environment: [:], keys: .server)
            ).auditSyslog
        }
        #expect(try read("/dev/log") == "/dev/log")
        #expect(throws: ConfigurationError.self) { try read("/" + String(repeating: "x", count: 107)) }
    }
}
