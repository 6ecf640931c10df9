import AppAttest
import Testing

@Suite("CBOR is read in one form only")
struct CBORTests {
    private static let object = AttestationObject(
        certificates: [Array(repeating: 7, count: 300), []], receipt: Array(repeating: 1, count: 24),
        authenticatorData: [0])

    @Test("what is written is read, whatever the lengths", arguments: [0, 23, 24, 255, 256, 65535, 65536])
    func lengths(_ count: Int) throws {
        var object = Self.object
        object.receipt = Array(repeating: 3, count: count)
        #expect(try AttestationObject(decoding: object.encoded) == object)
        let assertion = AssertionObject(signature: object.receipt, authenticatorData: [])
        #expect(try AssertionObject(decoding: assertion.encoded) == assertion)
    }

    @Test("an object that is cut anywhere, or goes on, is refused")
    func cut() {
        let bytes = Self.object.encoded
        for count in 0..<bytes.count {
            #expect(throws: AppAttestError.self) { try AttestationObject(decoding: Array(bytes[..<count])) }
        }
        #expect(throws: AppAttestError.self) { try AttestationObject(decoding: bytes + [0]) }
    }

    @Test(
        "other forms of an assertion are refused",
        arguments: [
            // A map without a definite length; a member twice; an unknown member; three members; a list.
            [0xbf, 0x69] + Array("signature".utf8) + [0x40, 0xff],
            [0xa2, 0x69] + Array("signature".utf8) + [0x40, 0x69] + Array("signature".utf8) + [0x40],
            [0xa2, 0x69] + Array("signature".utf8) + [0x40, 0x61, 0x61, 0x40],
            [0xa3], [0x82, 0x40, 0x40], [0xa1, 0x69] + Array("signature".utf8) + [0x40], [],
            // A length that a shorter form has, in each of the three forms; one of 64 bits; a tag before it; a text for
            // bytes.
            [0xb8, 0x02], [0xb9, 0x00, 0x02], [0xba, 0, 0, 0, 2], [0xbb, 0, 0, 0, 0, 0, 0, 0, 2],
            [0xd9, 0xd9, 0xf7, 0xa2],
            [0xa2, 0x69] + Array("signature".utf8) + [0x60],
            // A text that is not UTF-8, and a byte string that is longer than all that follows.
            [0xa2, 0x62, 0xc3, 0x28], [0xa2, 0x69] + Array("signature".utf8) + [0x5a, 0xff, 0xff, 0xff, 0xff],
        ] as [[UInt8]])
    func forms(_ bytes: [UInt8]) {
        #expect(throws: AppAttestError.self) { try AssertionObject(decoding: bytes) }
    }

    /// An attestation as Apple's devices write it, but for what a test changes.
    private static func attestation(
        format: String = AttestationObject.format, members: [String] = ["fmt", "attStmt", "authData"],
        statement: [String] = ["x5c", "receipt"], certificates: Int = 2
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.map(members.count)
        for member in members {
            writer.text(member)
            switch member {
            case "fmt": writer.text(format)
            case "attStmt":
                writer.map(statement.count)
                for member in statement {
                    writer.text(member)
                    if member == "x5c" { writer.array(certificates) }
                    for _ in 0..<(member == "x5c" ? certificates : 1) { writer.byteString([7]) }
                }
            default: writer.byteString([0])
            }
        }
        return writer.bytes
    }

    @Test(
        """
        an attestation of another format, or with a member or a certificate more, a member less or one twice, is refused
        """,
        arguments: [
            attestation(format: "apple"), attestation(format: "packed"), attestation(format: "none"),
            attestation(format: ""), attestation(format: "Apple-appattest"), attestation(format: "apple-appattest "),
            attestation(members: ["fmt", "attStmt", "authData", "more"]),
            attestation(members: ["fmt", "attStmt", "authData", "authData"]),
            attestation(members: ["fmt", "attStmt", "more"]), attestation(members: ["fmt", "fmt", "authData"]),
            attestation(members: ["fmt", "attStmt"]), attestation(members: ["attStmt", "authData"]),
            attestation(members: ["fmt", "authData"]), attestation(members: []),
            attestation(statement: ["x5c", "receipt", "more"]), attestation(statement: ["x5c", "more"]),
            attestation(statement: ["x5c", "x5c"]), attestation(statement: ["x5c"]),
            attestation(statement: ["receipt"]), attestation(statement: []), attestation(certificates: 3),
        ])
    func attestationForms(_ bytes: [UInt8]) {
        #expect(throws: AppAttestError.self) { try AttestationObject(decoding: bytes) }
    }

    @Test("the members of an attestation may come in any order")
    func attestationOrder() throws {
        let written = try AttestationObject(decoding: Self.attestation())
        #expect(written.encoded == Self.attestation() && written.certificates == [[7], [7]])
        let other = Self.attestation(members: ["authData", "attStmt", "fmt"], statement: ["receipt", "x5c"])
        #expect(try AttestationObject(decoding: other) == written)
    }

    @Test("authenticator data that is shorter than it says is refused")
    func authenticatorData() throws {
        let bare = [UInt8](repeating: 0, count: 37)
        #expect(try AuthenticatorData(decoding: bare, hasCredential: false).counter == 0)
        #expect(throws: AppAttestError.self) { try AuthenticatorData(decoding: bare.dropLast(), hasCredential: false) }
        #expect(throws: AppAttestError.self) { try AuthenticatorData(decoding: bare, hasCredential: true) }
        let named = bare + Array(repeating: 1, count: 16) + [0, 2, 8, 9]
        #expect(try AuthenticatorData(decoding: named, hasCredential: true).credential?.id == [8, 9])
        #expect(throws: AppAttestError.self) { try AuthenticatorData(decoding: named.dropLast(), hasCredential: true) }
    }
}

extension AuthenticatorData {
    fileprivate init(decoding bytes: ArraySlice<UInt8>, hasCredential: Bool) throws(AppAttestError) {
        try self.init(decoding: Array(bytes), hasCredential: hasCredential)
    }
}
