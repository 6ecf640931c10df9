@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority

/// A device behind somebody's hotspot has their address and, out of the app's package, its id and key. No attester vouches for it,
/// so what it earns is `net`.
@Suite("A guest behind the holder's hotspot") struct FaceGuestTests {
    /// What the guest gets to with a token that his own device earned at the holder's address.
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
            #expect(try await world.world.authority.faceAccounts.counts().accounts == 0)
            // Nor does he use up the comparisons of a holder who has an account, or learn that there is one.
            let login = try await world.enrol()
            for _ in 0..<20 { #expect(try await enrol(world) == .assuranceTooLow) }
            _ = try await world.logIn(login.remembered)
        }
    }

    @Test(
        "NOT STOPPED at net: a guest with the copied app key ties his face to the holder's number, and shuts the holder out"
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
}
