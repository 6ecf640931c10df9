public import BenjiProtocol

extension Dialect {
    /// China Mobile's 移动认证 and its older 统一认证.
    public static let cmpassport = Dialect(rawValue: "cmpassport")
    public static let onelogin = Dialect(rawValue: "onelogin")
    public static let geyan = Dialect(rawValue: "geyan")
    public static let superid = Dialect(rawValue: "superid")
    public static let openid = Dialect(rawValue: "openid")
    public static let camara = Dialect(rawValue: "camara")

    /// Those that an SDK on a phone speaks.
    public static let spokenByPhones: [Dialect] = [.device, .cmpassport, .onelogin, .geyan, .superid]

    /// All that a policy can give lifetimes to, in the order in which it is written.
    public static let all: [Dialect] = spokenByPhones + [.openid, .camara]

    /// Whether a login without a page too is answered with the person's pseudonym for the app, as China Mobile's
    /// document has it.
    public var saysPseudonymForVerification: Bool { self == .cmpassport }
}
