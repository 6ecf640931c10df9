package import BenjiClient
package import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiProtocol

/// The decisions of one face session: an event in, the next action out. Performs nothing and asks no clock.
///
/// The order is the person's. It begins with the account that this phone remembers, or a number proven with one tap. A
/// separate consent, before the camera opens, and the face follow. Then come name and picture of a new account, and the
/// authorisation of the app.
package struct FaceFlow: Sendable {
    package enum Event: Sendable {
        case started
        /// A one-tap token.
        case proven(String)
        case begun(FaceBegun)
        case replied(FaceReply)
        case consentTaken
        case challenged(FaceChallengeResponse)
        /// `nil` when no more will come.
        case collected([FaceFrame]?)
        /// The challenge's time is over.
        case timeIsUp
        case judged(FaceFramesResponse)
        case finished(FaceFinishResponse)
        /// The openId of the one person whom the search has found.
        case found(String?)
        case failed(BenjiError)
    }

    package enum Action: Sendable {
        /// `forgetting`: the account that this install remembered is no longer good.
        case proveNumber(forgetting: Bool)
        case begin(FaceIdentity)
        case beginSearch(group: String)
        case ask(FaceQuestion)
        case sendConsent(FaceAgreement, FaceTerms)
        case requestChallenge
        /// Shows the person the notices, and waits for pictures.
        case collect([FaceNotice], atMost: Int)
        case send([FaceFrame])
        case sendFinish(FaceLoginResult)
        case search
        case end(Result<FaceOutcome, BenjiError>)
    }

    package let goal: FaceGoal
    /// The account that this install remembers.
    private let remembered: String?
    private let access: String?
    /// The version of the groups to which this install has said no, or ``FaceMemory/everyGroup``.
    private let declinedGroups: String?

    /// Attempts that the app allows.
    private var allowed: Int

    private var hasProven = false
    /// The session under way.
    private(set) var begun: FaceBegun?
    private var needs: [FaceNeed] = []
    private(set) var challenge: FaceChallengeResponse?
    private var attributes: FaceAttributeValues?
    private var harvest = FaceLoginResult()
    private var asksAboutGroups = false
    private var hasCamera = false

    package init(
        goal: FaceGoal, remembered: String?, access: String?, declinedGroups: String? = nil, attempts: Int = .max
    ) {
        self.goal = goal
        self.remembered = remembered
        self.access = access
        self.declinedGroups = declinedGroups
        allowed = max(attempts, 1)
    }

    package mutating func handle(_ event: Event) -> Action {
        switch event {
        case .started: return start()
        case .proven(let token):
            hasProven = true
            return .begin(.oneTap(token))
        case .begun(let response):
            begin(response)
            return next()
        case .replied(let reply): return take(reply)
        case .consentTaken: return done(.consent)
        case .challenged(let challenge):
            self.challenge = challenge
            return collect([.challenge(pace: .milliseconds(challenge.pace)), .due(challenge.step)])
        case .collected(let frames): return take(frames)
        case .timeIsUp:
            return retry(.challengeExpired, FaceSentence.tooLate.rawValue, left: Int(challenge?.attemptsLeft ?? 0))
        case .judged(let response): return take(response)
        case .finished(let response): return .end(.success(.loggedIn(FaceUser(response))))
        case .found(let openID): return .end(.success(.found(openID: openID)))
        case .failed(let error): return take(error)
        }
    }

    private mutating func begin(_ response: FaceBegun) {
        begun = response
        needs = response.needs
        // A no counts for the person who gave it: whom this install remembers.
        let declined = hasProven ? nil : declinedGroups
        harvest.declinedGroups = declined
        asksAboutGroups =
            goal.logsIn && response.groups != nil && declined != response.groups?.version
            && declined != FaceMemory.everyGroup
    }

    private func start() -> Action {
        switch goal {
        case .logIn, .bind: return remembered.map { .begin(.remembered($0)) } ?? .proveNumber(forgetting: false)
        case .verify, .attributes:
            if let access { return .begin(.access(access)) }
            let situation: Situation = goal == .attributes ? .attributesDenied : .notAuthorized
            return fail(situation, "nobody who has authorised the app is logged in")
        case .search(let group): return .beginSearch(group: group)
        }
    }

    /// The next action.
    private mutating func next() -> Action {
        guard let begun else { return fail(.internalError, "no session has begun") }
        if needs.contains(.consent) {
            guard let terms = begun.terms else { return fail(.malformedResponse, "the consent's terms are missing") }
            if case .search = goal { return .ask(.searchConsent(terms)) }
            return .ask(.consent(terms))
        }
        if needs.contains(.face) { return hasCamera ? .requestChallenge : .ask(.camera) }
        if needs.contains(.profile) { return .ask(.profile) }
        if needs.contains(.authorization) {
            guard let app = begun.authorization else {
                return fail(.malformedResponse, "what is to be authorised is missing")
            }
            return .ask(.authorization(app))
        }
        if asksAboutGroups, let groups = begun.groups { return .ask(.groups(groups)) }
        switch goal {
        case .search: return .search
        case .verify: return .end(.success(.verified))
        case .attributes:
            guard let attributes else { return fail(.malformedResponse, "the attributes are missing") }
            return .end(.success(.attributes(attributes)))
        case .logIn, .bind: return .sendFinish(harvest)
        }
    }

    private mutating func done(_ need: FaceNeed) -> Action {
        needs.removeAll { $0 == need }
        return next()
    }

    private mutating func take(_ reply: FaceReply) -> Action {
        switch reply {
        case .agreed(let agreement):
            if needs.contains(.consent), let terms = begun?.terms { return .sendConsent(agreement, terms) }
            if needs.contains(.authorization), let app = begun?.authorization {
                harvest.authorization = .init(agreement: agreement, version: app.version)
                return done(.authorization)
            }
            return answerGroups(agreement)
        case .profile(let profile):
            harvest.profile = profile
            return done(.profile)
        case .ready:
            hasCamera = true
            return .requestChallenge
        case .declined where needs.isEmpty && asksAboutGroups: return answerGroups(nil)
        case .declined: return fail(.userCancelled, "the person said no")
        case .cameraDenied: return fail(.cameraDenied, "the person does not let the app use the camera")
        case .cameraFailed: return fail(.cameraFailed, "the camera cannot be used")
        case .left: return fail(.userCancelled, "the person closed the screen")
        }
    }

    private mutating func answerGroups(_ agreement: FaceAgreement?) -> Action {
        asksAboutGroups = false
        let version = begun?.groups?.version
        harvest.groups = agreement.flatMap { yes in version.map { .init(agreement: yes, version: $0) } }
        harvest.declinedGroups = agreement == nil ? version : nil
        return next()
    }

    private func collect(_ notices: [FaceNotice]) -> Action {
        .collect(notices, atMost: Int(challenge?.framesPerRequest ?? 1))
    }

    private mutating func take(_ frames: [FaceFrame]?) -> Action {
        guard let challenge else { return fail(.internalError, "pictures without a challenge") }
        guard let frames else { return fail(.userCancelled, "the person closed the screen") }
        // A picture that the server would refuse is left out; the next one is not far.
        let fitting = frames.filter { $0.picture.count <= Int(challenge.bytesPerFrame) }
        return fitting.isEmpty ? collect([]) : .send(Array(fitting.prefix(Int(challenge.framesPerRequest))))
    }

    private mutating func take(_ response: FaceFramesResponse) -> Action {
        switch response {
        case .more(let progress): return collect([.due(progress)])
        case .passed(let attributes):
            self.attributes = attributes
            challenge = nil
            return done(.face)
        case .failed(let failure):
            return retry(failure.situation, failure.sentence, left: Int(failure.attemptsLeft))
        }
    }

    /// Another attempt, or the end if none is left.
    private mutating func retry(_ situation: Situation, _ sentence: String, left: Int) -> Action {
        challenge = nil
        allowed -= 1
        let left = min(left, allowed)
        return left > 0 ? .ask(.retry(sentence: sentence, left: left)) : fail(situation, "no attempt is left")
    }

    private mutating func take(_ error: BenjiError) -> Action {
        // The server no longer knows the account that the phone remembers: the number identifies the person.
        if error.situation == .rememberedAccountInvalid, begun == nil, !hasProven {
            return .proveNumber(forgetting: true)
        }
        // These end the attempt, not the session.
        if let challenge, [.challengeExpired, .challengeInvalid].contains(error.situation) {
            return retry(error.situation, FaceSentence.attemptOver.rawValue, left: Int(challenge.attemptsLeft))
        }
        return .end(.failure(error))
    }

    private func fail(_ situation: Situation, _ detail: String) -> Action {
        .end(.failure(BenjiError(situation, detail, trace: begun?.trace)))
    }
}
