package import BenjiProtocol
package import Requests
package import Store

/// A setting of an app.
///
/// This table is the one place that describes settings. Orders and their document, the command line's options, the
/// console's form and the description of an app are derived from it. So are the rules of single values.
package struct AppSetting: Sendable {
    /// The role that may change a setting. An operator decides about a setting that shows on pages, opens an app to
    /// more people, weakens its proofs or costs the operator.
    package enum Decider: Sendable {
        case `operator`
        /// A developer may only take it back: `true` is the operator's.
        case operatorToAllow
        case developer
        /// A developer may only make it smaller.
        case developerToShorten
    }

    /// The part of the console's form that it is in.
    package enum Group: String, Sendable, CaseIterable {
        case app, server, login, limits, pages
    }

    /// The member's name in JSON: `dailyQuota`.
    package let name: String
    /// The option's name on the command line: `daily-quota`.
    package let option: String
    package let shape: OrderShape
    package let group: Group
    package let decider: Decider
    /// A sentence.
    package let help: LocalizedText
    /// Whether the value can be taken away, so that there is none or the policy's holds.
    package let isClearable: Bool
    /// Whether a value is a long text that is named by its digest (``AppRecord/digest(_:)``), and comes from a file on
    /// the command line.
    package let isSealed: Bool
    /// One element of a list, in messages.
    package let noun: String
    /// The unit of a number: `seconds`. Empty if a number has no unit.
    private let unit: String

    /// The value of an app, as orders write it; `null` if there is none.
    package let read: @Sendable (AppRecord) -> JSON
    private let write: @Sendable (inout AppRecord, JSON) -> Bool

    private init(
        _ name: String, option: String? = nil, _ shape: OrderShape, _ group: Group, _ decider: Decider,
        isClearable: Bool = false, isSealed: Bool = false, noun: String = "", unit: String = "", _ chinese: String,
        _ english: String,
        read: @escaping @Sendable (AppRecord) -> JSON, write: @escaping @Sendable (inout AppRecord, JSON) -> Bool
    ) {
        self.name = name
        self.option = option ?? Self.words(of: name).joined(separator: "-")
        self.shape = shape
        self.group = group
        self.decider = decider
        self.isClearable = isClearable
        self.isSealed = isSealed
        self.noun = noun
        self.unit = unit
        help = LocalizedText(chinese, english)
        self.read = read
        self.write = write
    }

    /// The words of a name, in lower case: `sourceIDs` has the words source and ids.
    private static func words(of name: String) -> [String] {
        var words = [""]
        var wasUpper = true
        for letter in name {
            if letter.isUppercase, !wasUpper { words.append("") }
            words[words.count - 1] += letter.lowercased()
            wasUpper = letter.isUppercase
        }
        return words
    }

    /// Its name in a sentence: `daily quota`.
    var sentenceName: String { Self.words(of: name).joined(separator: " ") }

    /// Its name among the settings to clear: `source-ids`.
    package var clearName: String { Self.words(of: name).joined(separator: "-") }

    /// Whether the value is a list, of which an order may also name what to add and to remove.
    package var isList: Bool { if case .list = shape { true } else { false } }

    /// Why a value is none of this setting; `nil` if it is one, or if that is for ``AppRules`` to judge.
    package func problem(of value: JSON) -> String? {
        guard shape.problem(of: value) != nil else { return nil }
        guard case .integer(let least?, let greatest?) = shape else { return shape.rule }
        return "\(least) to \(greatest)\(unit.isEmpty ? "" : " \(unit)")"
    }

    /// Gives an app a value.
    /// - Throws: ``Refusal`` if it is no value of this setting.
    package func set(_ value: JSON, of app: inout AppRecord) throws(Refusal) {
        if value != .null, let problem = problem(of: value) {
            throw Refusal(.parameterInvalid, "\(name): \(problem)")
        }
        guard write(&app, value) else {
            throw Refusal(.parameterInvalid, "\(name): \(shape.rule)")
        }
    }

    /// The members of an app's description.
    func shown(_ app: AppRecord) -> [JSON.Member] {
        let value = read(app)
        guard isSealed else { return [JSON.Member(name, value)] }
        guard !isList else {
            let digests = (value.arrayValue ?? []).compactMap(\.stringValue).map { JSON.string(AppRecord.digest($0)) }
            return [JSON.Member(name, .array(digests))]
        }
        // Of the one key, which is the RSA key.
        return [
            JSON.Member("hasRSAKey", .bool(value != .null)),
            JSON.Member("rsaKeyDigest", value.stringValue.map { .string(AppRecord.digest($0)) } ?? .null),
        ]
    }
}

extension AppSetting: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.name == other.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: - The table

extension AppSetting {
    /// In the order of the console's form.
    package static let all: [AppSetting] = [
        name, bundles, owner, serverAddresses, wideAddresses, openIDFromAnywhere, sign, rsaPublicKey,
        requestTimeTolerance, unsignedRequests, capabilities, workflow, leastAssurance, attesters, appleTeam,
        developmentKeys, phonesWithoutKey, numberWithoutPage, dailyQuota, scripLifetime, tokenLifetime,
        requiresPageReview, approvedContent, sourceIDs,
    ]

    package static let name = AppSetting(
        "name", .text, .app, .operator, "应用的名称，给人看。", "The app's name, for people.",
        read: { .string($0.name) }, write: { Self.put($1.stringValue, in: &$0.name) })
    package static let bundles = list(
        "bundles", \.bundleIDs, .app, .developer, option: "bundle", noun: "bundle id",
        "可以登录的 Bundle ID（包名）。", "A bundle id that may log in.")
    package static let owner = text(
        "owner", \.owner, .text(1...64), .app, .operator, "服务属于谁。同一所有者的应用可以单点登录（TYRZLogin）。",
        "Whose service it is. Apps of one owner share logins by single sign-on (TYRZLogin).")
    package static let serverAddresses = list(
        "serverAddresses", \.serverAddresses, .server, .developer, option: "server-address", noun: "server address",
        "应用服务器的地址或地址段；其他地址得不到应答。",
        "An address or block of the app's server. Others get no answer.")
    /// Not a setting that is kept: it says that wide blocks of this order are meant.
    package static let wideAddresses = AppSetting(
        "wideAddresses", .flag, .server, .operatorToAllow, "接受比 /16（IPv4）或 /48（IPv6）更宽的地址段。",
        "Accept server addresses wider than /16 (IPv4) or /48 (IPv6).", read: { _ in .null },
        write: { _, value in value == .null || value.boolValue != nil })
    package static let openIDFromAnywhere = flag(
        "openIDFromAnywhere", \.openIDFromAnywhere, .server, option: "openid-from-anywhere",
        "它的服务器可以从任何地址调用 OpenID Connect 和 CAMARA 接口。不选而填写服务器地址，就结束这一许可。",
        "Its server may call OpenID Connect's and CAMARA's interfaces from any address. Who names a server address "
            + "without this ends it.")
    package static let sign = choice(
        "sign", \.signAlgorithm, .server, .developer, "服务器怎样签名 loginTokenValidate：md5 或 rsa。",
        "How the server signs loginTokenValidate: md5 or rsa.")
    package static let rsaPublicKey = text(
        "rsaPublicKey", \.rsaPublicKey, .text, .server, .developer, isSealed: true,
        "RSA 公钥（至少 2048 位，PEM），用于验签和加密号码。",
        "The RSA public key (PEM, 2048 bits or more) that checks signs and encrypts numbers.")
    package static let requestTimeTolerance = number(
        "requestTimeTolerance", \.requestTimeTolerance, 1...86_400, .server, .operator, "请求的时间可以相差多少秒；没有则任何时间都接受。",
        "Seconds that a request's time may be off. Without it any time is accepted.")
    package static let unsignedRequests = flag(
        "unsignedRequests", \.unsignedRequests, .server,
        "它的服务器可以使用个验不签名的形式；没有登记 RSA 公钥时，也可以不签名地调用统一认证的 tokenValidate。"
            + "这要求服务器地址不宽于 /29（IPv4）或 /64（IPv6）。",
        "Its server may send GeYan's unsigned form and, while the app has no RSA key, TYRZLogin's. It needs server "
            + "addresses none of which is wider than /29 (IPv4) or /64 (IPv6).")
    package static let capabilities = AppSetting(
        "capabilities", option: "capability", .list(.words(Capability.self)), .login, .operator, noun: "capability",
        "应用可以做什么。", "What the app may do.",
        read: { .array($0.capabilities.map(\.rawValue).sorted().map { .string($0) }) },
        write: { app, value in
            guard let names = value.arrayValue else { return false }
            let known = names.compactMap { $0.stringValue.flatMap(Capability.init(rawValue:)) }
            app.capabilities = Set(known)
            return known.count == names.count
        })
    package static let workflow = choice(
        "workflow", \.workflow, .login, .operator, "它的手机怎样登录：one-tap；或 one-tap-then-sms，这需要最低强度 sms。",
        "How its phones log in: one-tap, or one-tap-then-sms, which needs the least assurance sms.")
    package static let leastAssurance = choice(
        "leastAssurance", \.leastAssurance, .login, .operator,
        "接受的最低强度：sms-upstream、sms、net、net+app、net+app+address 或 sim。",
        "Least assurance accepted: sms-upstream, sms, net, net+app, net+app+address or sim.")
    package static let attesters = list(
        "attesters", \.attesters, .login, .operator, option: "attester", noun: "attester", isClearable: true,
        isSealed: true, "可信证明方的公钥（JWK）。", "The JWK of an attester whose word counts.")
    package static let appleTeam = text(
        "appleTeam", \.appleTeam, .text(pattern: "^[0-9A-Z]{10}$"), .login, .operator,
        "苹果开发者团队编号（Team ID，十位）。只有该团队签名的应用，其 App Attest 密钥才算数。",
        "The app's team id at Apple, ten characters. Keys of App Attest count only if made under this team.")
    package static let developmentKeys = flag(
        "developmentKeys", \.takesDevelopmentKeys, .login, "接受 App Attest 为开发中的应用证明的密钥。正式的应用不要选。",
        "Takes keys that App Attest attested for apps under development. Not for apps that people use.")
    package static let phonesWithoutKey = flag(
        "phonesWithoutKey", \.phonesWithoutKey, .login, by: .operator, "它的手机没有应用密钥，只有编号。",
        "Its phones have no app key, only the id.")
    package static let numberWithoutPage = flag(
        "numberWithoutPage", \.legacyNumberWithoutPage, .login, "旧式许可：没有登录页得到的令牌也换得号码。",
        "Legacy grant: a token earned without a page releases the number too.")
    package static let dailyQuota = AppSetting(
        "dailyQuota", .integer(1...1_000_000_000), .limits, .operator, isClearable: true, "每天的应答次数。",
        "Answers a day.", read: { $0.dailyQuota.map { .integer(Int64($0)) } ?? .null },
        write: { app, value in
            app.dailyQuota = value.integerValue.map { Int($0) }
            return true
        })
    package static let scripLifetime = number(
        "scripLifetime", \.scripLifetime, 1...86_400, .limits, .developerToShorten, "取号临时凭证最长有效秒数。",
        "Longest life of a scrip, in seconds.")
    package static let tokenLifetime = number(
        "tokenLifetime", \.tokenLifetime, 1...2_592_000, .limits, .developerToShorten, "令牌最长有效秒数。",
        "Longest life of a token, in seconds.")
    package static let requiresPageReview = flag(
        "requiresPageReview", \.requiresPageReview, .pages, by: .operator,
        "只有经批准的页面上的同意才算数（benji page submit），还没有批准的页面时也一样。",
        "Consents count only on approved pages (`benji page submit`), also while there is none.")
    package static let approvedContent = list(
        "approvedContent", \.approvedContent, .pages, .operator, noun: "approved page", isClearable: true,
        "可以征求同意的页面的摘要（benji page digest），或应用自绘页面的内容摘要。没有则合规的页面都可以。",
        "Page digest of a page that may ask for consent (`benji page digest`), or the content digest of one that the "
            + "app draws. Without any, each page that keeps the rules may.")
    package static let sourceIDs = list(
        "sourceIDs", \.sourceIDs, .pages, .operator, option: "source-id", noun: "source id", isClearable: true,
        "单点登录的 source id（TYRZLogin）。", "A source id for single sign-on (TYRZLogin).")
}

// MARK: - The kinds of values

extension AppSetting {
    private typealias Path<Value> = WritableKeyPath<AppRecord, Value> & Sendable

    private static func put<Value>(_ value: Value?, in place: inout Value) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func flag(
        _ name: String, _ path: Path<Bool>, _ group: Group, by decider: Decider = .operatorToAllow,
        option: String? = nil, _ chinese: String, _ english: String
    ) -> AppSetting {
        AppSetting(
            name, option: option, .flag, group, decider, chinese, english, read: { .bool($0[keyPath: path]) },
            write: { put($1.boolValue, in: &$0[keyPath: path]) })
    }

    private static func number(
        _ name: String, _ path: Path<Int64?>, _ range: ClosedRange<Int64>, _ group: Group, _ decider: Decider,
        _ chinese: String, _ english: String
    ) -> AppSetting {
        AppSetting(
            name, .integer(range), group, decider, isClearable: true, unit: "seconds", chinese, english,
            read: { $0[keyPath: path].map { .integer($0) } ?? .null },
            write: { app, value in
                app[keyPath: path] = value.integerValue
                return true
            })
    }

    private static func text(
        _ name: String, _ path: Path<String?>, _ shape: OrderShape, _ group: Group, _ decider: Decider,
        isSealed: Bool = false, _ chinese: String, _ english: String
    ) -> AppSetting {
        AppSetting(
            name, shape, group, decider, isClearable: true, isSealed: isSealed, chinese, english,
            read: { $0[keyPath: path].map { .string($0) } ?? .null },
            write: { app, value in
                app[keyPath: path] = value.stringValue
                return true
            })
    }

    private static func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ path: Path<Word>, _ group: Group, _ decider: Decider, _ chinese: String, _ english: String
    ) -> AppSetting {
        AppSetting(
            name, .words(Word.self), group, decider, chinese, english,
            read: { .string($0[keyPath: path].rawValue) },
            write: { put($1.stringValue.flatMap(Word.init(rawValue:)), in: &$0[keyPath: path]) })
    }

    private static func list(
        _ name: String, _ path: Path<[String]>, _ group: Group, _ decider: Decider, option: String? = nil,
        noun: String, isClearable: Bool = false, isSealed: Bool = false, _ chinese: String, _ english: String
    ) -> AppSetting {
        AppSetting(
            name, option: option, .list(.text), group, decider, isClearable: isClearable, isSealed: isSealed,
            noun: noun, chinese, english, read: { .array($0[keyPath: path].map { .string($0) }) },
            write: { app, value in
                app[keyPath: path] = (value.arrayValue ?? []).compactMap(\.stringValue)
                return true
            })
    }
}
