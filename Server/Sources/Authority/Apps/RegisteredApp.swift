package import BenjiProtocol
package import Store

/// One of an app's keys, open.
package struct RegisteredKey: Hashable, Sendable {
    package let use: AppKeyUse
    package let version: Int
    let acceptedUntil: Timestamp?
    package let key: AppKey

    package func isAccepted(at now: Timestamp) -> Bool { acceptedUntil.map { now < $0 } ?? true }
}

/// An app with its keys open, as endpoints need them to check signs.
package struct RegisteredApp: Sendable {
    package let record: AppRecord
    /// The keys that phones may show, newest first; at least one.
    package let packageKeys: [RegisteredKey]
    /// The keys that the app's server may sign with, newest first; at least one. Those of an app with one key are its
    /// package keys.
    package let serverKeys: [RegisteredKey]
    /// The secrets that sign events for the app's callback, newest first; ended ones too.
    package let callbackSecrets: [RegisteredKey]
    /// The record's server addresses, parsed once. An entry that is not a block admits no caller and is left out.
    let serverPrefixes: [IPPrefix]

    /// The newest app key, which goes into the phone's package.
    package var key: AppKey { packageKeys[0].key }
    /// The secret that the app's server signs with. For an app with one key it is that key.
    package var serverSecret: AppKey { serverKeys[0].key }

    /// The key that made a server's sign, of those that the record names. Whether it is still accepted, ``Authority``
    /// judges when the call is admitted.
    package func serverKey(_ made: (AppKey) -> Bool) -> RegisteredKey? { serverKeys.first { made($0.key) } }

    /// Whether an unsigned request may be the app's server: the app has the grant, and its addresses identify a server.
    package var mayCallUnsigned: Bool { record.unsignedRequests && Self.areNarrowEnough(serverPrefixes) }

    /// Whether the app named this address as one of its servers'. An app that named none has none.
    package func isServer(at peer: InternetAddress) -> Bool { serverPrefixes.contains { $0.contains(peer) } }

    /// Whether a server that proves itself by a client secret or its own key may be answered at this address. It may at
    /// the app's server addresses, or everywhere if the operator allows it.
    package func mayBeAnswered(at peer: InternetAddress?) -> Bool {
        record.openIDFromAnywhere || peer.map(isServer(at:)) == true
    }

    /// Whether addresses alone identify a server: there are some, and none is wider than /29 (IPv4) or /64 (IPv6).
    static func areNarrowEnough(_ prefixes: [IPPrefix]) -> Bool {
        !prefixes.isEmpty && prefixes.allSatisfy { $0.length >= ($0.address.bytes.count == 4 ? 29 : 64) }
    }

    /// Bytes of memory that it takes, about.
    var size: Int {
        let lists = [
            record.bundleIDs, record.serverAddresses, record.attesters, record.approvedContent, record.sourceIDs,
        ]
        let texts = lists.joined().reduce((record.rsaPublicKey?.utf8.count ?? 0) + record.name.utf8.count) {
            $0 + 64 + $1.utf8.count
        }
        return 1024 + 256 * record.keys.count + texts
    }

    /// An app with one key.
    init(record: AppRecord, key: AppKey) {
        self.init(
            record: record,
            keys: [RegisteredKey(use: .package, version: 1, acceptedUntil: nil, key: key)])
    }

    /// - Parameter keys: newest first, at least one of the package.
    init(record: AppRecord, keys: [RegisteredKey]) {
        self.record = record
        packageKeys = keys.filter { $0.use == .package }
        callbackSecrets = keys.filter { $0.use == .callback }
        let secrets = keys.filter { $0.use == .server }
        serverKeys = secrets.isEmpty ? packageKeys : secrets
        serverPrefixes = record.serverAddresses.compactMap { IPPrefix($0) }
    }
}
