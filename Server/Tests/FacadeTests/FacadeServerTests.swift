import Benji
import BenjiClient
import BenjiPage
import BenjiPolicy
import Foundation
import OneLoginSDK
import OneTapTesting
import ServerTestKit
import Sightings
import Store
import TYRZLogin
import TYRZSDK
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import GeYanSdk
@testable import Requests

/// The facades' static calls, with the real endpoints and a real authority behind them. Key, proof and consent are
/// checked, and the page must be approved where required. The token is redeemed as the app's server does it.
///
/// The carrier that an app's own tests have checks less (`ScriptedCarrier`).
@MainActor @Suite("Facades against a server", .serialized)
struct FacadeServerTests {
    enum SDK: String, CaseIterable, Sendable {
        case oneLogin, oneLoginPro, geYan, geYanPro, tyrzSDK

        /// Those whose document has a tick that may be set at first.
        static let withTick: [Self] = [.oneLogin, .oneLoginPro, .geYan, .geYanPro]
    }

    private let world: AuthorityWorld

    /// The server's policy file is the usual one, but for the thirty days that OneLogin's document gives China
    /// Telecom's tokens.
    init() async throws {
        var policy = CarrierPolicy.standard
        policy.carriers[.telecom]?.lifetimes[.onelogin]?.token = 30 * 86400
        let read = try CarrierPolicy(try JSON(parsing: policy.json.text))
        world = try await AuthorityWorld(policy: read) { @Sendable in $0.phonesWithoutKey = true }
            .restarted { $0.gateways["gateway-1"]?.insert(.telecom) }
    }

    private func page(ticked: Bool = false) -> PageDescription {
        var page = PageDescription(terms: [PageTerm("《用户协议》", url: "https://app.example/agreement")])
        page.terms.tick.isInitiallySet = ticked
        return page
    }

    /// Returns the members of a call's answer as texts, including those about a failure.
    private func heard(
        _ ask: (@escaping @MainActor ([AnyHashable: Any]?) -> Void) -> Void
    ) async -> [String: String] {
        await withCheckedContinuation { continuation in
            ask { answer in
                var texts: [String: String] = [:]
                func note(_ members: [AnyHashable: Any]) {
                    for (name, value) in members {
                        if let inner = value as? [AnyHashable: Any] { note(inner) }
                        texts["\(name)"] = "\(value)"
                    }
                }
                note(answer ?? [:])
                continuation.resume(returning: texts)
            }
        }
    }

    /// Puts the server behind an SDK's calls, and lets somebody log in on a page.
    private func logIn(
        _ sdk: SDK, on page: PageDescription, appKey: String? = nil, bundle: String = AuthorityWorld.bundle,
        from sighting: Sighting? = nil, goesOn: Bool = false,
        meddle: @escaping @Sendable (inout TransportRequest) -> Void = { _ in }
    ) async -> [String: String] {
        var transport = EndpointTransport(world, sighting)
        transport.meddle = meddle
        transport.goesOn = goesOn
        let vendor: OneTapSDK =
            switch sdk {
            case .oneLogin, .oneLoginPro: .oneLogin
            case .geYan, .geYanPro: .geYan
            case .tyrzSDK: .tyrzSDK
            }
        vendor.serve(over: transport, server: EndpointTransport.server, bundleID: bundle, wallClock: world.clock)
        let person = PagePerson(page: page, clock: world.clock)
        let id = world.app.record.id.rawValue
        switch sdk {
        case .oneLogin:
            OneLogin.register(withAppID: id)
            let found = await heard { OneLogin.preGetToken(completion: $0) }
            guard found["status"] == "200" else { return found }
            return await heard { OneLogin.requestToken(with: person, completion: $0) }
        case .oneLoginPro:
            OneLoginPro.register(withAppID: id)
            defer { OneLoginPro.deletePreResultCache() }
            return await heard { OneLoginPro.requestToken(with: person, completion: $0) }
        case .geYan:
            GeYanSdk.start(withAppId: id, withCallback: nil)
            let found = await heard { GeYanSdk.preGetToken($0) }
            guard found["code"] == "30000" else { return found }
            return await heard { GeYanSdk.oneTapLogin(person, andCallback: $0) }
        case .geYanPro:
            GeYanSdk.start(withAppId: id, withCallback: nil)
            defer { GyOneLoginPro.deletePreResultCache() }
            return await heard { GyOneLoginPro.logIn(on: person, $0) }
        case .tyrzSDK:
            TYRZSDK.registerAppId(id, appKey: appKey ?? world.app.key.reveal())
            let found = await heard { TYRZSDK.getPhoneNumber(withTimeout: 0, completion: $0) }
            guard found["resultCode"] == "103000" else { return found }
            return await heard { TYRZSDK.getAuthorization(with: person, completion: $0) }
        }
    }

    @Test(
        "A login on a page that asks first buys a token for which the app's server gets the number",
        arguments: SDK.allCases)
    func login(sdk: SDK) async throws {
        let answer = await logIn(sdk, on: page())
        let token = try #require(answer["token"], "\(answer)")
        #expect(try await world.redeem(nil, token).number == AuthorityWorld.number)
        #expect(try await world.rows().consents == 1)
    }

    @Test(
        "A page that begins ticked buys nothing and is told by the capability's name, until the operator grants it",
        arguments: SDK.withTick)
    func tickedAtFirst(sdk: SDK) async throws {
        let answer = await logIn(sdk, on: page(ticked: true))
        #expect(answer["token"] == nil)
        #expect(answer["description"]?.contains("ticked-page") == true, "\(answer)")
        #expect(try await world.rows().tokens == 0)
        try await world.change { @Sendable in $0.capabilities.insert(.tickedPage) }
        let granted = try #require(await logIn(sdk, on: page(ticked: true))["token"])
        let app = try await world.authority.apps.find(world.app.record.id)
        #expect(try await world.redeem(world.serverCall(app), granted).number == AuthorityWorld.number)
    }

    @Test(
        "A client that goes on with a page that begins ticked is refused by the server; the trace names the capability",
        arguments: SDK.withTick)
    func goesOn(sdk: SDK) async throws {
        let answer = await logIn(sdk, on: page(ticked: true), goesOn: true)
        #expect(answer["token"] == nil && answer["situation"] == "consent_invalid", "\(answer)")
        #expect(try await world.rows().tokens == 0)
        let trace = try #require(answer["processID"].flatMap(TraceID.init(rawValue:)), "\(answer)")
        let told = try await world.authority.traceEvents(trace).map(\.detail)
        #expect(told.contains { $0.contains("ticked-page") }, "\(told)")
    }

    /// TYRZSDK's document has no tick that is set at first, and its pages declare none. So no capability helps, and
    /// none is named.
    @Test("At TYRZSDK a page that begins ticked buys nothing, whatever the operator grants and the client believes")
    func tickedAtTYRZSDK() async throws {
        for (isGranted, goesOn) in [(false, false), (false, true), (true, false)] {
            if isGranted { try await world.change { @Sendable in $0.capabilities.insert(.tickedPage) } }
            let answer = await logIn(.tyrzSDK, on: page(ticked: true), goesOn: goesOn)
            #expect(answer["token"] == nil && answer["resultCode"] == "200042", "\(answer)")
            #expect(answer["desc"] == "授权页异常")
        }
        #expect(try await world.rows().tokens == 0)
        #expect(await logIn(.tyrzSDK, on: page())["token"] != nil)
    }

    @Test(
        "Where pages are reviewed, one that was not approved buys nothing, and the approved one does",
        arguments: SDK.allCases)
    func unapproved(sdk: SDK) async throws {
        try await world.change { @Sendable in $0.requiresPageReview = true }
        let answer = await logIn(sdk, on: page())
        #expect(answer["token"] == nil)
        #expect(try await world.rows().tokens == 0)
        let digest = try page().digest()
        try await world.change { @Sendable in $0.approvedContent = [digest] }
        #expect(await logIn(sdk, on: page())["token"] != nil)
        // Another word on the page is another page.
        var changed = page()
        changed.switchButton.title.text = LocalizedText("换一个")
        #expect(await logIn(sdk, on: changed)["token"] == nil)
    }

    @Test("A wrong app key, another app's bundle id, and a request that was changed on its way are refused")
    func refused() async throws {
        #expect(await logIn(.tyrzSDK, on: page(), appKey: "not the key")["resultCode"] == "200041")
        #expect(await logIn(.oneLogin, on: page(), bundle: "com.example.other")["situation"] == "bundle_mismatch")
        let changed = await logIn(.geYan, on: page(), meddle: { $0.body.append(UInt8(ascii: " ")) })
        #expect(changed["situation"] == "proof_invalid", "\(changed)")
        #expect(try await world.rows().tokens == 0)
    }

    @Test("A token of China Telecom's lives thirty days, if the operator's policy says so as OneLogin's document does")
    func thirtyDays() async throws {
        let number = PhoneNumber("18900000003")!
        let telecom = try await world.register.observe([
            SubscriberObservation(
                number: number, imsi: "460110000000003", carrier: .telecom, eventTime: world.clock.now)
        ])[0]
        for (days, isGood) in [(29, true), (31, false)] {
            let answer = await logIn(.oneLogin, on: page(), from: world.sighting(telecom, carrier: .telecom))
            #expect(answer["operatorType"] == "CT", "\(answer)")
            let token = try #require(answer["token"], "\(answer)")
            world.clock.advance(by: .seconds(days * 86400))
            let released = try? await world.redeem(nil, token).number
            #expect((released == number) == isGood, "after \(days) days")
        }
    }

    @Test("A token of another carrier's lives ten minutes at most under the same policy")
    func otherCarriers() async throws {
        let token = try #require(await logIn(.oneLogin, on: page())["token"])
        world.clock.advance(by: .seconds(601))
        await #expect(throws: Refusal.self) { try await world.redeem(nil, token) }
    }

    @Test("TYRZLogin's token says yes to the phone's own number, and releases none")
    func implicit() async throws {
        OneTapSDK.tyrzLogin.serve(
            over: EndpointTransport(world), server: EndpointTransport.server, bundleID: AuthorityWorld.bundle,
            wallClock: world.clock)
        let answer = await heard { hear in
            TYRZLogin.loginImplicitly(
                withAppId: world.app.record.id.rawValue, appkey: world.app.key.reveal(), capaId: "1", capaIdTime: nil,
                scene: nil, complete: { hear($0 as? [AnyHashable: Any]) })
        }
        let token = try #require(answer["token"], "\(answer)")
        await #expect(throws: Refusal.self) { try await world.redeem(nil, token) }
    }
}
