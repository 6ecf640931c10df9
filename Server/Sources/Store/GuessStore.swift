package import BenjiProtocol
package import Sightings

/// A guess by a caller who claims to be the holder of a number: right or wrong, as the authority found.
package struct Guess: Hashable, Sendable {
    /// The target of a guess. Each is counted by itself.
    package enum Kind: Hashable, Sendable {
        /// The number's hidden digits, typed on a page of this app's.
        case digits(AppID)
        /// The face of the number's account, before the camera.
        case face
        /// The whole number, typed for the proofs of the person's own log.
        case number
        /// The face too, counted over a day as well.
        case dailyFace

        /// The column `app` of a count: an app's identifier is digits alone.
        package var name: String {
            switch self {
            case .digits(let app): app.rawValue
            case .face: "face"
            case .number: "number"
            case .dailyFace: "face-day"
            }
        }
    }

    package var kind: Kind
    package var subscription: SubscriptionReference
    package var isRight: Bool
    package var now: Timestamp
    /// Wrong guesses of one kind for one number before nothing more is taken.
    package var limit: Int
    /// How long after the first wrong one they count.
    package var window: Duration

    package init(
        _ kind: Kind, of subscription: SubscriptionReference, isRight: Bool, now: Timestamp, limit: Int,
        window: Duration
    ) {
        self.kind = kind
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

/// Counts wrong guesses, so that numbers, their hidden digits, or faces, cannot be tried out.
package protocol GuessStore: Sendable {
    /// Settles a guess, right or wrong, in one durable, atomic step. Of any number of concurrent guesses in any
    /// processes, at most ``Guess/limit`` wrong ones come before a right one that is reported.
    func settle(_ guess: Guess) async throws(StoreError) -> GuessOutcome
}
