import BenjiClient
import BenjiFaceProtocol
import FaceAccounts
import FaceMatching
import Sandbox
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol

/// Stories of face login over real sockets.
@Suite("Face stories", .serialized)
struct FaceStoriesTests {
    private static let address = "127.20.0.2"

    static func face(_ models: String) -> ServerConfiguration.Face {
        ServerConfiguration.Face(
            terms: FaceTerms(version: "1", title: "人脸信息处理规则", url: "https://id.example/face"),
            models: FaceModelFolder(models), engines: 1, policy: .standard,
            // No attester vouches for the phones of these stories.
            leastAssurance: .net)
    }

    static func phone(in world: JourneyWorld) async throws -> FacePhone {
        _ = try await world.attach(world.sims[0], at: address)
        _ = try await world.installation.faceAccounts.opt(world.app.record.id, in: [], by: .test)
        let app = try await world.installation.authority.apps.find(world.app.record.id)
        return FacePhone(world.phone(address), app: app, server: world.deviceURL)
    }

    @Test("Without models face login says that it is not available, and one tap works as ever")
    func withoutModels() async throws {
        try await JourneyWorld.play(face: Self.face("/nowhere")) { world in
            let phone = try await Self.phone(in: world)
            let refused = try await phone.appToken()
            #expect(refused["code"] == "face_unavailable")
            #expect(refused["detail"]?.stringValue?.contains("make face-models") == true)
            #expect(try await world.redeem(try await phone.engine.logIn(with: ScriptedPerson())) == "103000")
        }
    }

    @Test("Where face login is off its addresses do not exist")
    func off() async throws {
        try await JourneyWorld.play { world in
            let answer = try await Self.phone(in: world).appToken()
            #expect(answer["code"] == "not_found")
        }
    }
}
