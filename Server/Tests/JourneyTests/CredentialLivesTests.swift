import BenjiClient
import BenjiPage
import Gateway
import Sandbox
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

/// The end of a credential by changes to the session, the address, the SIM and the owner: the table of decision 30.
/// Each row has a test, and each cell has a check in it.
@Suite("What ends a credential", .serialized)
struct CredentialLivesTests {
    private static let address = "127.20.0.2"
    private static let elsewhere = "127.20.0.3"
    private static let verifier = "verifier-of-forty-three-characters-or-more-0123"
    /// The SHA-256 of it, as base64url.
    private static let challenge = "PaD45rWsgZ3NYboLD2Oy5yNv6zEHVnKUj4wBP9HrJhk"

    /// The credentials that one person has earned before something happens.
    private struct Earned {
        var page: (secret: String, cookie: OpenIDPage.Cookie)
        var token: LoginToken
        var code: String
        var access: String
    }

    /// Whether each credential is valid afterwards.
    private struct Left: Equatable, CustomStringConvertible {
        var page, token, code, access: Bool
        var description: String { "page \(page), token \(token), code \(code), access token \(access)" }
    }

    /// The provider of a world, its client, and the browsers that reach it.
    private struct Web {
        let world: JourneyWorld
        let provider: OpenIDProvider
        let secret: String
        let gateway: GatewayService

        init(_ world: JourneyWorld) async throws {
            self.world = world
            let installation = world.installation
            provider = OpenIDProvider(
                configuration: .init(issuer: "https://id.example", pages: "https://gw.example"),
                authority: installation.authority, store: installation.store)
            gateway = try #require(world.server.services.lazy.compactMap { $0 as? GatewayService }.first)
            var registration = OpenIDClients.Registration(
                appID: world.app.record.id,
                page: PageDescription(terms: [
                    PageTerm("《用户协议》", url: "https://shop.example/agreement"),
                    PageTerm("《隐私政策》", url: "https://shop.example/privacy"),
                ]))
            registration.redirectURIs = ["https://shop.example/callback"]
            registration.authentication = .clientSecretBasic
            secret = try #require(try await installation.openIDClients.register(registration, by: .test).secret)
                .reveal()
        }

        private func call(at address: String, _ cookie: OpenIDPage.Cookie? = nil) -> OpenIDProvider.BrowserCall {
            OpenIDProvider.BrowserCall(
                cookies: cookie.map { [$0.name: $0.secret] } ?? [:], languages: [],
                sighting: gateway.sighting(
                    from: InternetAddress(address)!, port: 40001, domain: "default", claimedLocalAddress: nil))
        }

        func open(at address: String) async throws -> (secret: String, cookie: OpenIDPage.Cookie) {
            let parameters = OpenIDParameters(values: [
                "client_id": world.app.record.id.rawValue, "redirect_uri": "https://shop.example/callback",
                "response_type": "code", "scope": "openid phone", "code_challenge_method": "S256",
                "code_challenge": CredentialLivesTests.challenge,
            ])
            let step = try await provider.authorize(parameters, call(at: address))
            guard case .page(let page) = step else { throw Refusal(.internalError, "no page") }
            return (page.secret, try #require(page.cookie))
        }

        /// The code that a tap buys; `nil` if it buys none.
        func tap(_ page: (secret: String, cookie: OpenIDPage.Cookie), at address: String) async throws -> String? {
            let answer = OpenIDProvider.PageAnswer(secret: page.secret, action: "login", isAgreed: true, digits: "")
            do {
                guard case .redirect(let uri) = try await provider.answer(answer, call(at: address, page.cookie)) else {
                    return nil
                }
                return uri.firstMatch(of: /[?&]code=([^&]*)/).map { String($0.1) }
            } catch { return nil }
        }

        func exchange(_ code: String) async throws -> String? {
            let basic = "\(world.app.record.id.rawValue):\(secret)"
            let credentials = ClientCredentials(
                authorization: "Basic " + Self.base64(basic),
                parameters: OpenIDParameters(values: [
                    "grant_type": "authorization_code", "code": code, "redirect_uri": "https://shop.example/callback",
                    "code_verifier": CredentialLivesTests.verifier,
                ]), peer: InternetAddress("127.0.2.1"))
            return try? await provider.token(credentials)["access_token"]?.stringValue
        }

        func number(_ access: String) async throws -> String? {
            try? await provider.userInfo(
                .init(authorization: "Bearer \(access)", peer: InternetAddress("127.0.2.1")))["phone_number"]?
                .stringValue
        }

        private static func base64(_ text: String) -> String {
            let url = Base64URL.encode(Array(text.utf8)).replacing("-", with: "+").replacing("_", with: "/")
            return url + String(repeating: "=", count: (4 - url.count % 4) % 4)
        }

        func earn(at address: String) async throws -> Earned {
            let token = try await world.engine(on: world.phone(address)).logIn(with: ScriptedPerson())
            let codes = [
                try await tap(try await open(at: address), at: address),
                try await tap(try await open(at: address), at: address),
            ]
            let access = try await exchange(try #require(codes[1]))
            return Earned(
                page: try await open(at: address), token: token, code: try #require(codes[0]),
                access: try #require(access))
        }

        /// - Parameter address: where the person who opened the page taps now.
        func left(of earned: Earned, at address: String) async throws -> Left {
            let number = "+" + world.sims[0].number.e164
            let tapped = try await tap(earned.page, at: address)
            let exchanged = try await exchange(earned.code)
            let told = [
                try await self.number(earned.access), try await self.number(exchanged ?? ""),
            ]
            #expect(told.allSatisfy { $0 == nil || $0 == number }, "what comes back is never anybody else's")
            return Left(
                page: tapped != nil, token: try await world.redeem(earned.token) == "103000", code: exchanged != nil,
                access: told[0] != nil)
        }
    }

    /// Earns everything, lets something happen, and checks the remaining credentials.
    private func after(
        tappedAt address: String = CredentialLivesTests.address,
        _ happen: @Sendable @escaping (JourneyWorld, VirtualPacketCore.Session) async throws -> Void,
        expect: Left
    ) async throws {
        try await JourneyWorld.play { world in
            let session = try await world.attach(world.sims[0], at: Self.address)
            let web = try await Web(world)
            let earned = try await web.earn(at: Self.address)
            try await JourneyWorld.nextSecond()
            try await happen(world, session)
            let left = try await web.left(of: earned, at: address)
            #expect(left == expect)
        }
    }

    @Test("nothing happens: a page can be answered, and token, code and access token are good")
    func nothing() async throws {
        try await after({ _, _ in }, expect: Left(page: true, token: true, code: true, access: true))
    }

    @Test(
        """
        the session ends and the network says so in time: what was earned stays its owner's, and no page is answered \
        there
        """
    )
    func sessionEnds() async throws {
        try await after(
            { world, session in _ = try await world.core.detach(session) },
            expect: Left(page: false, token: true, code: true, access: true))
    }

    @Test(
        """
        the address passes to somebody else, and its end was told in time: the new holder cannot answer the page, the \
        rest stays the first one's
        """
    )
    func addressPassesOn() async throws {
        try await after(
            { world, session in
                _ = try await world.core.detach(session)
                try await JourneyWorld.nextSecond()
                _ = try await world.attach(world.sims[1], at: Self.address)
            }, expect: Left(page: false, token: true, code: true, access: true))
    }

    @Test("the person comes back at another address: the page can be answered there, and the rest is good")
    func reconnects() async throws {
        try await after(
            tappedAt: Self.elsewhere,
            { world, session in
                _ = try await world.core.detach(session)
                try await JourneyWorld.nextSecond()
                _ = try await world.attach(world.sims[0], at: Self.elsewhere)
            }, expect: Left(page: true, token: true, code: true, access: true))
    }

    @Test(
        """
        the address passes on and its end was lost: nobody knows whose requests the last ones were, and all of it is \
        dead
        """
    )
    func endIsLost() async throws {
        try await after(
            { world, _ in _ = try await world.attach(world.sims[1], at: Self.address) },
            expect: Left(page: false, token: false, code: false, access: false))
    }

    @Test("the SIM is replaced: all of it is dead")
    func newSIM() async throws {
        try await after(
            tappedAt: Self.elsewhere,
            { world, session in
                _ = try await world.core.detach(session)
                try await JourneyWorld.nextSecond()
                var sim = world.sims[0]
                sim.imsi = "460000000000077"
                _ = try await world.attach(sim, at: Self.elsewhere)
            }, expect: Left(page: false, token: false, code: false, access: false))
    }

    @Test("the number is given to somebody else: all of it is dead")
    func newOwner() async throws {
        try await after(
            tappedAt: Self.elsewhere,
            { world, session in
                _ = try await world.core.detach(session)
                let now = SystemWallClock().now
                _ = try await world.installation.register.reassign(world.sims[0].number, at: now)
                try await JourneyWorld.nextSecond()
                var sim = world.sims[0]
                sim.imsi = "460000000000088"
                _ = try await world.attach(sim, at: Self.elsewhere)
            }, expect: Left(page: false, token: false, code: false, access: false))
    }
}
