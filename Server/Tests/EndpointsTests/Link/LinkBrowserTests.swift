import BenjiPage
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

@Suite("What the link carries for browsers", .serialized)
struct LinkBrowserTests {
    /// Through text, as on the wire.
    private func sent(_ json: JSON) throws -> JSON { try JSON(parsing: json.serialized) }

    private func step(_ step: OpenIDStep) async throws -> OpenIDStep {
        let answer = await LinkBrowserAnswer { () async throws(OpenIDStop) in step }
        return try LinkBrowserAnswer(try sent(try answer.json)).decision.get()
    }

    private func stop(_ stop: OpenIDStop) async throws -> OpenIDStop? {
        let answer = await LinkBrowserAnswer { () async throws(OpenIDStop) in throw stop }
        if case .failure(let arrived) = try LinkBrowserAnswer(try sent(try answer.json)).decision { return arrived }
        return nil
    }

    @Test("a browser's request arrives as the gateway saw it, control characters and unknown addresses included")
    func calls() throws {
        let sightings: [Result<Sighting, SightingRefusal>] = [
            .success(ScriptedDeviceDesk.sighting), .failure(.unconfirmedAddress),
        ]
        let destinations: [OpenIDProvider.BrowserCall.Destination] = [
            .window, .frame(of: nil), .frame(of: "https://shop.example"),
        ]
        for sighting in sightings {
            for destination in destinations {
                let call = ScriptedOpenIDDesk.call(sighting, destination)
                let message = LinkBrowserCall(pages: OpenIDWorld.pages, request: "x", call: call)
                let arrived = try LinkBrowserCall(try sent(message.json))
                #expect(arrived.pages == OpenIDWorld.pages)
                #expect(arrived.request == "x")
                #expect(arrived.call.cookies == call.cookies)
                #expect(arrived.call.languages == call.languages)
                #expect(arrived.call.sighting == call.sighting)
                #expect(arrived.call.destination == call.destination)
            }
        }
        // As much as a form may hold, of what takes the most bytes in JSON.
        let long = String(repeating: "\u{1}", count: OpenIDParameters.maximumLength)
        let parameters = try OpenIDParameters([("state", long), ("nonce", "\"\\\u{0}/电"), ("scope", "")])
        #expect(try OpenIDParameters(try sent(parameters.json)) == parameters)
        let answer = OpenIDProvider.PageAnswer(secret: long, action: "", isAgreed: false, digits: "12")
        let arrived = try OpenIDProvider.PageAnswer(try sent(answer.json))
        #expect(arrived.secret == long)
        #expect(arrived.action.isEmpty && !arrived.isAgreed)
        #expect(arrived.digits == "12")
    }

    @Test("a message that is not of this shape is refused")
    func strictness() throws {
        let call = ScriptedOpenIDDesk.call(.success(ScriptedDeviceDesk.sighting))
        let good = LinkBrowserCall(pages: OpenIDWorld.pages, request: "x", call: call).json
        for member in ["pages", "request", "cookies", "languages", "sighting"] {
            #expect(throws: JSONError.self, "\(member)") { try LinkBrowserCall(good.setting(member, nil)) }
        }
        #expect(throws: JSONError.self) { try LinkBrowserCall(good.setting("extra", true)) }
        #expect(throws: JSONError.self) { try LinkBrowserCall(good.setting("sightingRefusal", "staleAddress")) }
        #expect(throws: JSONError.self) { try LinkBrowserAnswer(.object([])) }
        #expect(throws: JSONError.self) {
            try LinkBrowserAnswer(.object(["redirect": "https://shop.example", "page": .object([])]))
        }
    }

    @Test("every page of a login arrives whole, so that a gateway draws what one process would")
    func pages() async throws {
        try await OpenIDWorld.visit { world in
            let sighting = await world.sighting(
                from: InternetAddress(OpenIDWorld.phone)!, port: 1, claimedLocalAddress: nil)
            var call = ScriptedOpenIDDesk.call(sighting)
            let request = OpenIDLogin.request(world, ["acr_values": "urn:benji:net:digits"])
            var steps = [try await world.provider.authorize(OpenIDParameters(values: request), call)]
            for (action, digits) in [("login", ""), ("agree", ""), ("digits", "1234")] {
                guard case .page(let page) = try #require(steps.last) else { break }
                if let cookie = page.cookie { call.cookies = [cookie.name: cookie.secret] }
                steps.append(
                    try await world.provider.answer(
                        OpenIDProvider.PageAnswer(
                            secret: page.secret, action: action, isAgreed: false, digits: digits), call))
            }
            var stages: [OpenIDPage.Stage] = []
            for made in steps {
                guard case .page(let page) = made, case .page(let arrived) = try await step(made) else {
                    Issue.record("not a page")
                    return
                }
                stages.append(page.stage)
                #expect(arrived.stage == page.stage)
                #expect(arrived.secret == page.secret)
                #expect(arrived.description == page.description)
                #expect(arrived.facts == page.facts)
                #expect(arrived.language == page.language)
                #expect(arrived.redirectURI == page.redirectURI)
                #expect(arrived.media == page.media)
                #expect(arrived.app == page.app)
                #expect(arrived.frameAncestors == page.frameAncestors)
                #expect(arrived.cookie == page.cookie)
            }
            #expect(stages == [.consent, .sheet, .digits(isRepeated: false), .digits(isRepeated: true)])
        }
    }

    @Test(
        "the pages for a code arrive whole, and so do the notice that offers one, a browser's address and what it typed"
    )
    func codes() async throws {
        try await OpenIDSMSWorld.visit { here in
            var call = ScriptedOpenIDDesk.call(.failure(.unknownAddress))
            call.source = InternetAddress("2001:db8::7")
            let arrived = try LinkBrowserCall(
                try sent(LinkBrowserCall(pages: OpenIDWorld.pages, request: "x", call: call).json))
            #expect(arrived.call.source == call.source)
            var request = OpenIDLogin.request(here.world)
            let offer = await #expect(throws: OpenIDStop.self) {
                _ = try await here.provider.authorize(OpenIDParameters(values: request), call)
            }
            let notice = try #require(offer)
            guard case .notice(let told) = notice, told.offersSMS else {
                Issue.record("no offer")
                return
            }
            #expect(try await stop(notice) == notice)
            request["way"] = "sms"
            var made = try await here.provider.authorize(OpenIDParameters(values: request), call)
            for (action, digits) in [("send", ""), ("code", "1")] {
                guard case .page(let page) = made, case .page(let arrived) = try await step(made) else {
                    Issue.record("not a page")
                    return
                }
                #expect(arrived.stage == page.stage && arrived.facts == nil && arrived.secret == page.secret)
                if let cookie = page.cookie { call.cookies = [cookie.name: cookie.secret] }
                var answer = OpenIDProvider.PageAnswer(
                    secret: page.secret, action: action, isAgreed: true, digits: digits, number: "13800000001")
                if case .sms(let form) = page.stage { answer.transaction = form.transaction ?? "" }
                let carried = try OpenIDProvider.PageAnswer(try sent(answer.json))
                #expect(carried.number == answer.number && carried.transaction == answer.transaction)
                made = try await here.provider.answer(carried, call)
            }
            guard case .page(let last) = made, case .sms(let form) = last.stage else { return }
            #expect(form.problem == .parameterInvalid && form.maskedNumber == "138****0001")
            #expect(!"\(form)".contains("13800000001"), "a page that is printed by mistake has no number")
            // A gateway of an earlier version sends no address, so it gets no offer of a page that it cannot draw.
            call.source = nil
            request["way"] = nil
            let old = await #expect(throws: OpenIDStop.self) {
                _ = try await here.provider.authorize(OpenIDParameters(values: request), call)
            }
            if case .notice(let told)? = old { #expect(!told.offersSMS) }
        }
    }

    @Test("a redirect arrives as it is, and so does every reason why there is no page")
    func outcomes() async throws {
        guard case .redirect(ScriptedOpenIDDesk.redirect) = try await step(.redirect(ScriptedOpenIDDesk.redirect))
        else {
            Issue.record("not the redirect")
            return
        }
        let cookie = OpenIDPage.Cookie(name: "remembered-300000000001", secret: String(repeating: "c", count: 43))
        let kept = try await step(.remembering(cookie, .redirect(ScriptedOpenIDDesk.redirect)))
        guard case .remembering(cookie, .redirect(ScriptedOpenIDDesk.redirect)) = kept else {
            Issue.record("not the cookie and the redirect")
            return
        }
        var notice = OpenIDNotice(
            situation: .subscriptionMismatch, language: .traditionalChinese, wayBack: "https://shop.example/?error=x")
        notice.asksForOtherAccount = true
        notice.app = "Shop"
        notice.frameAncestors = ["https://shop.example"]
        notice.look = AppLook(
            logo: ScriptedOpenIDDesk.media.digest,
            fill: AdaptiveColor(light: PageColor(0x2f6b3c), dark: PageColor(0x6fb37e)))
        let stops: [OpenIDStop] = [
            .notice(notice), .person(.addressUnknown, .english, otherWay: nil),
            .developer(OpenIDFailure(.temporarilyUnavailable, "the store did not answer", retriesSoon: false)),
        ]
        for each in stops { #expect(try await stop(each) == each) }
        // A gateway of before refuses members that it does not know.
        let answer = await LinkBrowserAnswer { () async throws(OpenIDStop) in throw .notice(notice) }
        #expect(try answer.json.text.contains("look") && !answer.withoutLook.json.text.contains("look"))
    }

    @Test("over the link a browser gets what the provider decided, and an image whole")
    func remote() async throws {
        let stop = OpenIDStop.person(.scripExpired, .english, otherWay: "https://shop.example/?error=access_denied")
        for desk in [ScriptedOpenIDDesk(), ScriptedOpenIDDesk(stop: stop)] {
            try await inLinkWorld(openID: desk) { world in
                try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                    let pages = RemoteOpenID(remote, pages: OpenIDWorld.pages)
                    let call = ScriptedOpenIDDesk.call(.success(world.sighting(gateway: "gateway-1")))
                    let parameters = OpenIDParameters(values: ["client_id": "1", "state": "x"])
                    do {
                        guard case .redirect(let address) = try await pages.authorize(parameters, call) else { return }
                        #expect(address == ScriptedOpenIDDesk.redirect)
                    } catch { #expect(error as? OpenIDStop == desk.stop) }
                    #expect(desk.seenParameters == [parameters])
                    #expect(desk.calls.first?.sighting == call.sighting)
                    let image = try await pages.media(digest: ScriptedOpenIDDesk.media.digest)
                    let other = try await pages.media(digest: String(repeating: "A", count: 43))
                    #expect(image == ScriptedOpenIDDesk.media)
                    #expect(other == nil)
                    #expect(await pages.mismatch() == nil)
                    do {
                        #expect(try await pages.consents(ending: nil, call) == ScriptedOpenIDDesk.remembered)
                        for ending in [ConsentEnding.all, .one(family: -8)] {
                            #expect(try await pages.consents(ending: ending, call) == [])
                        }
                    } catch { #expect(error as? OpenIDStop == desk.stop) }
                    let decision = BackchannelDecision(family: -7, digest: "d1", isYes: true)
                    for asked in [nil, decision] {
                        do {
                            let waiting = try await pages.requests(deciding: asked, call)
                            #expect(waiting == (asked == nil ? ScriptedOpenIDDesk.waiting : []))
                        } catch { #expect(error as? OpenIDStop == desk.stop) }
                    }
                    #expect(desk.seenDecisions == [nil, decision])
                }
            }
        }
    }

    /// An authority that records its requests.
    private final class OwnLog: OwnLogDesk {
        let asked = Mutex<[String]>([])

        func ownLog(before: Int64?, sighting: Result<Sighting, SightingRefusal>) async throws(Refusal) -> JSON {
            asked.withLock { $0.append("list \(before ?? -1)") }
            return .object(["leaves": .array([])])
        }

        func ownLogProof(
            of leaf: Int64, number: PhoneNumber, sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> JSON {
            asked.withLock { $0.append("proof \(leaf) +\(number.e164)") }
            guard number.e164 == "12025550123" else { throw Refusal(.numberDiffers, "another") }
            return .object(["index": .integer(leaf)])
        }
    }

    @Test(
        """
        over the link a person has their log, and its proofs by the number that they typed; no other gateway asks for \
        them
        """
    )
    func ownLog() async throws {
        let desk = OwnLog()
        try await inLinkWorld(ownLog: desk) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let seen = Result<Sighting, SightingRefusal>.success(world.sighting(gateway: "gateway-1"))
                let list = try await remote.ownLog(before: 4, sighting: seen)
                #expect(list["leaves"] == .array([]))
                let number = try #require(PhoneNumber("+12025550123"))
                let proof = try await remote.ownLogProof(of: 3, number: number, sighting: seen)
                #expect(proof["index"] == .integer(3))
                let other = try #require(PhoneNumber("13800000001"))
                #expect(
                    try await refusal { _ = try await remote.ownLogProof(of: 3, number: other, sighting: seen) }
                        == .numberDiffers)
                let another = Result<Sighting, SightingRefusal>.success(world.sighting(gateway: "gateway-2"))
                #expect(
                    try await refusal { _ = try await remote.ownLogProof(of: 3, number: number, sighting: another) }
                        == .gatewayNotTrusted)
            }
        }
        #expect(desk.asked.withLock { $0 } == ["list 4", "proof 3 +12025550123", "proof 3 +8613800000001"])
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let seen = Result<Sighting, SightingRefusal>.success(world.sighting(gateway: "gateway-1"))
                let outcome = try await refusal { _ = try await remote.ownLog(before: nil, sighting: seen) }
                #expect(outcome == .internalError)
            }
        }
    }

    @Test("pages that gateway and authority say are elsewhere are not shown, readiness says why, and phones go on")
    func otherPages() async throws {
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let pages = RemoteOpenID(remote, pages: "https://other.example.com")
                let sighting = world.sighting(gateway: "gateway-1")
                let stop = await #expect(throws: OpenIDStop.self) {
                    try await pages.answer(ScriptedOpenIDDesk.answer, ScriptedOpenIDDesk.call(.success(sighting)))
                }
                #expect(stop?.situation == .internalError)
                #expect(world.openID.calls.isEmpty)
                #expect(await pages.mismatch()?.contains(OpenIDWorld.pages) == true)
                #expect(remote.warnings.isEmpty)
                _ = try await remote.prefetch(LinkWorld.prefetch, from: world.device(.success(sighting)))
            }
        }
    }

    @Test("nothing that prints these messages shows a credential")
    func secrets() async {
        let call = LinkBrowserCall(
            pages: OpenIDWorld.pages, request: ScriptedOpenIDDesk.answer.json,
            call: ScriptedOpenIDDesk.call(.success(ScriptedDeviceDesk.sighting)))
        let answer = await LinkBrowserAnswer { () async throws(OpenIDStop) in .redirect(ScriptedOpenIDDesk.redirect) }
        let token = LinkBrowserToken(
            request: ScriptedOpenIDDesk.browserTokenRequest, origin: nil, sighting: .failure(.staleAddress))
        var texts = ["\(call)", "\(answer)", "\(token)"]
        var dumped = ""
        dump(call, to: &dumped)
        dump(answer, to: &dumped)
        dump(token, to: &dumped)
        texts.append(dumped)
        for text in texts { for secret in ["sss", "ccc", "c0de", "mmm"] { #expect(!text.contains(secret)) } }
        #expect(call.json.text.contains("sss") && call.json.text.contains("ccc"))
    }
}
