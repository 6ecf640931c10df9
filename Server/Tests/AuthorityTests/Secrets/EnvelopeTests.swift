import BenjiProtocol
import Crypto
import Store
import Testing

@testable import Authority

@Suite("What is sealed at rest") struct EnvelopeTests {
    private let key = SymmetricKey(data: [UInt8](0..<32))

    /// Made by another implementation of AES-256-GCM (Python's cryptography 48), with the nonce 00 to 0b.
    private let sealed =
        "01000102030405060708090a0b7631ee2bf5d5f22bbd71a6e6385f02fc7572e5da8521a395e5531a"

    @Test("What was sealed once opens for ever: the form's version byte and what is authenticated do not change")
    func lastingForm() throws {
        let bytes = try #require(Hexadecimal.decode(sealed))
        #expect(
            try Envelope.open(Sealed(bytes: bytes), under: key, purpose: "number", owner: [1, 2, 3])
                == Array("13800000001".utf8))
        var newer = bytes
        newer[0] = 2
        for (changed, purpose, owner) in [
            (newer, "number", [1, 2, 3]), (bytes, "app-key", [1, 2, 3]), (bytes, "number", [1, 2, 4]),
        ] as [([UInt8], String, [UInt8])] {
            #expect(throws: VaultError.self) {
                try Envelope.open(Sealed(bytes: changed), under: key, purpose: purpose, owner: owner)
            }
        }
    }
}
