import FaceMatching
import Testing

/// Each flaw is found in a picture that has it, and a good portrait has none.
@Suite struct FlawRealFaceTests {
    private let policy = FacePolicy.standard

    private func flaws(_ pixels: Pixels) async throws -> [FaceFlaw] {
        policy.flaws(of: try await Face.observe(pixels))
    }

    @Test(arguments: [Portrait.astronaut, .president1, .president2, .president3, .vicePresident])
    func `A good portrait has no flaw`(portrait: Portrait) async throws {
        #expect(policy.flaws(of: try await Face.analyzer.observe(try portrait.bytes, measuring: [])) == [])
    }

    @Test func `A small face is small`() async throws {
        let pixels = try Portrait.astronaut.pixels
        #expect(try await flaws(pixels.moved(256, 256) { ($0 * 2, $1 * 2) }).contains(.small))
    }

    @Test func `A dark picture is dark, a bright one bright`() async throws {
        let pixels = try Portrait.president1.pixels
        #expect(try await flaws(pixels.mapped { $0 / 6 }).contains(.dark))
        #expect(try await flaws(pixels.mapped { UInt8(255 - (255 - Int($0)) / 6) }).contains(.bright))
    }

    @Test func `A blurred picture is blurred`() async throws {
        let pixels = try Portrait.president1.pixels
        #expect(try await flaws(pixels.blurred(9)).contains(.blurred))
    }

    @Test func `A pale picture is flat`() async throws {
        let pixels = try Portrait.president1.pixels
        #expect(try await flaws(pixels.mapped { UInt8(110 + Int($0) / 10) }).contains(.flat))
    }

    @Test func `An overexposed picture is clipped`() async throws {
        let pixels = try Portrait.president1.pixels
        #expect(try await flaws(pixels.mapped { UInt8(min(Int($0) * 9 / 4, 255)) }).contains(.clipped))
    }

    @Test func `A face half in the shadow is uneven`() async throws {
        var pixels = try Portrait.president1.pixels
        // The light ends at the bridge of the nose.
        for y in 0..<pixels.height {
            for x in 490..<pixels.width {
                for channel in 0..<3 { pixels.bytes[(y * pixels.width + x) * 3 + channel] /= 4 }
            }
        }
        #expect(try await flaws(pixels).contains(.uneven))
    }

    @Test func `Other figures in the policy judge otherwise`() async throws {
        var strict = FacePolicy()
        strict.quality.eyeDistance = 1000
        strict.quality.yaw = 0
        strict.quality.roll = 0
        let face = try await Face.analyzer.observe(try Portrait.president1.bytes, measuring: [])
        #expect(strict.flaws(of: face) == [.small, .turned, .tilted])
    }
}
