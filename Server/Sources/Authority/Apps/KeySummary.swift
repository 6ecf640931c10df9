package import BenjiProtocol
package import Store

/// A key or secret as operators see it: its version, and when it was made, last used and ends.
package struct KeySummary {
    private let use: AppKeyUse
    private let version: Int
    private let createdAt: Timestamp?
    private let acceptedUntil: Timestamp?
    private let lastUsed: CalendarDay?
    private let isInPackage: Bool

    package init(_ key: AppKeyRecord, use: AppKeyUse, _ usages: [AppKeyUsage]) {
        self.init(
            use, key.version, createdAt: key.createdAt, acceptedUntil: key.acceptedUntil, usages,
            isInPackage: key.isInPackage)
    }

    package init(_ secret: ClientSecretRecord, _ usages: [AppKeyUsage]) {
        self.init(
            .openID, secret.version, createdAt: secret.createdAt, acceptedUntil: secret.acceptedUntil, usages,
            isInPackage: false)
    }

    private init(
        _ use: AppKeyUse, _ version: Int, createdAt: Timestamp?, acceptedUntil: Timestamp?, _ usages: [AppKeyUsage],
        isInPackage: Bool
    ) {
        self.use = use
        self.version = version
        self.createdAt = createdAt
        self.acceptedUntil = acceptedUntil
        self.isInPackage = isInPackage
        lastUsed = usages.first { $0.use == use && $0.version == version }.map { CalendarDay(number: $0.day) }
    }

    /// Dates are in UTC+8, as quotas are.
    package var json: JSON {
        .object([
            "use": .string(use.rawValue), "version": .integer(version),
            "made": createdAt.map { .string(CalendarDay($0).description) },
            "lastUsed": lastUsed.map { .string($0.description) },
            "validUntil": acceptedUntil.map { .integer($0.milliseconds) },
            "inPackage": isInPackage ? .bool(true) : nil,
        ])
    }
}
