import BenjiProtocol
import Sightings
import Store
import StoreRows

/// Counts of the tokens that numbers had on a day, of apps with a limit for each number.
enum NumberCounts {
    struct Day: Hashable {
        var subscription: Int64
        var app: String
        var day: Int32

        /// `nil` if nothing is counted.
        init?(_ issue: TokenIssue) {
            guard let limit = issue.numberLimit else { return nil }
            self.init(
                subscription: issue.token.subscription.subscription, app: issue.token.appID.rawValue, day: limit.day)
        }

        fileprivate init(subscription: Int64, app: String, day: Int32) {
            self.subscription = subscription
            self.app = app
            self.day = day
        }
    }

    /// Makes the rows that are not there, locks them all in the order of their keys, and reads them.
    static func locking(_ days: Set<Day>) -> Statement {
        let days = Array(days)
        return Statement(
            """
            INSERT INTO number_day (subscription, app, day, tokens)
                SELECT n.*, 0 FROM unnest($1, $2, $3) AS n (subscription, app, day)
                ORDER BY n.subscription, n.app COLLATE "C", n.day
            ON CONFLICT (subscription, app, day) DO UPDATE SET tokens = number_day.tokens
            RETURNING subscription, app, day, tokens
            """, Values(days.map(\.subscription)), Values(days.map(\.app)), Values(days.map(\.day)))
    }

    static func read(_ answer: Answer) throws -> [Day: Int] {
        let counts = try answer.rows(of: "number_day") { columns in
            (
                Day(
                    subscription: try columns.integer(), app: try columns.text(), day: try columns.integer()),
                try columns.integer(Int.self)
            )
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    static func writing(_ counts: [Day: Int]) -> Statement {
        let counts = Array(counts)
        return Statement(
            """
            UPDATE number_day AS c SET tokens = n.tokens FROM unnest($1, $2, $3, $4) AS n (subscription, app, day, \
            tokens)
            WHERE c.subscription = n.subscription AND c.app = n.app AND c.day = n.day
            """, Values(counts.map(\.key.subscription)), Values(counts.map(\.key.app)), Values(counts.map(\.key.day)),
            Values(counts.map(\.value)))
    }
}
