/// One way of speaking to us. Code tables, lifetimes and spellings belong to a dialect.
public enum Dialect: String, Sendable, Codable, CaseIterable, Hashable {
    /// Benji's own: SDK and gateway.
    case device
    /// China Mobile's 移动认证 and its older 统一认证 (documents 000 and 001).
    case cmpassport
    case onelogin
    case geyan
    case superid
    case openid
    case camara

    /// Whether an SDK on a phone speaks it. The others are for servers.
    public var isSpokenByPhones: Bool {
        switch self {
        case .device, .cmpassport, .onelogin, .geyan, .superid: true
        case .openid, .camara: false
        }
    }
}

/// One table of result codes as a document prints it. The same code may mean different things in two tables of one
/// dialect.
public enum CodeTable: String, Sendable, Codable, CaseIterable, Hashable {
    /// Benji's own codes: words, not numbers.
    case device
    /// Document 000 §6.1: what the TYRZSDK returns to the app.
    case cmSDK = "cm_sdk"
    /// Document 000 §6.2: loginTokenValidate.
    case cmPhone = "cm_phone"
    /// Document 000 §6.3: tokenValidate of the number verification.
    case cmVerify = "cm_verify"
    /// Document 001 §4.1: the platform.
    case tyrzPlatform = "tyrz_platform"
    /// Document 001 §4.2: what TYRZLogin returns to the app.
    case tyrzSDK = "tyrz_sdk"
    /// Document 001, appendix 1: kinds of authentication.
    case tyrzAuthType = "tyrz_authtype"

    public var dialect: Dialect { self == .device ? .device : .cmpassport }

    /// The document and section that the table comes from.
    public var source: String {
        switch self {
        case .device: "docs/device-dialect.md"
        case .cmSDK: "document 000 §6.1"
        case .cmPhone: "document 000 §6.2"
        case .cmVerify: "document 000 §6.3"
        case .tyrzPlatform: "document 001 §4.1"
        case .tyrzSDK: "document 001 §4.2"
        case .tyrzAuthType: "document 001, appendix 1"
        }
    }
}
