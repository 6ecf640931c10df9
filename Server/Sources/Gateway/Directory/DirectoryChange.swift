/// A change that a journal keeps. Full states rather than differences: writing one twice does no harm.
enum DirectoryChange: Hashable, Sendable {
    case put(SessionState)
    /// The session ended at this time.
    case removed(SessionKey, at: UInt32)
    /// The NAS of this scope started or stopped at this time.
    case reset(scope: String, at: UInt32)
    /// Packets that concern this ip-domain were lost: news up to then is no evidence of the present.
    case missed(domain: String, at: UInt32)
    /// The same of one NAS, because it was silent for too long.
    case missedScope(String, at: UInt32)
    /// The NAS has this name. It may have started or stopped at this time, as a packet under another name or a refused
    /// packet said; 0 without such a packet.
    case named(scope: String, restartedAt: UInt32)

    /// Whether it only reports that a session goes on.
    var isRenewal: Bool {
        if case .put(let state) = self { state.isRenewal } else { false }
    }

    /// One session as the journal keeps it: no number, no IMSI, no Acct-Session-Id.
    struct SessionState: Hashable, Sendable {
        var key: SessionKey
        var scope: String
        var subscription: Int64
        var epoch: Int32
        var simGeneration: Int32
        var binding: Int64
        var address: UInt32
        var prefix: UInt64
        var prefixLength: UInt8
        var startedAt: UInt32
        var heardAt: UInt32
        var flags: UInt8
        /// Names of the session's further bearers.
        var aliases: [SessionKey]
        var blocks: [Block]
        /// Whether only the time has changed that something was last heard of it. Noted for a pair of gateways alone,
        /// and not kept.
        var isRenewal = false
    }

    struct Block: Hashable, Sendable {
        var address: UInt32
        var first: UInt16
        var last: UInt16
        var time: UInt32
        /// The reporting NAS: empty for the session's own, `nil` in version 1 of the journal.
        var scope: String?
    }
}
