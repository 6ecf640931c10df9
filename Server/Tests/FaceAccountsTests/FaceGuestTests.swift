import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import Requests

/// A device behind another person's hotspot has that person's address and, out of the app's package, its id and key. No
/// attester vouches for it, so it earns `net`.
@Suite("A guest behind the holder's hotspot") struct FaceGuestTests {
    static let address = InternetAddress("203.0.113.7")!

    /// Returns the refusal of the guest, whose token his own device earned at the holder's address.
    private func enrol(_ world: FaceWorld) async throws -> Situation? {
        let token = try await world.token(attested: false)
        return try await refusal {
            let begun = try await world.begin(.login, .oneTap(token))
            try await world.agree(begun)
            try await world.show(FaceWorld.stranger, in: begun.session)
            _ = try await world.finish(begun, name: "客人")
        }
    }

    @Test("A guest with the copied app key ties no face to the holder's number, whatever the app itself accepts")
    func guest() async throws {
        try await withFaceWorld { world in
            #expect(world.app.record.leastAssurance == .net)
            #expect(try await enrol(world) == .assuranceTooLow)
            #expect(try await world.accounts.counts().accounts == 0)
            // Nor does he use up the comparisons of a holder who has an account, or learn that there is one.
            let login = try await world.enrol()
            for _ in 0..<20 { #expect(try await enrol(world) == .assuranceTooLow) }
            _ = try await world.logIn(login.remembered)
        }
    }

    @Test(
        """
        NOT STOPPED at net: a guest with the copied app key ties his face to the holder's number, and shuts the holder \
        out
        """
    )
    func weakerSetting() async throws {
        try await withFaceWorld(
            configured: { $0.leastAssurance = .net },
            { world in
                #expect(try await enrol(world) == nil)
                let begun = try await world.begin(.login, .oneTap(try await world.token()))
                #expect(!begun.isNewAccount)
                guard case .failed(let failure) = try await world.show(FaceWorld.owner, in: begun.session) else {
                    Issue.record("the holder got into the guest's account")
                    return
                }
                #expect(failure.situation == .faceDiffers)
            })
    }

    @Test("The higher of the operator's floor and the app's own counts, and a token that is refused stays unspent")
    func higher() async throws {
        for (floor, own, expected) in [
            (.net, .netAppAddress, .assuranceTooLow), (.netAppAddress, .net, .assuranceTooLow), (.netApp, .netApp, nil),
        ] as [(Assurance, Assurance, Situation?)] {
            try await withFaceWorld(
                configured: { $0.leastAssurance = floor },
                { world in
                    let token = try await world.token()
                    _ = try await world.world.authority.apps.change(world.app.record.id) { $0.leastAssurance = own }
                    #expect(try await refusal { _ = try await world.begin(.login, .oneTap(token)) } == expected)
                    _ = try await world.world.authority.apps.change(world.app.record.id) { $0.leastAssurance = .net }
                    if expected != nil {
                        let app = try await world.world.authority.apps.find(world.app.record.id)
                        let released = try await world.world.redeem(world.serverCall(app), token)
                        #expect(released.number == AuthorityWorld.number)
                    }
                })
        }
    }

    // MARK: what he uses up

    /// App tokens for new keys, until even the slow ones run out.
    private func flood(_ world: FaceWorld) async throws {
        for _ in 0..<400 {
            do { _ = try await world.appToken(at: Self.address, of: SoftwareDeviceSigner()) } catch is Refusal {}
        }
    }

    @Test(
        "A guest who uses up his address's app tokens holds up neither the attested phone nor one that has an account")
    func appTokens() async throws {
        try await withFaceWorld(configured: { $0.addressAppTokens = 2 }, heldUp)
    }

    private func heldUp(_ world: FaceWorld) async throws {
        let login = try await world.enrol()
        let waiting = SoftwareDeviceSigner()
        _ = try await world.appToken(at: Self.address, of: waiting)
        try await flood(world)
        let another = SoftwareDeviceSigner()
        #expect(
            try await refusal { _ = try await world.appToken(at: Self.address, of: another) } == .tooManyRequests)
        // Attested, and new to the server.
        _ = try await world.appToken(at: Self.address, of: SoftwareDeviceSigner(), attested: true)
        // Not attested, and with an app token; or with an account, also after a restart.
        _ = try await world.appToken(at: Self.address, of: waiting)
        _ = try await world.appToken(at: Self.address, of: world.phone)
        let restarted = world.restarted()
        try await flood(restarted)
        _ = try await restarted.appToken(at: Self.address, of: world.phone)
        _ = try await restarted.logIn(login.remembered)
        // And somebody new is slowed, not shut out.
        world.world.clock.advance(by: .seconds(1))
        let brief = try await world.appTokenResponse(at: Self.address, of: another)
        #expect(brief.appTokenLifetime == FaceProvider.Lifetime.briefAppToken)
        let next = try await world.appTokenResponse(at: Self.address, of: another)
        #expect(next.appTokenLifetime == FaceProvider.Lifetime.briefAppToken, "a brief one buys no full one")
    }

    @Test("An attestation for another app or key, or without a challenge, is refused where it would be counted")
    func wrongAttestation() async throws {
        try await withFaceWorld { world in
            let key = SoftwareDeviceSigner()
            for change in ["another key", "another app", "no challenge"] {
                let attestation = try ClientAttestation(
                    appID: change == "another app" ? AppID(rawValue: "300000000099")! : world.app.record.id,
                    bundleID: AuthorityWorld.bundle,
                    keyThumbprint: change == "another key"
                        ? world.phone.publicKey.thumbprint : key.publicKey.thumbprint,
                    issuedAt: world.world.clock.now, expiresAt: world.world.clock.now + .seconds(60),
                    challenge: change == "no challenge"
                        ? nil : world.world.authority.attestationChallenge(for: world.app.record.id)
                ).signed(by: world.world.attester)
                var call = try world.call(at: Self.address, of: key)
                call.attestation = attestation
                let wrong = call
                #expect(
                    try await refusal { _ = try await world.appTokenResponse(wrong) } == .attestationInvalid,
                    "\(change)")
            }
        }
    }

    @Test("Searches and questions of a guest hold up neither the attested phone nor one that has an account")
    func searches() async throws {
        try await withFaceWorld(
            capabilities: FaceSearchTests.capabilities,
            configured: {
                $0.addressSearches = 2
                $0.addressQuestions = 2
            }, searchesAndQuestions)
    }

    private func searchesAndQuestions(_ world: FaceWorld) async throws {
        let first = try await world.enrolForGroups()
        let group = try await world.group(of: [first.openID])
        /// Whether a search and a question of this key are refused.
        func ask(_ key: SoftwareDeviceSigner, attested: Bool = false) async throws -> [Situation?] {
            let token = try await world.appToken(of: key, attested: attested)
            let search = try await refusal {
                _ = try await world.faces.searchBegin(
                    FaceSearchBeginRequest(appToken: token, group: group),
                    from: try world.call(at: Self.address, of: key))
            }
            let question = try await refusal {
                _ = try await world.faces.state(
                    FaceStateRequest(appToken: token, uid: "u"), from: try world.call(at: Self.address, of: key))
            }
            return [search, question]
        }
        for _ in 0..<2 { #expect(try await ask(SoftwareDeviceSigner()) == [nil, nil]) }
        #expect(try await ask(SoftwareDeviceSigner()) == [.tooManyRequests, .tooManyRequests])
        #expect(try await ask(SoftwareDeviceSigner(), attested: true) == [nil, nil])
        #expect(try await ask(world.phone) == [nil, nil])
    }

    @Test("Requests of a guest use up his address's, and those of a phone with an app token are its own")
    func requests() async throws {
        try await withFaceWorld(
            configured: {
                $0.requests = 5
                $0.addressRequests = 3
            }, otherRequests)
    }

    private func otherRequests(_ world: FaceWorld) async throws {
        func ask(_ key: SoftwareDeviceSigner, _ token: String) async throws -> Situation? {
            try await refusal {
                _ = try await world.faces.state(
                    FaceStateRequest(appToken: token, uid: "u"), from: try world.call(at: Self.address, of: key))
            }
        }
        let (phone, guest) = (SoftwareDeviceSigner(), SoftwareDeviceSigner())
        let (own, his) = (try await world.appToken(of: phone), try await world.appToken(of: guest))
        var answered = 0
        for _ in 0..<20 { if try await ask(guest, his) == nil { answered += 1 } }
        #expect(answered == 8, "his own and the address's")
        for _ in 0..<5 { #expect(try await ask(phone, own) == nil) }
        #expect(try await ask(phone, own) == .tooManyRequests)
        world.world.clock.advance(by: .seconds(1))
        for _ in 0..<2 { #expect(try await ask(phone, own) == nil) }
    }
}
