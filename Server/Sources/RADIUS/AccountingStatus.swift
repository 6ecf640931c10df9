/// The value of Acct-Status-Type in an Accounting-Request (RFC 2866 §5.1).
package struct AccountingStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let start = AccountingStatus(rawValue: 1)
    package static let stop = AccountingStatus(rawValue: 2)
    package static let interimUpdate = AccountingStatus(rawValue: 3)
    /// The NAS has started: none of its earlier sessions lives.
    package static let accountingOn = AccountingStatus(rawValue: 7)
    /// The NAS is going down: none of its sessions lives any more.
    package static let accountingOff = AccountingStatus(rawValue: 8)
    package static let failed = AccountingStatus(rawValue: 15)
}
