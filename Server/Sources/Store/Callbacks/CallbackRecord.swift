package import BenjiProtocol

/// What an app can be told of by its callback.
package enum CallbackEventType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A redemption released a number.
    case loginReleased = "login.released"
    /// A verification was answered: the number is the phone's, or it is not.
    case verificationAnswered = "verification.answered"
    case appSuspended = "app.suspended"
    case appResumed = "app.resumed"
    /// A person takes back what they agreed to in the app.
    case consentWithdrawn = "consent.withdrawn"
    /// What somebody ordered, to see whether events arrive. Nobody registers for it.
    case test = "callback.test"

    /// Those that an app registers for.
    package static let registrable: [CallbackEventType] = allCases.filter { $0 != .test }
}

/// Where an app is told of what became of its logins. Its secrets are among the app's keys (``AppKeyUse/callback``).
package struct CallbackRecord: Hashable, Sendable {
    /// Checked when it was registered.
    package var url: String
    package var events: Set<CallbackEventType>
    /// When its receiver said that it is gone. Nothing is sent until it is registered anew. Events are kept meanwhile.
    package var stoppedAt: Timestamp?

    package init(url: String, events: Set<CallbackEventType>, stoppedAt: Timestamp? = nil) {
        self.url = url
        self.events = events
        self.stoppedAt = stoppedAt
    }
}
