@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Requests

@Suite("What a record of an app must keep")
struct AppRuleTests {
    private typealias Change = (inout AppRecord) -> Void
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let server = AppKeyRecord(use: .server, sealed: Sealed(bytes: []), createdAt: nil)

    private func app(_ change: Change = { _ in }) -> AppRecord {
        var app = AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [Self.server], capabilities: Capability.usual,
            bundleIDs: [], serverAddresses: [], createdAt: Self.now)
        change(&app)
        return app
    }

    /// The reason why a record is refused; `nil` if it is taken.
    private func refusal(_ app: AppRecord, before: AppRecord? = nil, acceptsWide: Bool = false) -> String? {
        do { try AppRules.check(app, before: before, acceptsWide: acceptsWide, now: Self.now) } catch {
            return error.detail
        }
        return nil
    }

    /// A new app is held to the rule, and so is one that is changed. What an earlier version took stays.
    private func expect(_ words: String, taken: [Change], refused: [Change]) {
        for (place, change) in taken.enumerated() {
            #expect(refusal(app(change)) == nil, "\(words) \(place)")
            #expect(refusal(app(change), before: app()) == nil, "\(words) \(place)")
        }
        for (place, change) in refused.enumerated() {
            #expect(refusal(app(change))?.hasPrefix(words) == true, "\(words) \(place)")
            #expect(refusal(app(change), before: app())?.hasPrefix(words) == true, "\(words) \(place)")
            var kept = app(change)
            kept.suspended = true
            #expect(refusal(kept, before: app(change)) == nil, "\(words) \(place) stays")
        }
    }

    @Test("a name has 1 to 128 bytes, an owner 1 to 64 characters")
    func names() {
        expect(
            "name: 1 to 128 bytes",
            taken: [{ $0.name = "x" }, { $0.name = String(repeating: "x", count: 128) }],
            refused: [{ $0.name = "" }, { $0.name = String(repeating: "x", count: 129) }])
        expect(
            "owner: must be 1 to 64 characters",
            taken: [{ $0.owner = "x" }, { $0.owner = String(repeating: "商", count: 64) }],
            refused: [{ $0.owner = "" }, { $0.owner = String(repeating: "商", count: 65) }])
    }

    @Test("an app has a hundred bundle ids and a hundred server addresses at most, and no more than it had before")
    func lists() {
        let bundles = (0..<105).map { "com.example.a\($0)" }
        let addresses = (0..<105).map { "203.0.113.\($0)" }
        func held(_ bundleCount: Int, _ addressCount: Int) -> AppRecord {
            app {
                $0.bundleIDs = Array(bundles.prefix(bundleCount))
                $0.serverAddresses = Array(addresses.prefix(addressCount))
            }
        }
        #expect(refusal(held(100, 100)) == nil)
        #expect(refusal(held(101, 0)) == "bundle ids: at most 100")
        #expect(refusal(held(0, 101)) == "server addresses: at most 100")
        #expect(refusal(held(104, 104), before: held(104, 105)) == nil)
        #expect(refusal(held(105, 0), before: held(104, 0)) == "bundle ids: at most 100")
        #expect(refusal(held(0, 105), before: held(0, 104)) == "server addresses: at most 100")
    }

    @Test("a bundle id and a page that an earlier version took stay beside new ones, which are held to the rule")
    func earlier() {
        let digest = String(repeating: "A", count: 43)
        expect(
            "bundle id shop: letters", taken: [{ $0.bundleIDs = ["com.example.shop"] }],
            refused: [{ $0.bundleIDs = ["com.example.shop", "shop"] }])
        let before = app {
            $0.bundleIDs = ["no bundle"]
            $0.approvedContent = ["no page"]
        }
        var more = before
        more.bundleIDs.append("com.example.shop")
        more.approvedContent.append(digest)
        #expect(refusal(more, before: before) == nil)
        more.bundleIDs.append("none either")
        #expect(refusal(more, before: before)?.hasPrefix("bundle id none either") == true)
        more.bundleIDs.removeLast()
        more.approvedContent.append("none either")
        #expect(refusal(more, before: before)?.hasPrefix("approved page none either") == true)
        expect(
            "approved page", taken: [{ $0.approvedContent = [digest] }],
            refused: [
                { $0.approvedContent = [digest, String(repeating: "A", count: 42)] },
                { $0.approvedContent = [String(repeating: "A", count: 44)] },
            ])
    }

    @Test("requests without a sign need addresses, and blocks of no more than /29 and /64, whichever of both changes")
    func unsignedRequests() {
        func unsigned(_ addresses: String..., isUnsigned: Bool = true) -> AppRecord {
            app {
                $0.unsignedRequests = isUnsigned
                $0.serverAddresses = addresses
            }
        }
        let words = "unsigned requests: need server addresses"
        for addresses in ["203.0.113.0/29", "203.0.113.7", "2001:db8::/64", "2001:db8::1"] {
            #expect(refusal(unsigned(addresses)) == nil, "\(addresses)")
            #expect(RegisteredApp(record: unsigned(addresses), key: AppKey("key")).mayCallUnsigned, "\(addresses)")
        }
        for addresses in ["203.0.113.0/28", "2001:db8::/63"] {
            #expect(refusal(unsigned(addresses))?.hasPrefix(words) == true, "\(addresses)")
            #expect(!RegisteredApp(record: unsigned(addresses), key: AppKey("key")).mayCallUnsigned, "\(addresses)")
            #expect(
                refusal(unsigned("203.0.113.7", addresses), before: unsigned("203.0.113.7"))?.hasPrefix(words) == true)
            #expect(
                refusal(unsigned(addresses), before: unsigned(addresses, isUnsigned: false))?.hasPrefix(words) == true)
            #expect(refusal(unsigned(addresses, isUnsigned: false)) == nil)
        }
        #expect(refusal(unsigned())?.hasPrefix(words) == true)
        for app in [unsigned(), unsigned("203.0.113.7", isUnsigned: false)] {
            #expect(!RegisteredApp(record: app, key: AppKey("key")).mayCallUnsigned)
        }
    }

    @Test("an app has 32 attesters at most, each a public key in no more than 16 KiB")
    func attesters() {
        let jwk = SoftwareDeviceSigner().publicKey.jwk.text
        let long = jwk + String(repeating: " ", count: 16 * 1024 - jwk.utf8.count)
        expect(
            "attester", taken: [{ $0.attesters = Array(repeating: jwk, count: 32) }, { $0.attesters = [long] }],
            refused: [
                { $0.attesters = Array(repeating: jwk, count: 33) }, { $0.attesters = [long + " "] },
                { $0.attesters = [jwk, "{}"] },
            ])
        #expect(refusal(app { $0.attesters = [long + " "] }) == "attester: has more than 16384 bytes")
        #expect(refusal(app { $0.attesters = Array(repeating: jwk, count: 33) }) == "attesters: at most 32")
    }

    @Test("a team at Apple is ten capital letters and digits")
    func appleTeams() {
        expect(
            "Apple team:",
            taken: [{ $0.appleTeam = "A1B2C3D4E5" }, { $0.appleTeam = "0123456789" }, { $0.appleTeam = "ZZZZZZZZZZ" }],
            refused: [
                { $0.appleTeam = "A1B2C3D4E" }, { $0.appleTeam = "A1B2C3D4E5F" }, { $0.appleTeam = "a1B2C3D4E5" },
                { $0.appleTeam = "A1B2C3D4E/" }, { $0.appleTeam = "A1B2C3D4E:" }, { $0.appleTeam = "A1B2C3D4E@" },
                { $0.appleTeam = "A1B2C3D4E[" },
            ])
    }

    @Test("an RSA key is PEM of no more than 16 KiB, and the algorithm is not chosen without one")
    func rsaKeys() {
        expect(
            "RSA public key: must be PEM", taken: [],
            refused: [{ $0.rsaPublicKey = "PEM" }, { $0.rsaPublicKey = String(repeating: "x", count: 16 * 1024) }])
        expect(
            "RSA public key: has more than 16384 bytes", taken: [],
            refused: [{ $0.rsaPublicKey = String(repeating: "x", count: 16 * 1024 + 1) }])
        expect("sign algorithm rsa: needs", taken: [], refused: [{ $0.signAlgorithm = .rsa }])
        let before = app {
            $0.signAlgorithm = .rsa
            $0.rsaPublicKey = "a key of before"
        }
        var without = before
        without.rsaPublicKey = nil
        #expect(refusal(without, before: before)?.hasPrefix("sign algorithm rsa: needs") == true)
    }

    @Test("quota, lifetimes and tolerance are within their bounds")
    func numbers() {
        expect(
            "daily quota: 0 to 1000000000",
            taken: [{ $0.dailyQuota = 0 }, { $0.dailyQuota = 1_000_000_000 }],
            refused: [{ $0.dailyQuota = -1 }, { $0.dailyQuota = 1_000_000_001 }])
        expect(
            "scrip lifetime: 1 to 86400 seconds",
            taken: [{ $0.scripLifetime = 1 }, { $0.scripLifetime = 86_400 }],
            refused: [{ $0.scripLifetime = 0 }, { $0.scripLifetime = 86_401 }])
        expect(
            "token lifetime: 1 to 2592000 seconds",
            taken: [{ $0.tokenLifetime = 1 }, { $0.tokenLifetime = 2_592_000 }],
            refused: [{ $0.tokenLifetime = 0 }, { $0.tokenLifetime = 2_592_001 }])
        for (seconds, isGood) in [(0, false), (1, true), (86_400, true), (86_401, false)] as [(Int64, Bool)] {
            let words = isGood ? nil : "request time tolerance: 1 to 86400 seconds"
            #expect(refusal(app { $0.requestTimeTolerance = seconds }) == words, "\(seconds)")
        }
    }

    @Test("the workflow with SMS needs the key on phones, an assurance of SMS and login, whichever of them changes")
    func workflows() {
        func sms(_ change: Change = { _ in }) -> AppRecord {
            app {
                $0.workflow = .oneTapThenSMS
                $0.leastAssurance = .sms
                change(&$0)
            }
        }
        #expect(refusal(sms()) == nil && refusal(sms { $0.leastAssurance = .smsUpstream }) == nil)
        let refused: [(String, Change)] = [
            ("phones of the app need no key", { $0.phonesWithoutKey = true }),
            ("its codes earn the assurance sms", { $0.leastAssurance = .net }),
            ("needs the capability login", { $0.capabilities = [.verification] }),
        ]
        for (words, change) in refused {
            #expect(refusal(sms(change))?.contains(words) == true, "\(words)")
            #expect(refusal(sms(change), before: sms())?.contains(words) == true, "\(words)")
            var oneTap = sms(change)
            oneTap.workflow = .oneTap
            #expect(refusal(oneTap) == nil, "\(words): of one tap it is none of these")
            #expect(refusal(sms(change), before: oneTap)?.contains(words) == true, "\(words)")
            var kept = sms(change)
            kept.suspended = true
            #expect(refusal(kept, before: sms(change)) == nil, "\(words) stays")
        }
    }

    @Test("an app has 99 source ids at most, each of digits")
    func sourceIDs() {
        expect(
            "at most 99 source ids", taken: [{ $0.sourceIDs = (0..<99).map(String.init) }],
            refused: [{ $0.sourceIDs = (0..<100).map(String.init) }])
        expect(
            "source id: 1 to 32 digits", taken: [], refused: [{ $0.sourceIDs = ["1", "1x"] }, { $0.sourceIDs = [""] }])
    }

    @Test("a wide block is refused unless it is meant, and where a key of the package signs")
    func wideBlocks() {
        let wide: Change = { $0.serverAddresses = ["203.0.113.7", "10.0.0.0/15"] }
        #expect(refusal(app(wide))?.hasPrefix("server address 10.0.0.0/15: is wider than /16") == true)
        #expect(refusal(app(wide), acceptsWide: true) == nil)
        for keys in [[], [AppKeyRecord(use: .server, sealed: Sealed(bytes: []), createdAt: nil, isInPackage: true)]] {
            let oneKey = app {
                wide(&$0)
                $0.keys = keys
            }
            #expect(refusal(oneKey, acceptsWide: true)?.contains("too wide for an app with one key") == true)
        }
        expect(
            "server address 2001:db8::/47: is wider than /16 (IPv4) or /48",
            taken: [{ $0.serverAddresses = ["10.0.0.0/16", "2001:db8::/48"] }],
            refused: [{ $0.serverAddresses = ["2001:db8::/47"] }])
        expect("server address shop: must be", taken: [], refused: [{ $0.serverAddresses = ["shop"] }])
        #expect(!AppRecord.isWide("shop") && AppRecord.isWide("2001:db8::/47") && !AppRecord.isWide("2001:db8::/48"))
    }

    @Test("a server is answered at the addresses that its app named, or everywhere where the app says so")
    func serverAddresses() {
        for (anywhere, peer, isServer, isAnswered) in [
            (false, "203.0.113.7", true, true), (false, "203.0.113.8", false, false), (false, nil, false, false),
            (true, "203.0.113.7", true, true), (true, "203.0.113.8", false, true), (true, nil, false, true),
        ] as [(Bool, String?, Bool, Bool)] {
            let record = app { ($0.serverAddresses, $0.openIDFromAnywhere) = (["203.0.113.7"], anywhere) }
            let registered = RegisteredApp(record: record, key: AppKey("key"))
            let address = peer.flatMap { InternetAddress($0) }
            #expect(registered.mayBeAnswered(at: address) == isAnswered, "\(anywhere) \(peer ?? "nowhere")")
            #expect(address.map(registered.isServer(at:)) ?? false == isServer)
        }
    }

    @Test("a browser earns something for an app that accepts net, or less")
    func browsers() {
        for (least, problem) in [
            (.sms, nil), (.net, nil), (.netApp, "a browser earns net, and the app accepts net+app or more"),
        ] as [(Assurance, String?)] {
            #expect(app { $0.leastAssurance = least }.problemWithBrowsers == problem)
        }
    }

    @Test("an app's keys are told apart by their use, and with one key it signs for the server too")
    func keys() {
        func key(_ use: AppKeyUse, _ version: Int) -> RegisteredKey {
            RegisteredKey(use: use, version: version, acceptedUntil: nil, key: AppKey("\(use.rawValue) \(version)"))
        }
        let keys = [key(.package, 2), key(.server, 1), key(.package, 1), key(.callback, 3)]
        let two = RegisteredApp(record: app(), keys: keys)
        #expect(two.packageKeys == [keys[0], keys[2]] && two.serverKeys == [keys[1]])
        #expect(two.callbackSecrets == [keys[3]] && two.key == keys[0].key && two.serverSecret == keys[1].key)
        #expect(two.serverKey { $0 == keys[1].key } == keys[1] && two.serverKey { $0 == keys[0].key } == nil)
        let one = RegisteredApp(record: app(), keys: [keys[0], keys[2]])
        #expect(one.serverKeys == one.packageKeys && one.callbackSecrets.isEmpty)
        var ending = keys[0]
        #expect(ending.isAccepted(at: Self.now))
        ending = RegisteredKey(use: .package, version: 2, acceptedUntil: Self.now, key: ending.key)
        #expect(ending.isAccepted(at: Self.now - .milliseconds(1)) && !ending.isAccepted(at: Self.now))
    }

    @Test("an app is answered that is allowed and neither suspended nor being deleted, and each refusal says which")
    func answered() {
        func end(_ change: Change) -> String? {
            do { try app(change).checkAnswered() } catch { return error.description }
            return nil
        }
        #expect(end { _ in } == nil)
        #expect(end { $0.allowed = false } == "\(Situation.appNotAllowed.rawValue): the app is not on the allow-list")
        #expect(end { $0.suspended = true } == "\(Situation.appSuspended.rawValue): the app is suspended")
        #expect(
            end { $0.deletedAfter = Self.now } == "\(Situation.appSuspended.rawValue): the app is being deleted")
        let all = end {
            $0.allowed = false
            $0.suspended = true
            $0.deletedAfter = Self.now
        }
        #expect(all == end { $0.deletedAfter = Self.now })
    }
}
