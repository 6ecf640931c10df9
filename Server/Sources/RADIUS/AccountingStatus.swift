/// What an Accounting-Request reports (RFC 2866 §5.1).
public struct AccountingStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let start = AccountingStatus(rawValue: 1)
    public static let stop = AccountingStatus(rawValue: 2)
    public static let interimUpdate = AccountingStatus(rawValue: 3)
    /// The NAS has started: none of its earlier sessions lives.
    public static let accountingOn = AccountingStatus(rawValue: 7)
    /// The NAS is going down: none of its sessions lives any more.
    public static let accountingOff = AccountingStatus(rawValue: 8)
    public static let failed = AccountingStatus(rawValue: 15)
}
