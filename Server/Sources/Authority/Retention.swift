package import BenjiProtocol

/// How long what logins leave is kept before it is deleted by itself, in days. Decided by the operator, within what
/// other promises need.
package struct Retention: Hashable, Sendable {
    /// One kind of record.
    package struct Kind: Sendable {
        /// As the setting calls it: "retention.NAME".
        package let name: String
        package let days: any WritableKeyPath<Retention, Int> & Sendable
        package let range: ClosedRange<Int>
        /// Why not less, and why so long by default.
        package let reason: String
    }

    /// Steps of logins, with which support finds out why one failed.
    package var traces = 7
    /// Counts of steps of logins by app and hour, for charts.
    package var loginCounts = 400
    /// Device keys by which somebody has logged in: familiar ones go first when many ask for a number.
    package var deviceKeys = 180
    /// Consents.
    package var consents = 1827
    /// Lines of the ledger. Whole months end.
    package var ledger = 3653

    /// Events that an app's callback has got.
    package var deliveredEvents = 3
    /// Events that no attempt brought to the app's callback.
    package var deadEvents = 30

    package init() {}

    package static let kinds: [Kind] = [
        Kind(
            name: "traces", days: \.traces, range: 1...400,
            reason: "long enough for a complaint to reach support; they say when somebody used which app"),
        Kind(
            name: "login-counts", days: \.loginCounts, range: 7...3653,
            reason: "a month beside the same month of the year before; they name nobody"),
        Kind(
            name: "device-keys", days: \.deviceKeys, range: 30...730,
            reason: "a phone that stayed away longer counts as a new one when many ask for its number"),
        Kind(
            name: "consents", days: \.consents, range: 90...36500,
            reason:
                "whoever processes numbers must be able to show the consent; claims can be made for three years, and "
                + "five "
                + "leave room"),
        Kind(
            name: "ledger", days: \.ledger, range: 62...36500,
            reason: "books are kept for ten years; a month's statement is made in the month after it, so 62 at least"),
        Kind(
            name: "delivered-events", days: \.deliveredEvents, range: 1...30,
            reason: "long enough to see what a callback was told, and to send it once more; the ledger stays"),
        Kind(
            name: "dead-events", days: \.deadEvents, range: 8...90,
            reason: "until then a receiver that was repaired can be sent what it missed"),
    ]

    static func duration(_ days: Int) -> Duration { .seconds(Int64(days) * 86400) }

    /// The first day whose lines of the ledger are kept: that of a month.
    package func ledgerBegin(_ now: Timestamp) -> Int32 {
        CalendarDay(now - Self.duration(ledger)).number / 100 * 100 + 1
    }
}
