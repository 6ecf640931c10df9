import FaceMatching
import Testing

/// Which face a picture is about.
@Suite struct SubjectRealFaceTests {
    private func code(_ pixels: Pixels, in framing: FaceFraming = .picture) async throws -> FaceError.Code? {
        let analyzer = try await Face.analyzer
        do throws(FaceError) {
            _ = try await analyzer.observe(PNGFile(pixels).bytes, measuring: [], in: framing)
            return nil
        } catch { return error.code }
    }

    @Test func `A picture without a face says so`() async throws {
        #expect(try await code(Pixels(320, 240)) == .noFace)
        let noise = Pixels(320, 240) { x, y in
            let value = UInt8(truncatingIfNeeded: (x &* 2_654_435_761) ^ (y &* 40_503) ^ (x &* y &* 97))
            return (value, value &* 3, value &* 7)
        }
        #expect(try await code(noise) == .noFace)
    }

    @Test func `Twenty faces of one size are refused as several`() async throws {
        let face = try Portrait.astronaut.pixels.cropped(150, 20, 160, 200)
        #expect(try await code(face.tiled(5, 4)) == .severalFaces)
    }

    @Test func `A bystander who is much smaller does not matter`() async throws {
        let portrait = try Portrait.president1.pixels
        let bystander = try Portrait.astronaut.pixels.cropped(150, 20, 160, 200)
        let both = Pixels(portrait.width + 160, portrait.height).pasted(portrait, 0, 0)
            .pasted(bystander, portrait.width, 0)
        let face = try await Face.observe(both)
        #expect(face.box.left < Double(portrait.width) && face.box.width > 150)
    }

    /// A picture of 400 × 300, whose ring is around its middle, with a face of 89 × 113 at each of these places.
    private func crowd(_ places: [(left: Int, top: Int)]) throws -> Pixels {
        let face = try Portrait.astronaut.pixels.cropped(168, 45, 110, 140)
        return places.reduce(Pixels(400, 300)) { $0.pasted(face, $1.left, $1.top) }
    }

    @Test func `While a person holds the camera, strangers outside of the ring do not matter, however large`()
        async throws
    {
        let picture = try crowd([(145, 80), (0, 0), (290, 160)])
        #expect(try await code(picture, in: .ring) == nil)
        let face = try await Face.analyzer.observe(PNGFile(picture).bytes, measuring: [], in: .ring)
        #expect((145..<255).contains(face.box.left))
        // A picture that somebody chose has no ring.
        #expect(try await code(picture) == .severalFaces)
    }

    @Test func `Two faces of one size in the ring are refused as several`() async throws {
        #expect(try await code(try crowd([(80, 80), (210, 80)]), in: .ring) == .severalFaces)
    }

    @Test func `A face that is not in the ring is told so`() async throws {
        #expect(try await code(try crowd([(0, 0)]), in: .ring) == .faceOutside)
        #expect(try await code(Pixels(400, 300), in: .ring) == .noFace)
    }
}
