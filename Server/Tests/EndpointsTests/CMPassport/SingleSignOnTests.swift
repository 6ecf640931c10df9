import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// Two services of one owner: the shop, whose phone logs in, and the mall, for which that login is redeemed.
private struct TwoServices {
    static let (shopSource, mallSource) = ("800120170714100001", "800120170818101447")

    let world: AuthorityWorld
    let mall: RegisteredApp

    static func visit(
        owner: String? = "商城集团", _ body: (TwoServices) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld {
            $0.owner = "商城集团"
            $0.sourceIDs = [Self.shopSource]
        }
        var registration = Apps.Registration(name: "Mall")
        registration.serverAddresses = ["203.0.113.0/24"]
        registration.rsaPublicKey = DemoKeys.publicKey
        registration.sourceIDs = [Self.mallSource]
        registration.owner = owner
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(TwoServices(world: world, mall: try await world.authority.apps.register(registration))))
        } catch { result = .failure(error) }
        await world.end()
        try result.get()
    }

    /// A login on the shop's page, with this text on it.
    func token(
        _ text: String?, as role: ConsentContent.Role = .terms, link: String? = nil, ticked: Bool = false
    ) async throws -> String {
        let response = try await world.prefetch()
        let consent = try world.consent(to: response) { record in
            if let text { record.content.texts.append(.init(role, text)) }
            if let link { record.content.links.append(.init(title: link, url: "https://mall.example/terms")) }
            record.content.initiallyTicked = ticked
            record.contentDigest = record.content.digest
        }
        return try await world.authorize(response.scrip, consent: consent).token
    }

    /// Redeems a token as the mall's server and returns the answer.
    func redeem(
        _ token: String, from source: String = shopSource, to target: String? = mallSource, message: String = "m"
    ) async throws -> JSON {
        let request = try Requests.user(
            appID: mall.record.id.rawValue, messageID: message, token: token, sourceID: source, targetSourceID: target)
        return await CMPassportEndpoints(service: world.authority, clock: world.clock).answer(.userInformation, request)
    }

    func code(
        _ token: String, from source: String = shopSource, to target: String? = mallSource, message: String = "m"
    ) async throws -> String? {
        try await redeem(token, from: source, to: target, message: message)["header"]?["resultCode"]?.stringValue
    }
}

@Suite("Single sign-on between an owner's services")
struct SingleSignOnTests {
    private static let yes = "同时登录“Mall”"

    @Test("a token of one service logs in to another one of its owner's once, under that service's identities")
    func walk() async throws {
        try await TwoServices.visit { here in
            let world = here.world
            let token = try await here.token(Self.yes)
            let answer = try await here.redeem(token)
            #expect(answer["header"]?["resultCode"] == "103000")
            let row = try #require(try await world.authority.store.subscription(world.subscription.subscription))
            let body = try #require(answer["body"])
            #expect(body["userid"]?.stringValue == world.vault.openID(row, app: here.mall.record.id))
            #expect(body["pcid"]?.stringValue == world.vault.pseudonym(row, app: here.mall.record.id))
            #expect(body["fromsourceid"]?.stringValue == TwoServices.shopSource)
            #expect(body["tosourceid"]?.stringValue == TwoServices.mallSource)
            let encrypted = try #require(body["msisdn"]?.stringValue)
            #expect(try decryptPKCS1(encrypted) == AuthorityWorld.number.national)
            #expect(try await here.code(token, message: "n") != "103000", "once")
            #expect(try await refusal { _ = try await world.redeem(nil, token) } == .tokenSpent, "nor by its own app")

            let line = try await world.store.ledgerEntries(app: here.mall.record.id, limit: 9)
            #expect(line.map(\.interface) == ["unisdk/tokenValidate sso \(world.app.record.id)"])
            #expect(line.map(\.result) == ["released"])
            #expect(try await world.store.ledgerEntries(app: world.app.record.id, limit: 9).isEmpty)
            let trace = try #require(line.first?.trace)
            let step = try await world.authority.traceEvents(trace).last { $0.situation == .success }
            #expect(step?.detail.contains(here.mall.record.id.rawValue) == true)
        }
    }

    @Test("a person who was not shown the other service's name, in quotation marks, is logged in to the first alone")
    func consent() async throws {
        try await TwoServices.visit { here in
            for text in [nil, "同时登录“Mall of others”", "Mall", "同时登录Mall", "“Shop”"] {
                let token = try await here.token(text)
                #expect(try await here.code(token) == "103112", "\(text ?? "nothing")")
                _ = try await here.world.redeem(nil, token)
            }
            let hint = try await here.token(Self.yes, as: .hint)
            #expect(try await here.code(hint) == "103112", "what the tick is not for")
            let link = try await here.token(nil, link: "《“Mall”用户协议》")
            #expect(try await here.code(link) == "103000", "terms of the other service's own")
            let lines = try await here.world.store.ledgerEntries(app: here.mall.record.id, limit: 9)
            #expect(lines.map(\.result) == ["released"])
            // An earlier version took a name that reads backwards: the trace has it without what turns it.
            let token = try await here.token(Self.yes)
            var mall = try await here.world.authority.apps.find(here.mall.record.id).record
            mall.name = "Ma\u{202e}rket"
            try await here.world.store.updateApp(mall)
            #expect(try await here.code(token) == "103112")
            let trace = try await here.world.redeem(nil, token).trace
            let events = try await here.world.authority.traceEvents(trace)
            #expect(events.contains { $0.detail.hasSuffix("the login is for Market too") })
        }
    }

    @Test(
        """
        a page that would not do for the other service logs in to the first alone: one that came ticked, or was not \
        approved
        """
    )
    func pages() async throws {
        try await TwoServices.visit { here in
            try await here.world.change { $0.capabilities.insert(.tickedPage) }
            let ticked = try await here.token(Self.yes, ticked: true)
            #expect(try await here.code(ticked) == "103112")
            let token = try await here.token(Self.yes)
            var mall = try await here.world.authority.apps.find(here.mall.record.id).record
            mall.requiresPageReview = true
            try await here.world.store.updateApp(mall)
            #expect(try await here.code(token) == "103112")
            #expect(try await here.world.store.ledgerEntries(app: here.mall.record.id, limit: 9).isEmpty)
            mall = try await here.world.authority.apps.find(here.mall.record.id).record
            mall.requiresPageReview = false
            mall.capabilities.insert(.tickedPage)
            try await here.world.store.updateApp(mall)
            #expect(try await here.code(ticked) == "103000", "the token stayed good")
        }
    }

    @Test("neither SIM nor holder changed between the login and its redemption for another service")
    func changes() async throws {
        try await TwoServices.visit { here in
            let token = try await here.token(Self.yes)
            _ = try await here.world.register.reassign(AuthorityWorld.number, at: here.world.clock.now)
            #expect(try await here.code(token) != "103000")
            #expect(try await here.world.store.ledgerEntries(app: here.mall.record.id, limit: 9).isEmpty)
        }
    }

    @Test(
        """
        a service of another owner, or of none, redeems nothing, and is told no more than of a source id that nobody has
        """
    )
    func owners() async throws {
        for owner in ["别人", nil] {
            try await TwoServices.visit(owner: owner) { here in
                let token = try await here.token(Self.yes)
                let (foreign, unknown) = (
                    try await here.redeem(token), try await here.redeem(token, from: "800120170714109999")
                )
                #expect(foreign["header"]?["resultCode"] == "103118")
                #expect(foreign["header"]?.text == unknown["header"]?.text)
                _ = try await here.world.redeem(nil, token)
            }
        }
        // Two services without an owner are not of the same one.
        try await TwoServices.visit(owner: nil) { here in
            try await here.world.change { $0.owner = nil }
            #expect(try await here.code(try await here.token(Self.yes)) == "103118")
        }
    }

    @Test("the service that is logged in to is the caller's own, and the token that of the service that is named")
    func sources() async throws {
        try await TwoServices.visit { here in
            let token = try await here.token(Self.yes)
            let (shop, mall) = (TwoServices.shopSource, TwoServices.mallSource)
            #expect(try await here.code(token, from: shop, to: nil) == "103118", "without saying for which service")
            #expect(try await here.code(token, from: mall, to: shop) == "103118", "for the other service")
            #expect(try await here.code(token, from: mall, to: mall) != "103000", "as a token of its own")
            let third = try await here.world.authority.apps.register(
                {
                    var registration = Apps.Registration(name: "Third")
                    registration.owner = "商城集团"
                    registration.sourceIDs = ["7"]
                    return registration
                }())
            #expect(third.record.owner == "商城集团")
            #expect(try await here.code(token, from: "7") != "103000", "as a token of a third service")
            _ = try await here.world.redeem(nil, token)
        }
    }

    @Test("neither a suspended service's tokens nor a suspended service log in, and what its owner is counts at once")
    func suspended() async throws {
        try await TwoServices.visit { here in
            let token = try await here.token(Self.yes)
            try await here.world.change { $0.suspended = true }
            #expect(
                try await here.code(token) == "103118", "in the words for a source id, not for the caller's own state")
            try await here.world.change {
                $0.suspended = false
                $0.owner = "别人"
            }
            #expect(try await here.code(token) == "103118")
            try await here.world.change { $0.owner = "商城集团" }
            var mall = try await here.world.authority.apps.find(here.mall.record.id).record
            mall.suspended = true
            try await here.world.store.updateApp(mall)
            #expect(try await here.code(token) != "103000")
            mall = try await here.world.authority.apps.find(here.mall.record.id).record
            mall.suspended = false
            try await here.world.store.updateApp(mall)
            #expect(try await here.code(token) == "103000")
        }
    }

    @Test("a service that accepts net+app redeems no token that the other one earned with net")
    func assurance() async throws {
        try await TwoServices.visit { here in
            let token = try await here.token(Self.yes)
            var mall = try await here.world.authority.apps.find(here.mall.record.id).record
            mall.leastAssurance = .netApp
            try await here.world.store.updateApp(mall)
            #expect(try await here.code(token) != "103000")
            _ = try await here.world.redeem(nil, token)
        }
    }

    @Test(
        "a field that the service knows nothing of is absent, and not empty or invented",
        arguments: [
            "usessionid", "passid", "andid", "email", "province", "relateToAndPassport",
        ])
    func optionalFields(name: String) async throws {
        try await TwoServices.visit { here in
            let body = try #require(try await here.redeem(try await here.token(Self.yes))["body"])
            #expect(body["userid"] != nil && body[name] == nil)
        }
    }
}
