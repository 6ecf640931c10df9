/// How much one connection may ask of us before anything about it is known.
public struct ServerLimits: Hashable, Sendable {
    /// Bytes of one header line. An attestation may be 16 KiB.
    public var headerLineBytes: Int
    /// Bytes of all header lines.
    public var headerBytes: Int
    public var headerCount: Int
    /// How long a new connection may take to send its first header.
    public var headTimeout: Duration
    /// How long a body may take from the end of the header.
    public var bodyTimeout: Duration
    /// How long a connection may wait for its next request.
    public var idleTimeout: Duration
    /// Open connections of one listener; more wait in the system's queue.
    public var connections: Int

    public init(
        headerLineBytes: Int = 20 * 1024, headerBytes: Int = 32 * 1024, headerCount: Int = 64,
        headTimeout: Duration = .seconds(10), bodyTimeout: Duration = .seconds(10),
        idleTimeout: Duration = .seconds(60),
        connections: Int = 16384
    ) {
        self.headerLineBytes = headerLineBytes
        self.headerBytes = headerBytes
        self.headerCount = headerCount
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
        self.idleTimeout = idleTimeout
        self.connections = connections
    }
}
