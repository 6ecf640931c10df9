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

/// Stories of face login with real models. Models and portraits come from `make face-models ARGS=--portraits`.
@Suite("Stories of real faces", .serialized)
struct StoryRealFaceTests {
    private static let folder = FaceFolder.folder(
        in: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardized.path)

    @Test("One tap opens a face session; a still picture fails its challenge, and nothing is enrolled")
    func stillPicture() async throws {
        let path = Self.folder + "/portraits/president-1.jpg"
        let portrait = try #require(
            FileManager.default.contents(atPath: path), "there is no \(path); run: make face-models ARGS=--portraits")
        try await JourneyWorld.play(face: FaceStoriesTests.face(Self.folder + "/models")) { world in
            let phone = try await FaceStoriesTests.phone(in: world)
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
                // The pace that a challenge asks for.
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
