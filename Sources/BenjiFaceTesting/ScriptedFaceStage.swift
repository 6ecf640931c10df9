public import Benji
public import BenjiClient
public import BenjiFace
public import BenjiFaceProtocol
public import BenjiProtocol
public import BenjiTesting

/// A person in front of a face session, without a screen and a camera.
public actor ScriptedFaceStage: FaceStage {
    /// The data and choices of the person.
    public struct Person: Hashable, Sendable {
        public var name = "小明"
        public var avatar: [UInt8]?
        public var consents = true
        public var authorizes = true
        /// Lets the app find them by their face in its groups.
        public var joinsGroups = true
        public var camera = FaceReply.ready
        /// How often they try again.
        public var patience = 10
        /// Leaves in front of the camera.
        public var leavesCamera = false

        public init() {}
    }

    private let person: Person
    private let page: any AuthorizationPresenter
    private let sms: (any SMSPresenter)?
    private let clock: any WallClock
    private var retries = 0
    private var shown: Int64 = 0
    public private(set) var questions: [FaceQuestion] = []
    public private(set) var notices: [FaceNotice] = []

    public init(
        _ person: Person = Person(), page: any AuthorizationPresenter = FakePresenter(),
        smsPage: (any SMSPresenter)? = nil, clock: any WallClock = SystemWallClock()
    ) {
        self.person = person
        self.page = page
        sms = smsPage
        self.clock = clock
    }

    public nonisolated var language: String { "zh-Hans" }

    public func numberPage() -> any AuthorizationPresenter { page }

    public func smsPage() -> (any SMSPresenter)? { sms }

    public func answer(_ question: FaceQuestion) -> FaceReply {
        questions.append(question)
        switch question {
        case .consent, .searchConsent: return person.consents ? .agreed(agreement("同意使用人脸信息")) : .declined
        case .authorization(let app): return person.authorizes ? .agreed(agreement(app.appName)) : .declined
        case .groups(let app): return person.joinsGroups ? .agreed(agreement(app.appName)) : .declined
        case .profile: return .profile(FaceProfile(name: person.name, avatar: person.avatar))
        case .camera: return person.camera
        case .retry:
            retries += 1
            return retries <= person.patience ? .ready : .declined
        }
    }

    public func tell(_ notice: FaceNotice) {
        notices.append(notice)
        if case .challenge = notice { shown = 0 }
    }

    public func frames(atMost count: Int) -> [FaceFrame]? {
        guard !person.leavesCamera else { return nil }
        shown += 1
        return [FaceFrame(milliseconds: shown * 125, picture: [0xFF, 0xD8, 0xFF, UInt8(truncatingIfNeeded: shown)])]
    }

    private func agreement(_ text: String) -> FaceAgreement {
        let now = clock.now
        return FaceAgreement(
            texts: [text], button: "同意", language: language, shownAt: now, tickedAt: now + .milliseconds(1),
            tappedAt: now + .milliseconds(2))
    }
}
