package import BenjiProtocol
package import Sightings
package import Store

/// The locks of transactions besides those of rows: PostgreSQL's advisory locks, held until the transaction ends.
///
/// All transactions take them first and in this order. Then they lock rows of the register, scrips, tokens, OpenID
/// credentials, consents, counts of answers and accounts of the console. Rows of each table are locked in the order of
/// their keys. The mark of the audit log is last. So two transactions never wait for each other.
package struct StoreLock: Hashable, Sendable {
    package private(set) var key: Int32
    package private(set) var isShared = false

    /// The steps of the schema.
    package static let schema = StoreLock(key: 1)
    /// Orders, of which each looks at what the one before it left.
    package static let orders = StoreLock(key: 2)
    /// Which master keys are in use. Writers of sealed values share it.
    package static let masterKeys = StoreLock(key: 3)
    /// Pieces of consents, from the look at them to the consent that needs them; who deletes has it alone.
    package static let consents = StoreLock(key: 4)
    package static let faces = StoreLock(key: 5)
    /// Adding rows to the public log.
    package static let log = StoreLock(key: 6)
    /// Adding lines of the ledger to their sums, or removing sums.
    package static let ledgerSums = StoreLock(key: 7)
    /// Counting evidence in its marks, and taking off the rows that retention deletes.
    package static let evidenceMarks = StoreLock(key: 8)
    /// The credentials of a binding or a family. Storing one shares the lock; ending them takes it alone.
    package static func credentials(_ value: Int64) -> StoreLock { StoreLock(key: 64 + Int32(value & 63)) }
    package static func credentials(_ binding: BindingID) -> StoreLock { credentials(binding.rawValue) }
    /// The owner of a pair of gateways. Storing sightings under a fence shares the lock; a takeover has it alone.
    package static func pair(_ name: String) -> StoreLock {
        StoreLock(key: 128 + Int32(name.utf8.reduce(0) { ($0 &* 31 &+ UInt32($1)) & 63 }))
    }
    /// The texts sent to a number. Issuing a code counts them first, and has the lock exclusively.
    package static func sms(_ number: BlindIndex) -> StoreLock {
        StoreLock(key: 192 + Int32((number.bytes.first ?? 0) & 63))
    }
    /// Whether an app's answers of a day are counted in a row. Who counts in the ledger alone shares it.
    package static func bill(_ app: AppID) -> StoreLock {
        StoreLock(key: 1024 + Int32(app.rawValue.utf8.reduce(0) { ($0 &* 31 &+ UInt32($1)) & 1023 }))
    }

    package var shared: StoreLock { StoreLock(key: key, isShared: true) }
}
