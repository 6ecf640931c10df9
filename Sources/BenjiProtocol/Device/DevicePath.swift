/// The addresses of the device dialect, version 1 (`docs/device-dialect.md`).
public enum DevicePath: String, Sendable, CaseIterable {
    case prefetch = "/device/v1/prefetch"
    case authorize = "/device/v1/authorize"
    case forget = "/device/v1/forget"
    /// Has a code sent by SMS, where the network does not tell the number.
    case smsCode = "/device/v1/sms-code"
    /// Turns that code into a token.
    case smsLogin = "/device/v1/sms-login"
    /// Gives out a text to send from the phone, where the network does not tell the number.
    case smsUpstream = "/device/v1/sms-upstream"
    /// Says whether that text has come, and from whom.
    case smsUpstreamStatus = "/device/v1/sms-upstream-status"
    /// Turns that text into a token.
    case smsUpstreamLogin = "/device/v1/sms-upstream-login"
    case policy = "/device/v1/policy"
    /// The challenge for an attestation: `?app=` names the app.
    case challenge = "/device/v1/challenge"
    /// Registers a key that the platform's maker vouches for.
    case attestation = "/device/v1/attestation"
}
