public import Authority
public import BenjiProtocol
public import Store

/// What the operator dialect needs of the authority, so that its routes can be tested without one.
public protocol ServerDesk: Sendable {
    /// The app and its key, whatever its state: the key is needed to check the sign before anything else is said.
    func registeredApp(_ id: AppID) async throws(Refusal) -> RegisteredApp
    /// Whether a call whose sign is right may be answered at all.
    func admit(_ call: ServerCall, needs capability: Capability) async throws(Refusal)
    /// Spends a login token and releases the number.
    func redeemNumber(_ call: ServerCall, token: String) async throws(Refusal) -> ReleasedLogin
    /// Spends a verification token and compares.
    func verifyNumber(
        _ call: ServerCall, token: String, matches: @escaping @Sendable (PhoneNumber) -> Bool
    ) async throws(Refusal) -> VerificationAnswer
}

extension Authority: ServerDesk {}
