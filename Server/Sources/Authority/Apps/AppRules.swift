@_spi(Server) import BenjiProtocol
import CryptoExtras
import Requests
import Store

/// Rules for an app's record. A change is judged by the members it changes, so that values that an earlier version
/// allowed do not block it.
enum AppRules {
    /// Whether a block has too many addresses to identify a server: wider than /16 (IPv4) or /48 (IPv6). One company's
    /// network or one site rarely has more.
    static func isWide(_ prefix: IPPrefix) -> Bool { prefix.length < (prefix.address.family == .v4 ? 16 : 48) }

    /// The largest text of a public key, in bytes: it is read while requests are answered. PEM of 8192 bits has 1.4 KB.
    static let maximumKeySize = 16 * 1024
    static let maximumAttesterCount = 32
    /// Answers a day that an app may be limited to.
    static let quotas = 0...1_000_000_000
    /// The most bundle ids, and the most server addresses.
    static let maximumListCount = 100

    /// - Parameters:
    ///   - before: the record that is changed, or `nil` for a new one.
    ///   - acceptsWide: the operator has said that wide blocks are meant.
    static func check(
        _ app: AppRecord, before: AppRecord? = nil, acceptsWide: Bool = false, now: Timestamp
    ) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, problem) }
        func isNew<Value: Equatable>(_ value: (AppRecord) -> Value) -> Bool { before.map(value) != value(app) }
        if isNew(\.name) {
            guard (1...128).contains(app.name.utf8.count) else { throw refuse("name: 1 to 128 bytes") }
            if let problem = TextGrammar.problem(inName: app.name) { throw refuse("name: \(problem)") }
        }
        for (noun, list) in [("bundle ids", \AppRecord.bundleIDs), ("server addresses", \.serverAddresses)] {
            let count = app[keyPath: list].count
            // An earlier version took more.
            guard count <= max(maximumListCount, before?[keyPath: list].count ?? 0) else {
                throw refuse("\(noun): at most \(maximumListCount)")
            }
        }
        if isNew(\.serverAddresses) { try checkAddresses(app, acceptsWide: acceptsWide, now: now) }
        if isNew(\.serverAddresses) || isNew(\.unsignedRequests) {
            let prefixes = app.serverAddresses.compactMap { IPPrefix($0) }
            guard !app.unsignedRequests || RegisteredApp.areNarrowEnough(prefixes) else {
                throw refuse("unsigned requests: need server addresses, none wider than /29 (IPv4) or /64 (IPv6)")
            }
        }
        if isNew(\.bundleIDs) {
            // Those that were registered by an earlier version stay.
            for bundle in app.bundleIDs
            where !BundleIDGrammar.matches(bundle) && before?.bundleIDs.contains(bundle) != true {
                throw refuse(
                    "bundle id \(bundle.prefix(64)): letters, digits, hyphens and underscores in parts joined by dots, "
                        + "such as "
                        + "com.example.shop")
            }
        }
        if isNew(\.attesters) {
            guard app.attesters.count <= maximumAttesterCount else {
                throw refuse("attesters: at most \(maximumAttesterCount)")
            }
            for attester in app.attesters { _ = try attesterKey(attester) }
        }
        if isNew(\.appleTeam), let team = app.appleTeam {
            guard team.utf8.count == 10,
                team.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
            else { throw refuse("Apple team: ten letters and digits, as Apple's developer account shows it") }
        }
        if isNew(\.rsaPublicKey) || isNew(\.signAlgorithm) {
            if let pem = app.rsaPublicKey {
                guard pem.utf8.count <= maximumKeySize else {
                    throw refuse("RSA public key: has more than \(maximumKeySize) bytes; the PEM block alone is enough")
                }
                // The initialiser refuses anything under 2048 bits.
                do { _ = try _RSA.Signing.PublicKey(pemRepresentation: pem) } catch {
                    throw refuse("RSA public key: must be PEM of at least 2048 bits")
                }
            } else if app.signAlgorithm == .rsa {
                throw refuse("sign algorithm rsa: needs an RSA public key")
            }
        }
        if isNew(\.dailyQuota) {
            guard quotas.contains(app.dailyQuota ?? 0) else { throw refuse("daily quota: 0 to \(quotas.upperBound)") }
        }
        for setting in AppSetting.all where setting != .dailyQuota && isNew(setting.read) {
            guard case .integer = setting.shape, setting.read(app) != .null else { continue }
            if let problem = setting.problem(of: setting.read(app)) {
                throw refuse("\(setting.sentenceName): \(problem)")
            }
        }
        if isNew(\.workflow) || isNew(\.leastAssurance) || isNew(\.capabilities) || isNew(\.phonesWithoutKey),
            app.workflow == .oneTapThenSMS
        {
            // Of one tap the subscriber's address is a second lock. A code is asked for from anywhere.
            guard !app.phonesWithoutKey else {
                throw refuse(
                    "workflow one-tap-then-sms: phones of the app need no key, so anybody could have messages sent; "
                        + "set the workflow one-tap, or have phones show the key"
                )
            }
            guard app.leastAssurance <= .sms else {
                throw refuse(
                    "workflow one-tap-then-sms: its codes earn the assurance sms, and the app accepts "
                        + "\(app.leastAssurance.rawValue) or more; "
                        + "set the least assurance sms with it (sms-upstream for texts from phones too), or the "
                        + "workflow one-tap"
                )
            }
            guard app.capabilities.contains(.login) else {
                throw refuse("workflow one-tap-then-sms: needs the capability login")
            }
        }
        if isNew(\.approvedContent) {
            // One that never fits would shut everybody out.
            for digest in app.approvedContent
            where Base64URL.decode(digest)?.count != 32 && before?.approvedContent.contains(digest) != true {
                throw refuse(
                    "approved page \(digest.prefix(64).printable): a page's digest is 43 characters of base64url; see: "
                        + "benji page digest"
                )
            }
        }
        if isNew(\.owner), let owner = app.owner {
            guard (1...64).contains(owner.count) else { throw refuse("owner: must be 1 to 64 characters") }
            if let problem = TextGrammar.problem(inName: owner) { throw refuse("owner: \(problem)") }
        }
        if isNew(\.sourceIDs) {
            guard app.sourceIDs.count <= Apps.maximumSourceIDCount else {
                throw Refusal(.sourceIDLimit, "at most \(Apps.maximumSourceIDCount) source ids for one app")
            }
            for id in app.sourceIDs where !SourceIDGrammar.matches(id) {
                throw Refusal(.sourceIDMalformed, "source id: 1 to 32 digits")
            }
        }
    }

    private static func checkAddresses(_ app: AppRecord, acceptsWide: Bool, now: Timestamp) throws(Refusal) {
        for address in app.serverAddresses {
            func refuse(_ problem: String) -> Refusal {
                Refusal(.parameterInvalid, "server address \(address.prefix(64)): \(problem)")
            }
            guard let prefix = IPPrefix(address) else {
                throw refuse("must be an address or a block such as 203.0.113.0/24")
            }
            guard isWide(prefix) else { continue }
            guard acceptsWide else {
                throw refuse(
                    "is wider than /16 (IPv4) or /48 (IPv6), so strangers may be in it; name your server's own "
                        + "addresses, or add --wide-addresses"
                )
            }
            guard !app.hasOneKey(at: now) else {
                throw refuse(
                    "is too wide for an app with one key, which anybody can take out of its package; first: "
                        + "\(app.oneKeyRemedy)"
                )
            }
        }
    }

    private static func attesterKey(_ jwk: String) throws(Refusal) -> DevicePublicKey {
        guard jwk.utf8.count <= maximumKeySize else {
            throw Refusal(.parameterInvalid, "attester: has more than \(maximumKeySize) bytes")
        }
        do {
            return try DevicePublicKey(jwk: try JSON(parsing: jwk), path: "attester")
        } catch {
            throw Refusal(.parameterInvalid, error.description)
        }
    }
}
