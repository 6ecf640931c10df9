import FaceMatching
import Testing

/// The plausibility of the measurements, on portraits whose subjects are known.
@Suite struct AttributesRealFaceTests {
    private func observe(_ portrait: Portrait) async throws -> (FaceObservation, FaceAttributes) {
        let face = try await Face.analyzer.observe(try portrait.bytes, measuring: .all)
        return (face, try #require(face.attributes))
    }

    /// They were 36 (1993), 51 (2012), 48 (2009), 48 and 67 (2010). The model's error is several years.
    @Test(arguments: [
        (Portrait.astronaut, 36.0), (.president1, 51.0), (.president2, 48.0), (.president3, 48.0),
        (.vicePresident, 67.0),
    ])
    func `An age is off by less than twelve years`(portrait: Portrait, age: Double) async throws {
        let (_, attributes) = try await observe(portrait)
        #expect(abs(attributes.age - age) < 12, "\(attributes.age)")
    }

    @Test func `Ages are in the order of the people's`() async throws {
        let ages = try await [observe(.astronaut).1.age, observe(.president1).1.age, observe(.vicePresident).1.age]
        #expect(ages == ages.sorted())
    }

    @Test(arguments: Portrait.allCases) func `Gender is that of the person`(portrait: Portrait) async throws {
        let (_, attributes) = try await observe(portrait)
        #expect((attributes.male > 0.5) == (portrait != .astronaut), "\(attributes.male)")
    }

    @Test func `Who smiles smiles, and who is serious does not`() async throws {
        #expect(try await observe(.astronaut).1.smile > FacePolicy.standard.smile)
        #expect(try await observe(.president1).1.expression == .happy)
        #expect(try await observe(.vicePresident).1.smile < FacePolicy.standard.smile)
    }

    @Test(arguments: Portrait.allCases) func `The shares of the expressions sum to one`(portrait: Portrait) async throws
    {
        let (_, attributes) = try await observe(portrait)
        #expect(abs(attributes.expressions.values.reduce(0, +) - 1) < 1e-4)
        #expect(attributes.expressions.count == FaceExpression.allCases.count)
    }

    @Test(arguments: Portrait.allCases) func `The passive score is a share`(portrait: Portrait) async throws {
        let (face, _) = try await observe(portrait)
        let liveness = try #require(face.liveness)
        #expect((0...1).contains(liveness.near) && (0...1).contains(liveness.wide))
        // A web photo passes: the test says what docs/face.md admits.
        #expect(liveness.score > FacePolicy.standard.liveness)
    }

    @Test func `A print that is held before the camera has a lower passive score than the face itself`() async throws {
        let (face, _) = try await observe(.president1)
        // Flat, pale and with a margin, as a print is.
        let portrait = try Portrait.president1.pixels.mapped { UInt8(Int($0) * 3 / 5 + 60) }
        let print = Pixels(1300, 1500) { _, _ in (90, 80, 70) }
            .pasted(portrait, 195, 180)
        let copy = try await Face.observe(print, .liveness)
        #expect(try #require(copy.liveness).score < (try #require(face.liveness)).score)
    }
}
