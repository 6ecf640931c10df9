package import BenjiProtocol

/// An event that an app's callback can receive.
package enum CallbackEventType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A redemption released a number.
    case loginReleased = "login.released"
    /// A verification was answered: the number is the phone's, or it is not.
    case verificationAnswered = "verification.answered"
    case appSuspended = "app.suspended"
    case appResumed = "app.resumed"
    /// A person takes back what they agreed to in the app.
    case consentWithdrawn = "consent.withdrawn"
    /// Ordered by hand, to see whether events arrive. It needs no registration.
    case test = "callback.test"

    /// Those that an app registers for.
    package static let registrable: [CallbackEventType] = allCases.filter { $0 != .test }
}

/// The address that receives events of an app's logins. Its secrets are among the app's keys (``AppKeyUse/callback``).
package struct CallbackRecord: Hashable, Sendable {
    /// Checked when it was registered.
    package var url: String
    package var events: Set<CallbackEventType>
    /// When its receiver reported that it is gone. Events are then kept and not sent until it is registered again.
    package var stoppedAt: Timestamp?

    package init(url: String, events: Set<CallbackEventType>, stoppedAt: Timestamp? = nil) {
        self.url = url
        self.events = events
        self.stoppedAt = stoppedAt
    }
}
