/// A step that is measured separately. The raw values name operations in a history and steps in a report.
package enum Step: String, Hashable, Sendable, CaseIterable {
    /// Accounting-Start of a phone's session.
    case start
    /// Interim-Update of a session; not part of a history.
    case update
    /// TCP connection of a phone; not part of a history.
    case connect
    case prefetch, authorize
    /// A login token is spent for the number.
    case redeem
    /// A verification token is spent for yes or no.
    case verify
    /// The whole walk, from the moment it was due: waiting for a connection counts.
    case login
}
