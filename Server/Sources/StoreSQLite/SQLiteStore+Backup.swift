package import BenjiProtocol
package import Store

/// The contents of a store's file, in counts.
package struct StoreContents: Hashable, Sendable {
    /// The newest step of the schema that it has: "v7".
    package var schema: String
    package var apps: Int
    package var subscriptions: Int
    package var ledgerLines: Int
    package var lastLedgerLine: Timestamp?
    /// When accounting last spoke of any subscription.
    package var lastSeen: Timestamp?
}

/// One change of the schema between two versions.
package struct SchemaStep: Hashable, Sendable {
    /// As it is remembered in the file: "v7".
    package var version: String
    /// Its effect, for operators.
    package var summary: String
}

/// Files as operators handle them: copied, looked at, brought forward. None of these needs an open store.
extension SQLiteStore {
    /// The schema of this version.
    package static var newestSchema: String { Schema.steps.last?.step.version ?? "none" }

    /// Copies the committed state into an empty file, while other processes go on reading and writing. The copy is one
    /// complete file; the caller syncs it.
    ///
    /// - Parameter progress: is told the copied share, from 0 to 1.
    /// - Throws: ``StoreError/Code/corrupt`` and ``StoreError/Code/unavailable`` as ``init(path:logger:)``.
    package static func copy(
        _ path: String, to draft: String, progress: (Double) -> Void = { _ in }
    ) throws(StoreError) {
        try DatabaseFile.copy(path, to: draft, progress: progress)
    }

    /// The contents of a file. Changes nothing.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if it is damaged, empty, not a store of Benji's, or of a later version.
    package static func contents(path: String) throws(StoreError) -> StoreContents { try DatabaseFile.contents(path) }

    /// Ends the credentials in a copy that is about to be served again: scrips, tokens, codes, refresh tokens, admins'
    /// credentials and attested keys. New subscriptions and face accounts get numbers that were never given out.
    ///
    /// - Parameter audit: the line for the copy's own audit log.
    package static func prepareForReturn(path: String, audit: AuditEntry?) throws(StoreError) {
        try DatabaseFile.prepareForReturn(path, audit: audit)
    }

    /// The schema steps that opening the file would apply, oldest first; empty for this version. Changes nothing.
    package static func pendingSteps(path: String) throws(StoreError) -> [SchemaStep] {
        try DatabaseFile.pendingSteps(path)
    }

    /// Brings a copy that no other process uses forward, one step after the other.
    /// - Parameter after: is told each step and how long it took.
    package static func bringForward(
        path: String, after: (SchemaStep, Duration) -> Void = { _, _ in }
    ) throws(StoreError) {
        try DatabaseFile.bringForward(path, after: after)
    }
}
