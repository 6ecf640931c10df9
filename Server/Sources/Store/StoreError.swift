/// The one error type of all stores: the caller decides what to answer by its code, people read the rest.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The store cannot be reached, read or written now. Nothing was changed, or nothing is known: fail closed.
        public static let unavailable = Code(rawValue: "unavailable")
        /// What should be made exists already.
        public static let alreadyExists = Code(rawValue: "already exists")
        /// What should be changed does not exist.
        public static let notFound = Code(rawValue: "not found")
        /// What should be changed was changed by somebody else since it was read. Nothing was changed: read it again.
        public static let outdated = Code(rawValue: "outdated")
        /// What is stored cannot be read: damaged, from a newer version, or encrypted under a key that is not here.
        public static let corrupt = Code(rawValue: "corrupt")
    }

    public var code: Code
    /// What was done to what, without values: "redeem: disk full".
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "store \(code.rawValue): \(detail)" }
}

extension StoreError: Equatable {
    public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
}
