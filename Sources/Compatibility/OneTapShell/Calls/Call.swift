package import BenjiClient
package import BenjiProtocol

/// A facade's request to the engine.
package enum Call: Sendable {
    case prefetch
    /// A token that releases the number, after the person's yes on this page.
    case login(any AuthorizationPresenter)
    /// A token that only answers "is it this number?".
    case verification

    package enum Kind: Hashable, Sendable {
        case prefetch, login, verification, forget

        /// Some columns of codes count a failure once for each step.
        package var step: CodeColumn.Step? {
            switch self {
            case .prefetch: .prefetch
            case .login: .authorize
            case .verification: .verify
            case .forget: nil
            }
        }
    }

    package var kind: Kind {
        switch self {
        case .prefetch: .prefetch
        case .login: .login
        case .verification: .verification
        }
    }
}
