/// The one error type of all stores: the caller decides what to answer by its code, people read the rest.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The store cannot be reached, read or written now. Nothing was changed, or nothing is known: fail closed.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The row to be made exists already.
        package static let alreadyExists = Code(rawValue: "already exists")
        /// The row to be changed does not exist.
        package static let notFound = Code(rawValue: "not found")
        /// The row to be changed was changed by another caller since it was read. Nothing was changed: read it again.
        package static let outdated = Code(rawValue: "outdated")
        /// The gateway that saw the phone has been replaced by the other one of its pair. Nothing was changed.
        package static let gatewayReplaced = Code(rawValue: "gateway replaced")
        /// The store's current master key is another one than the caller's. Nothing was changed: read the key, seal
        /// again and try again.
        package static let keyChanged = Code(rawValue: "key changed")
        /// The store's master key is not at hand in this process, which says why in its log and in its readiness.
        /// Nothing was changed.
        package static let keyNotAtHand = Code(rawValue: "key not at hand")
        /// The stored data cannot be read: damaged, from a newer version, or encrypted under a key that is not here.
        package static let corrupt = Code(rawValue: "corrupt")
    }

    package var code: Code
    /// The operation and the problem, without values: "redeem: disk full".
    package var detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "store \(code.rawValue): \(detail)" }
}

extension StoreError: Equatable {
    package static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
}
