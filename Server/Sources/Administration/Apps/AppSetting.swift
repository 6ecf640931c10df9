package import BenjiProtocol
import Store

/// The settings of an app, with help texts for the command line and the console. A setting has the name of its member
/// in an app's description.
package enum AppSetting: String, Hashable, Sendable, CaseIterable {
    case name, owner, bundles, serverAddresses, wideAddresses, openIDFromAnywhere, sign, rsaPublicKey,
        requestTimeTolerance, unsignedRequests, capabilities, workflow, leastAssurance, attesters, appleTeam,
        developmentKeys, numberWithoutPage,
        phonesWithoutKey, dailyQuota, scripLifetime, tokenLifetime, requiresPageReview, approvedContent, sourceIDs

    /// The members of an order that registers or changes an app.
    /// - Parameter change: whether the order may add to lists and remove from them.
    static func fields(change: Bool) -> [OrderField] {
        allCases.map { setting in
            var shape = setting.shape
            if change, case .list(let element, _) = shape { shape = .change(of: element) }
            return OrderField(
                setting.rawValue, shape, isRequired: setting == .name && !change, setting.help.english)
        }
    }

    private var shape: OrderShape {
        switch self {
        case .name, .rsaPublicKey: .text
        case .owner: .text(1...64)
        case .bundles, .serverAddresses, .attesters, .approvedContent, .sourceIDs: .list(.text)
        case .wideAddresses, .openIDFromAnywhere, .unsignedRequests, .developmentKeys, .numberWithoutPage,
            .phonesWithoutKey, .requiresPageReview:
            .flag
        case .sign: .words(SignAlgorithm.self)
        case .requestTimeTolerance, .scripLifetime: .integer(1...86_400)
        case .tokenLifetime: .integer(1...2_592_000)
        case .capabilities: .list(.words(Capability.self))
        case .workflow: .words(Workflow.self)
        case .leastAssurance: .words(Assurance.self)
        case .appleTeam: .text(pattern: "^[0-9A-Z]{10}$")
        case .dailyQuota: .integer(1...1_000_000_000)
        }
    }

    /// A sentence.
    package var help: LocalizedText {
        switch self {
        case .name: LocalizedText("应用的名称，给人看。", "The app's name, for people.")
        case .owner:
            LocalizedText(
                "服务属于谁。同一所有者的应用可以单点登录（TYRZLogin）。",
                "Whose service it is. Apps of one owner share logins by single sign-on (TYRZLogin).")
        case .bundles: LocalizedText("可以登录的 Bundle ID（包名）。", "A bundle id that may log in.")
        case .serverAddresses: LocalizedText("应用服务器的地址或地址段。", "An address or block of the app's server.")
        case .wideAddresses:
            LocalizedText(
                "接受比 /16（IPv4）或 /48（IPv6）更宽的地址段。",
                "Accept server addresses wider than /16 (IPv4) or /48 (IPv6).")
        case .openIDFromAnywhere:
            LocalizedText(
                "它的服务器可以从任何地址调用 OpenID Connect 和 CAMARA 接口。不选而填写服务器地址，就结束这一许可。",
                "Its server may call OpenID Connect's and CAMARA's interfaces from any address. Who names a server "
                    + "address without this ends it."
            )
        case .sign:
            LocalizedText(
                "服务器怎样签名 loginTokenValidate：md5 或 rsa。", "How the server signs loginTokenValidate: md5 or rsa.")
        case .rsaPublicKey:
            LocalizedText(
                "RSA 公钥（至少 2048 位，PEM），用于验签和加密号码。",
                "The RSA public key (PEM, 2048 bits or more) that checks signs and encrypts numbers.")
        case .requestTimeTolerance:
            LocalizedText("请求的时间可以相差多少秒。", "Seconds that a request's time may be off.")
        case .unsignedRequests:
            LocalizedText(
                "它的服务器可以使用个验不签名的形式；没有登记 RSA 公钥时，也可以不签名地调用统一认证的 tokenValidate。",
                "Its server may send GeYan's unsigned form and, while the app has no RSA key, TYRZLogin's.")
        case .capabilities: LocalizedText("应用可以做什么。", "What the app may do.")
        case .workflow:
            LocalizedText(
                "它的手机怎样登录：one-tap；或 one-tap-then-sms，这需要最低强度 sms。",
                "How its phones log in: one-tap, or one-tap-then-sms, which needs the least assurance sms.")
        case .leastAssurance:
            LocalizedText(
                "接受的最低强度：sms-upstream、sms、net、net+app、net+app+address 或 sim。",
                "Least assurance accepted: sms-upstream, sms, net, net+app, net+app+address or sim.")
        case .attesters:
            LocalizedText("可信证明方的公钥（JWK）。", "The JWK of an attester whose word counts.")
        case .appleTeam:
            LocalizedText(
                "苹果开发者团队编号（Team ID，十位）。只有该团队签名的应用，其 App Attest 密钥才算数。",
                "The app's team id at Apple, ten characters. Keys of App Attest count only if made under this team.")
        case .developmentKeys:
            LocalizedText(
                "接受 App Attest 为开发中的应用证明的密钥。正式的应用不要选。",
                "Takes keys that App Attest attested for apps under development. Not for apps that people use.")
        case .numberWithoutPage:
            LocalizedText(
                "旧式许可：没有登录页得到的令牌也换得号码。",
                "Legacy grant: a token earned without a page releases the number too.")
        case .phonesWithoutKey: LocalizedText("它的手机没有应用密钥，只有编号。", "Its phones have no app key, only the id.")
        case .dailyQuota: LocalizedText("每天的应答次数。", "Answers a day.")
        case .scripLifetime: LocalizedText("取号临时凭证最长有效秒数。", "Longest life of a scrip, in seconds.")
        case .tokenLifetime: LocalizedText("令牌最长有效秒数。", "Longest life of a token, in seconds.")
        case .requiresPageReview:
            LocalizedText(
                "只有经批准的页面上的同意才算数（benji page submit），还没有批准的页面时也一样。",
                "Consents count only on approved pages (`benji page submit`), also while there is none.")
        case .approvedContent:
            LocalizedText(
                "可以征求同意的页面的摘要（benji page digest），或应用自绘页面的内容摘要。",
                "Page digest of a page that may ask for consent (`benji page digest`), or the content digest of one "
                    + "that the app draws."
            )
        case .sourceIDs: LocalizedText("单点登录的 source id（TYRZLogin）。", "A source id for single sign-on (TYRZLogin).")
        }
    }
}
