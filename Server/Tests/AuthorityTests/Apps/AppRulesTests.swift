import BenjiProtocol
import Store
import Testing

@testable import Authority

/// What a record of an app must keep, rule by rule.
struct AppRulesTests {
    private static let now = Timestamp(seconds: 1000)

    private static func app(_ change: (inout AppRecord) -> Void = { _ in }) -> AppRecord {
        var app = AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "Shop",
            keys: [AppKeyRecord(use: .server, sealed: Sealed(bytes: [1]), createdAt: nil)], capabilities: [.login],
            bundleIDs: [], serverAddresses: [], createdAt: Timestamp(milliseconds: 0))
        change(&app)
        return app
    }

    private static func told(_ app: AppRecord, before: AppRecord? = nil, acceptsWide: Bool = false) -> String {
        do { try AppRules.check(app, before: before, acceptsWide: acceptsWide, now: now) } catch {
            return error.detail
        }
        return ""
    }

    private static func bundles(_ count: Int) -> [String] { (0..<count).map { "com.example.a\($0)" } }
    private static func addresses(_ count: Int) -> [String] { (0..<count).map { "203.0.113.\($0)" } }
    private static func sources(_ count: Int) -> [String] { (0..<count).map { "\($0)" } }
    private static func page(_ bytes: Int) -> String { Base64URL.encode([UInt8](repeating: 1, count: bytes)) }

    /// A change of an app that is in order, and the beginning of why it is refused; empty if it is not.
    struct Case: Sendable {
        var refusal = ""
        let change: @Sendable (inout AppRecord) -> Void
    }

    private static let cases: [Case] = [
        Case { _ in },
        Case { $0.name = String(repeating: "n", count: 128) },
        Case(refusal: "name: 1 to 128 bytes") { $0.name = String(repeating: "n", count: 129) },
        Case(refusal: "name: 1 to 128 bytes") { $0.name = "" },
        Case { $0.bundleIDs = bundles(100) },
        Case(refusal: "bundle ids: at most 100") { $0.bundleIDs = bundles(101) },
        Case(refusal: "bundle id shop: letters") { $0.bundleIDs = ["com.example.shop", "shop"] },
        Case { $0.serverAddresses = addresses(100) },
        Case(refusal: "server addresses: at most 100") { $0.serverAddresses = addresses(101) },
        Case(refusal: "server address x: must be an address") { $0.serverAddresses = ["x"] },
        Case { $0.serverAddresses = ["10.0.0.0/16", "2001:db8::/48"] },
        Case(refusal: "server address 10.0.0.0/15: is wider") { $0.serverAddresses = ["10.0.0.0/15"] },
        Case(refusal: "server address 2001:db8::/47: is wider") { $0.serverAddresses = ["2001:db8::/47"] },
        Case(refusal: "unsigned requests: need server addresses") { $0.unsignedRequests = true },
        Case {
            $0.unsignedRequests = true
            $0.serverAddresses = ["203.0.113.8/29", "2001:db8::/64"]
        },
        Case(refusal: "unsigned requests: need server addresses") {
            $0.unsignedRequests = true
            $0.serverAddresses = ["203.0.113.0/28"]
        },
        Case(refusal: "unsigned requests: need server addresses") {
            $0.unsignedRequests = true
            $0.serverAddresses = ["2001:db8::/63"]
        },
        Case(refusal: "attesters: at most 32") { $0.attesters = Array(repeating: "{}", count: 33) },
        Case(refusal: "attester") { $0.attesters = ["{}"] },
        Case(refusal: "attester: has more than 16384 bytes") {
            $0.attesters = [String(repeating: " ", count: 16_385)]
        },
        Case { $0.appleTeam = "ABCDE12345" },
        Case(refusal: "Apple team: ten") { $0.appleTeam = "ABCDE1234" },
        Case(refusal: "Apple team: ten") { $0.appleTeam = "ABCDE123456" },
        Case(refusal: "Apple team: ten") { $0.appleTeam = "abcde12345" },
        Case(refusal: "RSA public key: must be PEM") { $0.rsaPublicKey = "x" },
        Case(refusal: "RSA public key: has more than 16384") {
            $0.rsaPublicKey = String(repeating: " ", count: 16_385)
        },
        Case(refusal: "sign algorithm rsa: needs an RSA public key") { $0.signAlgorithm = .rsa },
        Case { $0.dailyQuota = 0 },
        Case { $0.dailyQuota = 1_000_000_000 },
        Case(refusal: "daily quota: 0 to") { $0.dailyQuota = -1 },
        Case(refusal: "daily quota: 0 to") { $0.dailyQuota = 1_000_000_001 },
        Case { ($0.scripLifetime, $0.tokenLifetime) = (1, 1) },
        Case { ($0.scripLifetime, $0.tokenLifetime) = (86_400, 2_592_000) },
        Case(refusal: "scrip lifetime: 1 to 86400 seconds") { $0.scripLifetime = 0 },
        Case(refusal: "scrip lifetime: 1 to 86400 seconds") { $0.scripLifetime = 86_401 },
        Case(refusal: "token lifetime: 1 to 2592000 seconds") { $0.tokenLifetime = 0 },
        Case(refusal: "token lifetime: 1 to 2592000 seconds") { $0.tokenLifetime = 2_592_001 },
        Case { $0.requestTimeTolerance = 86_400 },
        Case { $0.requestTimeTolerance = 1 },
        Case(refusal: "request time tolerance: 1 to 86400 seconds") { $0.requestTimeTolerance = 0 },
        Case(refusal: "request time tolerance: 1 to 86400 seconds") { $0.requestTimeTolerance = 86_401 },
        Case { ($0.workflow, $0.leastAssurance) = (.oneTapThenSMS, .sms) },
        Case(refusal: "workflow one-tap-then-sms: phones of the app need no key") {
            ($0.workflow, $0.leastAssurance, $0.phonesWithoutKey) = (.oneTapThenSMS, .sms, true)
        },
        Case(refusal: "workflow one-tap-then-sms: its codes earn") {
            ($0.workflow, $0.leastAssurance) = (.oneTapThenSMS, .net)
        },
        Case(refusal: "workflow one-tap-then-sms: needs the capability login") {
            ($0.workflow, $0.leastAssurance, $0.capabilities) = (.oneTapThenSMS, .sms, [.verification])
        },
        Case { ($0.phonesWithoutKey, $0.capabilities) = (true, []) },
        Case { $0.approvedContent = [page(32)] },
        Case(refusal: "approved page") { $0.approvedContent = [page(32), page(31)] },
        Case(refusal: "approved page") { $0.approvedContent = [page(33)] },
        Case { $0.owner = String(repeating: "o", count: 64) },
        Case(refusal: "owner: must be 1 to 64 characters") { $0.owner = String(repeating: "o", count: 65) },
        Case(refusal: "owner: must be 1 to 64 characters") { $0.owner = "" },
        Case { $0.sourceIDs = sources(99) },
        Case(refusal: "at most 99 source ids") { $0.sourceIDs = sources(100) },
        Case(refusal: "source id: 1 to 32 digits") { $0.sourceIDs = ["1", "a"] },
    ]

    @Test("each rule is kept at its bound, broken beyond it, and the refusal names it", arguments: cases.indices)
    func rules(number: Int) {
        let each = Self.cases[number]
        let app = Self.app(each.change)
        let told = Self.told(app, before: Self.app())
        #expect(each.refusal.isEmpty ? told.isEmpty : told.hasPrefix(each.refusal), "\(told)")
        // The same of a new app.
        let new = Self.told(app)
        #expect(each.refusal.isEmpty ? new.isEmpty : new.hasPrefix(each.refusal), "\(new)")
        // What an earlier version took does not stand in the way of another change.
        guard !each.refusal.hasPrefix("request time") else { return }
        var changed = app
        changed.suspended = true
        #expect(Self.told(changed, before: app).isEmpty)
    }

    @Test("a workflow with codes is judged anew with each of the settings that it depends on")
    func workflow() {
        let good = Self.app { ($0.workflow, $0.leastAssurance) = (.oneTapThenSMS, .sms) }
        let changes: [(inout AppRecord) -> Void] = [
            { $0.leastAssurance = .net }, { $0.phonesWithoutKey = true }, { $0.capabilities = [] },
        ]
        for (place, change) in changes.enumerated() {
            var app = good
            change(&app)
            #expect(Self.told(app, before: good).hasPrefix("workflow one-tap-then-sms"), "\(place)")
            // The other way round: what the app is comes first, and then the workflow.
            var before = app
            before.workflow = .oneTap
            #expect(Self.told(app, before: before).hasPrefix("workflow one-tap-then-sms"), "\(place)")
        }
    }

    @Test("of a list that an earlier version took, what is there stays, and nothing of the kind is added")
    func earlierLists() {
        let before = Self.app {
            ($0.bundleIDs, $0.serverAddresses) = (Self.bundles(101), Self.addresses(101))
            $0.approvedContent = ["short"]
        }
        var app = before
        (app.bundleIDs[0], app.serverAddresses[0]) = ("com.example.other", "203.0.113.200")
        app.approvedContent = ["short", Self.page(32)]
        #expect(Self.told(app, before: before).isEmpty)
        app.bundleIDs.append("com.example.more")
        #expect(Self.told(app, before: before).hasPrefix("bundle ids: at most 100"))
        app = before
        app.approvedContent = ["short", "shorter"]
        #expect(Self.told(app, before: before).hasPrefix("approved page"))
        let odd = Self.app { $0.bundleIDs = ["shop"] }
        app = odd
        app.bundleIDs = ["shop", "com.example.shop"]
        #expect(Self.told(app, before: odd).isEmpty)
        app.bundleIDs.append("second")
        #expect(Self.told(app, before: odd).hasPrefix("bundle id second"))
    }

    @Test("wide server addresses need the operator's word, and never go with one key")
    func wide() {
        let app = Self.app { $0.serverAddresses = ["10.0.0.0/8"] }
        #expect(Self.told(app).contains("--wide-addresses"))
        #expect(Self.told(app, acceptsWide: true).isEmpty)
        for keys in [
            [], [AppKeyRecord(use: .server, sealed: Sealed(bytes: [1]), createdAt: nil, isInPackage: true)],
        ] as [[AppKeyRecord]] {
            var shared = app
            shared.keys = keys
            #expect(Self.told(shared, acceptsWide: true).contains("is too wide for an app with one key"))
        }
    }
}
