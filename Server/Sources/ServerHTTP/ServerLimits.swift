/// How much one connection may ask of us before anything about it is known.
package struct ServerLimits: Hashable, Sendable {
    /// Bytes of one header line. An attestation may be 16 KiB.
    package var headerLineBytes: Int
    /// Bytes of all header lines.
    package var headerBytes: Int
    package var headerCount: Int
    /// How long a new connection may take to send its first header.
    package var headTimeout: Duration
    /// How long a body may take from the end of the header.
    package var bodyTimeout: Duration
    /// How long a connection may wait for its next request.
    package var idleTimeout: Duration
    /// How long a client may take to read answers that have filled the buffers on the way.
    package var writeTimeout: Duration
    /// Bytes of a body that are read and thrown away after it was answered, so that the connection may go on.
    package var excessBytes: Int
    /// Requests that a client may send ahead of their answers. One that sends more is cut off: its requests would be
    /// worked on while others wait.
    package var requestsAhead: Int
    /// Open connections of one listener; more wait in the system's queue.
    package var connections: Int
    /// Open connections from one address, or from one /64 of IPv6; more are closed at once. Phones behind one public
    /// address share it, and so do app servers behind one proxy.
    package var connectionsPerAddress: Int
    /// Whether one connection too many closes its address's oldest instead. This is for phones, so that a guest of a
    /// phone's hotspot cannot hold all of its connections. A server's connection is not cut off during an answer.
    package var closesOldestPerAddress = false
    /// Whether the work for a request is cancelled when its client leaves: where requests wait for news. Elsewhere a
    /// redemption that has begun is finished, and its answer is there for the client's next attempt.
    package var endsAbandonedWork = false

    package init(
        headerLineBytes: Int = 20 * 1024, headerBytes: Int = 32 * 1024, headerCount: Int = 64,
        headTimeout: Duration = .seconds(10), bodyTimeout: Duration = .seconds(10),
        idleTimeout: Duration = .seconds(60), writeTimeout: Duration = .seconds(10), requestsAhead: Int = 16,
        excessBytes: Int = 64 * 1024,
        connections: Int = 16384, connectionsPerAddress: Int = 1024
    ) {
        self.headerLineBytes = headerLineBytes
        self.headerBytes = headerBytes
        self.headerCount = headerCount
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
        self.idleTimeout = idleTimeout
        self.writeTimeout = writeTimeout
        self.requestsAhead = requestsAhead
        self.excessBytes = excessBytes
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
    }
}
