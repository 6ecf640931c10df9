internal import BenjiProtocol
public import Store

/// An app's key in clear. Prints nothing of itself; whoever needs the text says so with ``reveal()``.
public struct AppKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    init(_ text: String) { self.text = text }

    public func reveal() -> String { text }
    public var description: String { "AppKey(hidden)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An app with its key open, as endpoints need it to check a sign.
public struct RegisteredApp: Sendable {
    public let record: AppRecord
    public let key: AppKey
    /// The record's server addresses, read once. What is no block is left out, as it lets nobody in.
    let serverPrefixes: [IPPrefix]

    /// Whether a request without a sign may be the app's server: the grant, and addresses that leave no room for
    /// strangers.
    public var mayCallUnsigned: Bool { record.unsignedRequests && Self.tellAServer(serverPrefixes) }

    /// Whether the app named this address as one of its servers'.
    func isServer(at peer: InternetAddress) -> Bool { serverPrefixes.contains { $0.contains(peer) } }

    /// Whether a server at this address may be answered: an app that named its servers' addresses is answered there alone.
    func mayBeAnswered(at peer: InternetAddress?) -> Bool { serverPrefixes.isEmpty || peer.map(isServer(at:)) == true }

    /// Whether addresses may be all that tells a server: there are some, and no block in which strangers could be.
    static func tellAServer(_ prefixes: [IPPrefix]) -> Bool {
        !prefixes.isEmpty && prefixes.allSatisfy { $0.length >= ($0.address.bytes.count == 4 ? 29 : 64) }
    }

    init(record: AppRecord, key: AppKey) {
        self.record = record
        self.key = key
        serverPrefixes = record.serverAddresses.compactMap { IPPrefix($0) }
    }
}
