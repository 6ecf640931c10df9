/// Why a packet gets no answer. Each is a value of the metric `benji_gateway_accounting_packets_total{result}`. It also
/// counts under the name of its NAS as a ``FeedFault``.
package enum DropReason: String, Error, Sendable, Hashable, CaseIterable {
    /// From no configured NAS. Dropped unheard, by the kernel where it takes our filter; damaged datagrams count here
    /// too then.
    case unknownNAS = "unknown_nas"
    /// The authenticator does not fit the secret.
    case badAuthenticator = "bad_authenticator"
    /// The bytes are no packet: header, lengths of attributes, or what should prove the sender, are not whole.
    case malformed
    /// A whole packet of the NAS that cannot be used: it lacks Acct-Session-Id or has a value of a wrong type. RFC 2866
    /// §4 and §5 have it discarded silently.
    case invalid
    /// A code that is neither Accounting-Request nor Status-Server.
    case unexpectedCode = "unexpected_code"
    /// The same packet is being processed.
    case inProgress = "in_progress"
    /// More packets than the NAS's limit.
    case rateLimited = "rate_limited"
    /// An address outside the NAS's pools.
    case outsidePools = "outside_pools"
    /// The event lies ahead of our clock by more than the tolerance.
    case clock
    /// No Event-Timestamp, from a NAS that must send one.
    case untimed = "no_event_timestamp"
    /// More Proxy-States than any chain of proxies adds: a loop.
    case proxyLoop = "proxy_loop"
    /// More sessions than the limit.
    case full
    /// The queue was full.
    case shed
    /// Dropped by the kernel, because the socket's buffer was full. Its content is unknown.
    case unheard = "kernel_dropped"
    /// The register or the journal did not work. The NAS repeats the packet.
    case unavailable

    /// Whether a connection ends with such a packet. A NAS over TLS sends nothing twice, so a repetition must come over
    /// a new connection. A packet that authenticates no sender or breaks a rule also ends it (RFC 6613 §2.6.4).
    var endsConnection: Bool {
        switch self {
        case .badAuthenticator, .malformed, .unexpectedCode, .rateLimited, .full, .shed, .unavailable: true
        // A new connection would not help: the same packet would end each of them.
        case .invalid, .unknownNAS, .inProgress, .outsidePools, .clock, .untimed, .proxyLoop, .unheard: false
        }
    }
}
