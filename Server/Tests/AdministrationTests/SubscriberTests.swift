import Administration
import Authority
@_spi(Server) import BenjiProtocol
import Foundation
import Requests
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite("A subscriber is shown, exported and erased")
struct SubscriberTests {
    private static let number = AuthorityWorld.number

    /// A login that ended well, and its openId.
    private func login(_ world: AdministrationWorld) async throws -> ReleasedLogin {
        try await world.world.redeem(world.call(), try await world.world.token().token)
    }

    private func observe(_ world: AdministrationWorld) async throws -> SubscriptionReference {
        let seen = try await world.world.register.observe([
            SubscriberObservation(
                number: Self.number, imsi: "460000000000001", carrier: .mobile, eventTime: world.clock.now)
        ])
        return try #require(seen[0])
    }

    @Test("an export has what is kept about a person, and neither the number in clear nor a credential")
    func export() async throws {
        let world = try await AdministrationWorld()
        let told = try await login(world)
        let unspent = try await world.world.token()
        // An earlier version took a name that reads backwards: the person gets it without what turns it.
        try await world.world.change { $0.name = "Sh\u{202e}op" }
        let answer = try await world.order(ExportSubscriber(Self.number), reason: "they asked")
        #expect(answer["apps"]?.arrayValue?.map { $0["openId"]?.stringValue } == [told.openID])
        #expect(answer["apps"]?.arrayValue?.first?["name"] == "Shop")
        #expect(answer["logins"]?.arrayValue?.count == 2)
        #expect(answer["consents"]?.arrayValue?.count == 2)
        #expect(answer["ledger"]?.arrayValue?.map { $0["trace"]?.stringValue } == [told.trace.rawValue])
        #expect(answer["deviceKeys"]?.arrayValue?.count == 1)
        let kinds = Set(answer["credentials"]?.arrayValue?.compactMap { $0["kind"]?.stringValue } ?? [])
        #expect(kinds == ["scrip", "token login"])
        for secret in [Self.number.e164, Self.number.national, unspent.token] {
            #expect(!answer.text.contains(secret))
        }
        let line = try #require(try await world.lines().first)
        #expect(line.order == "subscriber.export" && line.reason == "they asked")
        #expect(line.subject == "subscription \(world.world.subscription.subscription)")
        await world.end()
    }

    @Test("whoever is erased cannot log in by what they had, and the number's next login is somebody new to the app")
    func erase() async throws {
        let world = try await AdministrationWorld()
        let before = try await login(world)
        let unspent = try await world.world.token()
        let answer = try await world.order(EraseSubscriber(Self.number), reason: "they asked")
        #expect(answer["isFinished"] == true && answer["cleansFiles"] == true)
        #expect(answer["erased"]?["consents"] == 2 && answer["erased"]?["traces"] == 2)
        let dead = try await refusal { _ = try await world.world.redeem(world.call(), unspent.token) }
        #expect(dead == .tokenUnknown)
        #expect(try await refusal { _ = try await world.world.prefetch() } == .addressStale)
        #expect(try await world.refused(ShowSubscriber(Self.number)) == .numberUnknown)
        #expect(try await world.refused(EraseSubscriber(Self.number)) == .numberUnknown)

        let evidence = try await world.order(ShowConsents(before.trace))
        #expect(evidence["consents"]?.arrayValue?.count == 1)
        let lines = try await world.order(ListLedger(world.app))
        #expect(lines["entries"]?.arrayValue?.count == 1)

        let next = try await observe(world)
        #expect(next.subscription != world.world.subscription.subscription)
        let device = { try world.world.call(sighting: .success(world.world.sighting(next))) }
        let response = try await world.world.prefetch(try device())
        let token = try await world.world.authorize(
            response.scrip, consent: try world.world.consent(to: response), device: try device())
        let after = try await world.world.redeem(world.call(), token.token)
        #expect(after.number == Self.number && after.openID != before.openID && after.pseudonym != before.pseudonym)
        await world.end()
    }

    @Test(
        """
        who takes back their consent to an app is told to it by its own name of them, and what it has not redeemed is \
        dead
        """
    )
    func withdraw() async throws {
        let world = try await AdministrationWorld()
        let before = try await login(world)
        try await world.order(SetCallback(world.app, url: "https://shop.example/events"))
        let unspent = try await world.world.token()
        let prefetched = try await world.world.prefetch()
        let order = WithdrawConsent(Self.number, to: world.app)
        let answer = try await world.order(order, reason: "they asked")
        #expect(answer["ended"]?["tokens"] == 2 && answer["consents"] == 2)
        let dead = try await refusal { _ = try await world.world.redeem(world.call(), unspent.token) }
        #expect(dead == .tokenUnknown)
        #expect(
            try await refusal {
                _ = try await world.world.authorize(
                    prefetched.scrip, consent: try world.world.consent(to: prefetched))
            } == .scripInvalid)
        let events = try await world.world.store.outboxEntries(
            app: world.app, state: nil, before: nil, limit: 9
        ).map(\.event)
        let event = try #require(events.first { $0.type == .consentWithdrawn })
        #expect(event.id == answer["event"]?.stringValue)
        let data = try JSON(parsing: event.payload)["data"]
        #expect(data?["openId"]?.stringValue == before.openID && data?["appId"]?.stringValue == world.app.rawValue)
        #expect(!event.payload.contains(Self.number.national))
        #expect(
            try await world.order(ShowConsents(before.trace))["consents"]?.arrayValue?.count == 1, "the evidence stays")
        let line = try #require(try await world.lines().first { $0.order == "consent.withdraw" })
        #expect(line.app == world.app && line.reason == "they asked")
        #expect(line.subject == "subscription \(world.world.subscription.subscription)")

        let after = try await login(world)
        #expect(after.openID == before.openID, "they may agree anew, and are no stranger then")
        #expect(try await world.refused(WithdrawConsent(PhoneNumber("13900000099")!, to: world.app)) == .numberUnknown)
        let elsewhere = try await world.order(CreateApp(Apps.Registration(name: "elsewhere")))["id"]?.stringValue
        let other = try #require(elsewhere.flatMap(AppID.init(rawValue:)))
        #expect(try await world.refused(WithdrawConsent(Self.number, to: other)) == .consentMissing)
        await world.end()
    }

    @Test(
        "two erasures under one request name are two: the second is refused, and the first one sent again is known"
    )
    func requestNames() async throws {
        let world = try await AdministrationWorld()
        _ = try await observe(world)
        let other = PhoneNumber("13900000002")!
        _ = try await world.world.register.observe([
            SubscriberObservation(number: other, imsi: nil, carrier: .mobile, eventTime: world.clock.now)
        ])
        func erase(_ number: PhoneNumber) async throws(Refusal) -> JSON {
            // The requests differ only in the number.
            try await world.administration.perform(
                EraseSubscriber(number), by: world.caller(), request: OrderRequest(key: "k", digest: [1]))
        }
        _ = try await erase(Self.number)
        #expect(try await erase(Self.number)["alreadyCarriedOut"] != nil)
        #expect(try await refusal { _ = try await erase(other) } == .messageReplayed)
        #expect(try await world.order(ShowSubscriber(other))["subscription"] != nil, "they are still there")
        func port(_ carrier: Carrier) async throws(Refusal) -> JSON {
            try await world.administration.perform(
                PortNumber(other, to: carrier), by: world.caller(), request: OrderRequest(key: "p", digest: [1]))
        }
        _ = try await port(.unicom)
        #expect(try await port(.unicom)["alreadyCarriedOut"] != nil)
        #expect(try await refusal { _ = try await port(.telecom) } == .messageReplayed)
        let kept = try await world.lines().compactMap(\.request?.digest)
        #expect(Set(kept).count == 2 && kept.allSatisfy { $0.count == 32 && $0 != [1] })
        await world.end()
    }

    @Test("after an erasure the same request is known, and one of its name with a number that nobody has is another")
    func erasedName() async throws {
        let world = try await AdministrationWorld()
        let unknown = try #require(PhoneNumber("+8613900000099"))
        func erase(_ number: PhoneNumber, by administration: Administration? = nil) async throws(Refusal) -> JSON {
            try await (administration ?? world.administration).perform(
                EraseSubscriber(number), by: world.caller(), request: OrderRequest(key: "k", digest: [1]))
        }
        _ = try await erase(Self.number)
        for _ in 0..<2 {
            #expect(try await refusal { _ = try await erase(unknown) } == .messageReplayed)
            #expect(try await erase(Self.number)["alreadyCarriedOut"] != nil)
        }
        _ = try await observe(world)
        #expect(try await erase(Self.number)["alreadyCarriedOut"] != nil, "their number is somebody new's by now")
        #expect(try await world.order(ShowSubscriber(Self.number))["subscription"] != nil, "who is still there")
        // Another process has the log alone, which does not say who was erased: neither while the number is somebody
        // new's, nor after.
        let other = Administration(authority: world.authority, store: world.world.store)
        for isThere in [true, false] {
            if !isThere { try await world.order(EraseSubscriber(Self.number)) }
            for number in [unknown, Self.number] {
                let error = await #expect(throws: Refusal.self) { try await erase(number, by: other) }
                #expect(error?.situation == .messageReplayed && error?.detail.contains("is erased") == true)
            }
        }
        await world.end()
    }

    @Test(
        "while an erasure is unfinished its request is known to another process too, and one with another number is not"
    )
    func unfinishedName() async throws {
        let world = try await AdministrationWorld()
        func erase(_ number: PhoneNumber) async throws(Refusal) -> JSON {
            try await Administration(authority: world.authority, store: world.world.store).perform(
                EraseSubscriber(number), by: world.caller(), request: OrderRequest(key: "k", digest: [1]))
        }
        let reader = try await OldReader(of: world.world.directory + "/benji.sqlite")
        #expect(try await erase(Self.number)["isFinished"] == false)
        let unknown = try #require(PhoneNumber("+8613900000099"))
        #expect(try await refusal { _ = try await erase(unknown) } == .messageReplayed)
        #expect(try await erase(Self.number)["alreadyCarriedOut"] != nil)
        try await reader.end()
        await world.end()
    }

    @Test("while an erasure is unfinished its number's order goes on with it, and a number that nobody has is refused")
    func unfinished() async throws {
        let world = try await AdministrationWorld()
        let row = world.world.subscription.subscription
        // An open reader keeps the old rows in the files.
        let reader = try await OldReader(of: world.world.directory + "/benji.sqlite")
        #expect(try await world.order(EraseSubscriber(Self.number))["isFinished"] == false)
        let mistyped = try #require(PhoneNumber("+8613800000099"))
        #expect(try await world.refused(EraseSubscriber(mistyped)) == .numberUnknown)
        try await reader.end()
        let again = try await world.order(EraseSubscriber(Self.number), reason: "again")
        #expect(again["isFinished"] == true && again["subscription"] == nil)
        let line = try #require(try await world.lines().first)
        #expect(line.reason == "again" && line.subject?.hasPrefix("subscription \(row),") == true)
        for number in [mistyped, Self.number] {
            #expect(try await world.refused(EraseSubscriber(number)) == .numberUnknown)
        }
        await world.end()
    }

    @Test("an erasure has one line in the audit log, with what there was and without the number")
    func line() async throws {
        let world = try await AdministrationWorld()
        _ = try await login(world)
        try await world.order(EraseSubscriber(Self.number), reason: "ticket 4711")
        let line = try #require(try await world.lines().first)
        #expect(line.order == "subscriber.erase" && line.outcome == .success && line.reason == "ticket 4711")
        #expect(line.subject == "subscription \(world.world.subscription.subscription)")
        #expect(line.before?.contains(#""consents":1"#) == true && line.after == nil)
        #expect(!"\(line)".contains(Self.number.national))
        await world.end()
    }
}
