import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let openID: [StorePromise] = [
        StorePromise(
            "erasing an app ends its client in the same step, or not at all; one that is being deleted gets none"
        ) {
            scenario in
            var app = sampleApp(1)
            app.deletedAfter = nil
            try await scenario.store.createApp(app)
            var client = scenario.client(app.id)
            client.revision = 0
            try await scenario.store.putOpenIDClient(client)
            app.deletedAfter = Scenario.now
            app.revision = 7
            try await expectFailure(.outdated, "erasing what was changed") { [app] in
                try await scenario.store.eraseApp(app, audit: nil)
            }
            try expect(try await scenario.store.openIDClient(app.id) != nil, is: true, "the client after the refusal")
            app.revision = 1
            app.keys = []
            try await scenario.store.eraseApp(app, audit: nil)
            try expect(try await scenario.store.openIDClient(app.id) == nil, is: true, "no client is left")
            try expect(try await scenario.store.app(app.id)?.keys, is: [], "the app's keys")
            try await expectFailure(.notFound, "a client of an app that is being deleted") { [client] in
                try await scenario.store.putOpenIDClient(client)
            }
        },
        StorePromise("an OpenID client is found as it was put last; without its app it cannot be put") { scenario in
            try await expectFailure(.notFound, "a client without an app") {
                try await scenario.store.putOpenIDClient(scenario.client())
            }
            try await scenario.store.createApp(sampleApp(1))
            var client = try await scenario.store.putOpenIDClient(scenario.client())
            try expect(client.revision > 0, "the revision of a new client")
            var asked = scenario.client()
            asked.revision = client.revision
            try expect(client, is: asked, "what was put")
            try expect(try await scenario.store.openIDClient(client.appID), is: client, "a client")
            client.secrets = []
            client.keySet = #"{"keys":[]}"#
            client.asksMiddleDigits = true
            client.purposes = ["dpv:FraudPreventionAndDetection", "dpv:ServiceProvision"]
            client.frameAncestors = ["https://shop.example", "https://shop.example:8443"]
            client.stableSubjectWithoutPage = true
            try await scenario.store.putOpenIDClient(client)
            client.revision += 1
            try expect(try await scenario.store.openIDClient(client.appID), is: client, "a client put again")
            try expect(try await scenario.store.openIDClient(Scenario.otherApp) == nil, "another app is a client")
        },
        StorePromise("an OpenID client that was changed since it was read is left as it is, with its images") {
            scenario in
            let logo = OpenIDMedia(name: "logo", digest: "digest", type: "image/png", content: [1])
            try await scenario.store.createApp(sampleApp(1))
            let read = try await scenario.store.putOpenIDClient(scenario.client(), media: [logo], removedMedia: [])
            var rotated = read
            rotated.secrets[0].hash = Scenario.hash("new secret")
            try await scenario.withAnother { [rotated] another in try await another.putOpenIDClient(rotated) }
            rotated.revision += 1
            var late = read
            late.redirectURIs = []
            for revision in [read.revision, read.revision + 2, 0] {
                late.revision = revision
                try await expectFailure(.outdated, "a change of another revision") { [late] in
                    try await scenario.store.putOpenIDClient(late, media: [], removedMedia: ["logo"])
                }
            }
            try expect(try await scenario.store.openIDClient(Scenario.app), is: rotated, "the client")
            try expect(try await scenario.store.openIDMediaDigests(of: Scenario.app), is: ["logo": "digest"], "images")
        },
        StorePromise("an OpenID client that was removed and made anew is another client to whoever read the first") {
            scenario in
            try await scenario.store.createApp(sampleApp(1))
            let first = try await scenario.store.putOpenIDClient(scenario.client())
            try await scenario.store.removeOpenIDClient(Scenario.app)
            try await expectFailure(.outdated, "a change of a client that was removed") {
                try await scenario.store.putOpenIDClient(first)
            }
            let second = try await scenario.store.putOpenIDClient(scenario.client())
            try await expectFailure(.outdated, "a change of the client before") {
                try await scenario.store.putOpenIDClient(first)
            }
            try expect(try await scenario.store.openIDClient(Scenario.app), is: second, "the client")
        },
        StorePromise("of 16 that change one OpenID client at once, each reading again when outdated, none is lost") {
            scenario in
            try await scenario.store.createApp(sampleApp(1))
            try await scenario.store.putOpenIDClient(scenario.client())
            _ = try await race(16) { position in
                while true {
                    guard var client = try await scenario.store.openIDClient(Scenario.app) else { return }
                    client.redirectURIs.append("https://shop.example/\(position)")
                    do {
                        try await scenario.store.putOpenIDClient(client)
                        return
                    } catch let error as StoreError {
                        guard error.code == .outdated else { throw error }
                    }
                }
            }
            let count = try await scenario.store.openIDClient(Scenario.app)?.redirectURIs.count
            try expect(count, is: scenario.client().redirectURIs.count + 16, "changes that are there")
        },
        StorePromise("removing an OpenID client ends what it holds and nothing of others") { scenario in
            try await scenario.store.createApp(sampleApp(1))
            try await scenario.store.putOpenIDClient(scenario.client())
            let own = scenario.credential("own", of: nil)
            let other = scenario.credential("other", of: nil, app: Scenario.otherApp)
            for credential in [own, other] { try await scenario.store.insertOpenIDCredential(credential) }
            try await scenario.store.removeOpenIDClient(Scenario.app)
            try expect(try await scenario.store.openIDClient(Scenario.app) == nil, "a removed client is found")
            try expect(try await scenario.store.openIDCredential(own.hash), is: .revoked(own), "its credential")
            try expect(try await scenario.store.openIDCredential(other.hash), is: .live(other), "another app's")
        },
        StorePromise("a client's images are found by name and digest, survive its change, and go with it") { scenario in
            func image(_ name: String, _ content: String) -> OpenIDMedia {
                OpenIDMedia(
                    name: name, digest: "digest-of-\(content)", type: "image/png", content: Array(content.utf8))
            }
            let logo = image("logo", "one")
            var client = scenario.client()
            for (number, app) in [(2, Scenario.otherApp), (1, Scenario.app)] {
                try await scenario.store.createApp(sampleApp(number))
                client = try await scenario.store.putOpenIDClient(
                    scenario.client(app), media: [logo, image("back", "two\(number)"), image("old", "old")],
                    removedMedia: [])
            }
            client = try await scenario.store.putOpenIDClient(
                client, media: [image("back", "three")], removedMedia: ["old", "never"])
            try await scenario.store.putOpenIDClient(client)
            try expect(
                try await scenario.store.openIDMediaDigests(of: Scenario.app),
                is: ["logo": "digest-of-one", "back": "digest-of-three"], "the digests")
            let found = try await scenario.store.openIDMedia(digest: "digest-of-three")
            try expect(found, is: image("back", "three"), "an image")
            try expect(
                try await scenario.store.openIDMedia(digest: "digest-of-two1") == nil, "a replaced image is found")
            try await scenario.store.removeOpenIDClient(Scenario.app)
            try expect(try await scenario.store.openIDMediaDigests(of: Scenario.app), is: [:], "a removed client's")
            try expect(
                try await scenario.store.openIDMedia(digest: "digest-of-three") == nil, "a removed client's image")
            try expect(
                try await scenario.store.openIDMedia(digest: logo.digest), is: logo, "the other app's same image")
        },
        StorePromise(
            "a new OpenID key signs alone; the one before is shown until its time without its private half, and of other algorithms"
        ) {
            scenario in
            let first = scenario.key("first", createdAt: Scenario.now)
            let rsa = scenario.key("rsa", .rs256, createdAt: Scenario.now + .seconds(1))
            var second = scenario.key("second", createdAt: Scenario.now + .seconds(2))
            let end = Scenario.now + .seconds(100)
            for key in [first, rsa, second] {
                try await scenario.store.addOpenIDKey(key, othersPublishedUntil: end)
            }
            var retired = first
            retired.publishedUntil = end
            retired.sealedKey = nil
            let before = try await scenario.store.openIDKeys(at: end - .milliseconds(1))
            try expect(before, is: [second, rsa, retired], "keys before the end")
            try expect(try await scenario.store.openIDKeys(at: end), is: [second, rsa], "keys at the end")
            second.id = "third"
            try await scenario.store.addOpenIDKey(second, othersPublishedUntil: end + .seconds(50))
            let all = try await scenario.store.openIDKeys(at: end - .milliseconds(1))
            try expect(all.first { $0.id == "first" }, is: retired, "a later rotation leaves the first one's end")
        },
        StorePromise(
            "an OpenID key that is added without an end for the others is its algorithm's only one from then on"
        ) {
            scenario in
            let rsa = scenario.key("rsa", .rs256, createdAt: Scenario.now)
            try await scenario.store.addOpenIDKey(rsa, othersPublishedUntil: Scenario.now)
            for name in ["first", "second"] {
                let key = scenario.key(name, createdAt: Scenario.now)
                try await scenario.store.addOpenIDKey(key, othersPublishedUntil: Scenario.now + .seconds(100))
            }
            let third = scenario.key("third", createdAt: Scenario.now + .seconds(1))
            try await scenario.store.addOpenIDKey(third, othersPublishedUntil: nil)
            let all = try await scenario.store.openIDKeys(at: Timestamp(milliseconds: 0))
            try expect(all, is: [third, rsa], "the keys that there are")
        },
        StorePromise(
            "OpenID keys of several algorithms are added all or none, and a former key gets the public half that it lacks"
        ) {
            scenario in
            var older = scenario.key("older", createdAt: Scenario.now)
            older.publicKey = nil
            let rsa = scenario.key("rsa", .rs256, createdAt: Scenario.now)
            try await scenario.store.addOpenIDKey(older, othersPublishedUntil: nil)
            try await scenario.store.addOpenIDKey(rsa, othersPublishedUntil: nil)
            let end = Scenario.now + .seconds(100)
            let new = [
                scenario.key("new", createdAt: Scenario.now + .seconds(1)),
                scenario.key("new-rsa", .rs256, createdAt: Scenario.now + .seconds(2)),
            ]
            var taken = new
            taken[1].id = "rsa"
            try await expectFailure(.alreadyExists, "a second key of one id") { [taken] in
                try await scenario.store.addOpenIDKeys(
                    taken, publicKeys: [:], othersPublishedUntil: end, audit: nil)
            }
            let all = try await scenario.store.openIDKeys(at: Scenario.now)
            try expect(Set(all), is: [older, rsa], "the keys after a refusal")
            try await scenario.store.addOpenIDKeys(
                new, publicKeys: ["older": "{\"kty\":\"EC\"}", "rsa": "{}"], othersPublishedUntil: end, audit: nil)
            var former = [older, rsa]
            former[0].publicKey = "{\"kty\":\"EC\"}"
            for place in former.indices {
                former[place].publishedUntil = end
                former[place].sealedKey = nil
            }
            try expect(Set(try await scenario.store.openIDKeys(at: Scenario.now)), is: Set(new + former), "the keys")
        },
        StorePromise("of 32 that exchange one code at once, one gets an access token") { scenario in
            let code = scenario.credential("code", of: try await scenario.subscription())
            try await scenario.store.insertOpenIDCredential(code)
            let outcomes = try await race(32) { position in
                var next = code
                next.hash = Scenario.hash("access\(position)")
                next.kind = .access
                return try await scenario.store.exchange(scenario.exchange(code, next: next))
            }
            try expect(outcomes.count { $0 == .spent(code) }, is: 1, "winners")
            try expect(outcomes.count { $0 == .alreadySpent(code) }, is: 31, "losers")
            for position in 0..<32 {
                let next = try await scenario.store.openIDCredential(Scenario.hash("access\(position)"))
                try expect(next != .unknown, is: outcomes[position] == .spent(code), "a token for runner \(position)")
            }
            try expect(try await scenario.store.openIDCredential(code.hash), is: .spent(code), "the code")
        },
        StorePromise("an OpenID credential of another kind or app is refused and stays unspent") { scenario in
            let code = scenario.credential("code", of: try await scenario.subscription())
            try await scenario.store.insertOpenIDCredential(code)
            var wrong = scenario.exchange(code)
            wrong.kind = .access
            try expect(try await scenario.store.exchange(wrong), is: .unknown, "a code as an access token")
            wrong = scenario.exchange(code)
            wrong.appID = Scenario.otherApp
            try expect(try await scenario.store.exchange(wrong), is: .wrongApp(code), "another app's code")
            wrong.hash = Scenario.hash("never")
            try expect(try await scenario.store.exchange(wrong), is: .unknown, "a code that never was")
            try expect(
                try await scenario.store.exchange(scenario.exchange(code)), is: .spent(code), "the right app's code")
        },
        StorePromise("an OpenID credential is valid one millisecond before it expires and not at that moment") {
            scenario in
            let subscription = try await scenario.subscription()
            for (label, offset) in [("late", 0), ("early", -1)] {
                let code = scenario.credential(label, of: subscription)
                try await scenario.store.insertOpenIDCredential(code)
                let moment = code.expiresAt + .milliseconds(offset)
                try expect(
                    try await scenario.store.exchange(scenario.exchange(code, now: moment)),
                    is: offset < 0 ? .spent(code) : .expired(code), "\(label)")
            }
        },
        StorePromise("a new SIM, a new owner, a revoked family or binding end OpenID credentials") { scenario in
            let codes = try await [1, 2, 3, 4].asyncMap { number in
                scenario.credential(
                    "code\(number)", of: try await scenario.subscription(number), family: Int64(number),
                    binding: Int64(number))
            }
            for code in codes { try await scenario.store.insertOpenIDCredential(code) }
            try await scenario.change(1) { $0.simGeneration += 1 }
            try await scenario.change(2) { $0.epoch += 1 }
            try await scenario.store.revokeOpenIDCredentials(family: 3)
            try await scenario.revoke(4, 5)
            for code in codes {
                try expect(
                    try await scenario.store.exchange(scenario.exchange(code)), is: .revoked(code), "\(code.family)")
            }
            let late = scenario.credential("late", of: try await scenario.subscription(5), binding: 5)
            try await scenario.store.insertOpenIDCredential(late)
            try expect(
                try await scenario.store.exchange(scenario.exchange(late)), is: .revoked(late),
                "one that was stored after its binding was revoked")
        },
        StorePromise("a billed exchange writes one line, and over the quota spends nothing") { scenario in
            let subscription = try await scenario.subscription()
            let tokens = [1, 2].map { scenario.credential("access\($0)", kind: .access, of: subscription) }
            for token in tokens { try await scenario.store.insertOpenIDCredential(token) }
            let billing = OpenIDExchange.Billing(
                interface: "userinfo", result: "released", dailyQuota: 1, day: Scenario.day)
            let outcomes = try await tokens.asyncMap { token in
                try await scenario.store.exchange(scenario.exchange(token, billing: billing))
            }
            try expect(outcomes, is: [.spent(tokens[0]), .quotaExceeded(tokens[1])], "two under a quota of one")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 1, "billed")
            let lines = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 9)
            try expect(lines.map(\.interface), is: ["userinfo"], "the ledger")
            try expect(
                try await scenario.store.openIDCredential(tokens[1].hash), is: .live(tokens[1]), "the second token")
        },
        StorePromise("an exchange that keeps its credential bills each time, up to the quota, and never a dead one") {
            scenario in
            let token = scenario.credential("app's own", kind: .access, of: nil)
            try await scenario.store.insertOpenIDCredential(token)
            let billing = OpenIDExchange.Billing(
                interface: "sim-swap.check", result: "answered", dailyQuota: 2, day: Scenario.day)
            func show(_ now: Timestamp = Scenario.now) async throws -> OpenIDExchangeOutcome {
                var exchange = scenario.exchange(token, now: now, billing: billing)
                exchange.keeps = true
                return try await scenario.store.exchange(exchange)
            }
            let outcomes = try await [1, 2, 3].asyncMap { _ in try await show() }
            try expect(
                outcomes, is: [.spent(token), .spent(token), .quotaExceeded(token)], "three under a quota of two")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 2, "billed")
            try expect(try await scenario.store.openIDCredential(token.hash), is: .live(token), "the token")
            try expect(try await show(token.expiresAt), is: .expired(token), "once its time is over")
            try await scenario.store.revokeOpenIDCredentials(family: token.family)
            try expect(try await show(), is: .revoked(token), "once it is revoked")
        },
        StorePromise("a name that an app may use once is taken once, until its time is over, and for it alone") {
            scenario in
            func take(_ app: AppID, at moment: Timestamp) async throws -> Bool {
                try await scenario.store.takeName("jti", app: app, until: moment + .seconds(60), now: moment)
            }
            let end = Scenario.now + .seconds(60)
            try expect(try await take(Scenario.app, at: Scenario.now), is: true, "the first")
            try expect(try await take(Scenario.otherApp, at: Scenario.now), is: true, "another app's")
            try expect(try await take(Scenario.app, at: end - .milliseconds(1)), is: false, "the second")
            try expect(try await take(Scenario.app, at: end), is: true, "one after its time")
        },
        StorePromise("deleting expired credentials takes OpenID's too, and no valid one") { scenario in
            let old = scenario.credential("old", of: nil)
            var young = scenario.credential("young", of: nil)
            young.expiresAt = old.expiresAt + .milliseconds(1)
            for credential in [old, young] { try await scenario.store.insertOpenIDCredential(credential) }
            let gone = try await scenario.store.deleteExpiredCredentials(before: young.expiresAt, limit: 9)
            try expect(gone, is: 1, "deleted")
            try expect(try await scenario.store.openIDCredential(old.hash), is: .unknown, "the expired one")
            try expect(try await scenario.store.openIDCredential(young.hash), is: .live(young), "the valid one")
        },
    ]
}

extension Scenario {
    func client(_ app: AppID = app) -> OpenIDClientRecord {
        OpenIDClientRecord(
            appID: app, redirectURIs: ["https://shop.example/callback", "https://shop.example/二"],
            authentication: .clientSecretBasic,
            secrets: [
                ClientSecretRecord(version: 11, hash: Self.hash("secret"), createdAt: Self.now),
                ClientSecretRecord(
                    version: 9, hash: Self.hash("former"), createdAt: nil, acceptedUntil: Self.now + .seconds(1)),
            ], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: true, page: "{}")
    }

    func key(_ id: String, _ algorithm: IDTokenAlgorithm = .es256, createdAt: Timestamp) -> OpenIDKeyRecord {
        OpenIDKeyRecord(
            id: id, algorithm: algorithm, publicKey: "{\"kid\":\"\(id)\"}", sealedKey: Sealed(bytes: [1, 2, 3]),
            createdAt: createdAt,
            publishedUntil: nil)
    }

    func credential(
        _ label: String, kind: OpenIDCredential.Kind = .code, of subscription: SubscriptionRecord?, app: AppID = app,
        family: Int64 = 1, binding: Int64 = 1
    ) -> OpenIDCredential {
        OpenIDCredential(
            hash: Self.hash(label), kind: kind, family: family, appID: app,
            subject: subscription.map {
                OpenIDCredential.Subject(
                    subscription: $0.reference, carrier: $0.carrier, binding: BindingID(rawValue: binding))
            }, trace: Self.trace(1), details: #"{"scope":"openid"}"#, issuedAt: Self.now,
            expiresAt: Self.now + .seconds(60))
    }

    func exchange(
        _ credential: OpenIDCredential, next: OpenIDCredential? = nil, now: Timestamp = now,
        billing: OpenIDExchange.Billing? = nil
    ) -> OpenIDExchange {
        OpenIDExchange(
            hash: credential.hash, kind: credential.kind, appID: credential.appID, now: now, next: next,
            billing: billing)
    }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
