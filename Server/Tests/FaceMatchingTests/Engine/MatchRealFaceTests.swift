import FaceMatching
import Testing

/// The same person is recognised and another is not, on real faces.
@Suite struct MatchRealFaceTests {
    private func embedding(_ portrait: Portrait) async throws -> FaceEmbedding {
        try #require(try await Face.analyzer.observe(try portrait.bytes, measuring: .embedding).embedding)
    }

    @Test(arguments: [Portrait.president2, .president3, .partial1, .partial2])
    func `Another picture of the same person matches`(portrait: Portrait) async throws {
        let similarity = try await embedding(.president1).similarity(to: try await embedding(portrait))
        #expect(similarity >= FacePolicy.standard.identification, "\(similarity)")
    }

    @Test(arguments: [Portrait.president1, .president2, .president3, .partial1, .partial2])
    func `Another person does not match`(portrait: Portrait) async throws {
        for other in [Portrait.vicePresident, .astronaut] {
            let similarity = try await embedding(portrait).similarity(to: try await embedding(other))
            #expect(similarity < FacePolicy.standard.verification, "\(other) \(similarity)")
        }
    }

    @Test(arguments: 2...8) func `A picture that is turned as its EXIF says has the same embedding`(orientation: Int)
        async throws
    {
        let pixels = try Portrait.astronaut.pixels
        var turned = PNGFile(pixels.stored(for: orientation))
        turned.chunks = [("eXIf", JPEGFile.exif(UInt8(orientation)))]
        let face = try await Face.analyzer.observe(turned.bytes, measuring: .embedding)
        let similarity = try #require(face.embedding).similarity(to: try await embedding(.astronaut))
        #expect(similarity > 0.9999)
    }

    @Test func `A picture that lies on its side without saying so is not the same face`() async throws {
        // The double of the test above: were the orientation ignored, it would see this.
        let lying = PNGFile(try Portrait.astronaut.pixels.stored(for: 6))
        let face = try? await Face.analyzer.observe(lying.bytes, measuring: .embedding)
        let similarity = face?.embedding?.similarity(to: try await embedding(.astronaut)) ?? 0
        #expect(similarity < 0.99)
    }

    @Test func `A reduced picture is still the same person, and coordinates are those of the picture as sent`()
        async throws
    {
        let pixels = try Portrait.astronaut.pixels.cropped(130, 20, 260, 190)
        let large = pixels.moved(2600, 1900) { ($0 / 10, $1 / 10) }
        let face = try await Face.observe(large, .embedding)
        let small = try await Face.observe(pixels, .embedding)
        #expect((face.imageWidth, face.imageHeight) == (2600, 1900))
        #expect(abs(face.box.left - small.box.left * 10) < 60, "\(face.box.left) \(small.box.left)")
        #expect(abs(face.eyeDistance - small.eyeDistance * 10) < 40, "\(face.eyeDistance) \(small.eyeDistance)")
        let similarity = try #require(face.embedding).similarity(to: try #require(small.embedding))
        #expect(similarity > 0.8, "\(similarity)")
    }

    @Test func `What is not asked for is not measured`() async throws {
        let face = try await Face.analyzer.observe(try Portrait.astronaut.bytes, measuring: [])
        #expect(face.embedding == nil && face.attributes == nil && face.liveness == nil)
    }

    @Test func `An embedding has length one and prints nothing of itself`() async throws {
        let embedding = try await embedding(.astronaut)
        #expect(abs(embedding.similarity(to: embedding) - 1) < 1e-5)
        let printed = "\(embedding) \(String(reflecting: embedding))"
        var dumped = ""
        dump(embedding, to: &dumped)
        #expect(!(printed + dumped).contains { $0.isNumber })
    }
}
