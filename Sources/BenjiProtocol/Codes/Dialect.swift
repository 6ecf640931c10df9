/// One way of speaking to us. Code tables, lifetimes and spellings belong to a dialect.
public enum Dialect: String, Sendable, Codable, CaseIterable, Hashable {
    /// Benji's own: SDK and gateway.
    case device
    /// China Mobile's 移动认证 and its older 统一认证.
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
