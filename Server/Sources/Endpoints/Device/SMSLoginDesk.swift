package import Authority
package import BenjiProtocol
package import Requests

/// The interface for the device dialect's logins by SMS: by a code that is sent, or by a text that the phone sends.
package protocol SMSLoginDesk: Sendable {
    /// Has a code sent.
    func sendCode(_ request: SMSCodeRequest, from device: DeviceCall) async throws(Refusal) -> SMSCodeResponse
    /// Turns the code into a token.
    func logIn(_ request: SMSLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse
    /// Gives out a text to send.
    func giveText(_ request: SMSUpstreamRequest, from device: DeviceCall) async throws(Refusal) -> SMSUpstreamResponse
    /// Says whether the text has come, and from whom.
    func textStatus(
        _ request: SMSUpstreamStatusRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamStatusResponse
    /// Turns the text into a token.
    func logIn(_ request: SMSUpstreamLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse
}

extension SMSLogin: SMSLoginDesk {}
