import BenjiFaceProtocol
import BenjiFaceTexts
package import BenjiProtocol
import FaceAccounts
package import FaceMatching
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP

/// A page on the loopback on which anybody may try the camera and the challenge, without an account. It is for the
/// person who sets a server up, and for people whose face login fails. It keeps nothing. Pages of other sites are
/// refused.
package struct FaceTrialEndpoints: Sendable {
    let challenges: FaceChallenges
    let random: any RandomSource
    private let gate: FrameGate

    /// - Parameter frameRequests: as of ``FaceEndpoints``.
    package init(challenges: FaceChallenges, random: any RandomSource, frameRequests: Int = 64) {
        self.challenges = challenges
        self.random = random
        gate = FrameGate(limit: frameRequests)
    }

    package enum Path: String, Sendable, CaseIterable {
        case page = "/face/trial"
        case challenge = "/face/trial/challenge"
        case frames = "/face/trial/frames"
    }

    package var routes: [EndpointRoute] {
        [
            EndpointRoute(.get, Path.page.rawValue) { request, context in
                try Self.refuseOtherPages(request)
                context.outcome.note(code: Situation.success.rawValue)
                return FacePages.document(.trial, request)
            },
            EndpointRoute(.post, Path.challenge.rawValue) {
                try Self.refuseOtherPages($0)
                return await challenge($0, $1)
            },
            EndpointRoute(.post, Path.frames.rawValue) {
                try Self.refuseOtherPages($0)
                return try await frames($0, $1)
            },
        ]
    }

    private static func refuseOtherPages(_ request: Request) throws(Refusal) {
        if let problem = LoopbackCaller.problem("benji face try", request) {
            throw Refusal(.orderNotPermitted, problem)
        }
    }

    private func challenge(_ request: Request, _ context: EndpointContext) async -> Response {
        let session = CredentialGrammar.faceSession.make(random: random)
        do throws(FaceChallengeFailure) {
            let challenge = try await challenges.begin(for: session)
            context.outcome.note(code: Situation.success.rawValue)
            let lifetime = challenges.policy.challenge.life.components.seconds
            let response = FaceChallengeResponse(
                challenge: challenge.id, step: FaceProgress(challenge.step), lifetime: lifetime,
                pace: challenge.pace.wholeMilliseconds, framesPerRequest: Int64(challenge.framesPerPost),
                bytesPerFrame: Int64(challenge.bytesPerFrame), attemptsLeft: 1)
            guard case .object(let members) = response.json else { return Response(response.json) }
            return Response(.object(members + [JSON.Member("session", .string(session))]))
        } catch {
            return answer(failed: error, context)
        }
    }

    private func frames(_ request: Request, _ context: EndpointContext) async throws -> Response {
        guard request.mediaType == FaceFramesRequest.contentType else { throw Situation.malformedRequest }
        guard gate.enter() else { return answer(failed: FaceChallengeFailure(.busy), context) }
        defer { gate.leave() }
        let limits = challenges.policy.challenge
        let bytes = try await request.bytes(upTo: limits.framesPerPost * limits.bytesPerFrame + 20 << 10)
        let frames: FaceFramesRequest
        do { frames = try FaceFramesRequest(bytes) } catch {
            throw Refusal(.malformedRequest, error.description)
        }
        do throws(FaceChallengeFailure) {
            let verdict = try await challenges.judge(
                frames.frames.map { FaceFrame(image: $0.picture, time: .milliseconds($0.milliseconds)) },
                of: frames.challenge, for: frames.session)
            context.outcome.note(code: Situation.success.rawValue)
            switch verdict {
            case .goingOn(let step): return Response(FaceFramesResponse.more(FaceProgress(step)).json)
            case .passed(let proof): return Response(FaceFramesResponse.passed(Self.attributes(proof)).json)
            }
        } catch {
            return answer(failed: error, context)
        }
    }

    private func answer(failed failure: FaceChallengeFailure, _ context: EndpointContext) -> Response {
        let situation =
            failure.reason.situation ?? (failure.reason == .unavailable ? .faceUnavailable : .challengeFailed)
        context.outcome.note(code: situation.rawValue)
        return Response(
            FaceFramesResponse.failed(
                .init(situation: situation, sentence: failure.sentence.rawValue, attemptsLeft: 1)
            ).json)
    }

    /// Returns age, gender and smile.
    private static func attributes(_ proof: FaceProof) -> FaceAttributeValues {
        func score(_ value: Double) -> JSON {
            .object(["result": .integer(value > 0.5 ? 1 : 0), "score": .number(String(Int(value * 1000)) + "e-3")])
        }
        let attributes = proof.face.attributes
        return FaceAttributeValues(
            [
                (.age, attributes.map { JSON.number(String(Int($0.age))) }), (.male, attributes.map { score($0.male) }),
                (.smiling, attributes.map { score($0.smile) }),
            ].compactMap { field, value in value.map { (field, $0) } })
    }
}
