import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation
import Requests
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Orders about OpenID clients")
struct OpenIDOrderTests {
    private static let page = """
        {"terms": {"items": [
            {"title": {"zh-Hans": "《用户协议》", "en": "User Agreement"}, "url": "https://shop.example/agreement"},
            {"title": {"zh-Hans": "《隐私政策》", "en": "Privacy Policy"}, "url": "https://shop.example/privacy"}]}}
        """
    private static let callback = "https://shop.example/callback"
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    private static let logo = signature + Array("a logo".utf8)
    private static let banner = signature + Array("a banner".utf8)

    private static func digest(_ image: [UInt8]) -> String { Base64URL.encode(Array(SHA256.hash(data: image))) }

    private static func changes(_ set: (inout OpenIDClientChanges) -> Void) -> OpenIDClientChanges {
        var changes = OpenIDClientChanges()
        set(&changes)
        return changes
    }

    private static let new = changes {
        $0.redirectURIs = ListChange([callback])
        $0.page = page
    }

    @Test("an app becomes a client with a redirect URI and a page, gets its secret once, and ends as one")
    func life() async throws {
        let world = try await AdministrationWorld()
        let digits = Self.changes { $0.asksMiddleDigits = true }
        #expect(try await world.refused(ChangeOpenIDClient(world.app, digits)) == .parameterInvalid, "no client yet")
        #expect(try await world.refused(ShowOpenIDClient(world.app)) == .appUnknown)
        let made = try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let secret = try #require(made["client_secret"]?.stringValue)
        let shown = try await world.order(ShowOpenIDClient(world.app), by: world.caller(.support))
        #expect(shown["redirect_uris"] == .array([.string(Self.callback)]) && shown["client_secret"] == nil)
        let changed = try await world.order(ChangeOpenIDClient(world.app, digits))
        #expect(changed["asks_middle_digits"] == true && changed["client_secret"] == nil)
        let rotated = try await world.order(RotateClientSecret(world.app, keeping: .untilRetired))
        let second = try #require(rotated["client_secret"]?.stringValue)
        #expect(second != secret && rotated["secrets"]?.arrayValue?.count == 2)
        let retired = try await world.order(RetireClientSecret(world.app))
        #expect(retired["secrets"]?.arrayValue?.count == 1 && retired["client_secret"] == nil)
        let keys = try await world.world.store.openIDKeys(at: world.clock.now).count
        try await world.order(RotateIDTokenKeys())
        #expect(try await world.world.store.openIDKeys(at: world.clock.now).count == keys + 1)
        try await world.order(RemoveOpenIDClient(world.app))
        #expect(try await world.refused(RemoveOpenIDClient(world.app)) == .appUnknown)
        let lines = try await world.lines()
        #expect(
            lines.map(\.order) == [
                "app.openid.remove", "app.openid.remove", "openid.rotate-keys", "app.openid.retire-secret",
                "app.openid.rotate-secret", "app.openid.set", "app.openid.set", "app.openid.set",
            ])
        #expect(lines.map(\.outcome) == [.appUnknown] + Array(repeating: .success, count: 6) + [.parameterInvalid])
        let written = lines.map { ($0.before ?? "") + ($0.after ?? "") }.joined()
        #expect(!written.contains(secret) && !written.contains(second))
        await world.end()
    }

    @Test(
        """
        what anybody can have read is short: a key set and an RSA key of 16 KiB, kept without members that nobody reads
        """
    )
    func shortKeys() async throws {
        let world = try await AdministrationWorld()
        let developer = world.caller(.developer, apps: [world.app])
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let key = P256.Signing.PrivateKey().publicKey.rawRepresentation
        func set(_ more: String) -> OpenIDClientChanges {
            let (x, y) = (Base64URL.encode(Array(key.prefix(32))), Base64URL.encode(Array(key.suffix(32))))
            return Self.changes {
                $0.keySet = #"{"keys":[{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}],"more":"\#(more)"}"#
            }
        }
        let long = String(repeating: "x", count: 16 * 1024)
        #expect(try await world.refused(ChangeOpenIDClient(world.app, set(long)), by: developer) == .parameterInvalid)
        try await world.order(ChangeOpenIDClient(world.app, set("here")), by: developer)
        let kept = try await world.world.store.openIDClient(world.app)?.keySet
        #expect(kept?.contains("kty") == true && kept?.contains("more") == false)
        var changes = AppChanges()
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
        changes[.rsaPublicKey] = .string(pem + "\n" + long)
        #expect(try await world.refused(ChangeApp(world.app, changes), by: developer) == .parameterInvalid)
        changes[.rsaPublicKey] = .string(pem)
        #expect(try await world.refused(ChangeApp(world.app, changes), by: developer) == nil)
        await world.end()
    }

    @Test("a key set with a key that cannot be used is registered without it, and the answer says which and why, once")
    func ignoredKeys() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let key = P256.Signing.PrivateKey().publicKey.rawRepresentation
        let (x, y) = (Base64URL.encode(Array(key.prefix(32))), Base64URL.encode(Array(key.suffix(32))))
        let changes = Self.changes {
            $0.keySet =
                #"{"keys":[{"kty":"AKP","kid":"pq","pub":"AAAA"},{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}]}"#
        }
        let changed = try await world.order(ChangeOpenIDClient(world.app, changes))
        #expect(changed["jwks_ignored"] == .array(["jwks.keys[0] (kid pq): kty AKP is not supported"]))
        #expect(try await world.order(ShowOpenIDClient(world.app))["jwks_ignored"] == nil)
        #expect(try await world.world.store.openIDClient(world.app)?.keySet?.contains("AKP") == false)
        await world.end()
    }

    @Test("stolen ID-token keys of all algorithms end in one step with its line, and former ones keep no private half")
    func stolenKeys() async throws {
        let world = try await AdministrationWorld()
        let store = world.world.store
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        try await world.order(ChangeOpenIDClient(world.app, Self.changes { $0.idTokenAlgorithm = .rs256 }))
        let first = try await store.openIDKeys(at: world.clock.now)
        #expect(Set(first.map(\.algorithm)) == [.es256, .rs256])
        try await world.order(RotateIDTokenKeys())
        let second = try await store.openIDKeys(at: world.clock.now)
        #expect(second.count == 4)
        for key in second { #expect((key.sealedKey != nil) == (key.publishedUntil == nil) && key.publicKey != nil) }
        try await world.order(RotateIDTokenKeys(areStolen: true))
        let third = try await store.openIDKeys(at: Timestamp(milliseconds: 0))
        #expect(third.count == 2 && Set(third.map(\.id)).isDisjoint(with: second.map(\.id)))
        let lines = try await world.lines().filter { $0.order == "openid.rotate-keys" }
        #expect(lines.count == 2)
        for key in second { #expect(lines[0].after?.contains(key.id) == true) }
        await world.end()
    }

    @Test("the line of an order about a page's images has their digests, what was and what is")
    func images() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let developer = world.caller(.developer, apps: [world.app])
        func set(_ media: [String: [UInt8]], removing: [String] = []) async throws -> AuditEntry {
            let changes = Self.changes {
                $0.media = media.mapValues { Data($0) }
                $0.removedMedia = removing
            }
            try await world.order(ChangeOpenIDClient(world.app, changes), by: developer)
            return try #require(try await world.lines().first)
        }
        let (logo, banner) = (Self.digest(Self.logo), Self.digest(Self.banner))
        let first = try await set(["logo": Self.logo])
        #expect(first.before == nil && first.after == #"{"media":{"logo":"\#(logo)"}}"#)
        let second = try await set(["logo": Self.banner, "waves": Self.logo])
        #expect(second.before == first.after)
        #expect(second.after == #"{"media":{"logo":"\#(banner)","waves":"\#(logo)"}}"#)
        let third = try await set([:], removing: ["logo"])
        #expect(third.before == second.after && third.after == #"{"media":{"waves":"\#(logo)"}}"#)
        #expect(try await world.order(ShowOpenIDClient(world.app))["media"] == .object(["waves": .string(logo)]))
        let same = try await set(["waves": Self.logo])
        #expect(same.before == nil && same.after == nil)
        try await world.order(RemoveOpenIDClient(world.app))
        let removal = try #require(try await world.lines().first)
        #expect(removal.before?.contains(#""media":{"waves":"\#(logo)"}"#) == true)
        await world.end()
    }

    @Test(
        """
        a colour is written into the description, so that page digest and audit line say it, and what else it says stays
        """
    )
    func color() async throws {
        let world = try await AdministrationWorld()
        let set = Self.changes { $0.color = "#FFD500" }
        #expect(try await world.refused(ChangeOpenIDClient(world.app, set)) == .parameterInvalid, "no client yet")
        let made = try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let colored = try await world.order(ChangeOpenIDClient(world.app, set))
        let page = try await PageDescription(
            parsing: Array(#require(try await world.world.store.openIDClient(world.app)).page.utf8))
        #expect(page.loginButton.fills.normal == AdaptiveColor(PageColor(0xffd500)))
        #expect(page.loginButton.title.color == AdaptiveColor(PageColor(0x000000)), "white could not be read on it")
        #expect(page.terms.items.map(\.url) == ["https://shop.example/agreement", "https://shop.example/privacy"])
        let line = try #require(try await world.lines().first)
        let digests = try [made, colored].map { try #require($0["page_digest"]?.stringValue) }
        #expect(digests[0] != digests[1])
        #expect(line.before?.contains(digests[0]) == true && line.after?.contains(digests[1]) == true)
        // Named together, the colour is the new page's.
        let both = Self.changes {
            $0.page = Self.page
            $0.color = "#ffd500"
        }
        #expect(try await world.order(ChangeOpenIDClient(world.app, both))["page_digest"]?.stringValue == digests[1])
        for text in ["red", "#ffd5", "#ffd50080", "#ffd500;}*{display:none}", ""] {
            let wrong = Self.changes { $0.color = text }
            #expect(try await world.refused(ChangeOpenIDClient(world.app, wrong)) == .parameterInvalid, "\(text)")
        }
        await world.end()
    }

    @Test("a logo becomes the image that the description names, and is a picture that stands still")
    func logoOption() async throws {
        let world = try await AdministrationWorld()
        var new = Self.new
        new.page = Self.page.replacing(
            "{\"terms\"", with: #"{"logo": {"image": {"name": "brand/emblem", "width": 72, "height": 72}}, "terms""#)
        new.logo = Data(Self.logo)
        try await world.order(ChangeOpenIDClient(world.app, new))
        func media() async throws -> JSON? { try await world.order(ShowOpenIDClient(world.app))["media"] }
        #expect(try await media() == .object(["brand/emblem": .string(Self.digest(Self.logo))]))
        try await world.order(ChangeOpenIDClient(world.app, Self.changes { $0.logo = Data(Self.banner) }))
        #expect(try await media() == .object(["brand/emblem": .string(Self.digest(Self.banner))]))
        for content in [
            "<svg onload='alert(1)'/>", "GIF89a", "1234ftypisom", "<!doctype html><script>alert(1)</script>",
        ] {
            let wrong = Self.changes { $0.logo = Data(content.utf8) }
            #expect(try await world.refused(ChangeOpenIDClient(world.app, wrong)) == .parameterInvalid, "\(content)")
        }
        let twice = Self.changes {
            $0.logo = Data(Self.logo)
            $0.media = ["brand/emblem": Data(Self.logo)]
        }
        #expect(try await world.refused(ChangeOpenIDClient(world.app, twice)) == .parameterInvalid, "named twice")
        let hidden = Self.changes {
            $0.logo = Data(Self.logo)
            $0.page = Self.page.replacing("{\"terms\"", with: #"{"logo": {"hidden": true}, "terms""#)
        }
        #expect(
            try await world.refused(ChangeOpenIDClient(world.app, hidden)) == .parameterInvalid, "nobody would see it")
        await world.end()
    }

    /// Each member of a change: what sets it, and whether a developer may.
    private static let members:
        [(name: String, isDevelopers: Bool, set: @Sendable (inout OpenIDClientChanges) -> Void)] =
            [
                ("redirectURIs", true, { $0.redirectURIs = ListChange(adding: ["https://shop.example/2"]) }),
                ("page", false, { $0.page = page }), ("color", false, { $0.color = "#2f6b3c" }),
                ("logo", true, { $0.logo = Data(logo) }), ("media", true, { $0.media = ["logo": Data(logo)] }),
                ("removedMedia", true, { $0.removedMedia = ["logo"] }), ("keySet", true, { $0.keySet = "{}" }),
                ("usesSecret", false, { $0.usesSecret = true }), ("usesSecret", true, { $0.usesSecret = false }),
                ("idTokenAlgorithm", true, { $0.idTokenAlgorithm = .rs256 }),
                ("asksMiddleDigits", false, { $0.asksMiddleDigits = false }),
                ("requiresPushedRequests", false, { $0.requiresPushedRequests = false }),
                ("requiresPushedRequests", true, { $0.requiresPushedRequests = true }),
                ("purposes", false, { $0.purposes = ListChange(["dpv:FraudPreventionAndDetection"]) }),
                ("frameAncestors", false, { $0.frameAncestors = ListChange(["https://shop.example"]) }),
                ("stableSubjectWithoutPage", false, { $0.stableSubjectWithoutPage = true }),
                ("authentication", false, { $0.authentication = .clientSecretPost }),
                ("authentication", true, { $0.authentication = .privateKeyJWT }),
                ("requiresPKCE", false, { $0.requiresPKCE = false }),
                ("requiresPKCE", true, { $0.requiresPKCE = true }),
                ("bindsAccessTokens", false, { $0.bindsAccessTokens = false }),
                ("bindsAccessTokens", true, { $0.bindsAccessTokens = true }),
                ("authentication", true, { $0.authentication = .tlsClientAuth }),
                ("certificateSubject", true, { $0.certificateSubject = "CN=shop" }),
                ("certificateDNS", true, { $0.certificateDNS = "shop.example" }),
                ("certificateURI", true, { $0.certificateURI = "https://shop.example/" }),
                ("certificateIP", true, { $0.certificateIP = "203.0.113.7" }),
                ("bindsToCertificate", false, { $0.bindsToCertificate = false }),
                ("bindsToCertificate", true, { $0.bindsToCertificate = true }),
                ("remembersConsent", false, { $0.remembersConsent = true }),
                ("remembersConsent", true, { $0.remembersConsent = false }),
                ("backchannelDelivery", false, { $0.backchannelDelivery = "poll" }),
                ("backchannelDelivery", true, { $0.backchannelDelivery = "none" }),
                ("backchannelNotification", true, { $0.backchannelNotification = "https://shop.example/decided" }),
                ("profile", false, { $0.profile = .openID }), ("profile", true, { $0.profile = .fapi2 }),
            ]

    @Test("what a change does not name stays as it was")
    func otherMembers() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let unusual = Self.changes {
            $0.idTokenAlgorithm = .rs256
            ($0.asksMiddleDigits, $0.requiresPushedRequests, $0.stableSubjectWithoutPage) = (true, true, true)
            ($0.requiresPKCE, $0.bindsAccessTokens) = (false, true)
            $0.frameAncestors = ListChange(["https://shop.example"])
        }
        try await world.order(ChangeOpenIDClient(world.app, unusual))
        var before = try #require(try await world.world.store.openIDClient(world.app))
        #expect(before.stableSubjectWithoutPage && before.bindsAccessTokens && !before.requiresPKCE)
        let another = Self.changes { $0.redirectURIs = ListChange(adding: ["https://shop.example/2"]) }
        try await world.order(ChangeOpenIDClient(world.app, another))
        let after = try #require(try await world.world.store.openIDClient(world.app))
        #expect(after.redirectURIs == before.redirectURIs + ["https://shop.example/2"])
        (before.redirectURIs, before.revision) = (after.redirectURIs, after.revision)
        #expect(after == before)
        let remembering = Self.changes { ($0.asksMiddleDigits, $0.remembersConsent) = (false, true) }
        try await world.order(ChangeOpenIDClient(world.app, remembering))
        let digits = Self.changes { $0.asksMiddleDigits = true }
        #expect(try await world.refused(ChangeOpenIDClient(world.app, digits)) == .parameterInvalid)
        #expect(try await world.world.store.openIDClient(world.app)?.remembersConsent == true)
        await world.end()
    }

    @Test(
        "a certificate has one name: another takes its place, an empty one takes it away, and two at once are refused")
    func certificateName() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        func change(_ set: @escaping (inout OpenIDClientChanges) -> Void) async throws -> JSON {
            try await world.order(ChangeOpenIDClient(world.app, Self.changes(set)))
        }
        let first = try await change { ($0.authentication, $0.certificateDNS) = (.tlsClientAuth, "shop.example") }
        #expect(first["tls_client_auth_san_dns"] == "shop.example")
        #expect(first["token_endpoint_auth_method"] == "tls_client_auth" && first["client_secret"] == nil)
        let second = try await change { ($0.certificateDNS, $0.certificateSubject) = ("", "CN=shop,C=CN") }
        #expect(second["tls_client_auth_subject_dn"] == "CN=shop,C=CN" && second["tls_client_auth_san_dns"] == nil)
        #expect(try await change { $0.certificateIP = "" }["tls_client_auth_subject_dn"] == "CN=shop,C=CN")
        for wrong in [
            Self.changes { ($0.certificateDNS, $0.certificateIP) = ("shop.example", "203.0.113.7") },
            Self.changes { $0.certificateSubject = "" }, Self.changes { $0.certificateURI = "shop.example" },
        ] {
            #expect(try await world.refused(ChangeOpenIDClient(world.app, wrong)) == .parameterInvalid)
        }
        let last = try await change { ($0.authentication, $0.certificateSubject) = (.clientSecretBasic, "") }
        #expect(last["tls_client_auth_subject_dn"] == nil && last["client_secret"] != nil)
        await world.end()
    }

    @Test("an image's name has no control characters, and no refusal repeats those of a name that is not there")
    func imageNames() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let developer = world.caller(.developer, apps: [world.app])
        let name = "logo\u{1b}[2J"
        let adding = Self.changes { $0.media = [name: Data(Self.logo)] }
        let removing = Self.changes { $0.removedMedia = [name] }
        for changes in [adding, removing] {
            let error = await #expect(throws: Refusal.self) {
                try await world.order(ChangeOpenIDClient(world.app, changes), by: developer)
            }
            #expect(error?.situation == .parameterInvalid && error?.detail.contains("\u{1b}") == false)
        }
        await world.end()
    }

    @Test("each member of a change is said to be a developer's or the operator's, and is kept to that")
    func operatorsPart() async throws {
        let names = Set(Mirror(reflecting: OpenIDClientChanges()).children.compactMap(\.label))
        #expect(Set(Self.members.map(\.name)) == names)
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let before = try await world.world.store.openIDClient(world.app)
        let developer = world.caller(.developer, apps: [world.app])
        for member in Self.members {
            var changes = Self.changes(member.set)
            #expect((changes.operatorsPart == nil) == member.isDevelopers, "\(member.name)")
            #expect(!changes.isEmpty, "\(member.name)")
            guard !member.isDevelopers else { continue }
            changes.redirectURIs = ListChange(["https://thief.example/"])
            let order = ChangeOpenIDClient(world.app, changes)
            #expect(try await world.refused(order, by: developer) == .orderNotPermitted, "\(member.name)")
        }
        #expect(try await world.world.store.openIDClient(world.app) == before)
        let other = ListChange(adding: ["https://shop.example/2"])
        let own = ChangeOpenIDClient(world.app, Self.changes { $0.redirectURIs = other })
        let changed = try await world.order(own, by: developer)
        #expect(changed["redirect_uris"]?.arrayValue?.count == 2)
        await world.end()
    }

    @Test("the images of an app whose pages are approved, by review or by list, are the operator's")
    func imagesOfApprovedPages() async throws {
        let changes: [@Sendable (inout AppChanges) -> Void] = [
            { $0[.requiresPageReview] = true },
            { $0[list: .approvedContent] = ListChange([String(repeating: "A", count: 43)]) },
        ]
        for change in changes {
            let world = try await AdministrationWorld()
            try await world.order(ChangeOpenIDClient(world.app, Self.new))
            var changes = AppChanges()
            change(&changes)
            try await world.order(ChangeApp(world.app, changes))
            let order = ChangeOpenIDClient(world.app, Self.changes { $0.media = ["logo": Data(Self.logo)] })
            let developer = world.caller(.developer, apps: [world.app])
            #expect(try await world.refused(order, by: developer) == .orderNotPermitted)
            try await world.order(order)
            await world.end()
        }
    }

    @Test("a page that breaks a rule is refused with the rule's name, for a new client and for one that there is")
    func pageThatBreaksARule() async throws {
        let world = try await AdministrationWorld()
        let small = Self.page.replacingOccurrences(
            of: #"{"terms""#, with: #"{"number": {"font": {"size": 10}}, "terms""#)
        var new = Self.new
        new.page = small
        for changes in [new, Self.new, Self.changes { $0.page = small }] {
            let order = ChangeOpenIDClient(world.app, changes)
            guard changes.page == small else {
                try await world.order(order)
                continue
            }
            let refusal = await #expect(throws: Refusal.self) { try await world.order(order) }
            #expect(refusal?.situation == .parameterInvalid && refusal?.detail.contains("number-size") == true)
        }
        let client = try #require(try await world.world.store.openIDClient(world.app))
        #expect(!"\(client)".contains("\"size\":10"))
        await world.end()
    }

    @Test("a page that cannot be read is refused where it is wrong, and changes nothing")
    func unreadablePage() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ChangeOpenIDClient(world.app, Self.new))
        let before = try await world.world.store.openIDClient(world.app)
        for page in ["", "{", #"{"terms": 1}"#] {
            let order = ChangeOpenIDClient(world.app, Self.changes { $0.page = page })
            #expect(try await world.refused(order) == .parameterInvalid, "\(page)")
        }
        #expect(try await world.world.store.openIDClient(world.app) == before)
        await world.end()
    }
}
