package import AppAttest
package import AppAttestModel
package import Authority
package import BenjiProtocol
package import Requests
import Store

/// An install with a key of App Attest: a model of the phone's chip, under a root that the world's server is told to
/// trust.
package struct AttestedInstall {
    package static let team = "A1B2C3D4E5"
    package static let appleID = "\(team).\(AuthorityWorld.bundle)"

    package let authority: ModelAuthority
    package let enclave: ModelEnclave
    package let key: [UInt8]
    package var keyID: String { Base64URL.encode(key) }

    package init(_ world: AuthorityWorld, under authority: ModelAuthority? = nil) throws {
        let authority = try authority ?? ModelAuthority(at: world.clock.now - .seconds(86400))
        self.authority = authority
        enclave = ModelEnclave(authority: authority, clock: world.clock)
        key = enclave.makeKey()
    }

    /// A world whose app takes keys of App Attest, and an install whose key is not registered yet.
    package static func world(
        _ change: (inout Apps.Registration) -> Void = { _ in }
    ) async throws -> (AuthorityWorld, AttestedInstall) {
        var world = try await AuthorityWorld { registration in
            registration.appleTeam = team
            change(&registration)
        }
        let install = try AttestedInstall(world)
        world.trust(try AppAttestVerifier(pem: install.authority.rootPEM))
        return (world, install)
    }

    /// Returns the phone's request to register its key.
    package func registration(
        _ world: AuthorityWorld, signer: SoftwareDeviceSigner? = nil, device: DeviceCall? = nil,
        environment: AppAttestEnvironment = .production, appleID: String = Self.appleID, challenge: String? = nil
    ) throws -> (AttestationRequest, DeviceCall) {
        let device = try device ?? world.call(signer)
        let app = world.app.record.id
        let challenge = challenge ?? world.authority.attestationChallenge(for: app)
        let hash = AttestationRequest.clientDataHash(
            appID: app, challenge: challenge, keyThumbprint: device.proof.key.thumbprint)
        let evidence = try enclave.attest(key, clientDataHash: hash, appleID: appleID, environment: environment)
        return (
            AttestationRequest(
                appID: app, bundleID: AuthorityWorld.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: world.app.key.reveal(), appID: app, proofID: device.proof.id,
                    keyThumbprint: device.proof.key.thumbprint), format: .appAttest, keyID: keyID,
                challenge: challenge, evidence: evidence ?? []), device
        )
    }

    package func register(_ world: AuthorityWorld, signer: SoftwareDeviceSigner? = nil) async throws {
        let (request, device) = try registration(world, signer: signer)
        try await world.authority.register(request, from: device)
    }

    /// A call with an assertion over its proof.
    package func call(
        _ world: AuthorityWorld, signer: SoftwareDeviceSigner? = nil, appleID: String = Self.appleID,
        challenge: String? = nil
    ) throws -> DeviceCall {
        var call = try world.call(signer)
        call.attestation = try assertion(world, over: call.proof, appleID: appleID, challenge: challenge)
        return call
    }

    package func assertion(
        _ world: AuthorityWorld, over proof: DeviceProof, appleID: String = Self.appleID, challenge: String? = nil
    ) throws -> String {
        let app = world.app.record.id
        let challenge = challenge ?? world.authority.attestationChallenge(for: app)
        let hash = KeyAssertion.clientDataHash(appID: app, challenge: challenge, proof: proof)
        let evidence = try enclave.assert(key, clientDataHash: hash, appleID: appleID) ?? []
        return KeyAssertion(keyID: keyID, challenge: challenge, evidence: evidence).text
    }
}

extension AuthorityWorld {
    /// The same world, whose server trusts these roots of App Attest.
    package mutating func trust(_ verifier: AppAttestVerifier?) {
        var configuration = authority.configuration
        configuration.appAttest = verifier
        authority = Authority(
            configuration: configuration, store: store, vault: vault, clock: clock, logger: Self.logger)
    }

    /// The same world, whose server trusts the root of this install.
    package mutating func trust(_ install: AttestedInstall) throws {
        trust(try AppAttestVerifier(pem: install.authority.rootPEM))
    }
}
