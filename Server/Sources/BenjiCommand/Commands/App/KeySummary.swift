import Authority
import BenjiProtocol
import Store

/// What operators may see of a key or secret: its version, and when it was made, used and ends.
struct KeySummary {
    private let use: AppKeyUse
    private let version: Int
    private let createdAt: Timestamp?
    private let acceptedUntil: Timestamp?
    private let lastUsed: CalendarDay?
    private let isInPackage: Bool

    init(_ key: AppKeyRecord, use: AppKeyUse, _ usages: [AppKeyUsage]) {
        self.init(
            use, key.version, createdAt: key.createdAt, acceptedUntil: key.acceptedUntil, usages,
            isInPackage: key.isInPackage)
    }

    init(_ secret: ClientSecretRecord, _ usages: [AppKeyUsage]) {
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
    var json: JSON {
        .object([
            "use": .string(use.rawValue), "version": .integer(version),
            "made": createdAt.map { .string(CalendarDay($0).description) },
            "lastUsed": lastUsed.map { .string($0.description) },
            "validUntil": acceptedUntil.map { .integer($0.milliseconds) },
            "inPackage": isInPackage ? .bool(true) : nil,
        ])
    }

    var text: String {
        var parts = ["version \(version)"]
        if let createdAt { parts.append("made \(CalendarDay(createdAt))") }
        parts.append(lastUsed.map { "last used \($0)" } ?? "not used yet")
        if let acceptedUntil {
            let isOver = acceptedUntil <= SystemWallClock().now
            parts.append("\(isOver ? "ended" : "ends") \(CalendarDay(acceptedUntil))")
        }
        if isInPackage { parts.append("copy of an app key, taken as a server secret until either ends") }
        return parts.joined(separator: ", ")
    }
}

extension AppKeyUse {
    /// In listings.
    var word: String {
        switch self {
        case .package: "app key"
        case .server: "server secret"
        case .openID: "client secret"
        }
    }
}
