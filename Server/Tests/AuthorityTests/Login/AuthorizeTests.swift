import Authority
@_spi(Server) import BenjiProtocol
import Requests
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite struct AuthorizeTests {
    @Test("Scrip, consent and proof buy a token, an openId, a receipt and the next scrip")
    func success() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.token()
        #expect(CredentialGrammar.token.matches(response.token))
        #expect(response.tokenLifetime == 120)
        #expect(response.openID?.isEmpty == false)
        #expect(CredentialGrammar.scrip.matches(response.scrip ?? ""))
        let receipt = try CompactJWS(parsing: try #require(response.consentReceipt))
        // With what outsiders have: the key as the policy document gives it.
        let published = try #require(world.authority.policyDocument()["receiptKey"])
        #expect(receipt.isSigned(by: try DevicePublicKey(jwk: published)))
        #expect(!receipt.isSigned(by: SoftwareDeviceSigner().publicKey))
        #expect(receipt.payload["sub"]?.stringValue == response.openID)
        await world.end()
    }

    @Test("There is no login token without consent, and no consent with a verification token")
    func consentPresence() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        #expect(try await refusal { _ = try await world.authorize(response.scrip, consent: nil) } == .consentMissing)
        let consent = try world.consent(to: response)
        #expect(
            try await refusal {
                _ = try await world.authorize(response.scrip, purpose: .verification, consent: consent)
            }
                == .consentInvalid)
        // Neither refusal has used the scrip up.
        let token = try await world.authorize(response.scrip, consent: consent)
        #expect(token.openID != nil)
        await world.end()
    }

    @Test("The login button may speak each of the page's languages, as the app's own page does by default")
    func languages() async throws {
        let world = try await AuthorityWorld()
        for words in ["一键登录", "一鍵登入", "Log in with one tap"] {
            let response = try await world.prefetch()
            let consent = try world.consent(to: response) {
                $0.content.texts[2].text = words
                $0.contentDigest = $0.content.digest
            }
            #expect(try await world.authorize(response.scrip, consent: consent).openID != nil, "\(words)")
        }
        await world.end()
    }

    @Test("A consent that is not a free and informed yes to this very login is refused")
    func consentRules() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        let other = try await world.prefetch()
        func content(_ change: (inout ConsentContent) -> Void) -> (inout ConsentRecord) -> Void {
            var content = AuthorityWorld.content(response)
            change(&content)
            let fixed = content
            return {
                $0.content = fixed
                $0.contentDigest = fixed.digest
            }
        }
        let mutations: [(String, (inout ConsentRecord) -> Void)] = [
            ("ticked before", content { $0.initiallyTicked = true }),
            ("no carrier terms", content { $0.links = [] }),
            ("another carrier's terms", content { $0.links = [.init(title: "《联通统一认证服务条款》", url: "https://x")] }),
            ("terms at another address", content { $0.links[0].url = "https://evil.example" }),
            ("no word of login", content { $0.texts[2].text = "领取优惠" }),
            (
                "no number",
                content {
                    $0.texts[0].text = ""
                    $0.texts[2].text = "登录"
                }
            ),
            ("old policy", content { $0.policyVersion = "2019-01" }),
            ("digest of something else", { $0.contentDigest = String(repeating: "A", count: 43) }),
            ("tapped before ticked", { $0.tickedAt = $0.tappedAt + .milliseconds(1) }),
            ("ticked before shown", { $0.shownAt = $0.tickedAt + .milliseconds(1) }),
            ("another login's trace", { $0.trace = other.trace }),
            ("another scrip", { $0.scripHash = ConsentRecord.hash(of: other.scrip) }),
            ("another nonce", { $0.nonceHash = ConsentRecord.hash(of: other.nonce) }),
            (
                "tapped last hour",
                {
                    $0.shownAt = $0.shownAt - .seconds(3600)
                    $0.tickedAt = $0.shownAt
                    $0.tappedAt = $0.shownAt
                }
            ),
            ("a page digest that is none", { $0.pageDigest = "\u{1b}[2J" + String(repeating: "x", count: 39) }),
            ("a page digest that is no hash", { $0.pageDigest = String(repeating: "=", count: 43) }),
            (
                "a page that the app draws, under the digest of a description",
                {
                    $0.content.drawnBy = .app
                    $0.contentDigest = $0.content.digest
                    $0.pageDigest = String(repeating: "A", count: 43)
                }
            ),
            ("another app", { $0.appID = AppID(rawValue: "300000000009")! }),
        ]
        for (name, mutation) in mutations {
            let consent = try world.consent(to: response, mutation)
            #expect(
                try await refusal { _ = try await world.authorize(response.scrip, consent: consent) }
                    == .consentInvalid,
                "\(name)")
        }
        let steering = try world.consent(
            to: response, content { $0.policyVersion = "\u{1b}[2J\u{202e}2019" })
        let refused = await #expect(throws: Refusal.self) {
            try await world.authorize(response.scrip, consent: steering)
        }
        #expect(
            refused?.detail.contains("from policy [2J2019,") == true,
            "nothing of a phone's text steers the terminal of whoever reads the trace")
        let forged = try world.consent(to: response, signer: SoftwareDeviceSigner())
        #expect(try await refusal { _ = try await world.authorize(response.scrip, consent: forged) } == .consentInvalid)
        _ = try await world.authorize(response.scrip, consent: try world.consent(to: response))
        await world.end()
    }

    @Test("A page that began with the tick set counts only for an app to which that was granted")
    func initialTick() async throws {
        for (capabilities, expected) in [
            (Capability.usual, Situation.consentInvalid), (Capability.usual.union([.tickedPage]), nil),
        ] {
            let world = try await AuthorityWorld { $0.capabilities = capabilities }
            let response = try await world.prefetch()
            let consent = try world.consent(to: response) {
                $0.content.initiallyTicked = true
                $0.contentDigest = $0.content.digest
            }
            #expect(
                try await refusal { _ = try await world.authorize(response.scrip, consent: consent) } == expected)
            await world.end()
        }
    }

    @Test("Only approved pages count where an app has approved pages")
    func approvedContent() async throws {
        let world = try await AuthorityWorld { $0.approvedContent = [String(repeating: "A", count: 43)] }
        let response = try await world.prefetch()
        let refused = try await refusal {
            _ = try await world.authorize(response.scrip, consent: try world.consent(to: response))
        }
        #expect(refused == .consentInvalid)
        // The operator finds the page's digest in the trace, and approves it.
        let said = try await world.authority.traceEvents(response.trace).last { $0.step == "authorize" }?.detail
        let digest = try #require(said?.split(separator: " ").last.map(String.init))
        var record = try await world.authority.registeredApp(world.app.record.id).record
        record.approvedContent.append(digest)
        try await world.store.updateApp(record)
        #expect(try await refusal { _ = try await world.token() } == nil)
        let other = try await world.prefetch()
        let changed = try world.consent(to: other) {
            $0.content.texts[2].text = "登录并领取优惠"
            $0.contentDigest = $0.content.digest
        }
        #expect(
            try await refusal { _ = try await world.authorize(other.scrip, consent: changed) } == .consentInvalid)
        await world.end()
    }

    @Test(
        """
        Where pages are reviewed, a consent counts if its page digest is approved, whatever the language, and no other \
        does
        """
    )
    func reviewedPages() async throws {
        let approved = ConsentRecord.digest(ofPage: Array("approved".utf8))
        for (approvedPages, requiresReview) in [([approved], false), ([approved], true), ([], true)] {
            let world = try await AuthorityWorld {
                $0.approvedContent = approvedPages
                $0.requiresPageReview = requiresReview
            }
            func answer(_ pageDigest: String?, _ words: String) async throws -> Situation? {
                let response = try await world.prefetch()
                let consent = try world.consent(to: response) {
                    $0.pageDigest = pageDigest
                    $0.content.texts[2].text = words
                    $0.contentDigest = $0.content.digest
                }
                return try await refusal { _ = try await world.authorize(response.scrip, consent: consent) }
            }
            for words in ["一键登录", "Log in with one tap"] {
                #expect(try await answer(approved, words) == (approvedPages.isEmpty ? .consentInvalid : nil))
                let changed = ConsentRecord.digest(ofPage: Array("changed".utf8))
                #expect(try await answer(changed, words) == .consentInvalid)
                #expect(try await answer(nil, words) == .consentInvalid, "a page without a digest")
            }
            await world.end()
        }
    }

    @Test("The trace of a page that was not approved names the digest that would be approved")
    func unapprovedPage() async throws {
        let world = try await AuthorityWorld { $0.requiresPageReview = true }
        let response = try await world.prefetch()
        let digest = ConsentRecord.digest(ofPage: Array("page".utf8))
        let consent = try world.consent(to: response) { $0.pageDigest = digest }
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip, consent: consent) } == .consentInvalid)
        let said = try await world.authority.traceEvents(response.trace).last { $0.step == "authorize" }?.detail
        #expect(said?.hasSuffix(" " + digest) == true)
        var record = try await world.authority.registeredApp(world.app.record.id).record
        record.approvedContent = [digest]
        try await world.store.updateApp(record)
        #expect(try await refusal { _ = try await world.authorize(response.scrip, consent: consent) } == nil)
        await world.end()
    }

    @Test("A stolen scrip is worthless without the key it was issued to")
    func stolenScrip() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        let thief = SoftwareDeviceSigner()
        let consent = try world.consent(to: response, signer: thief)
        #expect(
            try await refusal {
                _ = try await world.authorize(response.scrip, consent: consent, device: try world.call(thief))
            } == .scripStolen)
        await world.end()
    }

    @Test("A used generation shown again ends the whole family")
    func reusedScrip() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        let first = try await world.authorize(response.scrip, purpose: .verification, consent: nil)
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil) }
                == .scripReused)
        #expect(
            try await refusal { _ = try await world.authorize(first.scrip!, purpose: .verification, consent: nil) }
                == .scripInvalid)
        await world.end()
    }

    @Test("A scrip is alive until the very millisecond it expires", arguments: [3_599_999, 3_600_000] as [Int64])
    func scripExpiry(_ milliseconds: Int64) async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        world.clock.advance(by: .milliseconds(milliseconds))
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil) }
                == (milliseconds < 3_600_000 ? nil : .scripExpired))
        await world.end()
    }

    @Test("A scrip dies with the SIM it was issued to, and does not work from another subscription's address")
    func otherSubscription() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        let stranger = try await world.register.observe([
            SubscriberObservation(
                number: AuthorityWorld.otherNumber, imsi: "460000000000002", carrier: .mobile,
                eventTime: world.clock.now)
        ])[0]!
        #expect(
            try await refusal {
                _ = try await world.authorize(
                    response.scrip, purpose: .verification, consent: nil,
                    device: try world.call(sighting: .success(world.sighting(stranger))))
            } == .subscriptionMismatch)
        world.clock.advance(by: .seconds(1))
        let swapped = try await world.register.observe([
            SubscriberObservation(
                number: AuthorityWorld.number, imsi: "460000000000099", carrier: .mobile, eventTime: world.clock.now)
        ])[0]!
        #expect(swapped.simGeneration == 2)
        #expect(
            try await refusal {
                _ = try await world.authorize(
                    response.scrip, consent: nil, device: try world.call(sighting: .success(world.sighting(swapped))))
            } == .subscriptionChanged, "whatever else is wrong")
        await world.end()
    }

    @Test("The 31st unused token in ten minutes is refused, a used one makes room, and so do ten minutes")
    func unusedTokens() async throws {
        let world = try await AuthorityWorld { $0.tokenLifetime = nil }
        var scrip = try await world.prefetch().scrip
        func next() async throws -> Situation? {
            try await refusal {
                let response = try await world.authorize(scrip, purpose: .verification, consent: nil)
                scrip = response.scrip!
                last = response.token
            }
        }
        var last = ""
        for _ in 0..<30 { #expect(try await next() == nil) }
        #expect(try await next() == .tooManyUnusedTokens)
        _ = try await world.verify(nil, last) { _ in true }
        #expect(try await next() == nil)
        #expect(try await next() == .tooManyUnusedTokens)
        // Tokens live two minutes; that they have expired makes no room, only the end of the ten minutes does.
        world.clock.advance(by: .seconds(121))
        #expect(try await next() == .tooManyUnusedTokens)
        world.clock.advance(by: .seconds(479))
        #expect(try await next() == nil)
        await world.end()
    }

    @Test("A forgotten scrip is dead, and only its own device can forget it")
    func forget() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        let request = ForgetRequest(appID: world.app.record.id, scrip: response.scrip)
        #expect(
            try await refusal {
                try await world.authority.forget(request, from: try world.call(SoftwareDeviceSigner()))
            }
                == .scripStolen)
        try await world.authority.forget(request, from: try world.call())
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil) }
                == .scripInvalid)
        await world.end()
    }

    @Test("Credentials earned through a binding that the gateway takes back are dead")
    func revokedBinding() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.token()
        try await world.register.revoke([BindingID(rawValue: 7)])
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip!, purpose: .verification, consent: nil) }
                == .scripInvalid)
        #expect(
            try await refusal { _ = try await world.redeem(nil, response.token) }
                == .subscriptionChanged)
        await world.end()
    }
}
