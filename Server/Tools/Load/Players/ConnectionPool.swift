import BenjiClient
import BenjiProtocol

/// The connections of app servers: as many as asked for, opened when first needed, kept while they work.
///
/// One that was idle for five seconds is not used again, as HTTP clients do: the server may be ending it just now. A
/// redemption that was lost on the way must not be sent twice.
actor ConnectionPool {
    private static let idleTime: Duration = .seconds(5)

    private let server: ServerURL
    private let source: InternetAddress
    private let timeout: Duration
    private var idle: [(connection: HTTPConnection, since: ContinuousClock.Instant)] = []
    private var unopened: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var firstWaiting = 0

    init(server: ServerURL, source: InternetAddress, size: Int, timeout: Duration) {
        self.server = server
        self.source = source
        self.timeout = timeout
        unopened = size
    }

    /// Takes a connection that is not in use. Waits while all are in use. Give it back with ``giveBack(_:)``.
    /// - Throws: ``ConnectionFault`` if a new one cannot be opened.
    func take() async throws(ConnectionFault) -> HTTPConnection {
        while true {
            // The one used last comes first, so that surplus connections grow old.
            while let (connection, since) = idle.popLast() {
                if connection.isOpen, ContinuousClock.now - since < Self.idleTime { return connection }
                connection.close()
                unopened += 1
            }
            if unopened > 0 { break }
            await withCheckedContinuation { waiting.append($0) }
        }
        unopened -= 1
        do {
            return try await HTTPConnection.open(to: server, from: source, timeout: timeout)
        } catch {
            unopened += 1
            wakeOne()
            throw error
        }
    }

    /// - Parameter connection: `nil` if it is broken; another is opened in its place.
    func giveBack(_ connection: HTTPConnection?) {
        if let connection { idle.append((connection, ContinuousClock.now)) } else { unopened += 1 }
        wakeOne()
    }

    func closeAll() {
        for (connection, _) in idle { connection.close() }
        unopened += idle.count
        idle = []
    }

    private func wakeOne() {
        guard firstWaiting < waiting.count else { return }
        waiting[firstWaiting].resume()
        firstWaiting += 1
        if firstWaiting == waiting.count {
            waiting = []
            firstWaiting = 0
        }
    }
}
