/// The addresses of the device dialect, version 1 (`docs/device-dialect.md`).
public enum DevicePath: String, Sendable, CaseIterable {
    case prefetch = "/device/v1/prefetch"
    case authorize = "/device/v1/authorize"
    case forget = "/device/v1/forget"
    case policy = "/device/v1/policy"
    /// What an attestation is made for: `?app=` names the app.
    case challenge = "/device/v1/challenge"
}
