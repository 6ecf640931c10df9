package import BenjiProtocol
package import Sightings

/// What somebody typed to show that he knows a number: right or wrong, as the authority found.
package struct Guess: Hashable, Sendable {
    package var appID: AppID
    package var subscription: SubscriptionReference
    package var isRight: Bool
    package var now: Timestamp
    /// Wrong guesses for one app and number before nothing more is taken.
    package var limit: Int
    /// How long after the first wrong one they count.
    package var window: Duration

    package init(
        appID: AppID, subscription: SubscriptionReference, isRight: Bool, now: Timestamp, limit: Int, window: Duration
    ) {
        self.appID = appID
        self.subscription = subscription
        self.isRight = isRight
        self.now = now
        self.limit = limit
        self.window = window
    }
}

package enum GuessOutcome: Hashable, Sendable {
    case right
    /// It counts.
    case wrong
    /// There were too many wrong ones, and whether this one was right is not to be told.
    case tooMany
}

/// Counts wrong guesses, so that a number's hidden digits cannot be tried out.
package protocol GuessStore: Sendable {
    /// One durable, atomic step, right guesses too: of any number of guesses at once, in any number of processes, no more than
    /// ``Guess/limit`` wrong ones come before a right one that is told.
    func settle(_ guess: Guess) async throws(StoreError) -> GuessOutcome
}
