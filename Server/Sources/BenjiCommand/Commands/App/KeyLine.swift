import Authority
import BenjiProtocol
import Store

/// A key or secret in a listing, from what an order answered of it.
struct KeyLine {
    /// "app key", "server secret", "client secret".
    let word: String
    /// Its version, and when it was made, used and ends.
    let text: String

    init(_ key: JSON, now: Timestamp = SystemWallClock().now) {
        word = key["use"]?.stringValue.flatMap(AppKeyUse.init(rawValue:))?.word ?? "key"
        var parts = ["version \(key["version"]?.integerValue ?? 0)"]
        if let made = key["made"]?.stringValue { parts.append("made \(made)") }
        parts.append(key["lastUsed"]?.stringValue.map { "last used \($0)" } ?? "not used yet")
        if let end = key["validUntil"]?.integerValue.map({ Timestamp(milliseconds: $0) }) {
            parts.append("\(end <= now ? "ended" : "ends") \(CalendarDay(end))")
        }
        if key["inPackage"]?.boolValue == true {
            parts.append("copy of an app key, taken as a server secret until either ends")
        }
        text = parts.joined(separator: ", ") + " (days of UTC+8)"
    }
}

extension AppKeyUse {
    /// In listings.
    var word: String {
        switch self {
        case .package: "app key"
        case .server: "server secret"
        case .openID: "client secret"
        case .callback: "callback secret"
        }
    }
}
