import BenjiProtocol
import Foundation
import Synchronization

/// A key that never leaves an HSM and wraps master keys, so that their file alone opens nothing (decision 36).
package protocol WrappingKey: Sendable {
    /// As messages name it. Nothing of it is secret.
    var name: String { get }
    func wrap(_ key: [UInt8]) throws(MasterKeyError) -> [UInt8]
    /// Unwraps several keys while the HSM is asked once.
    /// - Returns: for each its bytes; `nil` for what this key has not wrapped.
    func unwrap(_ wrapped: [[UInt8]]) throws(MasterKeyError) -> [[UInt8]?]
}

/// The wrapping keys of an installation, and how they and master keys meet in a text.
package struct WrappingKeys: Sendable {
    /// Prefix of the textual form of a wrapped master key.
    static let prefix = "benji-wrapped-key-1:"

    /// Wraps new master keys; `nil` where they are kept in clear.
    package let current: (any WrappingKey)?
    /// Unwraps those that it wrapped while new ones are kept otherwise.
    package let former: (any WrappingKey)?
    private let opened = OpenedKeys()

    package init(current: (any WrappingKey)? = nil, former: (any WrappingKey)? = nil) {
        self.current = current
        self.former = former
    }

    /// A new master key as it is kept.
    func makeKey(random: some RandomSource) throws(MasterKeyError) -> (key: MasterKey, line: String) {
        let (key, bytes) = MasterKey.make(random: random)
        guard let current else { return (key, MasterKey.text(of: bytes)) }
        return (key, try line(of: key, wrappedBy: current))
    }

    private func line(of key: MasterKey, wrappedBy current: any WrappingKey) throws(MasterKeyError) -> String {
        let wrapped = try current.wrap(key.bytes)
        // Nothing may be sealed under a key, nor lose its other copies, before it is certain that it can be had again.
        guard try current.unwrap([wrapped]) == [key.bytes] else {
            throw MasterKeyError("\(current.name) does not unwrap what it has just wrapped, so it cannot be used")
        }
        let line = Self.prefix + Base64URL.encode(wrapped)
        opened.insert(KeptMasterKey(key: key, wrappedBy: current.name, isKeptAsNew: true), line: line)
        return line
    }

    /// One key as it is kept where nothing is sealed under it any more: wrapped by the present wrapping key, if there
    /// is one. A key that was wrapped is never written in clear.
    /// - Parameter lines: how it was kept until now, in one place or several; not empty.
    func lineOfFormer(_ lines: [String]) throws(MasterKeyError) -> String {
        let kept = try keys(in: lines.joined(separator: "\n"))
        if let wrapped = zip(lines, kept).first(where: { $1.wrappedBy != nil && $1.isKeptAsNew }) { return wrapped.0 }
        guard let current else { return lines.first(where: Self.isWrapped) ?? lines[0] }
        return try line(of: kept[0].key, wrappedBy: current)
    }

    /// The master keys in a text: one a line, or with blanks between them. Asks the HSM for those alone that it was not
    /// asked for before.
    func keys(in text: String) throws(MasterKeyError) -> [KeptMasterKey] {
        var keys: [KeptMasterKey?] = []
        var unknown: [(index: Int, line: String, bytes: [UInt8])] = []
        for line in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            if !Self.isWrapped(line) {
                keys.append(
                    KeptMasterKey(key: try MasterKey(text: line), wrappedBy: nil, isKeptAsNew: current == nil))
            } else if let key = opened.key(line) {
                keys.append(key)
            } else {
                guard let bytes = Base64URL.decode(line.dropFirst(Self.prefix.count)), !bytes.isEmpty else {
                    throw MasterKeyError("what follows \(Self.prefix) must be base64url")
                }
                unknown.append((keys.count, line, bytes))
                keys.append(nil)
            }
        }
        guard !keys.isEmpty else {
            throw MasterKeyError("holds no key; must be \(MasterKey.prefix) followed by 43 characters")
        }
        let candidates = [(key: current, isCurrent: true), (key: former, isCurrent: false)].compactMap { candidate in
            candidate.key.map { (key: $0, isCurrent: candidate.isCurrent) }
        }
        guard unknown.isEmpty || !candidates.isEmpty else {
            throw MasterKeyError(
                "holds a key that an HSM has wrapped; set master-key.wrapping-key to the key of the HSM that wrapped "
                    + "it, "
                    + "and restart every process that was started before"
            )
        }
        for candidate in candidates where !unknown.isEmpty {
            let found = try candidate.key.unwrap(unknown.map(\.bytes))
            for (entry, bytes) in zip(unknown, found) {
                guard let bytes, bytes.count == MasterKey.length else { continue }
                let key = KeptMasterKey(
                    key: MasterKey(bytes: bytes), wrappedBy: candidate.key.name, isKeptAsNew: candidate.isCurrent)
                opened.insert(key, line: entry.line)
                keys[entry.index] = key
            }
            unknown.removeAll { keys[$0.index] != nil }
        }
        guard unknown.isEmpty else {
            let names = candidates.map(\.key.name).joined(separator: " or ")
            throw MasterKeyError(
                "holds a key that \(names) has not wrapped: bring the HSM whose key wrapped it, or a copy of that HSM, "
                    + "and name the "
                    + "key in master-key.wrapping-key, or in master-key.former-wrapping-key if new master keys are "
                    + "wrapped by another one"
            )
        }
        return keys.compactMap { $0 }
    }

    static func isWrapped(_ line: String) -> Bool { line.hasPrefix(prefix) }
}

/// Master keys that were unwrapped once, by their lines.
private final class OpenedKeys: Sendable {
    private let keys = Mutex<[String: KeptMasterKey]>([:])

    func key(_ line: String) -> KeptMasterKey? { keys.withLock { $0[line] } }
    func insert(_ key: KeptMasterKey, line: String) { keys.withLock { $0[line] = key } }
}
