import FaceMatching
import Testing

/// The mesh and the values that are read from it.
@Suite struct MeshRealFaceTests {
    @Test(arguments: [Portrait.astronaut, .president1, .president2, .president3, .vicePresident])
    func `A whole face has a mesh that lies over it`(portrait: Portrait) async throws {
        let face = try await Face.analyzer.observe(try portrait.bytes, measuring: [])
        #expect(face.mesh.score > 0.9)
        #expect(face.mesh.points.count == 468)
        let inside = face.mesh.points.count {
            $0.x > face.box.left - face.box.width * 0.2 && $0.x < face.box.left + face.box.width * 1.2
                && $0.y > face.box.top - face.box.height * 0.2 && $0.y < face.box.top + face.box.height * 1.2
        }
        #expect(inside == 468)
    }

    @Test(arguments: [Portrait.president2, .president3, .vicePresident])
    func `In the mirror a head is turned to the other side`(portrait: Portrait) async throws {
        let pixels = try portrait.pixels
        let face = try await Face.observe(pixels)
        let mirrored = try await Face.observe(pixels.mirrored())
        #expect(abs(face.mesh.turn + mirrored.mesh.turn) < 0.08, "\(face.mesh.turn) \(mirrored.mesh.turn)")
        #expect(abs(face.mesh.orientation.yaw + mirrored.mesh.orientation.yaw) < 5)
        #expect(abs(face.mesh.turn) > 0.1)
    }

    @Test func `A head from the front is not turned, and turned ones are`() async throws {
        func turn(_ portrait: Portrait) async throws -> Double {
            abs(try await Face.analyzer.observe(try portrait.bytes, measuring: []).mesh.turn)
        }
        #expect(try await turn(.astronaut) < 0.1)
        #expect(try await turn(.president1) < 0.1)
        #expect(try await turn(.president2) > FacePolicy.standard.turned)
        #expect(try await turn(.president3) > FacePolicy.standard.turned)
    }

    @Test(arguments: Portrait.allCases) func `Open eyes are open`(portrait: Portrait) async throws {
        let face = try await Face.analyzer.observe(try portrait.bytes, measuring: [])
        let eyes = try #require(face.eyes)
        #expect(eyes > FacePolicy.standard.blink, "\(eyes)")
    }

    @Test func `A speaking mouth is open and a closed one is not`() async throws {
        let speaking = try await Face.analyzer.observe(try Portrait.president2.bytes, measuring: [])
        let silent = try await Face.analyzer.observe(try Portrait.vicePresident.bytes, measuring: [])
        #expect(speaking.mesh.mouthOpening > FacePolicy.standard.mouthOpen, "\(speaking.mesh.mouthOpening)")
        #expect(silent.mesh.mouthOpening < 0.1)
    }

    @Test func `A picture that is turned by a quarter is rolled by as much`() async throws {
        // The detector finds faces that lie; the mesh follows the eyes.
        let pixels = try Portrait.president1.pixels
        guard let face = try? await Face.observe(pixels.stored(for: 8)) else { return }
        #expect(abs(abs(face.mesh.orientation.roll) - 90) < 15, "\(face.mesh.orientation.roll)")
    }
}
