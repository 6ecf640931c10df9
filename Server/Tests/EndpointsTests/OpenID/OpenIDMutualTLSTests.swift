import Crypto
import Foundation
import HTTPTypes
import NIOSSL
import ServerTestKit
import Store
import SwiftASN1
import Testing
import X509

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

@Suite("OpenID Connect: mutual TLS (RFC 8705)")
struct OpenIDMutualTLSTests {
    private typealias World = MutualTLSWorld

    private static func subject(_ common: String = "client") throws -> DistinguishedName {
        try DistinguishedName {
            CountryName("CN")
            OrganizationName("Example, Inc.")
            CommonName(common)
        }
    }

    private static let subjectDN = CertificateName(.subjectDN, #"CN=client,O=Example\, Inc.,C=CN"#)

    // MARK: - Client authentication

    @Test(
        "a certificate of a trusted authority is the client's whose name it has: as subject, DNS name, URI or address")
    func names() async throws {
        try await World.visit { world in
            let address = try #require(InternetAddress("2001:db8::7"))
            let issued = try world.authority.issue(
                subject: try Self.subject(), hosts: ["other.example", "Client.Example"],
                uris: ["https://client.example/A"],
                names: [.ipAddress(ASN1OctetString(contentBytes: address.bytes[...]))], usages: [.clientAuth])
            let certificate = try World.shown(issued)
            for name in [
                Self.subjectDN, CertificateName(.subjectDN, "2.5.4.3=client, o=Example\\2c Inc. , c=CN"),
                CertificateName(.dns, "client.example"), CertificateName(.uri, "https://client.example/A"),
                CertificateName(.ip, "2001:DB8:0::7"),
            ] {
                try await world.register(name)
                let tokens = try await world.exchange(try await world.world.code(), certificate)
                #expect(tokens["token_type"] == "Bearer" && tokens["id_token"] != nil, "\(name)")
                let token = try #require(tokens["access_token"]?.stringValue)
                #expect(try await world.opens(token, nil), "not bound unless the client is registered so")
            }
            for name in [
                CertificateName(.subjectDN, #"C=CN,O=Example\, Inc.,CN=client"#),
                CertificateName(.subjectDN, #"CN=Client,O=Example\, Inc.,C=CN"#),
                CertificateName(.subjectDN, "CN=client"), CertificateName(.dns, "client.example.org"),
                CertificateName(.uri, "https://client.example/a"), CertificateName(.dns, "client"),
                CertificateName(.ip, "2001:db8::8"),
            ] {
                try await world.register(name)
                #expect(try await world.refusal(try await world.world.code(), certificate) == .invalidClient, "\(name)")
            }
        }
    }

    @Test("a caller is proven by its client's secret, certificate or token, and by no other certificate")
    func proven() async throws {
        try await World.visit { world in
            let moment = Date(timeIntervalSince1970: Double(world.world.clock.now.seconds))
            let subject = try Self.subject()
            let anybodys = try World.shown(try CertificateMaker(at: moment).issue(subject: subject))
            let own = try World.shown(try world.authority.issue(subject: subject))
            func proves(_ certificate: ClientCertificate?, secret: String? = nil) async -> Bool {
                let header = secret.map { world.world.basic(secret: $0)[.authorization] ?? "" }
                return await ServerTestKit.proves {
                    _ = try await world.exchange("no-code", certificate, authorization: header)
                }
            }
            #expect(await proves(anybodys, secret: world.world.secret))
            #expect(await !proves(anybodys, secret: "another"))
            #expect(await !proves(anybodys))
            let token = try await world.world.accessToken()
            #expect(await ServerTestKit.proves { _ = try await world.opens(token, anybodys) })
            let other = String(token.reversed())
            #expect(await !ServerTestKit.proves { _ = try await world.opens(other, anybodys) })
            try await world.register(Self.subjectDN)
            #expect(await proves(own))
            #expect(await !proves(anybodys))
        }
    }

    @Test(
        """
        a certificate of another, of another authority, of another time, of a server, or signed by its own key is \
        nobody's, whatever its name
        """
    )
    func foreignCertificates() async throws {
        try await World.visit { world in
            try await world.register(Self.subjectDN)
            let subject = try Self.subject()
            let moment = Date(timeIntervalSince1970: Double(world.world.clock.now.seconds))
            let stranger = try CertificateMaker(at: moment)
            let code = try await world.world.code()
            let (mine, wrong) = (
                try World.shown(try world.authority.issue(subject: subject)),
                [
                    ("another's", try world.authority.issue(subject: try Self.subject("client-of-another"))),
                    ("of another authority of the same name", try stranger.issue(subject: subject)),
                    ("expired", try world.authority.issue(subject: subject, valid: -3600 ... -1)),
                    ("not yet", try world.authority.issue(subject: subject, valid: 60...3600)),
                    ("a server's", try world.authority.issue(subject: subject, usages: [.serverAuth])),
                    ("signed by its own key", try world.authority.issue(subject: subject, isSelfSigned: true)),
                ]
            )
            for (name, issued) in wrong {
                let certificate = try World.shown(issued)
                #expect(try await world.refusal(code, certificate) == .invalidClient, "\(name)")
                #expect(NaiveProvider().takesCertificate(certificate, of: "CN=client"), "the double takes \(name)")
            }
            #expect(try await world.refusal(code, nil) == .invalidClient)
            let own = try #require(ClientCertificate(try world.authority.certificate.toDERBytes()))
            #expect(try await world.refusal(code, own) == .invalidClient, "the authority's own")
            #expect(try await world.refusal(code, mine) == nil, "the code is still good for its client")
            // A connection may outlive its certificate.
            world.world.clock.advance(by: .seconds(3601))
            #expect(try await world.refusal(try await world.world.code(), mine) == .invalidClient)
        }
    }

    @Test("a certificate that is registered itself is the client's, whoever signed it, and no other with its name is")
    func selfSigned() async throws {
        try await World.visit { world in
            let (first, second) = (
                try world.authority.issue(subject: try Self.subject(), isSelfSigned: true),
                try world.authority.issue(subject: try Self.subject(), isSelfSigned: true)
            )
            func register(_ pem: String) async throws -> OpenIDClientRecord {
                try await world.world.clients.set(world.world.shop.record.id) { client in
                    client.authentication = .selfSignedTLSClientAuth
                    client.keySet = try? ClientKeySet.text(ofCertificates: pem)
                }.record
            }
            let kept = try await register(try first.pem)
            #expect(kept.secrets.isEmpty && kept.keySet?.contains("x5c") == true)
            let code = try await world.world.code()
            let double = try World.shown(second)
            #expect(try await world.refusal(code, double) == .invalidClient)
            #expect(NaiveProvider().takesCertificate(double, of: "CN=client"))
            let trusted = try World.shown(try world.authority.issue(subject: try Self.subject()))
            #expect(try await world.refusal(code, trusted) == .invalidClient, "no authority helps")
            #expect(try await world.refusal(code, try World.shown(first)) == nil)
            _ = try await register(try first.pem + "\n" + second.pem)
            for each in [first, second] {
                #expect(try await world.refusal(try await world.world.code(), try World.shown(each)) == nil, "both")
            }
            _ = try await register(try second.pem)
            #expect(
                try await world.refusal(try await world.world.code(), try World.shown(first)) == .invalidClient,
                "a certificate that is registered no more")
        }
    }

    @Test("a client of mutual TLS has no weaker way in, and no other client is known by its certificate")
    func noDowngrade() async throws {
        try await World.visit { world in
            let certificate = try World.shown(try world.authority.issue(subject: try Self.subject()))
            let code = try await world.world.code()
            let basic = try #require(world.world.basic()[.authorization])
            #expect(try await world.refusal(code, certificate) == .invalidClient, "it is registered for a secret")
            try await world.register(Self.subjectDN)
            let secret = ["client_secret": world.world.secret]
            let assertion = [
                "client_assertion_type": ProviderContext.assertionType,
                "client_assertion": try world.world.assertion(subject: world.shop),
            ]
            for shown in [nil, certificate] {
                #expect(try await world.refusal(code, shown, authorization: basic) == .invalidClient)
                #expect(try await world.refusal(code, shown, secret) == .invalidClient)
                #expect(try await world.refusal(code, shown, assertion) == .invalidClient)
                #expect(try await world.refusal(code, shown, ["client_id": nil]) == .invalidClient)
            }
            let bank = ["client_id": world.world.bank.record.id.rawValue]
            #expect(try await world.refusal(code, certificate, bank) == .invalidClient, "the bank signs")
            #expect(
                NaiveProvider().takesClient(
                    secret: world.world.secret, registered: world.world.secret, certificate: nil, name: "CN=client"),
                "the double takes whatever is right")
            #expect(try await world.refusal(code, certificate) == nil)
        }
    }

    // MARK: - Access tokens that are bound to a certificate

    @Test(
        """
        a token that is bound to a certificate is worth nothing without it: not to a bearer, not over a connection \
        with another
        """
    )
    func boundTokens() async throws {
        try await World.visit { world in
            let unbound = try await world.world.accessToken()
            try await world.register(Self.subjectDN, bindsToCertificate: true)
            let mine = try World.shown(try world.authority.issue(subject: try Self.subject()))
            let renewed = try World.shown(try world.authority.issue(subject: try Self.subject()))
            let tokens = try await world.exchange(try await world.world.code(), mine)
            let token = try #require(tokens["access_token"]?.stringValue)
            #expect(tokens["token_type"] == "Bearer")
            for thief in [nil, renewed, try World.shown(try world.authority.issue(common: "thief"))] {
                #expect(try await !world.opens(token, thief))
                #expect(NaiveProvider().takesToken(token, of: [token: mine], over: thief), "the double asks nothing")
            }
            let plain = try await world.world.userInfo(token)
            #expect(plain.status == .unauthorized && plain.json["phone_number"] == nil, "where nobody asks for one")
            #expect(plain.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            #expect(try await world.opens(token, mine))
            #expect(try await !world.opens(unbound, mine), "one of before that is bound to nothing")
            let looked = try await world.provider.introspectionEndpoint.introspect(
                ClientCredentials(
                    authorization: nil,
                    parameters: try OpenIDParameters([("client_id", world.shop), ("token", token)]), peer: nil,
                    certificate: renewed))
            #expect(
                looked["cnf"] == .object(["x5t#S256": .string(mine.thumbprint)]) && looked["token_type"] == "Bearer")
            world.world.clock.advance(by: .seconds(299))
            #expect(try await world.opens(token, mine))
        }
    }

    @Test(
        """
        a certificate alone, which a browser attaches for any site's page, opens neither userinfo nor CAMARA's \
        interfaces
        """
    )
    func certificateAlone() async throws {
        try await World.visit { world in
            try await world.register(Self.subjectDN, bindsToCertificate: true)
            let mine = try World.shown(try world.authority.issue(subject: try Self.subject()))
            let token = try #require(
                try await world.exchange(try await world.world.code(), mine)["access_token"]?.stringValue)
            let call = OpenIDProvider.BearerCall(
                authorization: nil, peer: InternetAddress("203.0.113.7"), certificate: mine)
            let told = await #expect(throws: OpenIDFailure.self) { _ = try await world.provider.userInfo(call) }
            #expect(told?.error == .invalidToken)
            let swapped = await #expect(throws: Refusal.self) {
                _ = try await world.provider.simSwap.change(.check, of: nil, call)
            }
            #expect(swapped.map { CAMARARefusal($0, isBound: false).code } == "UNAUTHENTICATED")
            let read = await #expect(throws: Refusal.self) {
                _ = try await world.provider.numberVerification.devicePhoneNumber(call)
            }
            #expect(read.map { CAMARARefusal($0, isBound: false).code } == "UNAUTHENTICATED")
            #expect(try await world.opens(token, mine), "with its token it does")
        }
    }

    @Test(
        "another site's page cannot send a client's form with the browser's certificate, whichever header tells",
        arguments: [OpenIDProvider.Path.push, .token, .backchannel, .revoke, .introspect])
    func otherPages(path: OpenIDProvider.Path) async throws {
        let pages: [HTTPFields] = [
            [.origin: "https://evil.example"], [.origin: "null"], [.secFetchSite: "cross-site"],
            [.secFetchSite: "same-site"], [.origin: "https://evil.example", .secFetchSite: "cross-site"],
        ]
        try await OpenIDWorld.visit { world in
            func send(_ headers: HTTPFields, isMutualTLS: Bool = true) async throws -> Exchange {
                let routes = OpenIDEndpoints.serverRoutes(world.provider, isMutualTLS: isMutualTLS)
                return try await Exchange.send(
                    PublicServer.router("mtls", routes: routes), .post, path.rawValue,
                    headers: headers + [.contentType: "application/x-www-form-urlencoded"],
                    body: Array("client_id=\(world.shop.record.id.rawValue)".utf8), authority: "id.example.com")
            }
            for headers in pages {
                let answer = try await send(headers)
                #expect(answer.status == .badRequest && answer.json["error"] == "invalid_request", "\(headers)")
                #expect(answer.body.contains("Origin or Sec-Fetch-Site"), "\(answer.body)")
                #expect(try await send(headers, isMutualTLS: false).json["error"] == "invalid_client")
            }
            for headers in [[:], [.secFetchSite: "none"]] as [HTTPFields] {
                #expect(try await send(headers).json["error"] == "invalid_client", "a program is asked who it is")
            }
        }
    }

    @Test(
        """
        a client that authenticates otherwise has its tokens bound to whatever certificate it shows, and gets none \
        without
        """
    )
    func boundOfOthers() async throws {
        try await World.visit { world in
            _ = try await world.world.clients.set(world.world.shop.record.id) { $0.bindsToCertificate = true }
            let basic = try #require(world.world.basic()[.authorization])
            let own = try World.shown(try world.authority.issue(isSelfSigned: true))
            let ended = try World.shown(try world.authority.issue(valid: -3600 ... -1, isSelfSigned: true))
            let code = try await world.world.code()
            for none in [nil, ended] {
                #expect(try await world.refusal(code, none, authorization: basic) == .invalidRequest)
            }
            let token = try #require(
                try await world.exchange(code, own, authorization: basic)["access_token"]?.stringValue)
            #expect(try await !world.opens(token, nil))
            #expect(try await world.opens(token, own))
            // Another process reads what the token is bound to from the store.
            let restarted = OpenIDProvider(
                configuration: world.provider.configuration, authority: world.world.authority, store: world.world.store)
            let call = OpenIDProvider.BearerCall(authorization: "Bearer \(token)", peer: nil)
            let refused = await #expect(throws: OpenIDFailure.self) { try await restarted.userInfo(call) }
            #expect(refused?.error == .invalidToken)
        }
    }

    @Test("CAMARA's interfaces ask for the certificate that a token is bound to")
    func camara() async throws {
        try await OpenIDWorld.visitBank { world in
            let moment = Date(timeIntervalSince1970: Double(world.clock.now.seconds))
            let authority = try CertificateMaker(at: moment)
            let (mine, other) = (try World.shown(try authority.issue()), try World.shown(try authority.issue()))
            _ = try await world.clients.set(world.bank.record.id) { $0.bindsToCertificate = true }
            let provider = OpenIDProvider(
                configuration: .init(issuer: OpenIDWorld.issuer, pages: OpenIDWorld.pages, mutualTLS: World.address),
                authority: world.authority, store: world.store)
            let answer = try await provider.token(
                ClientCredentials(
                    authorization: nil,
                    parameters: try OpenIDParameters([
                        ("grant_type", "client_credentials"), ("scope", "sim-swap \(OpenIDWorld.purpose)"),
                        ("client_assertion_type", ProviderContext.assertionType),
                        ("client_assertion", try world.assertion(audience: .string(World.address + "/openid/token"))),
                    ]), peer: nil, certificate: mine))
            let token = try #require(answer["access_token"]?.stringValue)
            func ask(_ certificate: ClientCertificate?) async throws -> SIMSwap.Change {
                try await provider.simSwap.change(
                    .check, of: "+\(OpenIDWorld.number.e164)",
                    OpenIDProvider.BearerCall(authorization: "Bearer \(token)", peer: nil, certificate: certificate))
            }
            for thief in [nil, other] {
                let refused = await #expect(throws: Refusal.self) { _ = try await ask(thief) }
                #expect(refused?.situation == .tokenUnknown)
            }
            #expect(
                try await world.camara(.checkSIMSwap, token, OpenIDWorld.plain()).camaraError == "401 UNAUTHENTICATED")
            _ = try await ask(mine)
        }
    }

    @Test(
        """
        a proof of possession names the address that was called: the alias where certificates are asked for, and no \
        other
        """
    )
    func proofAddresses() async throws {
        try await World.visit { world in
            try await world.register(Self.subjectDN)
            let certificate = try World.shown(try world.authority.issue(subject: try Self.subject()))
            let key = ProofKey()
            func exchange(_ address: String, isMutualTLS: Bool) async throws -> JSON {
                let proof = try key.proof(world.world, .token, .post, ["htu": .string(address + "/openid/token")])
                return try await world.exchange(
                    try await world.world.code(), certificate,
                    proof: PresentedProof(proof, method: "POST", path: "/openid/token", isMutualTLS: isMutualTLS))
            }
            for (address, isMutualTLS) in [(World.address, true), (OpenIDWorld.issuer, false)] {
                #expect(try await exchange(address, isMutualTLS: isMutualTLS)["token_type"] == "DPoP")
                let refused = await #expect(throws: OpenIDFailure.self) {
                    _ = try await exchange(address, isMutualTLS: !isMutualTLS)
                }
                #expect(refused?.error == .invalidDPoPProof)
            }
        }
    }

    // MARK: - FAPI 2.0, discovery, registration

    @Test("a client of profile fapi2 does all of it by mutual TLS, without a signature and without a proof")
    func fapi2() async throws {
        try await World.visit { world in
            _ = try await world.world.clients.set(world.world.shop.record.id) { client in
                client.profile = .fapi2
                client.authentication = .tlsClientAuth
                client.certificateName = Self.subjectDN
                client.bindsToCertificate = true
            }
            let mine = try World.shown(try world.authority.issue(subject: try Self.subject()))
            func push(_ certificate: ClientCertificate?) async throws -> JSON {
                try await world.provider.pushedRequests.push(
                    ClientCredentials(
                        authorization: nil,
                        parameters: try OpenIDParameters(
                            OpenIDLogin.request(world.world).map { ($0.key, $0.value) }), peer: nil,
                        certificate: certificate))
            }
            let refused = await #expect(throws: OpenIDFailure.self) { _ = try await push(nil) }
            #expect(refused?.error == .invalidClient)
            let uri = try #require(try await push(mine)["request_uri"]?.stringValue)
            let page = try await world.world.browse(
                .get, "/openid/authorize?" + OpenIDWorld.encoded(["client_id": world.shop, "request_uri": uri]))
            let code = try #require(try await world.world.tap(page).landing["code"])
            let tokens = try await world.exchange(code, mine)
            #expect(tokens["token_type"] == "Bearer")
            let token = try #require(tokens["access_token"]?.stringValue)
            #expect(try await !world.opens(token, nil))
            #expect(try await world.opens(token, mine))
            // Without it a token is bound by a proof again.
            _ = try await world.world.clients.set(world.world.shop.record.id) { $0.bindsToCertificate = false }
            #expect(try await world.refusal(code, mine) == .invalidDPoPProof)
        }
    }

    @Test(
        """
        discovery says where certificates are asked for and how clients may authenticate there; nothing of it where \
        they are not
        """
    )
    func discovery() async throws {
        try await World.visit { world in
            let said = world.provider.metadata
            #expect(said["tls_client_certificate_bound_access_tokens"] == true)
            let aliases = try #require(said["mtls_endpoint_aliases"])
            for name in [
                "token_endpoint", "pushed_authorization_request_endpoint", "userinfo_endpoint", "revocation_endpoint",
                "introspection_endpoint",
            ] {
                let usual = try #require(said[name]?.stringValue)
                #expect(aliases[name]?.stringValue == usual.replacing(OpenIDWorld.issuer, with: World.address))
            }
            let methods = said["token_endpoint_auth_methods_supported"]?.arrayValue ?? []
            #expect(methods.contains("tls_client_auth") && methods.contains("self_signed_tls_client_auth"))
            let untrusting =
                OpenIDProvider(
                    configuration: world.provider.configuration, authority: world.world.authority,
                    store: world.world.store,
                    clientAuthorities: ClientAuthorities()
                ).metadata["token_endpoint_auth_methods_supported"]?.arrayValue ?? []
            #expect(untrusting.contains("self_signed_tls_client_auth") && !untrusting.contains("tls_client_auth"))
            let without = world.world.provider.metadata
            #expect(without["mtls_endpoint_aliases"] == nil)
            #expect(without["tls_client_certificate_bound_access_tokens"] == nil)
            #expect(!without.text.contains("tls_client_auth"))
        }
    }

    @Test("a client of mutual TLS whose certificate nobody could know is not registered")
    func registration() async throws {
        try await World.visit { world in
            let id = world.world.shop.record.id
            func refused(_ change: (inout OpenIDClients.Registration) -> Void) async -> String? {
                do { _ = try await world.world.clients.set(id) { change(&$0) } } catch { return error.detail }
                return nil
            }
            #expect(await refused { $0.authentication = .tlsClientAuth }?.contains("tls_client_auth_san_dns") == true)
            #expect(await refused { $0.authentication = .selfSignedTLSClientAuth }?.contains("x5c") == true)
            let bare = JSON.object(["keys": .array([OpenIDWorld.jwk(world.world.bankKey.publicKey, id: "1")])]).text
            #expect(
                await refused { ($0.authentication, $0.keySet) = (.selfSignedTLSClientAuth, bare) }?.contains("x5c")
                    == true, "a key is no certificate")
            for name in [
                CertificateName(.subjectDN, "client"), CertificateName(.subjectDN, "/C=CN/CN=client"),
                CertificateName(.subjectDN, ""), CertificateName(.subjectDN, "CN=client,"),
                CertificateName(.subjectDN, "CN=\(String(repeating: "x", count: 1024))"),
                CertificateName(.dns, "*.client.example"), CertificateName(.dns, "client\u{212a}.example"),
                CertificateName(.uri, "client.example"), CertificateName(.ip, "client.example"),
            ] {
                let told = await refused { ($0.authentication, $0.certificateName) = (.tlsClientAuth, name) }
                #expect(told?.hasPrefix(name.kind.rawValue) == true, "\(name)")
            }
            let (one, other) = (try world.authority.issue(), try world.authority.issue())
            let mixed = try ClientKeySet.text(ofCertificates: try one.pem)
                .replacing(
                    Data(try one.bytes).base64EncodedString(), with: Data(try other.bytes).base64EncodedString())
            #expect(
                await refused { ($0.authentication, $0.keySet) = (.selfSignedTLSClientAuth, mixed) }?.contains(
                    "another key") == true)
            #expect(throws: JSONError.self) { try ClientKeySet.text(ofCertificates: "nonsense") }
            for purposes in [ClientAuthentication.tlsClientAuth, .selfSignedTLSClientAuth] {
                let told = await refused { client in
                    client.keySet = try? ClientKeySet.text(ofCertificates: try one.pem)
                    (client.authentication, client.certificateName) = (purposes, Self.subjectDN)
                    client.purposes = ["dpv:FraudPreventionAndDetection"]
                }
                #expect(told?.contains("private_key_jwt") == true, "CAMARA's profile has no other")
            }
        }
    }
}
