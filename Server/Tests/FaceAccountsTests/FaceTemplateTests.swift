import Authority
import FaceMatching
import Testing

@testable import FaceAccounts

@Suite("How an embedding is written before it is sealed") struct FaceTemplateTests {
    @Test(
        "It is a version byte 1, then each float, the least significant byte first; what was kept once is read for ever"
    )
    func lastingForm() throws {
        let embedding = FakeFace.embedding(1)
        var bytes: [UInt8] = [1]
        for value in embedding.values { bytes += withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
        #expect(FaceTemplate.bytes(embedding) == bytes)
        #expect(try FaceTemplate.embedding(bytes).similarity(to: embedding) > 0.9999)
        bytes[0] = 2
        #expect(throws: VaultError.self) { try FaceTemplate.embedding(bytes) }
    }
}
