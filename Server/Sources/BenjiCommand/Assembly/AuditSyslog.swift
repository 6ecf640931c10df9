import BenjiProtocol
import Foundation
import Logging
import Metrics
import ServerHTTP
import ServiceLifecycle
import Store
import Synchronization

/// Sends each line of the audit log to a syslog daemon of this machine (`audit.syslog`), within about a second of its
/// commit. The order may come from this node, another node or a command.
///
/// The audit log is the queue. Lines that the daemon has not read wait there, also while no server runs. A file of the
/// data directory names the last line that was read. If the daemon ends, the lines after that one are sent again.
/// Memory holds a few lines at a time.
final class AuditSyslog: Service {
    static let fileName = "audit-syslog"
    /// At most so many of the newest lines are sent where the file names no line of this audit log.
    static let firstLines: Int64 = 1000
    private static let interval: Duration = .seconds(1)
    private static let batch = 100

    private let socket: SyslogSocket
    private let store: any AuditStore
    private let file: URL
    private let host = ServerAssembly.machineName ?? ""
    private let logger: Logger
    private let sent = Counter(label: "benji_audit_syslog_lines_total")
    private let state = Mutex(State())

    private struct State {
        /// The last line that the daemon has read, as the file names it; `nil` until the file was read.
        var kept: Mark?
        /// The last line that the socket has taken, if that is a later one.
        var sent: Mark?
        /// How many times in a row the daemon had not read all lines that were sent.
        var waits = 0
        var problem: String?
    }

    /// A line as the file names it. The time distinguishes it from a line with the same number in a restored log.
    private struct Mark: Equatable {
        var line: Int64 = 0
        /// In milliseconds since 1970.
        var at: Int64 = 0

        init() {}
        init(_ line: AuditEntry) { (self.line, at) = (line.id, line.at.milliseconds) }
        init?(_ text: String) {
            let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
            guard numbers.count == 2, numbers[0] >= 0 else { return nil }
            (line, at) = (numbers[0], numbers[1])
        }
        var text: String { "\(line) \(at)\n" }
    }

    init(_ socket: SyslogSocket, store: any AuditStore, dataDirectory: String, logger: Logger) {
        self.socket = socket
        self.store = store
        self.logger = logger
        file = URL(fileURLWithPath: dataDirectory).appendingPathComponent(Self.fileName)
    }

    /// Why lines wait; `nil` if none does.
    var problem: String? { state.withLock { $0.problem } }

    var check: HealthEndpoints.Check {
        HealthEndpoints.Check(
            "audit-syslog", warnings: { [self] in problem.map { ["\(AuditSyslog.waiting): \($0)"] } ?? [] },
            problem: { nil })
    }

    private static let waiting = "lines of the audit log wait until syslog takes them"
    /// A daemon that has not read all for so many seconds does not read.
    private static let patience = 10

    /// Sends the lines that were added since the last call.
    ///
    /// - Parameter batches: at most so many times a hundred lines.
    func send(batches: Int = .max) async {
        let found: String?
        do throws(StoreError) { found = try await sendAll(batches) } catch {
            found = Task.isCancelled ? problem : "the audit log was not read: \(error)"
        }
        let former = state.withLock { state -> String? in
            defer { state.problem = found }
            return state.problem
        }
        if let found, former == nil {
            logger.warning("\(Self.waiting)", metadata: ["socket": "\(socket.path)", "reason": "\(found)"])
        } else if found == nil, former != nil {
            logger.notice("syslog takes lines of the audit log again")
        }
    }

    /// - Returns: why lines wait.
    private func sendAll(_ batches: Int) async throws(StoreError) -> String? {
        state.withLock { $0.waits = $0.sent == nil ? 0 : $0.waits + 1 }
        var unread = confirm()
        for _ in 0..<batches {
            if Task.isCancelled { return problem }
            let lines = try await next()
            guard !lines.isEmpty else { return unread }
            let process = ProcessInfo.processInfo.processIdentifier
            let taken = socket.send(lines.map { SyslogMessage($0, host: host, process: process).bytes })
            for place in taken.tooLong {
                logger.warning(
                    "a line of the audit log is too long for the syslog socket and was not sent",
                    metadata: ["line": "\(lines[place].id)"])
            }
            sent.increment(by: taken.count - taken.tooLong.count)
            if let last = lines.prefix(taken.count).last { state.withLock { $0.sent = Mark(last) } }
            // The rest goes in a second.
            if taken.count < lines.count { return taken.problem }
            unread = confirm() ?? unread
        }
        return unread
    }

    /// The next lines after the last one that was sent. If that line is unknown, the newest lines are sent, or sent
    /// again. It is unknown at the first start with the setting, in a new data directory and in a restored audit log.
    private func next() async throws(StoreError) -> [AuditEntry] {
        if let known = state.withLock({ $0.sent ?? $0.kept }) ?? fileMark {
            // Reads that line as well, to verify that it still exists.
            let lines = try await store.auditLines(after: max(known.line - 1, 0), limit: Self.batch + 1)
            if known.line == 0 || lines.first.map({ Mark($0) }) == known {
                state.withLock { $0.kept = $0.kept ?? known }
                return Array(lines.dropFirst(known.line > 0 ? 1 : 0))
            }
        }
        let first = try await store.lastAuditLine() - Self.firstLines
        let before = try await first > 0 ? store.auditLines(after: first - 1, limit: 1).first : nil
        let mark = before.map { Mark($0) } ?? Mark()
        // If the file cannot be written, the next confirmation reports it.
        _ = keep(mark)
        return try await store.auditLines(after: mark.line, limit: Self.batch)
    }

    private var fileMark: Mark? {
        guard let bytes = try? Data(contentsOf: file) else { return nil }
        return Mark(String(decoding: bytes, as: UTF8.self))
    }

    /// Keeps the last line that was sent if the daemon has read everything by now. If its socket is gone, all lines
    /// after the kept one are sent again.
    ///
    /// - Returns: why lines wait.
    private func confirm() -> String? {
        switch socket.state {
        case .read: return state.withLock { $0.sent }.flatMap { keep($0) }
        case .lost:
            state.withLock { ($0.sent, $0.waits) = (nil, 0) }
            return nil
        case .unread:
            return state.withLock { $0.waits } > Self.patience ? "the daemon does not read its socket" : nil
        }
    }

    /// - Returns: why the file cannot be written. The lines were sent, and a later start sends them again.
    private func keep(_ mark: Mark) -> String? {
        state.withLock { ($0.kept, $0.sent, $0.waits) = (mark, nil, 0) }
        do {
            try Data(mark.text.utf8).write(to: file, options: .atomic)
            return nil
        } catch { return "\(file.path) cannot be written" }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.send()
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
        // The remaining lines of a long log wait for the next start.
        await send(batches: 1)
        // A working daemon has read them by then. Otherwise the next start sends the last lines again.
        for _ in 0..<10 where state.withLock({ $0.sent != nil }) {
            try? await Task.sleep(for: .milliseconds(50))
            _ = confirm()
        }
    }
}

extension ServerAssembly {
    /// `nil` unless `audit.syslog` is set.
    func auditSyslog(_ installation: Installation) -> AuditSyslog? {
        configuration.auditSyslog.map { path in
            AuditSyslog(
                SyslogSocket(path: path), store: installation.store, dataDirectory: configuration.dataDirectory,
                logger: logger)
        }
    }
}
