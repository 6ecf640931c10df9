import BenjiClient
import BenjiFaceProtocol
import FaceAccounts
import FaceMatching
import Foundation
import Sandbox
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol

/// Stories of face login over real sockets. Models and portraits come from `make face-models ARGS=--portraits`.
@Suite("Face stories", .serialized, .timeLimit(.minutes(2)))
struct FaceStoriesTests {
    private static let address = "127.20.0.2"
    private static let folder = FaceFolder.folder(
        in: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardized.path)

    private static func face(_ models: String) -> ServerConfiguration.Face {
        ServerConfiguration.Face(
            terms: FaceTerms(version: "1", title: "人脸信息处理规则", url: "https://id.example/face"),
            models: FaceModelFolder(models), engines: 1, policy: .standard,
            // No attester vouches for the phones of these stories.
            leastAssurance: .net)
    }

    private static func phone(in world: JourneyWorld) async throws -> FacePhone {
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

    @Test("One tap opens a face session; a still picture fails its challenge, and nothing is enrolled")
    func stillPicture() async throws {
        let path = Self.folder + "/portraits/president-1.jpg"
        let portrait = try #require(
            FileManager.default.contents(atPath: path), "there is no \(path); run: make face-models ARGS=--portraits")
        try await JourneyWorld.play(face: Self.face(Self.folder + "/models")) { world in
            let phone = try await Self.phone(in: world)
            let token = try await phone.engine.logIn(with: ScriptedPerson())
            let appToken = try FaceAppTokenResponse(try await phone.appToken()).appToken
            let begin = FaceBeginRequest(
                appToken: appToken, purpose: .login, identity: .oneTap(token.token), language: "zh-Hans")
            let begun = try FaceBeginResponse(try await phone.post(.begin, begin.json.serialized))
            #expect(begun.isNewAccount && begun.needs == FaceNeed.allCases)
            // The token bought this session and nothing else.
            #expect(try await world.redeem(token) != "103000")

            let challenge = FaceChallengeRequest(session: begun.session).json.serialized
            #expect(try await phone.post(.challenge, challenge)["code"] == "consent_missing")
            let consent = FaceConsentRequest(session: begun.session, consent: try phone.consent(to: begun))
            #expect(try await phone.post(.consent, consent.json.serialized)["code"] == "success")

            let asked = try FaceChallengeResponse(try await phone.post(.challenge, challenge))
            #expect(asked.step.count >= 2 && asked.step.prompt == "look_straight")
            var failure: FaceFramesResponse.Failure?
            let start = SystemWallClock().now
            for _ in 0..<20 where failure == nil {
                let elapsed = (SystemWallClock().now - start).wholeMilliseconds
                let frames = FaceFramesRequest(
                    session: begun.session, challenge: asked.challenge,
                    frames: [.init(milliseconds: elapsed, picture: Array(portrait))])
                let answer = try FaceFramesResponse(
                    try await phone.post(.frames, frames.bytes, type: FaceFramesRequest.contentType))
                if case .failed(let found) = answer { failure = found }
                if case .passed = answer { Issue.record("a still picture passed") }
                try await Task.sleep(for: .milliseconds(125))
            }
            #expect(failure?.situation == .challengeFailed)
            #expect(failure?.attemptsLeft == 2)
            let finish = FaceFinishRequest(session: begun.session, name: "谁")
            #expect(try await phone.post(.finish, finish.json.serialized)["code"] == "face_session_incomplete")
            let counts = try await world.installation.faceAccounts.counts()
            #expect(counts == FaceCounts(accounts: 0, frozen: 0, bindings: 0))
        }
    }
}
