import BenjiProtocol
import Store

extension StoreConformance {
    static let openIDClients: [StorePromise] = [
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
            client.backchannel = BackchannelRegistration(
                delivery: .ping, notificationEndpoint: "https://shop.example/notice")
            try await scenario.store.putOpenIDClient(client)
            client.revision += 1
            try expect(try await scenario.store.openIDClient(client.appID), is: client, "a client put again")
            client.backchannel = nil
            try await scenario.store.putOpenIDClient(client)
            client.revision += 1
            try expect(try await scenario.store.openIDClient(client.appID), is: client, "one that may ask nobody")
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
            "a new OpenID key signs alone; the one before is shown until its time without its private half, and of "
                + "other algorithms"
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
            "OpenID keys of several algorithms are added all or none, and a former key gets the public half that it "
                + "lacks"
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
    ]
}
