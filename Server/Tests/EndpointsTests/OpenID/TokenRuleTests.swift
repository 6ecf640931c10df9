import Crypto
import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

@Suite("What a code or a yes is exchanged for")
struct TokenRuleTests {
    @Test("a code is told of to nobody and ended by nobody as a token is, and what is no code buys nothing")
    func kinds() async throws {
        try await OpenIDWorld.visit { world async throws in
            let code = try await world.code()
            let told = try await world.call(.post, .introspect, headers: world.basic(), form: ["token": code])
            #expect(told.json == .object(["active": false]))
            #expect(try await world.call(.post, .revoke, headers: world.basic(), form: ["token": code]).status == .ok)
            let pushed = try await world.call(.post, .push, headers: world.basic(), form: OpenIDLogin.request(world))
            let uri = try #require(pushed.json["request_uri"]?.stringValue)
            let secret = String(try #require(uri.split(separator: ":").last))
            #expect(try await world.exchange(secret).error == "invalid_grant")
            let answer = try await world.exchange(code)
            #expect(answer.status == .ok)
            let access = try #require(answer.json["access_token"]?.stringValue)
            #expect(try await world.exchange(access).error == "invalid_grant")
            #expect(try await world.userInfo(access).status == .ok, "the attempt ended nothing")
        }
    }

    @Test("an access token's life begins with it, and not with the code or the yes that bought it")
    func beginnings() async throws {
        try await BackchannelWorld.visit { here async throws in
            let world = here.world
            func expectNew(_ answer: Exchange) async throws {
                let access = try #require(answer.json["access_token"]?.stringValue, "\(answer.body)")
                let form = ["token": access]
                let told = try await world.call(.post, .introspect, headers: world.basic(), form: form).json
                let now = world.clock.now.seconds
                #expect(told["iat"]?.integerValue == now && told["exp"]?.integerValue == now + 300)
                let kept = try await world.store.openIDCredential(CredentialHash(of: access, .openID)).credential
                let last = try await world.authority.traceEvents(try #require(kept).trace).last
                #expect(last?.step == "openid.token" && last?.situation == .success)
            }
            let code = try await world.code()
            world.clock.advance(by: .seconds(30))
            try await expectNew(try await world.exchange(code))
            let id = try await here.request()
            try await here.tap()
            world.clock.advance(by: .seconds(30))
            try await expectNew(try await here.poll(id))
        }
    }

    @Test("a yes lies beside its request, under a hash of the request's")
    func agreed() {
        let hash = [UInt8](repeating: 7, count: 32)
        let own = Array(SHA256.hash(data: Array("benji backchannel agreed".utf8) + hash))
        #expect(CredentialHash(bytes: [1, 2] + hash).agreed == CredentialHash(bytes: [1, 2] + own))
    }

    @Test("a token keeps of its code what it is good for, and the trace tells whose a brief login is once it counts")
    func holders() async throws {
        try await OpenIDWorld.visit(limit: 1) { world async throws in
            let row = try #require(try await world.register.subscription(of: OpenIDWorld.number))
            let app = world.shop.record.id
            let holder = TraceEvent.Login(app: app, subscription: row.id, epoch: row.epoch)
            for isBrief in [false, true] {
                world.clock.advance(by: .seconds(1))
                let begun = world.clock.now
                let code = try await world.code()
                world.clock.advance(by: .seconds(1))
                let access = try #require(try await world.exchange(code).json["access_token"]?.stringValue)
                let kept = try await world.store.openIDCredential(CredentialHash(of: access, .openID)).credential
                let credential = try #require(kept)
                var grant = OpenIDGrant(scopes: ["openid", "phone"], issuedAt: begun)
                grant.context = .network
                #expect(try credential.read { json throws(JSONError) in try OpenIDGrant(json) } == grant)
                #expect(try await world.exchange(code).error == "invalid_grant")
                let events = try await world.authority.traceEvents(credential.trace)
                let steps = events.filter { $0.step == "openid.token" }
                #expect(steps.map(\.situation) == [.success, .tokenSpent])
                #expect(steps.map(\.login) == [isBrief ? holder : nil, nil])
                #expect(events.contains { $0.step == "openid.page" } == !isBrief)
            }
        }
    }

    @Test(
        "an app that wants more by now than was earned, or may not be answered, gets nothing, and later what it could")
    func changed() async throws {
        try await BackchannelWorld.visit { here async throws in
            let world = here.world
            let (access, code) = (try await world.accessToken(), try await world.code())
            let id = try await here.request()
            try await here.tap()
            let before = try await world.authority.apps.find(world.shop.record.id).record.leastAssurance
            func expectRefused(_ answer: Exchange) {
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            }
            try await world.changeShop(app: { $0.leastAssurance = .netApp })
            #expect(try await world.exchange(code).error == "unauthorized_client")
            #expect(try await here.poll(id).error == "unauthorized_client")
            expectRefused(try await world.userInfo(access))
            try await world.changeShop(app: { ($0.leastAssurance, $0.suspended) = (before, true) })
            expectRefused(try await world.userInfo(access))
            try await world.changeShop(app: { $0.suspended = false })
            #expect(try await world.exchange(code).status == .ok)
            #expect(try await here.poll(id).status == .ok)
            #expect(try await world.userInfo(access).status == .ok)
        }
    }
}
