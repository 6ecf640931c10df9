import FaceMatching
import Testing

/// Which face a picture is about.
@Suite struct FaceSubjectTests {
    private func code(_ pixels: Pixels) async throws -> FaceError.Code? {
        let analyzer = try await Face.analyzer
        do throws(FaceError) {
            _ = try await analyzer.observe(PNGFile(pixels).bytes, measuring: .all)
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
}
