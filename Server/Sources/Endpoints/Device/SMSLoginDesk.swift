package import Authority
package import BenjiProtocol

/// What the device dialect needs for logins by a code that is sent by SMS.
package protocol SMSLoginDesk: Sendable {
    /// Has a code sent.
    func sendCode(_ request: SMSCodeRequest, from device: DeviceCall) async throws(Refusal) -> SMSCodeResponse
    /// Turns the code into a token.
    func logIn(_ request: SMSLoginRequest, from device: DeviceCall) async throws(Refusal) -> AuthorizeResponse
}

extension SMSLogin: SMSLoginDesk {}
