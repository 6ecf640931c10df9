import Authority
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Logging
import Requests
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite struct RedeemTests {
    @Test("A login token releases the number once, with the same openId as the phone was told")
    func once() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        let released = try await world.redeem(nil, token.token)
        #expect(released.number == AuthorityWorld.number)
        #expect(released.openID == token.openID)
        #expect(released.pseudonym != released.openID)
        #expect(
            try await refusal { _ = try await world.redeem(nil, token.token) }
                == .tokenSpent)
        let billed = try await world.store.ledgerEntries(app: world.app.record.id, limit: 10)
        #expect(billed.map(\.result) == ["released"])
        await world.end()
    }

    @Test("A verification token answers yes or no once and never releases a number")
    func verification() async throws {
        let world = try await AuthorityWorld()
        for (number, same) in [(AuthorityWorld.number, true), (AuthorityWorld.otherNumber, false)] {
            let token = try await world.token(.verification)
            #expect(token.openID == nil)
            #expect(
                try await refusal { _ = try await world.redeem(nil, token.token) }
                    == .tokenWrongPurpose)
            let answer = try await world.verify(nil, token.token) { $0 == number }
            #expect(answer.isSame == same)
            #expect(
                try await refusal {
                    _ = try await world.verify(nil, token.token) { _ in true }
                } == .tokenSpent)
        }
        let billed = try await world.store.ledgerEntries(app: world.app.record.id, limit: 10)
        #expect(billed.map(\.result) == ["differs", "matched"])
        await world.end()
    }

    @Test("A verification token names the person to the app only in the dialect whose document says so")
    func openIDWithoutPage() async throws {
        let world = try await AuthorityWorld()
        let prefetched = try await world.prefetch(dialect: .cmpassport)
        let token = try await world.authorize(prefetched.scrip, purpose: .verification, consent: nil)
        #expect(token.openID != nil)
        #expect(try await world.token().openID == token.openID)
        for dialect in [Dialect.device, .onelogin, .geyan] {
            let other = try await world.prefetch(dialect: dialect)
            #expect(try await world.authorize(other.scrip, purpose: .verification, consent: nil).openID == nil)
        }
        await world.end()
    }

    @Test("A redemption judged by an app's record that has changed since is refused as outdated, and spends nothing")
    func outdatedApp() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        _ = try await world.authority.registeredApp(world.app.record.id)
        let remembered = try #require(world.authority.rememberedApp(world.app.record.id))
        var record = remembered.record
        record.suspended = true
        try await world.store.updateApp(record)
        var call = world.serverCall()
        call.app = remembered
        do {
            // By the record as it was, the call is admitted.
            _ = try await world.redeem(call, token.token)
            Issue.record("a suspended app redeemed")
        } catch {
            #expect(error.isAppOutdated)
        }
        #expect(try await world.store.ledgerEntries(app: record.id, limit: 1).isEmpty)
        call.app = try await world.authority.registeredApp(record.id)
        #expect(call.app.record.suspended)
        #expect(world.authority.rememberedApp(record.id)?.record.revision == 2)
        #expect(try await refusal { _ = try await world.redeem(call, token.token) } == .appSuspended)
        #expect(try await world.store.ledgerEntries(app: record.id, limit: 1).isEmpty)
        // The same token, once the app may ask again: it was not spent.
        record = call.app.record
        record.suspended = false
        try await world.store.updateApp(record)
        call.app = try await world.authority.registeredApp(record.id)
        #expect(try await world.redeem(call, token.token).number == AuthorityWorld.number)
        await world.end()
    }

    @Test("A call that was admitted for one thing redeems nothing of another")
    func admittedForAnother() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        let verifying = try world.authority.admit(world.serverCall(), needs: .verification)
        let loggingIn = try world.authority.admit(world.serverCall(), needs: .login)
        #expect(
            try await refusal { _ = try await world.authority.redeemNumber(verifying, token: token.token) }
                == .internalError)
        #expect(
            try await refusal {
                _ = try await world.authority.verifyNumber(loggingIn, token: token.token) { _ in true }
            } == .internalError)
        _ = try await world.authority.redeemNumber(loggingIn, token: token.token)
        await world.end()
    }

    @Test(
        "A token that was spent on a number that does not open leaves a line in its login's trace",
        arguments: [TokenPurpose.login, .verification])
    func damaged(purpose: TokenPurpose) async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token(purpose)
        let row = try #require(try await world.store.anySubscription())
        var damaged = row
        damaged.sealedNumber.bytes[40] ^= 1
        #expect(try await world.store.reseal([(old: row, new: damaged)]) == 1)
        #expect(
            try await refusal {
                if purpose == .login {
                    _ = try await world.redeem(nil, token.token)
                } else {
                    _ = try await world.verify(nil, token.token) { _ in true }
                }
            } == .internalError)
        let last = try await world.authority.traceEvents(token.trace).last
        #expect(last?.party == .appServer && last?.situation == .internalError)
        #expect(last?.detail.contains("does not open") == true)
        await world.end()
    }

    @Test("A line of the ledger and the trace say how strongly was earned what was redeemed")
    func strength() async throws {
        let world = try await AuthorityWorld()
        for (attested, expected) in [(false, Assurance.net), (true, .netApp)] {
            let token = try await world.token(attested: attested)
            _ = try await world.redeem(nil, token.token)
            let entries = try await world.store.ledgerEntries(app: world.app.record.id, limit: 1)
            #expect(entries.map(\.assurance) == [expected])
            let consent = try await world.authority.traceEvents(token.trace).first { $0.step == "consent" }
            #expect(consent?.detail.hasSuffix(expected.rawValue) == true)
            let receipt = try CompactJWS(parsing: try #require(token.consentReceipt))
            #expect(receipt.payload["assurance"]?.stringValue == expected.rawValue)
        }
        await world.end()
    }

    @Test("A login token does not answer a verification")
    func loginTokenVerifies() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        #expect(
            try await refusal {
                _ = try await world.verify(nil, token.token) { _ in true }
            } == .tokenWrongPurpose)
        await world.end()
    }

    @Test("Only the explicit legacy grant lets a token without a page release a number, and the ledger says so")
    func legacyGrant() async throws {
        let world = try await AuthorityWorld { $0.legacyNumberWithoutPage = true }
        let token = try await world.token(.verification)
        let released = try await world.redeem(nil, token.token)
        #expect(released.number == AuthorityWorld.number)
        let billed = try await world.store.ledgerEntries(app: world.app.record.id, limit: 1)
        #expect(billed.map(\.result) == ["released-without-page"])
        await world.end()
    }

    @Test(
        "A number that is released without a page is logged, and its event names nobody"
    )
    func withoutPage() async throws {
        let world = try await AuthorityWorld { $0.legacyNumberWithoutPage = true }
        let book = LogBook(from: .notice)
        var logged = world
        logged.authority = Authority(
            configuration: world.authority.configuration, store: world.store, vault: world.vault, clock: world.clock,
            logger: book.logger)
        let id = world.app.record.id
        let app = try await logged.authority.apps.setCallback(
            of: id, url: "https://receiver.example/", events: [], rules: CallbackRules(), by: .test
        ).app
        let (shown, silent) = (try await world.token(), try await world.token(.verification))
        _ = try await logged.redeem(world.serverCall(app), shown.token)
        #expect(book.lines == [])
        _ = try await logged.redeem(world.serverCall(app), silent.token)
        #expect(
            book.lines == [
                "notice a number was released without a page, under the app's legacy grant app=\(id) "
                    + "trace=\(silent.trace)"
            ])
        let events = try await (world.store as any Store).outboxEntries(app: id, state: nil, before: nil, limit: 9)
        let told = try events.map { try JSON(parsing: $0.event.payload)["data"] }
        #expect(told.map { $0?["result"]?.stringValue } == ["released-without-page", "released"])
        #expect(told.map { $0?["openId"]?.stringValue } == [nil, shown.openID])
        await world.end()
    }

    @Test(
        "A service redeems a token that the named one earned with a page; an unreadable one is no outdated one"
    )
    func forAnother() async throws {
        let world = try await AuthorityWorld()
        func registered(_ name: String) async throws -> RegisteredApp {
            var registration = Apps.Registration(name: name)
            registration.serverAddresses = ["203.0.113.0/24"]
            return try await world.authority.apps.register(registration)
        }
        let (mall, third) = (try await registered("Mall"), try await registered("Third"))
        func refused(_ token: String, of issuer: RegisteredApp) async -> Refusal? {
            var call = world.serverCall(mall)
            call.issuer = issuer.record
            do throws(Refusal) { _ = try await world.redeem(call, token) } catch { return error }
            return nil
        }
        let (shown, silent) = (try await world.token(), try await world.token(.verification))
        #expect(await refused(shown.token, of: third)?.situation == .tokenWrongApp)
        #expect(await refused(silent.token, of: world.app)?.situation == .consentInvalid)
        #expect(await refused(shown.token, of: world.app)?.situation == .consentInvalid)
        await world.end()
        let unread = await refused(shown.token, of: world.app)
        #expect(unread?.situation == .storeUnavailable && unread?.isAppOutdated == false)
    }

    @Test("A token expires at its very millisecond", arguments: [119_999, 120_000] as [Int64])
    func expiry(_ milliseconds: Int64) async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        world.clock.advance(by: .milliseconds(milliseconds))
        #expect(
            try await refusal { _ = try await world.redeem(nil, token.token) }
                == (milliseconds < 120_000 ? nil : .tokenExpired))
        await world.end()
    }

    @Test("A token is another app's secret: it stays unspent for its own")
    func otherApp() async throws {
        let world = try await AuthorityWorld()
        var registration = Apps.Registration(name: "Evil")
        registration.serverAddresses = ["203.0.113.0/24"]
        let evil = try await world.authority.apps.register(registration)
        let token = try await world.token()
        #expect(
            try await refusal { _ = try await world.redeem(world.serverCall(evil), token.token) }
                == .tokenWrongApp)
        _ = try await world.redeem(nil, token.token)
        await world.end()
    }

    @Test("A token dies with the SIM, and with the owner, that it was issued for", arguments: [true, false])
    func subscriptionChange(_ reassigned: Bool) async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        world.clock.advance(by: .seconds(1))
        if reassigned {
            _ = try await world.register.reassign(AuthorityWorld.number, at: world.clock.now)
        } else {
            _ = try await world.register.observe([
                SubscriberObservation(
                    number: AuthorityWorld.number, imsi: "460000000000099", carrier: .mobile, eventTime: world.clock.now
                )
            ])
        }
        #expect(
            try await refusal { _ = try await world.redeem(nil, token.token) }
                == .subscriptionChanged)
        await world.end()
    }

    @Test(
        """
        A request counts once: again, by its message name and with its token, it is a replay, also when the token is \
        gone
        """
    )
    func messageReplay() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        let call = world.serverCall(message: "m1")
        _ = try await world.redeem(call, token.token)
        #expect(try await refusal { _ = try await world.redeem(call, token.token) } == .messageReplayed)
        #expect(try await refusal { _ = try await world.redeem(nil, token.token) } == .tokenSpent)
        // A day after the token's end.
        world.clock.advance(by: .seconds(2 * 86400))
        try await world.authority.deleteExpired()
        #expect(try await refusal { _ = try await world.redeem(call, token.token) } == .tokenUnknown)
        await world.end()
    }

    @Test("The daily quota is counted by China's day, and a refused request does not spend the token")
    func quota() async throws {
        let world = try await AuthorityWorld { $0.dailyQuota = 1 }
        _ = try await world.redeem(nil, try await world.token().token)
        let token = try await world.token(.verification)
        #expect(
            try await refusal {
                _ = try await world.verify(nil, token.token) { _ in true }
            } == .quotaExceeded)
        world.clock.advance(by: .seconds(86400))
        _ = try await world.redeem(nil, try await world.token().token)
        await world.end()
    }

    @Test("Assurance is compared again when the token is redeemed")
    func raisedAssurance() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        var record = world.app.record
        record.leastAssurance = .netApp
        try await world.store.updateApp(record)
        let app = try await world.authority.registeredApp(record.id)
        #expect(
            try await refusal { _ = try await world.redeem(world.serverCall(app), token.token) }
                == .assuranceTooLow)
        await world.end()
    }

    @Test("A server is admitted by its socket's address, its app's state, its capability and, where asked, its time")
    func admission() async throws {
        let world = try await AuthorityWorld {
            $0.capabilities = [.login]
            $0.requestTimeTolerance = 300
        }
        func admitted(_ change: (inout ServerCall) -> Void, needs capability: Capability = .login) async throws
            -> Situation?
        {
            var call = world.serverCall()
            change(&call)
            let fixed = call
            return try await refusal { _ = try world.authority.admit(fixed, needs: capability) }
        }
        #expect(try await admitted { _ in } == nil)
        #expect(try await admitted { $0.peer = InternetAddress("::ffff:203.0.113.9")! } == nil)
        #expect(try await admitted { $0.peer = InternetAddress("203.0.114.1")! } == .serverAddressNotAllowed)
        #expect(try await admitted({ _ in }, needs: .verification) == .capabilityMissing)
        #expect(try await admitted { $0.sentAt = world.clock.now - .seconds(300) } == nil)
        #expect(try await admitted { $0.sentAt = world.clock.now - .milliseconds(300_001) } == .messageStale)
        #expect(try await admitted { $0.sentAt = world.clock.now + .milliseconds(300_001) } == .messageStale)
        await world.end()
    }

    @Test("64 redeemers of one token: one wins, sixty-three are told that it is spent")
    func race() async throws {
        let world = try await AuthorityWorld()
        let token = try await world.token()
        let wins = try await withThrowingTaskGroup(of: Situation?.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try await refusal {
                        _ = try await world.redeem(nil, token.token)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(wins == [nil: 1, .tokenSpent: 63])
        await world.end()
    }
}
