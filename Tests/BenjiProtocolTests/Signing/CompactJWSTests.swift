import BenjiProtocol
import Crypto
import Testing

@Suite struct CompactJWSTests {
    @Test("The ES256 example of RFC 7515 A.3 verifies, and no longer when a character changes")
    func rfc7515() throws {
        let key = try DevicePublicKey(
            jwk: .object([
                "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            ]))
        let text =
            "eyJhbGciOiJFUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let jws = try CompactJWS(parsing: text)
        #expect(jws.isSigned(by: key))
        #expect(jws.payload["iss"] == "joe")
        #expect(!jws.isSigned(by: SoftwareDeviceSigner().publicKey))
        let changed = try CompactJWS(parsing: text.replacing("eyJpc3MiOiJqb2Ui", with: "eyJpc3MiOiJqb2Yi"))
        #expect(!changed.isSigned(by: key))
    }

    @Test("The proof printed in RFC 9449 §4.1 verifies under the key that it carries, whose thumbprint §6.1 prints")
    func rfc9449() throws {
        let text =
            "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0"
            + "RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6Il"
            + "AtMjU2In19"
            + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2V"
            + "uIiwiaWF0IjoxNTYyMjYyNjE2fQ"
            + ".2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
        let jws = try CompactJWS(parsing: text)
        let key = try DevicePublicKey(jwk: try #require(jws.header["jwk"]))
        #expect(jws.isSigned(by: key))
        #expect(key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        // Ours covers the body too, so a proof without its hash is not one.
        let error = #expect(throws: JSONError.self) { try DeviceProof(verifying: text) }
        #expect(error?.place == "proof.bh")
    }

    @Test("Texts that are not three base64url parts of the right kind are refused")
    func grammar() throws {
        let good = try CompactJWS.sign(
            header: [JSON.Member("typ", "x")], payload: .object(["a": 1]), with: SoftwareDeviceSigner())
        let parts = good.split(separator: ".").map(String.init)
        for bad in [
            "", ".", "..", parts[0], "\(parts[0]).\(parts[1])", "\(good).", ".\(good)", "\(good)=", "\(good) ",
            " \(good)",
            "\(parts[0]).\(parts[1]).\(parts[2].dropLast(2))", "\(parts[0]).\(parts[1]).", "\(parts[0]).!.\(parts[2])",
            "\(Base64URL.encode(Array("{".utf8))).\(parts[1]).\(parts[2])",
            String(repeating: "a", count: CompactJWS.maximumLength + 1),
            "\(Base64URL.encode(Array(#"{"alg":"ES256","alg":"none"}"#.utf8))).\(parts[1]).\(parts[2])",
        ] {
            #expect(throws: JSONError.self) { try CompactJWS(parsing: bad) }
        }
        #expect(throws: Never.self) { try CompactJWS(parsing: good) }
    }

    @Test("A signature of zeros is no signature (CVE-2022-21449)")
    func zeroSignature() throws {
        let signer = SoftwareDeviceSigner()
        let good = try CompactJWS.sign(header: [], payload: .object(["a": 1]), with: signer)
        let input = good.split(separator: ".").dropLast().joined(separator: ".")
        let forged = try CompactJWS(parsing: "\(input).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))")
        #expect(try CompactJWS(parsing: good).isSigned(by: signer.publicKey))
        #expect(!forged.isSigned(by: signer.publicKey))
    }
}

@Suite struct DevicePublicKeyTests {
    @Test("A key survives its JSON Web Key, and its thumbprint is that of RFC 7638")
    func roundTrip() throws {
        let key = SoftwareDeviceSigner().publicKey
        #expect(try DevicePublicKey(jwk: key.jwk) == key)
        let x = try #require(key.jwk["x"]?.stringValue)
        let y = try #require(key.jwk["y"]?.stringValue)
        let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        #expect(key.thumbprint == Base64URL.encode(Array(SHA256.hash(data: Array(canonical.utf8)))))
    }

    @Test(
        "Private keys, other curves and points off the curve are refused; members that are not read are ignored"
    )
    func refusals() throws {
        let good = SoftwareDeviceSigner().publicKey.jwk
        guard case .object(let members) = good else { return }
        func changed(_ name: String, _ value: JSON?) -> JSON {
            var members = members
            Forge.set(name, value, in: &members)
            return .object(members)
        }
        let x = try #require(good["x"]?.stringValue)
        for bad in [
            changed("d", .string(x)), changed("kty", "RSA"), changed("kty", nil), changed("crv", "P-384"),
            changed("x", nil),
            changed("y", .string(x)), changed("x", .string(x + "=")), changed("x", .string(String(x.dropLast(3)))),
            changed("x", .string(Base64URL.encode([UInt8](repeating: 0, count: 32)))), .array([]), "jwk",
        ] {
            #expect(throws: JSONError.self) { try DevicePublicKey(jwk: bad) }
        }
        #expect(throws: Never.self) { try DevicePublicKey(jwk: changed("q", nil)) }
        #expect(try DevicePublicKey(jwk: changed("use", "sig")) == DevicePublicKey(jwk: good))
    }
}
