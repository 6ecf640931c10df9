import Foundation
import ServerTestKit
import Store
import Testing
import X509

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

/// The provider of an ``OpenIDWorld`` where clients show certificates, and an authority that it trusts.
struct MutualTLSWorld {
    static let address = "https://mtls.id.example.com"

    let world: OpenIDWorld
    let provider: OpenIDProvider
    let authority: CertificateMaker

    static func visit(_ body: (MutualTLSWorld) async throws -> Void) async throws {
        try await OpenIDWorld.visit { world in
            let moment = Date(timeIntervalSince1970: Double(world.clock.now.seconds))
            let authority = try CertificateMaker(at: moment)
            let authorities = ClientAuthorities()
            try authorities.replace(pem: try authority.pem)
            try await body(
                MutualTLSWorld(
                    world: world,
                    provider: OpenIDProvider(
                        configuration: .init(issuer: OpenIDWorld.issuer, pages: OpenIDWorld.pages, mutualTLS: address),
                        authority: world.authority, store: world.store, clientAuthorities: authorities),
                    authority: authority))
        }
    }

    var shop: String { world.shop.record.id.rawValue }

    /// A certificate as a connection shows it.
    static func shown(_ issued: CertificateMaker.Issued) throws -> ClientCertificate {
        try #require(ClientCertificate(try issued.bytes))
    }

    /// Has the shop authenticate by a certificate with a name.
    func register(_ name: CertificateName, bindsToCertificate: Bool = false) async throws {
        _ = try await world.clients.set(world.shop.record.id) { client in
            client.authentication = .tlsClientAuth
            client.certificateName = name
            client.bindsToCertificate = bindsToCertificate
        }
    }

    /// The shop's server exchanges a code.
    func exchange(
        _ code: String, _ certificate: ClientCertificate?, _ changes: [String: String?] = [:],
        authorization: String? = nil, proof: PresentedProof? = nil
    ) async throws -> JSON {
        var form = [
            "client_id": shop, "grant_type": "authorization_code", "code": code, "redirect_uri": OpenIDWorld.callback,
            "code_verifier": OpenIDLogin.verifier,
        ]
        for (name, value) in changes { form[name] = value }
        return try await provider.token(
            ClientCredentials(
                authorization: authorization, parameters: try OpenIDParameters(form.map { ($0.key, $0.value) }),
                peer: InternetAddress("203.0.113.7"), proof: proof, certificate: certificate))
    }

    /// Why the shop's server gets nothing for a code; `nil` if it gets its tokens.
    func refusal(
        _ code: String, _ certificate: ClientCertificate?, _ changes: [String: String?] = [:],
        authorization: String? = nil
    ) async throws -> OAuthError? {
        do { _ = try await exchange(code, certificate, changes, authorization: authorization) } catch let failure
            as OpenIDFailure
        {
            return failure.error
        }
        return nil
    }

    /// Whether an access token opens userinfo over a connection with this certificate.
    func opens(_ token: String, _ certificate: ClientCertificate?) async throws -> Bool {
        do {
            let call = OpenIDProvider.BearerCall(
                authorization: "Bearer \(token)", peer: InternetAddress("203.0.113.7"), certificate: certificate)
            return try await provider.userInfo(call)["phone_number"] != nil
        } catch let failure as OpenIDFailure {
            #expect(failure.error == .invalidToken)
            return false
        }
    }
}

extension NaiveProvider {
    /// Accepts a certificate whose subject contains the client's name. Its issuer, dates and purpose are not checked.
    func takesCertificate(_ certificate: ClientCertificate, of name: String) -> Bool {
        "\(certificate.certificate.subject)".contains(name)
    }

    /// A client is known by whatever it brings that is right.
    func takesClient(secret: String?, registered: String, certificate: ClientCertificate?, name: String) -> Bool {
        secret == registered || certificate.map { takesCertificate($0, of: name) } == true
    }

    /// Accepts a token from any holder. Its binding is left to the client.
    func takesToken(_ token: String, of tokens: [String: ClientCertificate], over _: ClientCertificate?) -> Bool {
        tokens[token] != nil
    }
}
