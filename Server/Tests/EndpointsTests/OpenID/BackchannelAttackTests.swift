import Foundation
import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import ServerHTTP

/// Attacks with backchannel requests, which succeed against ``NaiveBackchannel``.
@Suite("Attacks on backchannel requests")
struct BackchannelAttackTests {
    private typealias World = BackchannelWorld

    @Test("another client's auth_req_id buys nothing, and stays good for its own")
    func otherClient() async throws {
        try await World.visit { here in
            let id = try await here.request()
            #expect(try await here.bankPoll(id).error == "invalid_grant")
            try await here.tap()
            #expect(try await here.bankPoll(id).error == "invalid_grant")
            #expect(try await here.poll(id).status == .ok)
        }
        let naive = NaiveBackchannel()
        let id = try #require(naive.ask("+8613800000001"))
        naive.tap(id)
        #expect(naive.poll(id, client: "another") != nil)
    }

    @Test("a guessed auth_req_id, a code or a page in its place, and the yes that is kept beside it buy nothing")
    func guessed() async throws {
        try await World.visit { here in
            let id = try await here.request()
            #expect(id.utf8.count == 43)
            try await here.tap()
            let code = try await here.world.code()
            let changed = String(id.dropLast()) + (id.hasSuffix("A") ? "B" : "A")
            for guess in ["0", "1", changed, code, String(repeating: "a", count: 43)] {
                #expect(try await here.poll(guess).error == "invalid_grant", "\(guess)")
            }
            let exchanged = try await here.world.exchange(id)
            #expect(exchanged.error == "invalid_grant", "as a code")
            #expect(try await here.world.userInfo(id).status == .unauthorized, "as an access token")
            #expect(try await here.poll(id).status == .ok)
        }
        let naive = NaiveBackchannel()
        naive.tap(try #require(naive.ask("+8613800000001")))
        #expect((0..<3).contains { naive.poll($0, client: "another") != nil })
    }

    @Test("who asks too fast is told to slow down, and waits longer each time; a decision is told all the same")
    func tooFast() async throws {
        try await World.visit { here in
            let clock = here.world.clock
            let id = try await here.request()
            #expect(try await here.poll(id).error == "authorization_pending")
            clock.advance(by: .seconds(5))
            #expect(try await here.poll(id).error == "authorization_pending")
            clock.advance(by: .seconds(4))
            #expect(try await here.poll(id).error == "slow_down")
            clock.advance(by: .seconds(5))
            #expect(try await here.poll(id).error == "slow_down", "ten seconds by now")
            clock.advance(by: .seconds(15))
            #expect(try await here.poll(id).error == "authorization_pending")
            try await here.tap()
            #expect(try await here.poll(id).status == .ok)
        }
        let naive = NaiveBackchannel()
        let id = try #require(naive.ask("+8613800000001"))
        for _ in 0..<1000 { #expect(naive.poll(id, client: "own") == nil) }
        naive.tap(id)
        #expect(naive.poll(id, client: "own") != nil, "it answered a thousand times")
    }

    @Test("of many questions at once after a yes, one is answered with tokens")
    func twice() async throws {
        try await World.visit { here in
            let id = try await here.request()
            try await here.tap()
            let answers = try await withThrowingTaskGroup(of: Exchange.self) { group in
                for _ in 0..<16 { group.addTask { try await here.poll(id) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == .ok } == 1)
            #expect(answers.count { $0.error == "invalid_grant" } == 15)
        }
        let naive = NaiveBackchannel()
        let id = try #require(naive.ask("+8613800000001"))
        naive.tap(id)
        #expect(naive.poll(id, client: "own") != nil && naive.poll(id, client: "own") != nil)
    }

    @Test("of many answers at once to one request, one decides")
    func manyAnswers() async throws {
        try await World.visit { here in
            _ = try await here.request()
            let page = try await here.page()
            let answers = try await withThrowingTaskGroup(of: Exchange.self) { group in
                for number in 0..<16 {
                    group.addTask { try await here.decide(page, number.isMultiple(of: 2) ? "yes" : "no") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == .seeOther } == 1)
        }
    }

    @Test(
        """
        another phone sees nothing of a request and agrees to nothing; nor does one off the network, or the number's \
        next SIM
        """
    )
    func otherPhone() async throws {
        try await World.visit { here in
            let id = try await here.request()
            let page = try await here.page()
            #expect(try await here.page(from: OpenIDWorld.otherPhone).words.contains("Nothing waits"))
            #expect(try await here.decide(page, from: OpenIDWorld.otherPhone).status != .seeOther)
            #expect(try await here.decide(page, from: "198.51.100.9").status != .seeOther, "Wi-Fi")
            #expect(try await here.poll(id).error == "authorization_pending")
            try await here.world.attach(OpenIDWorld.number, at: OpenIDWorld.phone, imsi: "460000000000099", binding: 7)
            #expect(try await here.page().words.contains("Nothing waits"), "the SIM was replaced")
            #expect(try await here.decide(page).status != .seeOther)
            here.world.clock.advance(by: .seconds(6))
            #expect(try await here.poll(id).error == "authorization_pending")
        }
        let naive = NaiveBackchannel()
        let id = try #require(naive.ask("+8613800000001"))
        naive.tap(shown: "", at: OpenIDWorld.otherPhone)
        #expect(naive.poll(id, client: "own") != nil)
    }

    @Test("a yes dies with the SIM, with doubt about the address it came from, with withdrawal and with erasure")
    func ends() async throws {
        for ending in 0..<4 {
            try await World.visit { here in
                let id = try await here.request()
                try await here.tap()
                let row = try #require(try await here.world.register.subscription(of: OpenIDWorld.number))
                switch ending {
                case 0:
                    try await here.world.attach(
                        OpenIDWorld.number, at: OpenIDWorld.phone, imsi: "460000000000099", binding: 7)
                case 1: try await here.world.register.revoke([BindingID(rawValue: 7)])
                case 2:
                    let withdrawal = ConsentWithdrawal(
                        of: row, to: here.world.shop.record.id, at: here.world.clock.now, event: nil
                    ) { _ in Self.line(here.world) }
                    let counts = try await here.world.store.withdrawConsents(withdrawal)
                    #expect(counts[.openIDCredentials] == 2)
                default:
                    _ = try await here.world.store.eraseSubscriber(
                        SubscriberErasure(
                            of: row, openIDs: [], mark: [UInt8](repeating: 1, count: 32), at: here.world.clock.now
                        ) { _ in Self.line(here.world) })
                    #expect(try here.world.storedDetails().isEmpty)
                }
                let answer = try await here.poll(id)
                #expect(answer.error == "invalid_grant", "\(ending): \(answer.body)")
            }
        }
        let naive = NaiveBackchannel()
        let id = try #require(naive.ask("+8613800000001"))
        naive.tap(id)
        naive.end("+8613800000001")
        #expect(naive.ask("+8613800000001") == nil, "it knows that it ended")
        #expect(naive.poll(id, client: "own") != nil)
    }

    private static func line(_ world: OpenIDWorld) -> AuditEntry {
        AuditEntry(
            at: world.clock.now, actor: "ops", role: "operator", origin: "command line", order: "consent.withdraw")
    }

    @Test("a person who reads one message agrees to that request, whatever was asked meanwhile and in whatever words")
    func swapped() async throws {
        try await World.visit { here in
            let own = try await here.request(["binding_message": "mine"])
            let page = try await here.page()
            let thiefs = try await here.request(["binding_message": "of a thief"])
            #expect(try await here.decide(page).status == .seeOther)
            #expect(try await here.poll(thiefs).error == "authorization_pending")
            #expect(try await here.poll(own).status == .ok)

            // The form of one request with what another showed.
            let other = try await here.page()
            #expect(other.words.contains("of a thief"))
            #expect(try await here.decide(other, "yes", ["digest": page.field("digest")]).status != .seeOther)
            // The content of the page has changed since: the app's name.
            try await here.world.changeShop(app: { $0.name = "Shop Two" })
            #expect(try await here.decide(other).status != .seeOther)
            here.world.clock.advance(by: .seconds(6))
            #expect(try await here.poll(thiefs).error == "authorization_pending")
        }
        let naive = NaiveBackchannel()
        let own = try #require(naive.ask("+8613800000001", message: "mine"))
        let shown = try #require(naive.shown(to: "+8613800000001"))
        let thiefs = try #require(naive.ask("+8613800000001", message: "of a thief"))
        naive.tap(shown: shown, at: OpenIDWorld.phone)
        #expect(shown == "mine" && naive.poll(own, client: "own") == nil && naive.poll(thiefs, client: "thief") != nil)
    }

    @Test("another site's form, a frame, and a form without this browser's cookie decide nothing")
    func otherSite() async throws {
        try await World.visit { here in
            let id = try await here.request()
            let page = try await here.page()
            let cross: HTTPFields = [.secFetchSite: "cross-site", .origin: "https://evil.example"]
            #expect(try await here.decide(page, headers: cross).status != .seeOther)
            #expect(try await here.decide(page, cookie: "x=1").status != .seeOther)
            #expect(try await here.decide(page, "yes", ["token": "AAAA"]).status != .seeOther)
            #expect(try await here.page(headers: [.secFetchDest: "iframe"]).status == .badRequest)
            #expect(page.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
            #expect(try await here.poll(id).error == "authorization_pending")
            #expect(try await here.decide(page).status == .seeOther)
        }
        let naive = NaiveBackchannel()
        let id = try #require(naive.ask("+8613800000001"))
        naive.tap(id)
        #expect(naive.poll(id, client: "own") != nil, "the double asks for no cookie")
    }

    @Test(
        """
        a number is asked three times in ten minutes by one app, and ten times by all, and is sent ten messages a day \
        by one
        """
    )
    func fatigue() async throws {
        try await World.visit { here in
            try await here.world.changeShop(app: { $0.capabilities.insert(.smsCodes) })
            var asked = 0
            for _ in 0..<40 where try await here.ask().status == .ok { asked += 1 }
            #expect(asked == 3)
            #expect(try await here.ask(provider: here.another()).error == "access_denied", "counted in the store")
            #expect(try await here.bank(.backchannel, ["scope": "openid", "login_hint": World.hint]).status == .ok)
            for _ in 0..<20 {
                here.world.clock.advance(by: .seconds(600))
                for _ in 0..<3 { _ = try await here.ask() }
                await here.settle()
            }
            #expect(here.sender.messages.count == 10)
            here.world.clock.advance(by: .seconds(86400))
            _ = try await here.ask()
            await here.settle()
            #expect(here.sender.messages.count == 11)
        }
        try await World.visit { here in
            let limits = BackchannelLimits(context: here.provider.pages.context)
            var asked = 0
            for app in 1...9 {
                let id = try #require(AppID(rawValue: "30000000000\(app)"))
                for _ in 0..<3 where (try? await limits.admit(id, OpenIDWorld.number)) != nil { asked += 1 }
            }
            #expect(asked == 10)
            // A request that is refused for the others' sake does not count against this app's limit of three.
            let last = try #require(AppID(rawValue: "300000000099"))
            func isAdmitted() async -> Bool { (try? await limits.admit(last, OpenIDWorld.number)) != nil }
            here.world.clock.advance(by: .seconds(300))
            for _ in 0..<3 { #expect(await !isAdmitted()) }
            here.world.clock.advance(by: .seconds(300))
            for isExpected in [true, true, true, false] { #expect(await isAdmitted() == isExpected) }
            func mayTell() async throws -> Bool { try await limits.admitsMessage(last, OpenIDWorld.number) }
            for _ in 0..<10 { #expect(try await mayTell()) }
            here.world.clock.advance(by: .milliseconds(86_399_999))
            #expect(try await !mayTell())
            here.world.clock.advance(by: .milliseconds(1))
            #expect(try await mayTell())
        }
        let naive = NaiveBackchannel()
        for _ in 0..<40 { _ = naive.ask("+8613800000001") }
        #expect(naive.waiting == 40)
    }

    @Test(
        "whether the register knows a number is told by nothing: not the answer, not a poll, not a limit, not the end")
    func probing() async throws {
        try await World.visit { here in
            func walk(_ hint: String) async throws -> [String] {
                var said: [String] = []
                var id = ""
                for _ in 0..<4 {
                    let answer = try await here.ask(["login_hint": hint])
                    said.append("\(answer.status.code) \(answer.error ?? "") \(answer.json["expires_in"]?.text ?? "")")
                    id = answer.json["auth_req_id"]?.stringValue ?? id
                }
                for pause in [0, 1, 20, 600] as [Int64] {
                    here.world.clock.advance(by: .seconds(pause))
                    let answer = try await here.poll(id)
                    said.append("\(answer.status.code) \(answer.body)")
                }
                return said
            }
            let known = try await walk(World.hint)
            #expect(known.last?.contains("expired_token") == true && known[3].contains("access_denied"))
            #expect(try await walk(World.nobodysHint) == known)
        }
        let naive = NaiveBackchannel()
        #expect(naive.ask("+8613800000001") != nil && naive.ask("+8613700000009") == nil)
    }
}
