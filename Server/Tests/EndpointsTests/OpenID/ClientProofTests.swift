import Crypto
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import SwiftASN1
import Testing
import X509

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

@Suite("How an app's server says who it is")
struct ClientProofTests {
    /// Whether the client authentication of a request with this header and form succeeds.
    private func isKnown(
        _ world: OpenIDWorld, _ headers: HTTPFields, _ form: [String: String] = [:]
    ) async throws -> Bool {
        let all = ["token": String(repeating: "a", count: 43)].merging(form) { $1 }
        let answer = try await world.call(.post, .introspect, headers: headers, form: all)
        #expect(answer.status == .ok || answer.error == "invalid_client", "\(answer.body)")
        return answer.status == .ok
    }

    @Test("a secret's header is Basic, in whatever case, and one word with id and secret")
    func headers() async throws {
        try await OpenIDWorld.visit { world async throws in
            let good = try #require(world.basic()[.authorization])
            let word = String(good.dropFirst(6))
            func coded(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
            let headers: [(String, Bool)] = [
                (good, true), ("bAsIc \(word)", true), ("Bearer \(word)", false), (word, false), ("Basic", false),
                ("Basic \(word) \(word)", false), ("Basic *", false), (coded(world.shop.record.id.rawValue), false),
                (coded("%zz:x"), false), (coded("\(world.shop.record.id.rawValue):%zz"), false),
            ]
            for (header, isGood) in headers {
                #expect(try await isKnown(world, [.authorization: header]) == isGood, "\(header)")
            }
        }
    }

    @Test("an assertion says by its parameter that it is one, and for whom it is")
    func assertions() async throws {
        try await OpenIDWorld.visit { world async throws in
            func form(_ audience: JSON, type: String = ProviderContext.assertionType) throws -> [String: String] {
                ["client_assertion_type": type, "client_assertion": try world.assertion(audience: audience)]
            }
            let issuer = JSON.string(OpenIDWorld.issuer)
            let list = JSON.array([issuer])
            for audience in [issuer, list, .string(world.provider.url(.introspect))] {
                #expect(try await isKnown(world, [:], try form(audience)))
            }
            let saml = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer"
            #expect(try await !isKnown(world, [:], try form(issuer, type: saml)))
            for audience in [5, .object([]), .array([1]), .array([issuer, issuer])] as [JSON] {
                #expect(try await !isKnown(world, [:], try form(audience)), "\(audience.text)")
            }
            try await world.changeBankClient { $0.keySet = nil }
            #expect(try await !isKnown(world, [:], try form(issuer)), "without a key nobody signs")
        }
    }

    @Test("a code under a secret is HS256's, with nothing critical, and under a secret that was given out")
    func codes() async throws {
        try await OpenIDWorld.visit { world async throws in
            let id = world.shop.record.id
            let registered = try await world.clients.set(id) { $0.authentication = .clientSecretJWT }
            let secret = SymmetricKey(data: Array(try #require(registered.secret).reveal().utf8))
            func form(_ algorithm: String = "HS256", _ more: [JSON.Member] = []) throws -> [String: String] {
                let header = JSON.object([.init("alg", .string(algorithm)), .init("typ", "JWT")] + more)
                let payload = JSON.object([
                    "iss": .string(id.rawValue), "sub": .string(id.rawValue), "aud": .string(OpenIDWorld.issuer),
                    "jti": .string(UUID().uuidString), "exp": .integer(world.clock.now.seconds + 60),
                ])
                let text = JWSParts.write(header: header, payload: payload) { input in
                    Array(HMAC<SHA256>.authenticationCode(for: input, using: secret))
                }
                return ["client_assertion_type": ProviderContext.assertionType, "client_assertion": text]
            }
            #expect(try await isKnown(world, [:], try form()))
            #expect(try await !isKnown(world, [:], try form("HS384")))
            #expect(try await !isKnown(world, [:], try form("HS256", [.init("crit", .array(["exp"]))])))
            try await world.changeShop(client: { $0.secrets[0].hash = CredentialHash(of: "another") })
            #expect(try await !isKnown(world, [:], try form()))
        }
    }

    // MARK: - Certificates

    private static let now = Timestamp(seconds: 1_800_000_000)

    private func authority() throws -> CertificateMaker {
        try CertificateMaker(at: Date(timeIntervalSince1970: Double(Self.now.seconds)))
    }

    @Test("a certificate is of the time from its first to its last moment")
    func times() throws {
        let certificate = try MutualTLSWorld.shown(try authority().issue(valid: 0...60))
        let moments: [(Int64, Bool)] = [(-1, false), (0, true), (60_000, true), (60_001, false)]
        for (moment, isCurrent) in moments {
            #expect(certificate.isCurrent(at: Self.now + .milliseconds(moment)) == isCurrent, "\(moment)")
        }
    }

    @Test("a name counts where the certificate has it, as what it is, and nowhere else")
    func alternativeNames() throws {
        let authority = try authority()
        let odd = ASN1OctetString(contentBytes: [1, 2, 3, 4, 5])
        let bare = try MutualTLSWorld.shown(try authority.issue(common: "client"))
        let named = try MutualTLSWorld.shown(
            try authority.issue(common: "client", hosts: ["a.example"], names: [.ipAddress(odd)]))
        let names: [(CertificateName, Bool, Bool)] = [
            (CertificateName(.subjectDN, "CN=client"), true, true), (CertificateName(.subjectDN, "CN"), false, false),
            (CertificateName(.dns, "A.Example"), false, true), (CertificateName(.dns, "b.example"), false, false),
            (CertificateName(.dns, "client"), false, false), (CertificateName(.uri, "a.example"), false, false),
            (CertificateName(.ip, "1.2.3.4"), false, false),
        ]
        for (name, isBares, isNameds) in names {
            #expect(bare.has(name) == isBares, "\(name)")
            #expect(named.has(name) == isNameds, "\(name)")
        }
    }

    @Test("whom the operator trusts stays trusted while the next list cannot be read or is empty")
    func authorities() async throws {
        let authority = try authority()
        let trusted = ClientAuthorities()
        #expect(trusted.isEmpty)
        try trusted.replace(pem: try authority.pem)
        for wrong in ["", "nobody", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] {
            #expect(throws: (any Error).self) { try trusted.replace(pem: wrong) }
        }
        #expect(!trusted.isEmpty)
        func signed(_ usages: [ExtendedKeyUsage.Usage], at moment: Timestamp = Self.now) async throws -> Bool {
            let certificate = try MutualTLSWorld.shown(try authority.issue(usages: usages, valid: -60...60))
            return await trusted.haveSigned(certificate, at: moment)
        }
        for usages in [[], [.clientAuth], [.any], [.serverAuth, .clientAuth]] as [[ExtendedKeyUsage.Usage]] {
            #expect(try await signed(usages), "\(usages)")
        }
        #expect(try await !signed([.serverAuth]))
        #expect(try await !signed([.clientAuth], at: Self.now + .seconds(61)))
    }

    @Test("a file of certificates makes a key set of their keys, and a file without one makes none")
    func files() throws {
        let authority = try authority()
        let (one, other) = (try authority.issue(), try authority.issue())
        let text = try ClientKeySet.text(ofCertificates: try one.pem + "\n" + other.pem)
        let set = try ClientKeySet(parsing: text)
        #expect(try set.certificates == [one.bytes, other.bytes] && set.ignored.isEmpty)
        let point = try #require(try JSON(parsing: text)["keys"]?.arrayValue?.first)
        for name in ["x", "y"] {
            #expect(point[name]?.stringValue.flatMap { Base64URL.decode($0) }?.count == 32)
        }
        for wrong in ["", "nobody"] {
            let told = #expect(throws: JSONError.self) { try ClientKeySet.text(ofCertificates: wrong) }
            #expect(told?.description.contains("is no PEM") == true)
        }
    }

    // MARK: - Key sets

    @Test("a key set of 16 KiB is read, of a key's name 64 characters are told, and nobody brings a private key")
    func keySetBounds() throws {
        let key = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "x")
        func text(_ note: String, _ more: [JSON] = []) -> String {
            JSON.object(["keys": .array([key] + more), "note": .string(note)]).text
        }
        let rest = 16_384 - text("").utf8.count
        #expect(try ClientKeySet(parsing: text(String(repeating: "a", count: rest))).ignored.isEmpty)
        #expect(throws: JSONError.self) { try ClientKeySet(parsing: text(String(repeating: "a", count: rest + 1))) }
        for length in [64, 65] {
            let other = JSON.object(["kty": "X", "kid": .string(String(repeating: "k", count: length))])
            let set = try ClientKeySet(parsing: text("", [other]))
            let name = String(repeating: "k", count: 64)
            #expect(set.ignored.map(\.place) == ["jwks.keys[1] (kid \(name))"])
        }
        guard case .object(let members) = key else { return }
        let told = #expect(throws: JSONError.self) {
            try ClientKeySet.key(.object(members + [.init("d", "AAAA")]), path: "key")
        }
        #expect(told?.description.contains("d is a secret") == true)
    }

    @Test("why no certificate of a set counts is told with four reasons at most")
    func reasons() throws {
        let key = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "x")
        let keys = [key] + Array(repeating: JSON.object(["kty": "X"]), count: 6)
        var registration = OpenIDClients.Registration(appID: AppID(rawValue: "300000000001")!)
        registration.redirectURIs = [OpenIDWorld.callback]
        registration.authentication = .selfSignedTLSClientAuth
        registration.keySet = JSON.object(["keys": .array(keys)]).text
        let client = registration
        let told = #expect(throws: Refusal.self) { try OpenIDClients.validate(client, isNew: false) }
        let detail = try #require(told).detail
        #expect(detail.contains("keys[4]") && !detail.contains("keys[5]"), "\(detail)")
    }

    @Test("an app that is no client is told so when it is to be removed or shown")
    func removed() async throws {
        try await OpenIDWorld.visit { world async throws in
            let shop = world.shop.record.id
            try await world.clients.remove(shop, by: .test)
            let refusal = await #expect(throws: Refusal.self) { try await world.clients.remove(shop, by: .test) }
            #expect(refusal?.situation == .appUnknown && refusal?.detail == "the app is no OpenID client")
            let unknown = await #expect(throws: Refusal.self) { try await world.clients.find(shop) }
            #expect(unknown?.situation == .appUnknown)
        }
    }
}
