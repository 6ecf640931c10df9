package import Authority
package import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiProtocol
import FaceMatching
package import Requests
import Sightings
import Store

/// Frames come in, and what they lead to goes out. None is kept.
extension FaceProvider {
    package func challenge(
        _ request: FaceChallengeRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceChallengeResponse {
        let session = try await open(request.session, device: device).session
        guard !session.needs.contains(.consent) else {
            throw failure(.consentMissing, "the person has not agreed to the face's being used", trace: session.trace)
        }
        let left = sessions.change(request.session) { session -> Int? in
            guard session.attemptsLeft > 0 else { return nil }
            session.attemptsLeft -= 1
            session.challenge = nil
            return session.attemptsLeft
        }
        guard let left, let left else {
            throw failure(.challengeFailed, "the session has no attempts left; begin again", trace: session.trace)
        }
        let limits = challenges.policy.challenge
        let begun: FaceChallenge
        do {
            begun = try await challenges.begin(
                for: Self.name(of: request.session), isKnown: session.subscription != nil)
        } catch {
            // It was not the person's fault.
            _ = sessions.change(request.session) { $0.attemptsLeft += 1 }
            throw failure(of: error, trace: session.trace)
        }
        _ = sessions.change(request.session) { $0.challenge = begun.id }
        standings.note(
            session.subscription.map { .known($0.subscription) } ?? .stranger, of: session.deviceKey,
            until: session.expiresAt)
        let isPicture = session.purpose == .attributes
        return FaceChallengeResponse(
            challenge: begun.id, step: FaceProgress(isPicture ? begun.step.withoutGestures : begun.step),
            lifetime: max(1, (begun.expires - authority.clock.now).wholeMilliseconds / 1000),
            pace: begun.pace.wholeMilliseconds, framesPerRequest: Int64(begun.framesPerPost),
            bytesPerFrame: Int64(limits.bytesPerFrame), attemptsLeft: Int64(left))
    }

    package func frames(
        _ request: FaceFramesRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceFramesResponse {
        let (session, app) = try await open(request.session, device: device)
        guard session.challenge == request.challenge else {
            throw failure(.challengeInvalid, "only the newest challenge of the session counts", trace: session.trace)
        }
        let frames = request.frames.map { FaceFrame(image: $0.picture, time: .milliseconds($0.milliseconds)) }
        if session.purpose == .attributes { return try await attributes(frames, session, request.session, app) }
        let verdict: FaceVerdict
        do {
            verdict = try await challenges.judge(frames, of: request.challenge, for: Self.name(of: request.session))
        } catch {
            guard let reason = error.reason.situation else { throw failure(of: error, trace: session.trace) }
            return await fail(session, request.session, reason, error.sentence)
        }
        switch verdict {
        case .goingOn(let step): return .more(FaceProgress(step))
        case .passed(let proof): return try await passed(proof, session, request.session)
        }
    }

    /// The challenge is passed; whether it is the right person is the next question.
    private func passed(
        _ proof: FaceProof, _ session: FaceSession, _ secret: String
    ) async throws(Refusal) -> FaceFramesResponse {
        _ = sessions.change(secret) { $0.challenge = nil }
        let seenAt = now
        if let account = session.account {
            let (template, binding) = try await comparable(session)
            guard try await isAlike(proof.isAlike(to: template, by: challenges.policy), session) else {
                return await fail(session, secret, .faceDiffers, .otherPerson)
            }
            if session.purpose == .verify {
                let now = now
                let isNoted = try await stored(trace: session.trace) { () async throws(StoreError) in
                    try await store.noteFaceVerified(
                        account: account, app: session.appID, revision: binding?.revision ?? 0, at: now)
                }
                guard isNoted else { throw failure(.notAuthorized, "the authorisation was cancelled meanwhile") }
                freshness.note(.init(account: account, app: session.appID, deviceKey: session.deviceKey), at: now)
            }
        }
        if session.purpose == .verify {
            sessions.end(secret)
        } else {
            _ = sessions.change(secret) { session in
                session.proof = proof
                session.faceSeenAt = seenAt
                session.needs.remove(.face)
            }
        }
        await record(session, secret, .authority, "face.challenge", "passed")
        return .passed(nil)
    }

    /// One good picture of the account's own face.
    private func attributes(
        _ frames: [FaceFrame], _ session: FaceSession, _ secret: String, _ app: AppRecord
    ) async throws(Refusal) -> FaceFramesResponse {
        var hint: FaceHint?
        let policy = challenges.policy
        for frame in frames.prefix(policy.challenge.framesPerPost) {
            let face: FaceObservation
            do throws(FaceError) {
                face = try await analyzer.observe(
                    frame.image, measuring: .all, in: .ring, within: policy.challenge.limits)
            } catch {
                if let found = FaceHint(error) {
                    hint = found
                    continue
                }
                switch error.code {
                case .busy: throw failure(.overloaded, "too many pictures at once; try again", trace: session.trace)
                case .unavailable: throw failure(.faceUnavailable, error.detail, trace: session.trace)
                case .failed, .outOfMemory:
                    throw failure(.internalError, "a picture could not be looked at", trace: session.trace)
                default: return await fail(session, secret, .pictureInvalid, .picturesWrong)
                }
            }
            if let flaw = policy.flaws(of: face).first {
                hint = .flaw(flaw)
                continue
            }
            let (template, _) = try await comparable(session)
            let isOwn = face.embedding.map { $0.similarity(to: template) >= policy.verification } ?? false
            guard try await isAlike(isOwn, session) else {
                return await fail(session, secret, .faceDiffers, .otherPerson)
            }
            sessions.end(secret)
            await record(session, secret, .authority, "face.attributes", "read")
            return .passed(FaceAttributeValues(face, policy: policy, fields: app.faceAttributes))
        }
        return .more(
            FaceProgress(
                prompt: FaceSentence.lookStraight.rawValue, hint: hint?.sentence.rawValue, done: 0, count: 0))
    }

    private func fail(
        _ session: FaceSession, _ secret: String, _ situation: Situation, _ sentence: FaceSentence
    ) async -> FaceFramesResponse {
        let left = sessions.change(secret) { session -> Int in
            session.challenge = nil
            return session.attemptsLeft
        }
        await record(refusal: situation, sentence.rawValue, of: session, secret, "face.challenge")
        return .failed(
            .init(
                situation: situation, sentence: (left ?? 0 > 0 ? sentence : .noAttemptsLeft).rawValue,
                attemptsLeft: Int64(left ?? 0)))
    }

    /// The account's template, if it may be compared with once more.
    func comparable(
        _ session: FaceSession
    ) async throws(Refusal) -> (template: FaceEmbedding, binding: FaceBindingRecord?) {
        let trace = session.trace
        guard let (account, binding) = try await account(of: session) else {
            throw failure(.attributesDenied, "there is no account", trace: trace)
        }
        guard comparisons.admits("\(account.id)", now: now) else {
            throw failure(.tooManyRequests, "too many comparisons with this account; try again later", trace: trace)
        }
        do {
            let key = try AccountKey(of: account, vault: authority.vault)
            return (try FaceTemplate.open(account.sealedTemplate, under: key), binding)
        } catch { throw failure(opening: "the account's template does not open", error, trace: trace) }
    }

    /// Returns the result of a comparison unless the limits forbid it. The store counts mismatches across processes and
    /// restarts.
    func isAlike(_ isAlike: Bool, _ session: FaceSession) async throws(Refusal) -> Bool {
        guard let holder = session.subscription else { return isAlike }
        let counts: [(kind: Guess.Kind, limit: Int, seconds: Int64)] = [
            (.face, configuration.comparisons, 600), (.dailyFace, configuration.dailyFaces, 86400),
        ]
        for count in counts {
            let guess = Guess(
                count.kind, of: holder, isRight: isAlike, now: now, limit: count.limit, window: .seconds(count.seconds))
            let outcome = try await stored(trace: session.trace) { () async throws(StoreError) in
                try await store.settle(guess)
            }
            guard outcome != .tooMany else {
                throw failure(
                    .tooManyRequests, "too many faces of others before this account; try again later",
                    trace: session.trace)
            }
        }
        return isAlike
    }

    /// How the challenge service knows a session: not by its secret.
    private static func name(of secret: String) -> String { Hexadecimal.encode(CredentialHash(of: secret).bytes) }

    private func failure(of error: FaceChallengeFailure, trace: TraceID) -> Refusal {
        switch error.reason {
        case .unavailable: failure(.faceUnavailable, unavailability ?? "no face can be looked at here", trace: trace)
        case .busy: failure(.overloaded, "too many people at once; try again", trace: trace)
        case .unknown: failure(.challengeInvalid, "the challenge is over; ask for another", trace: trace)
        default: failure(.internalError, "the frames could not be looked at", trace: trace)
        }
    }
}

extension FaceChallengeStep {
    fileprivate var withoutGestures: FaceChallengeStep {
        var step = self
        step.count = 0
        return step
    }
}
