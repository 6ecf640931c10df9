package import Authority
package import BenjiProtocol
package import Requests

/// The authority's interface for the device dialect, so that its routes can be tested without an authority. The
/// messages of logins by SMS belong to a code that is sent, or to a text that the phone sends.
package protocol DeviceService: Sendable {
    /// Step 2 of a login: a scrip and the mask.
    func prefetch(_ request: PrefetchRequest, from device: DeviceCall) async throws(Refusal) -> PrefetchResponse
    /// Step 4 of a login: a token.
    func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse
    /// Ends a scrip.
    func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal)
    /// The part of the policy that phones may know.
    func policyDocument() async throws(Refusal) -> JSON
    /// The challenge for an attestation of this app.
    func attestationChallenge(for app: AppID) async throws(Refusal) -> String
    /// Registers a key that the platform's maker vouches for.
    func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal)
    /// Has a code sent.
    func sendCode(_ request: SMSCodeRequest, from device: DeviceCall) async throws(Refusal) -> SMSCodeResponse
    /// Turns the code into a token.
    func logIn(_ request: SMSLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse
    /// Gives out a text to send.
    func giveText(_ request: SMSUpstreamRequest, from device: DeviceCall) async throws(Refusal) -> SMSUpstreamResponse
    /// Returns whether the text has come, and from whom.
    func textStatus(
        _ request: SMSUpstreamStatusRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamStatusResponse
    /// Turns the text into a token.
    func logIn(_ request: SMSUpstreamLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse
}

/// An authority with its logins by SMS.
package struct DeviceLogins: DeviceService {
    private let authority: Authority
    private let sms: SMSLogin?

    /// - Parameter sms: `nil` if there are no logins by SMS.
    package init(_ authority: Authority, sms: SMSLogin? = nil) { (self.authority, self.sms) = (authority, sms) }

    package func prefetch(
        _ request: PrefetchRequest, from device: DeviceCall
    ) async throws(Refusal) -> PrefetchResponse { try await authority.prefetch(request, from: device) }

    package func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse { try await authority.authorize(request, from: device) }

    package func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal) {
        try await authority.forget(request, from: device)
    }

    package func policyDocument() async throws(Refusal) -> JSON { try await authority.policyDocument() }

    package func attestationChallenge(for app: AppID) async throws(Refusal) -> String {
        try await authority.attestationChallenge(for: app)
    }

    package func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal) {
        try await authority.register(request, from: device)
    }

    private var codeSender: SMSLogin {
        get throws(Refusal) {
            guard let sms else { throw Refusal(.messageNotSent, "this installation sends no messages") }
            return sms
        }
    }

    package func sendCode(
        _ request: SMSCodeRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSCodeResponse { try await codeSender.sendCode(request, from: device) }

    package func logIn(
        _ request: SMSLoginRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse { try await codeSender.logIn(request, from: device) }

    package func giveText(
        _ request: SMSUpstreamRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamResponse { try await codeSender.giveText(request, from: device) }

    package func textStatus(
        _ request: SMSUpstreamStatusRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamStatusResponse { try await codeSender.textStatus(request, from: device) }

    package func logIn(
        _ request: SMSUpstreamLoginRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse { try await codeSender.logIn(request, from: device) }
}
