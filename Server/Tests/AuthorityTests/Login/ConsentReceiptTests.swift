@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("Receipts of consents")
struct ConsentReceiptTests {
    @Test("a receipt is checked with the authority's published keys alone; altered, or by another key, it is none")
    func verification() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.token()
        let text = try #require(response.consentReceipt)
        let stranger = PublishedReceiptKey(SoftwareDeviceSigner().publicKey)
        let published = try ConsentReceipt.keys(in: world.authority.policyDocument())
        let receipt = try ConsentReceipt(verifying: text, keys: [stranger] + published)
        #expect(receipt.claims["trace"]?.stringValue == response.trace.rawValue)
        #expect(receipt.claims["sub"]?.stringValue == response.openID && receipt.key == published.first?.key)
        #expect(throws: JSONError.self) { try ConsentReceipt(verifying: text, keys: [stranger]) }
        #expect(throws: JSONError.self) { try ConsentReceipt(verifying: text, keys: []) }
        var parts = text.split(separator: ".").map(String.init)
        parts[1] = Base64URL.encode(Array(#"{"app":"300000000001"}"#.utf8))
        let altered = parts.joined(separator: ".")
        #expect(throws: JSONError.self) { try ConsentReceipt(verifying: altered, keys: published) }
        let kept = try #require(try await world.store.consents(of: response.trace).first)
        #expect(throws: JSONError.self, "a consent") {
            try ConsentReceipt(verifying: kept.record, keys: [PublishedReceiptKey(world.phone.publicKey)])
        }
        #expect(receipt.claims["consentHash"]?.stringValue == ConsentRecord.hash(of: kept.record))
        await world.end()
    }

    @Test("a receipt counts from the second in which its key began to sign to the second of its end, and not outside")
    func times() async throws {
        let world = try await AuthorityWorld()
        let text = try #require(try await world.token().consentReceipt)
        let key = world.vault.receiptKey
        let issued = try #require(try ConsentReceipt(verifying: text, keys: [.init(key)]).claims["iat"]?.integerValue)
        func counts(from: Int64?, until: Int64?) -> Bool {
            let published = PublishedReceiptKey(
                key, from: from.map { Timestamp(seconds: issued + $0) },
                until: until.map { Timestamp(seconds: issued + $0) })
            return (try? ConsentReceipt(verifying: text, keys: [published])) != nil
        }
        #expect(counts(from: 0, until: 0) && counts(from: nil, until: 1) && counts(from: -1, until: nil))
        #expect(!counts(from: 1, until: nil) && !counts(from: nil, until: -1))
        await world.end()
    }

    @Test("what the key signed under another type or algorithm is no receipt")
    func headers() throws {
        let signer = SoftwareDeviceSigner()
        func isReceipt(_ type: String, _ algorithm: String) throws -> Bool {
            let text = try JWSParts.write(
                header: .object(["alg": .string(algorithm), "typ": .string(type)]),
                payload: .object(["iat": .integer(1_790_000_000)])
            ) { try signer.signature(over: $0) }
            return (try? ConsentReceipt(verifying: text, keys: [.init(signer.publicKey)])) != nil
        }
        #expect(try isReceipt("consent-receipt+jwt", "ES256"))
        #expect(try !isReceipt("consent-receipt+jwt", "ES384") && !isReceipt("JWT", "ES256"))
    }

    @Test("keys are read from a JWK set, one JWK and the policy document; a private key and what is no key are refused")
    func keys() throws {
        let first = PublishedReceiptKey(SoftwareDeviceSigner().publicKey, from: Timestamp(seconds: 5))
        let second = PublishedReceiptKey(SoftwareDeviceSigner().publicKey, until: Timestamp(seconds: 5))
        #expect(try ConsentReceipt.keys(in: ConsentReceipt.set(of: [first, second])) == [first, second])
        let bare = PublishedReceiptKey(first.key)
        #expect(try ConsentReceipt.keys(in: first.key.jwk) == [bare])
        #expect(try ConsentReceipt.keys(in: .object(["receiptKey": first.key.jwk])) == [bare])
        for text in [#"{}"#, #"[]"#, #"{"keys":[1]}"#, #"{"kty":"EC","crv":"P-256","x":"","y":"","d":""}"#] {
            #expect(throws: JSONError.self, "\(text)") { try ConsentReceipt.keys(in: JSON(parsing: text)) }
        }
    }

    @Test(
        "an unreadable key of a set is skipped beside a readable one, and refused alone; a private key is refused",
        arguments: [
            #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"kty":"OKP","crv":"Ed25519","x":"AQAB"}"#,
            #"{"kty":"AKP","alg":"ML-DSA-44","pub":"AQAB"}"#, #"{"kty":"EC","crv":"P-256","x":"","y":""}"#, "1",
        ])
    func foreignKeys(text: String) throws {
        let own = PublishedReceiptKey(SoftwareDeviceSigner().publicKey)
        let foreign = try JSON(parsing: text)
        func read(_ keys: [JSON]) throws -> [PublishedReceiptKey] {
            try ConsentReceipt.keys(in: .object(["keys": .array(keys)]))
        }
        // One that reads each key of the set or none refuses it.
        #expect(throws: JSONError.self) { try [foreign, own.key.jwk].map { try DevicePublicKey(jwk: $0) } }
        #expect(try read([foreign, own.key.jwk]) == [own])
        #expect(try read([own.key.jwk, foreign]) == [own])
        #expect(throws: JSONError.self) { try read([foreign]) }
        let secret = try JSON(parsing: #"{"kty":"OKP","crv":"Ed25519","x":"AQAB","d":"AQAB"}"#)
        #expect(throws: JSONError.self) { try read([own.key.jwk, foreign, secret]) }
    }

    @Test("a key whose time cannot be read is skipped, and never taken for one without a time")
    func foreignTime() throws {
        let own = PublishedReceiptKey(SoftwareDeviceSigner().publicKey)
        guard case .object(let members) = SoftwareDeviceSigner().publicKey.jwk else {
            Issue.record("a JWK is an object")
            return
        }
        for name in ["nbf", "exp"] {
            let dated = JSON.object(members + [JSON.Member(name, "2026-11-29")])
            #expect(try ConsentReceipt.keys(in: .object(["keys": .array([dated, own.key.jwk])])) == [own])
            #expect(throws: JSONError.self) { try ConsentReceipt.keys(in: .object(["keys": .array([dated])])) }
        }
    }
}
