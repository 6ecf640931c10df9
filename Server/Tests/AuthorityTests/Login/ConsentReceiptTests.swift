import BenjiProtocol
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
        let stranger = SoftwareDeviceSigner().publicKey
        let published = try ConsentReceipt.keys(in: world.authority.policyDocument())
        let receipt = try ConsentReceipt(verifying: text, keys: [stranger] + published)
        #expect(receipt.claims["trace"]?.stringValue == response.trace.rawValue)
        #expect(receipt.claims["sub"]?.stringValue == response.openID && receipt.key == published.first)
        #expect(throws: JSONError.self) { try ConsentReceipt(verifying: text, keys: [stranger]) }
        #expect(throws: JSONError.self) { try ConsentReceipt(verifying: text, keys: []) }
        var parts = text.split(separator: ".").map(String.init)
        parts[1] = Base64URL.encode(Array(#"{"app":"300000000001"}"#.utf8))
        let altered = parts.joined(separator: ".")
        #expect(throws: JSONError.self) { try ConsentReceipt(verifying: altered, keys: published) }
        let kept = try #require(try await world.store.consents(of: response.trace).first)
        #expect(throws: JSONError.self, "a consent") {
            try ConsentReceipt(verifying: kept.record, keys: [world.phone.publicKey])
        }
        #expect(receipt.claims["consentHash"]?.stringValue == ConsentRecord.hash(of: kept.record))
        await world.end()
    }

    @Test("keys are read from a JWK set, one JWK and the policy document; a private key and what is no key are refused")
    func keys() throws {
        let (first, second) = (SoftwareDeviceSigner().publicKey, SoftwareDeviceSigner().publicKey)
        #expect(try ConsentReceipt.keys(in: ConsentReceipt.set(of: [first, second])) == [first, second])
        #expect(try ConsentReceipt.keys(in: first.jwk) == [first])
        #expect(try ConsentReceipt.keys(in: .object(["receiptKey": first.jwk])) == [first])
        for text in [#"{}"#, #"[]"#, #"{"keys":[1]}"#, #"{"kty":"EC","crv":"P-256","x":"","y":"","d":""}"#] {
            #expect(throws: JSONError.self, "\(text)") { try ConsentReceipt.keys(in: JSON(parsing: text)) }
        }
    }
}
