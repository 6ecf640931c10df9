@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority

@Suite("What operators are shown of an app")
struct AppJSONTests {
    private let now = Timestamp(seconds: 1_790_000_000)

    private var bare: AppRecord {
        AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: [.verification, .login],
            bundleIDs: ["com.example.shop"], serverAddresses: ["203.0.113.7"], createdAt: now)
    }

    @Test("an app of which nothing is set has no member for it, and says no where that is the answer")
    func unset() {
        let json = bare.json(now: now)
        for name in [
            "deletedAfter", "rsaKeyDigest", "dailyQuota", "appleTeam", "scripLifetime", "tokenLifetime",
            "requestTimeTolerance", "callback", "contract", "owner",
        ] { #expect(json[name] == nil, "\(name)") }
        for name in [
            "suspended", "openIDFromAnywhere", "hasRSAKey", "developmentKeys", "numberWithoutPage", "phonesWithoutKey",
            "unsignedRequests", "requiresPageReview",
        ] { #expect(json[name] == false, "\(name)") }
        #expect(json["allowed"] == true && json["oneKey"] == true)
        #expect(json["id"] == "300000000001" && json["name"] == "Shop" && json["sign"] == "md5")
        #expect(json["capabilities"] == .array(["login", "verification"]), "in their order")
        #expect(json["bundles"] == .array(["com.example.shop"]) && json["serverAddresses"] == .array(["203.0.113.7"]))
        #expect(json["leastAssurance"] == "net" && json["workflow"] == "one-tap")
        #expect(json["createdAt"] == .integer(now.milliseconds))
    }

    @Test("what is set is shown, and of keys no more than by what they are told apart")
    func set() {
        var app = bare
        app.suspended = true
        app.allowed = false
        app.deletedAfter = now + .seconds(1)
        app.openIDFromAnywhere = true
        app.rsaPublicKey = "a public key"
        app.signAlgorithm = .rsa
        app.dailyQuota = 7
        app.leastAssurance = .netApp
        app.workflow = .oneTapThenSMS
        app.attesters = ["an attester"]
        app.appleTeam = "A1B2C3D4E5"
        app.takesDevelopmentKeys = true
        app.scripLifetime = 8
        app.tokenLifetime = 9
        app.requestTimeTolerance = 10
        app.legacyNumberWithoutPage = true
        app.phonesWithoutKey = true
        app.unsignedRequests = true
        app.requiresPageReview = true
        app.approvedContent = ["page"]
        app.sourceIDs = ["11"]
        app.owner = "Shops"
        app.callback = CallbackRecord(
            url: "https://shop.example/", events: [.loginReleased, .appResumed], stoppedAt: now)
        let json = app.json(now: now)
        for name in [
            "suspended", "openIDFromAnywhere", "hasRSAKey", "developmentKeys", "numberWithoutPage", "phonesWithoutKey",
            "unsignedRequests", "requiresPageReview",
        ] { #expect(json[name] == true, "\(name)") }
        #expect(json["allowed"] == false && json["deletedAfter"] == .integer(now.milliseconds + 1000))
        #expect(json["dailyQuota"] == 7 && json["scripLifetime"] == 8 && json["tokenLifetime"] == 9)
        #expect(json["requestTimeTolerance"] == 10 && json["appleTeam"] == "A1B2C3D4E5" && json["owner"] == "Shops")
        #expect(json["sign"] == "rsa" && json["leastAssurance"] == "net+app" && json["workflow"] == "one-tap-then-sms")
        #expect(json["approvedContent"] == .array(["page"]) && json["sourceIDs"] == .array(["11"]))
        #expect(json["rsaKeyDigest"] == .string(AppRecord.digest("a public key")))
        #expect(json["attesters"] == .array([.string(AppRecord.digest("an attester"))]))
        #expect(AppRecord.digest("a public key").utf8.count == 16, "twelve bytes in base64url")
        #expect(AppRecord.digest("a public key") != AppRecord.digest("an attester"))
        #expect(json["callback"]?["url"] == "https://shop.example/")
        #expect(json["callback"]?["events"] == .array(["app.resumed", "login.released"]), "in their order")
        #expect(json["callback"]?["stoppedAt"] == .integer(now.milliseconds))
    }

    @Test("a key is shown by use and version with the last day of its own use, and whether the package has it")
    func keys() {
        let sealed = Sealed(bytes: [])
        var app = bare
        app.keys = [
            AppKeyRecord(use: .package, version: 2, sealed: sealed, createdAt: now),
            AppKeyRecord(use: .package, version: 1, sealed: sealed, createdAt: nil, acceptedUntil: now + .seconds(1)),
            AppKeyRecord(use: .server, version: 2, sealed: sealed, createdAt: nil, isInPackage: true),
        ]
        func usage(_ use: AppKeyUse, _ version: Int, _ day: Int32) -> AppKeyUsage {
            AppKeyUsage(appID: app.id, use: use, version: version, day: day)
        }
        let usages = [
            usage(.openID, 1, 20_260_901), usage(.package, 1, 20_260_902), usage(.package, 2, 20_260_903),
        ]
        let keys = app.json(usages, now: now)["keys"]?.arrayValue ?? []
        #expect(keys.map { $0["use"] } == ["package", "package", "server"])
        #expect(keys.map { $0["version"] } == [2, 1, 2])
        #expect(keys.map { $0["made"]?.stringValue } == ["2026-09-21", nil, nil])
        #expect(keys.map { $0["lastUsed"]?.stringValue } == ["2026-09-03", "2026-09-02", nil])
        #expect(keys.map { $0["validUntil"]?.integerValue } == [nil, now.milliseconds + 1000, nil])
        #expect(keys.map { $0["inPackage"]?.boolValue } == [nil, nil, true])
        let secret = ClientSecretRecord(version: 1, hash: CredentialHash(of: "secret"), createdAt: now)
        let json = KeySummary(secret, usages).json
        #expect(json["use"] == "openid" && json["version"] == 1 && json["lastUsed"] == "2026-09-01")
        #expect(json["inPackage"] == nil && json["made"] == "2026-09-21")
    }

    @Test("a contract's entry is shown with all its terms, and an end as an end")
    func contracts() {
        var terms = ContractTerms(
            reference: "2026-117", currency: "CNY",
            rates: [
                .sent: Amount(millionths: 1), .matched: Amount(millionths: 20_000),
                .released: Amount(millionths: 45_000),
            ])
        let entry = ContractEntry(number: 3, from: 20_261_201, terms: terms, addedAt: now)
        #expect(entry.json["entry"] == 3 && entry.json["from"] == "2026-12-01" && entry.json["isEnd"] == false)
        #expect(entry.json["reference"] == "2026-117" && entry.json["currency"] == "CNY")
        #expect(entry.json["rates"]?.text == #"{"matched":"0.02","released":"0.045","sent":"0.000001"}"#)
        #expect(entry.json["addedAt"] == .integer(now.milliseconds))
        for name in ["until", "dailyLimit", "monthlyLimit", "dailyLimitPerNumber"] {
            #expect(entry.json[name] == nil, "\(name)")
        }
        terms.until = 20_261_231
        terms.dailyLimit = 1
        terms.monthlyLimit = 2
        terms.dailyLimitPerNumber = 3
        let limited = ContractEntry(number: 4, from: 20_261_201, terms: terms, addedAt: now).json
        #expect(limited["until"] == "2026-12-31" && limited["dailyLimit"] == 1 && limited["monthlyLimit"] == 2)
        #expect(limited["dailyLimitPerNumber"] == 3)
        let end = ContractEntry(number: 5, from: 20_261_201, terms: nil, addedAt: now).json
        #expect(end["isEnd"] == true && end["rates"] == nil && end["reference"] == nil)
        var app = bare
        app.contract = [entry, ContractEntry(number: 5, from: 20_261_201, terms: nil, addedAt: now)]
        #expect(app.json(now: now)["contract"] == end, "the last one")
    }
}
