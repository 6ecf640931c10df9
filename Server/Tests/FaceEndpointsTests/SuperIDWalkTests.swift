import BenjiFaceProtocol
import FaceMatching
import HTTPTypes
import ServerTestKit
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

@Suite("SuperID's whole way over HTTP, with a scripted engine") struct SuperIDWalkTests {
    private func walk(
        policy: FacePolicy = .standard, _ body: (SuperIDWalk) async throws -> Void
    ) async throws {
        let walk = try await SuperIDWalk(policy: policy)
        do { try await body(walk) } catch {
            await walk.world.end()
            throw error
        }
        await walk.world.end()
    }

    @Test(
        "One tap, a yes and a live face make an account, and from then on the face alone opens it, until it is erased")
    func account() async throws {
        try await walk { walk in
            let begun = try await walk.begin(.login, .oneTap(try await walk.oneTap()))
            #expect(begun.isNewAccount && begun.needs == FaceNeed.allCases && begun.maskedNumber == "138****0001")
            #expect(try await walk.agree(to: begun.session, begun.nonce, begun.trace)["code"] == "success")
            #expect(try await walk.show(WrittenFace.owner, in: begun.session) == .passed(nil))
            let first = try FaceFinishResponse(try await walk.finish(begun, name: "林小满"))
            #expect(first.userInfo.name == "林小满" && first.userInfo.phone == "138****0001")

            let known = try await walk.begin(.login, .remembered(first.remembered))
            #expect(!known.isNewAccount && known.needs == [.face])
            #expect(try await walk.show(WrittenFace.owner, in: known.session) == .passed(nil))
            let login = try FaceFinishResponse(try await walk.finish(known))
            #expect(login.openID == first.openID && login.uid == first.uid)
            #expect(try await walk.ask(.user, login.grant)["openId"] == .string(first.openID))

            let tapped = try await walk.begin(.login, .oneTap(try await walk.oneTap()))
            #expect(!tapped.isNewAccount && tapped.needs == [.face])

            #expect(try await walk.ask(.cancel, login.grant)["erased"] == true)
            #expect(try await walk.ask(.user, login.grant)["code"] != "success")
            let gone = FaceBeginRequest(
                appToken: try await walk.appToken(), purpose: .login, identity: .remembered(login.remembered),
                language: "zh-Hans")
            #expect(try await walk.post(.begin, gone.json)["code"] != "success")
            #expect(try await walk.begin(.login, .oneTap(try await walk.oneTap())).isNewAccount)
        }
    }

    @Test("The app's server learns by its code once who it is, with the number, and when the face was verified last")
    func server() async throws {
        try await walk { walk in
            let login = try await walk.enrol()
            let members = ["grant_type": "authorization_code", "code": login.authorizationCode]
            let bought = try await walk.server.call(.post, "/v1/oauth/token", members, nonce: "a").json["data"]
            #expect(bought?["open_id"] == .string(login.openID))
            let token = try #require(bought?["access_token"]?.stringValue)
            func user(_ nonce: String) async throws -> JSON {
                try await walk.server.call(.post, "/v1/user/info", ["access_token": token], nonce: nonce).json
            }
            let found = try await user("b")["data"]
            #expect(found?["open_id"] == .string(login.openID) && found?["uid"] == .string(login.uid))
            #expect(found?["phone"] == "13800000001" && found?["name"] == "林小满")
            let before = try #require(found?["face_verified_at"]?.integerValue)

            walk.world.clock.advance(by: .seconds(100))
            let verifying = try await walk.begin(.verify, .access(login.grant.accessToken))
            #expect(try await walk.show(WrittenFace.owner, in: verifying.session) == .passed(nil))
            let after = try #require(try await user("c")["data"]?["face_verified_at"]?.integerValue)
            #expect(after == walk.world.clock.now.seconds && after >= before + 100)

            let again = try await walk.server.call(.post, "/v1/oauth/token", members, nonce: "d")
            #expect(again.code == "token_spent")
            #expect(try await user("e")["code"] == "access_token_invalid", "and what it had bought is ended")
        }
    }

    @Test("A person who agreed is found in the app's group by their face, and logged in by what the install remembers")
    func groups() async throws {
        try await walk { walk in
            let login = try await walk.enrol()
            let made = try await walk.server.call(.post, "/v1/group/create", ["name": "g"], nonce: "a")
            let group = try #require(made.json["data"]?["id"]?.stringValue)
            #expect(try await walk.look(in: group, as: WrittenFace.owner).candidate == nil, "nobody is in it yet")
            let added = try await walk.server.call(
                .post, "/v1/group/\(group)/users", ["open_id": login.openID], nonce: "b")
            #expect(added.json["message"] == "success")
            let found = try await walk.look(in: group, as: WrittenFace.owner)
            #expect(found.candidate == login.openID)
            #expect(try await walk.look(in: group, as: WrittenFace.stranger).candidate == nil)
            let alone = FaceFinishRequest(session: found.session)
            #expect(try await walk.post(.finish, alone.json)["code"] == "face_session_incomplete", "a find is no login")
            let confirmed = FaceFinishRequest(session: found.session, confirmation: .remembered(login.remembered))
            let again = try FaceFinishResponse(try await walk.post(.finish, confirmed.json))
            #expect(again.openID == login.openID)
            #expect(try await walk.ask(.leaveGroups, again.grant)["code"] == "success")
            #expect(try await walk.look(in: group, as: WrittenFace.owner).candidate == nil)
        }
    }

    /// Why a camera's pictures fail a challenge.
    private func failure(
        _ walk: SuperIDWalk, in session: String, _ scene: (String) -> [(Timestamp) -> [UInt8]]
    ) async throws -> FaceFramesResponse.Failure? {
        guard case .failed(let failure) = try await walk.show(in: session, scene) else { return nil }
        return failure
    }

    @Test(
        "A still picture, a photo before a camera and a recording enrol nobody, and the same session takes the person")
    func pictures() async throws {
        try await walk { walk in
            let begun = try await walk.begin(.login, .oneTap(try await walk.oneTap()))
            let session = begun.session
            _ = try await walk.agree(to: session, begun.nonce, begun.trace)
            let picture = WrittenFace().picture(at: walk.world.clock.now)
            let still = try await failure(walk, in: session) { _ in Array(repeating: { _ in picture }, count: 8) }
            #expect(still?.situation == .challengeFailed && still?.sentence == "still" && still?.attemptsLeft == 2)
            let photo = try await failure(walk, in: session) { _ in [WrittenFace().picture(at:)] }
            #expect(photo?.situation == .challengeFailed && photo?.sentence == "movement_missing")
            #expect(photo?.attemptsLeft == 1)
            #expect(try await walk.finish(begun, name: "谁")["code"] == "face_session_incomplete")
            #expect(try await walk.world.count("face_account") == 0)

            var recorded: [[UInt8]] = []
            let live = try await walk.show(in: session) { prompt in
                WrittenFace.doing(prompt, WrittenFace.owner).map { face in
                    { moment in
                        recorded.append(face.picture(at: moment))
                        return face.picture(at: moment)
                    }
                }
            }
            #expect(live == .passed(nil))
            let login = try FaceFinishResponse(try await walk.finish(begun, name: "林小满"))

            let next = try await walk.begin(.login, .remembered(login.remembered))
            var shown = recorded.makeIterator()
            let replayed = try await failure(walk, in: next.session) { _ in [{ _ in shown.next() ?? [] }] }
            #expect(replayed?.situation == .challengeFailed && replayed?.sentence == "replayed")
            #expect(try await walk.finish(next)["code"] == "face_session_incomplete")
        }
    }

    @Test("Another person's face opens no account, and does at a server that takes everybody for alike")
    func stranger() async throws {
        try await walk { walk in
            let login = try await walk.enrol()
            let begun = try await walk.begin(.login, .remembered(login.remembered))
            for (left, sentence) in [(2, "other_person"), (1, "other_person"), (0, "no_attempts_left")] {
                let expected = FaceFramesResponse.Failure(
                    situation: .faceDiffers, sentence: sentence, attemptsLeft: Int64(left))
                #expect(try await walk.show(WrittenFace.stranger, in: begun.session) == .failed(expected))
            }
            let challenge = FaceChallengeRequest(session: begun.session).json
            #expect(try await walk.post(.challenge, challenge)["code"] == "challenge_failed")
            #expect(try await walk.finish(begun)["code"] == "face_session_incomplete")
            let verifying = try await walk.begin(.verify, .access(login.grant.accessToken))
            guard case .failed(let failure) = try await walk.show(WrittenFace.stranger, in: verifying.session) else {
                Issue.record("a stranger was verified")
                return
            }
            #expect(failure.situation == .faceDiffers)
        }
        var naive = FacePolicy.standard
        naive.verification = -1
        try await walk(policy: naive) { walk in
            let login = try await walk.enrol()
            let begun = try await walk.begin(.login, .remembered(login.remembered))
            #expect(try await walk.show(WrittenFace.stranger, in: begun.session) == .passed(nil))
            #expect(try await walk.finish(begun)["openId"] == .string(login.openID))
        }
    }

    @Test("No face is looked at before the person has agreed, and a session is its own phone's")
    func consentAndKey() async throws {
        try await walk { walk in
            let begun = try await walk.begin(.login, .oneTap(try await walk.oneTap()))
            let challenge = FaceChallengeRequest(session: begun.session).json
            #expect(try await walk.post(.challenge, challenge)["code"] == "consent_missing")
            #expect(try await walk.finish(begun, name: "林小满")["code"] == "face_session_incomplete")
            #expect(try await walk.agree(to: begun.session, begun.nonce, begun.trace)["code"] == "success")
            let other = try await walk.post(
                FacePath.challenge.rawValue, challenge.serialized, by: SoftwareDeviceSigner())
            #expect(other["code"] == "face_session_invalid")
            #expect(try await walk.show(WrittenFace.owner, in: begun.session) == .passed(nil))
            #expect(try await walk.finish(begun, name: "林小满")["code"] == "success")
        }
    }
}
