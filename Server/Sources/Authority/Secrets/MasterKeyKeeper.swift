package import BenjiProtocol
import Foundation
package import Store

/// Where the master keys of an installation are kept.
package protocol MasterKeyKeeper: Sendable {
    /// As messages name it: a file's path, or a variable's name.
    var name: String { get }
    /// The keys that there are now, in their order; empty if the place is not there.
    func kept() throws(MasterKeyError) -> [KeptMasterKey]
    /// Makes a key and keeps it beside the others, durably.
    /// - Throws: ``MasterKeyError`` that says what to do, where only the operator can.
    func add(random: any RandomSource) throws(MasterKeyError) -> MasterKey
    /// Takes keys out, durably.
    ///
    /// - Parameter discarding: whether they are kept nowhere from then on. Otherwise each is first kept in a file of
    ///   its own, for earlier backups, if this is a place of files.
    /// - Returns: whether none of them is left.
    func remove(_ keys: [MasterKey], discarding: Bool) throws(MasterKeyError) -> Bool
    /// The files of former keys that lie there.
    func formerKeyFiles() -> [FormerKeyFile]
    /// Keeps other rotations away until the answer is released; `nil` if one is at work.
    func hold() throws(MasterKeyError) -> RotationLock?
}

extension MasterKeyKeeper {
    /// The keys that there are now, two while one takes the place of the other; empty if the place is not there.
    package func keys() throws(MasterKeyError) -> [MasterKey] { try kept().map(\.key) }
}

extension [KeptMasterKey] {
    /// The keys that are kept otherwise than a new one would be, if only in one of several places.
    var otherwise: Set<MasterKeyID> { Set(filter { !$0.isKeptAsNew }.map(\.key.id)) }
}

/// A master key and how it is kept.
package struct KeptMasterKey: Sendable {
    package let key: MasterKey
    /// The name of the wrapping key that opens it; `nil` for one in clear.
    package let wrappedBy: String?
    /// Whether one that comes now would be kept in the same way. A rotation goes to no other: it would not bring the
    /// keys to where the settings say.
    package var isKeptAsNew: Bool
}

/// A file that holds a key under which nothing is sealed any more: earlier backups open with it.
package struct FormerKeyFile: Hashable, Sendable {
    /// As its name says.
    package let id: MasterKeyID
    package let path: String
    /// Whether the key of an HSM is needed, too.
    package let isWrapped: Bool
}

/// Keeps other rotations away as long as it lives, and no longer than the process.
package final class RotationLock: Sendable {
    private let descriptor: Int32?

    init(descriptor: Int32?) { self.descriptor = descriptor }

    deinit { if let descriptor { close(descriptor) } }
}

/// Keys that are given from outside and cannot be changed from here.
package struct GivenMasterKeys: MasterKeyKeeper {
    package let name: String
    private let given: [KeptMasterKey]

    /// - Parameter text: one key, or several with blanks or line ends between them.
    package init(name: String, text: String, wrapping: WrappingKeys = WrappingKeys()) throws(MasterKeyError) {
        self.name = name
        given = try wrapping.keys(in: text).map { kept in
            var kept = kept
            // The operator alone puts keys here, and `benji keys new` prints them in clear.
            if kept.wrappedBy == nil { kept.isKeptAsNew = true }
            return kept
        }
    }

    /// - Parameter keys: read before, from one place or several.
    package init(name: String, keys: [KeptMasterKey]) {
        self.name = name
        given = keys
    }

    package func kept() -> [KeptMasterKey] { given }

    package func add(random: any RandomSource) throws(MasterKeyError) -> MasterKey {
        throw MasterKeyError(
            "the keys come from \(name), where benji cannot add one: make one with benji keys new, put it there beside "
                + "the "
                + "present one, restart every process that uses the database, and run this again")
    }

    package func remove(_ keys: [MasterKey], discarding: Bool) -> Bool {
        !given.contains { kept in keys.contains { $0.id == kept.key.id } }
    }

    package func formerKeyFiles() -> [FormerKeyFile] { [] }

    package func hold() -> RotationLock? { RotationLock(descriptor: nil) }
}
