import FaceMatching
import FacePuppet
import Testing

/// Faces of which a part is not seen have a flaw of their own, and faces that are seen do not.
@Suite struct HiddenRealFaceTests {
    private let policy = FacePolicy.standard
    private static let portraits: [Portrait] = [.astronaut, .president1, .president3, .vicePresident]

    /// The portrait with something painted on it.
    private func observe(
        _ portrait: Portrait, _ measures: FaceMeasures = [], _ paint: (inout FacePainter) -> Void
    ) async throws -> FaceObservation {
        let picture = PuppetFrame(try FaceImage(try portrait.bytes))
        var painter = FacePainter(picture, try await Face.analyzer.observe(picture.png, measuring: []).mesh)
        paint(&painter)
        return try await Face.analyzer.observe(painter.picture.png, measuring: measures)
    }

    private func first(_ portrait: Portrait, _ paint: (inout FacePainter) -> Void) async throws -> FaceFlaw? {
        policy.flaws(of: try await observe(portrait, [], paint)).first
    }

    @Test(arguments: portraits, FacePainter.Cloth.allCases)
    func `A mask covers the mouth, whatever it is made of`(portrait: Portrait, cloth: FacePainter.Cloth) async throws {
        #expect(try await first(portrait) { $0.mask(cloth, height: 0.5) } == .mouthCovered)
    }

    @Test(arguments: portraits, [0.0, 0.3, 0.9])
    func `A mask covers the mouth, however high it is worn`(portrait: Portrait, height: Double) async throws {
        #expect(try await first(portrait) { $0.mask(.blue, height: height) } == .mouthCovered)
    }

    /// How many of the portraits have a flaw that hides when each is painted in each of these ways.
    private func noticed(_ ways: [(inout FacePainter) -> Void]) async throws -> Int {
        var count = 0
        for portrait in Self.portraits {
            for way in ways where policy.flaws(of: try await observe(portrait, [], way)).contains(where: { $0.hides }) {
                count += 1
            }
        }
        return count
    }

    @Test func `Dark glasses are noticed, all but one of twelve at the most`() async throws {
        let tints = [SIMD3(14.0, 14, 16), SIMD3(60, 40, 25), SIMD3(30, 50, 85)]
        #expect(try await noticed(tints.map { tint in { $0.darkGlasses(tint: tint) } }) >= 11)
    }

    @Test(arguments: portraits) func `Clear glasses are no flaw`(portrait: Portrait) async throws {
        #expect(try await first(portrait) { $0.clearGlasses() } == nil)
    }

    @Test func `A half that is covered is noticed, in three of four pictures at least`() async throws {
        let cloths: [FacePainter.Cloth] = [.black, .white, .stripes]
        let ways: [(inout FacePainter) -> Void] = cloths.flatMap { cloth in
            [true, false].map { isLeft in { $0.half(cloth, isLeft: isLeft) } }
        }
        #expect(try await noticed(ways) >= 18)
    }

    @Test(arguments: portraits) func `A face that the picture's edge cuts in half is half a face`(
        portrait: Portrait
    ) async throws {
        let analyzer = try await Face.analyzer
        let pixels = try portrait.pixels
        let scale = Double(pixels.width) / Double(try FaceImage(try portrait.bytes).width)
        let face = try await analyzer.observe(try portrait.bytes, measuring: [])
        let nose = Int(face.points.nose.x * scale)
        for cut in [
            pixels.cropped(0, 0, nose, pixels.height), pixels.cropped(nose, 0, pixels.width - nose, pixels.height),
        ] {
            do throws(FaceError) {
                let seen = try await analyzer.observe(PNGFile(cut).bytes, measuring: [])
                #expect(policy.flaws(of: seen).contains(.half))
            } catch { #expect(error.code == .noFace) }
        }
    }

    @Test(arguments: portraits, [6, 3, 8])
    func `A picture on its side or upside down is refused as such, and not compared`(
        portrait: Portrait, orientation: Int
    ) async throws {
        let turned = PNGFile(try portrait.pixels.stored(for: orientation)).bytes
        await #expect(throws: FaceError(.imageTurned, "")) {
            _ = try await Face.analyzer.observe(turned, measuring: .embedding)
        }
    }

    @Test
    func `What covers a face is alike enough to match, so that a double that looks at the similarity alone is fooled`()
        async throws
    {
        let enrolled = try #require(
            try await Face.analyzer.observe(try Portrait.president1.bytes, measuring: .embedding).embedding)
        let masked = try await observe(.president2, .embedding) { $0.mask(.white, height: 0.3) }
        let glasses = try await observe(.president2, .embedding) { $0.darkGlasses(tint: SIMD3(20, 20, 20)) }
        for face in [masked, glasses] {
            #expect(try #require(face.embedding).similarity(to: enrolled) > policy.verification)
            #expect(policy.flaws(of: face).contains { $0.hides })
        }
    }
}
