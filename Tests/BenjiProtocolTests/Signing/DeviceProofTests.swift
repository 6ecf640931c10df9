import Crypto
import Testing

@testable import BenjiProtocol

@Suite struct DeviceProofTests {
    private let url = "https://gate.example/device/v1/prefetch"
    private let body = Array("{}".utf8)

    private func proof(localAddress: InternetAddress? = nil) throws -> (DeviceProof, SoftwareDeviceSigner) {
        let signer = SoftwareDeviceSigner()
        return (
            DeviceProof(
                id: "0123456789abcdef", method: "POST", url: url, issuedAt: Timestamp(milliseconds: 1_790_000_000_999),
                body: body,
                localAddress: localAddress, key: signer.publicKey), signer
        )
    }

    @Test("A proof is read back as it was signed, at whole seconds", arguments: [nil, "10.20.30.40", "2001:db8::7"])
    func roundTrip(address: String?) throws {
        let (proof, signer) = try proof(localAddress: address.flatMap { InternetAddress($0) })
        var expected = proof
        expected.issuedAt = Timestamp(seconds: 1_790_000_000)
        let read = try DeviceProof(verifying: proof.signed(by: signer))
        #expect(read == expected)
        #expect(read.covers(method: "POST", urls: [url], body: body))
        #expect(
            try DeviceProof(verifying: Forge.proof().text).covers(method: "POST", urls: [url], body: body),
            "the forge starts from a good one")
    }

    @Test("A proof covers one request only: method, address and every byte of the body")
    func covering() throws {
        let (proof, _) = try proof()
        #expect(!proof.covers(method: "GET", urls: [url], body: body))
        #expect(!proof.covers(method: "post", urls: [url], body: body))
        #expect(!proof.covers(method: "POST", urls: [url], body: []))
        #expect(!proof.covers(method: "POST", urls: [url], body: body + [0x20]))
        #expect(!proof.covers(method: "POST", urls: [], body: body))
        #expect(!proof.covers(method: "POST", urls: ["https://gate.example/device/v1/authorize"], body: body))
        #expect(proof.covers(method: "POST", urls: ["https://other.example/", url], body: body))
    }

    @Test(
        "Addresses that mean the same are the same (RFC 9449 §4.3, RFC 3986 §6.2)",
        arguments: [
            "HTTPS://Gate.Example/device/v1/prefetch", "https://gate.example:443/device/v1/prefetch",
            "https://gate.example/device/v1/prefetch?x=1", "https://gate.example/device/v1/prefetch#f",
            "https://gate.example/device/v1/prefetch?#",
        ])
    func sameAddress(text: String) throws {
        let (proof, _) = try proof()
        #expect(proof.covers(method: "POST", urls: [text], body: body))
    }

    @Test(
        "Addresses that differ are different",
        arguments: [
            "http://gate.example/device/v1/prefetch", "https://gate.example:8443/device/v1/prefetch",
            "https://gate.example:80/device/v1/prefetch",
            "https://gate.example/device/v1/prefetch/", "https://gate.example/Device/v1/prefetch",
            "https://gate.example.evil/device/v1/prefetch",
            "https://evil.example/https://gate.example/device/v1/prefetch", "gate.example/device/v1/prefetch", "",
            "https://", "://", "?",
            "https://gate.example//device/v1/prefetch", "https://user@gate.example/device/v1/prefetch",
        ])
    func otherAddress(text: String) throws {
        let (proof, _) = try proof()
        #expect(!proof.covers(method: "POST", urls: [text], body: body))
    }

    @Test("A letter that only Unicode takes for ASCII is another letter")
    func kelvinSign() throws {
        var (proof, _) = try proof()
        proof.url = "https://bank.example/K"
        // U+212A KELVIN SIGN equals K for Swift's `==` and lower-cases to k.
        #expect("\u{212a}" == "K")
        #expect(!proof.covers(method: "POST", urls: ["https://bank.example/\u{212a}"], body: body))
        #expect(!proof.covers(method: "POST", urls: ["https://ban\u{212a}.example/K"], body: body))
    }

    @Test("An empty path is the root")
    func emptyPath() {
        #expect(DeviceProof.normalized("https://gate.example") == DeviceProof.normalized("https://gate.example:443/"))
        #expect(DeviceProof.normalized("http://[::1]:80/x") == Array("http://[::1]/x".utf8))
    }

    @Test("Every claim that RFC 9449 §4.2 requires must be there", arguments: ["jti", "htm", "htu", "iat", "bh"])
    func missingClaims(name: String) throws {
        var forge = Forge.proof()
        Forge.set(name, nil, in: &forge.payload)
        let text = try forge.text
        let error = #expect(throws: JSONError.self) { try DeviceProof(verifying: text) }
        #expect(error?.place == "proof.\(name)")
    }

    @Test(
        "A claim of another type or size is refused",
        arguments: [
            ("jti", JSON.string("short")), ("jti", .string(String(repeating: "a", count: 65))), ("jti", 1), ("htm", 1),
            ("htm", ""),
            ("htu", .null), ("htu", ""), ("iat", "1790000000"), ("iat", -1), ("iat", .number("1.5")),
            ("iat", .number("9223372036854775808")),
            ("iat", .integer(Int64.max)), ("bh", ""), ("bh", .string(String(repeating: "A", count: 44))),
            ("la", "not an address"), ("la", 1),
            ("la", "10.0.0.1:80"),
        ])
    func wrongClaims(name: String, value: JSON) throws {
        var forge = Forge.proof()
        Forge.set(name, value, in: &forge.payload)
        let text = try forge.text
        #expect(throws: JSONError.self) { try DeviceProof(verifying: text) }
    }

    @Test(
        "Another type, algorithm or header member is refused",
        arguments: [
            ("typ", "JWT"), ("typ", "benji-consent+jwt"), ("typ", nil), ("alg", "none"), ("alg", "HS256"),
            ("alg", "ES384"), ("alg", "es256"), ("alg", nil),
            ("jwk", nil), ("jwk", "x"), ("kid", "k"), ("crit", .array(["b64"])), ("b64", false),
            ("jku", "https://evil.example/"), ("x5u", "u"),
        ] as [(String, JSON?)])
    func wrongHeaders(name: String, value: JSON?) throws {
        var forge = Forge.proof()
        Forge.set(name, value, in: &forge.header)
        let text = try forge.text
        #expect(throws: JSONError.self) { try DeviceProof(verifying: text) }
    }

    @Test("A key that tells its private half is refused")
    func privateKeyInHeader() throws {
        var forge = Forge.proof()
        guard case .object(var members) = DevicePublicKey(forge.key.publicKey).jwk else { return }
        members.append(JSON.Member("d", .string(Base64URL.encode(Array(forge.key.rawRepresentation)))))
        Forge.set("jwk", .object(members), in: &forge.header)
        let text = try forge.text
        let error = #expect(throws: JSONError.self) { try DeviceProof(verifying: text) }
        #expect(error?.place == "proof header.jwk.d")
    }

    @Test("A proof signed by another key than it names is refused")
    func otherKey() throws {
        var forge = Forge.proof()
        forge.key = P256.Signing.PrivateKey()
        let text = try forge.text
        #expect(throws: JSONError.self) { try DeviceProof(verifying: text) }
    }

    @Test("An HMAC made with the public key is refused (algorithm confusion)")
    func algorithmConfusion() throws {
        var forge = Forge.proof()
        Forge.set("alg", "HS256", in: &forge.header)
        let input =
            "\(Base64URL.encode(JSON.object(forge.header).serialized))"
            + ".\(Base64URL.encode(JSON.object(forge.payload).serialized))"
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(input.utf8), using: SymmetricKey(data: forge.key.publicKey.rawRepresentation))
        #expect(throws: JSONError.self) {
            try DeviceProof(verifying: "\(input).\(Base64URL.encode(Array(code) + Array(code)))")
        }
        #expect(throws: JSONError.self) { try DeviceProof(verifying: "\(input).") }
    }

    @Test("Every changed character of a proof is noticed")
    func everyCharacter() throws {
        let text = Array(try Forge.proof().text.utf8)
        for index in text.indices {
            var changed = text
            changed[index] = text[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: JSONError.self) { try DeviceProof(verifying: String(decoding: changed, as: UTF8.self)) }
        }
    }

    @Test("More claims than ours are allowed, as RFC 9449 says")
    func moreClaims() throws {
        var forge = Forge.proof()
        Forge.set("nonce", "n", in: &forge.payload)
        Forge.set("ath", "h", in: &forge.payload)
        let text = try forge.text
        #expect(throws: Never.self) { try DeviceProof(verifying: text) }
    }
}
