import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Testing

@Suite struct FaceSessionTests {
    @Test(
        """
        The first use proves the number, asks for the separate consent before the camera, then for name and \
        authorisation
        """
    )
    func firstUse() async throws {
        let lab = try FaceLab()
        let stage = ScriptedFaceStage()
        let outcome = try await lab.engine.run(.logIn(), on: stage)
        guard case .loggedIn(let user) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(await stage.questions.map(\.kind) == ["consent", "camera", "profile", "authorization"])
        #expect(
            await lab.service.requests == [
                .appToken, .begin, .consent, .challenge, .frames, .frames, .frames, .finish,
            ])
        #expect(await lab.carrier.tokens.count == 1)
        #expect(user.isRandomUID && user.userInfo.name == "小明" && user.userInfo.phone == "138****0000")
        #expect(await lab.service.consents.count == 2)
        #expect(await lab.service.account?.hasFace == true)
    }

    @Test("The consents are signed by the device key, link what was shown, and name this session")
    func consents() async throws {
        let lab = try FaceLab()
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        let records = await lab.service.consents
        let payloads = try records.map { try CompactJWS(parsing: $0).payload }
        #expect(payloads.first?["content"]?["policyVersion"] == "face-1")
        #expect(payloads.first?["content"]?["links"]?.serialized != JSON.array([]).serialized)
        #expect(payloads.last?["content"]?["policyVersion"] == "app-1")
        #expect(payloads.first?["scripHash"] == payloads.last?["scripHash"])
        for payload in payloads { #expect(payload["content"]?["initiallyTicked"] == .bool(false)) }
    }

    @Test("An attestation rides along where the number is proven and with every request of face login")
    func attestation() async throws {
        struct Attester: AttestationProvider {
            func attestation(
                for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
            ) async throws -> String? { "a.b.c" }
        }
        actor Watched: Transport {
            let service: ScriptedFaceService
            var headers: [String?] = []

            init(_ service: ScriptedFaceService) { self.service = service }

            nonisolated func localAddress(towards: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

            func send(
                _ request: TransportRequest, timeout: Duration
            ) async throws(TransportError) -> TransportResponse {
                headers.append(request.headers[ClientAttestation.headerName])
                return try await service.send(request, timeout: timeout)
            }
        }
        var way: Watched?
        let lab = try FaceLab(attestation: Attester()) { service in
            let watched = Watched(service)
            way = watched
            return watched
        }
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        let headers = try await #require(way).headers
        #expect(headers.count == 8 && headers.allSatisfy { $0 == "a.b.c" })
        #expect(await lab.carrier.requests.allSatisfy { $0.headers[ClientAttestation.headerName] == "a.b.c" })
    }

    @Test("A remembered account logs in by face alone, without a number")
    func remembered() async throws {
        let lab = try FaceLab()
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        let stage = ScriptedFaceStage()
        // Also after a restart of the app, and after the person logged out.
        await lab.engine.logOut()
        _ = try await lab.restarted().run(.logIn(), on: stage)
        #expect(await stage.questions.map(\.kind) == ["camera"])
        #expect(await lab.carrier.tokens.count == 1)
    }

    @Test("An account that the server does not know any more is forgotten, and one tap says who it is")
    func forgotten() async throws {
        let lab = try FaceLab()
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        await lab.service.change { $0 = nil }
        let stage = ScriptedFaceStage()
        _ = try await lab.engine.run(.logIn(), on: stage)
        #expect(await lab.carrier.tokens.count == 2)
        #expect(await stage.questions.first?.kind == "consent")
        // The new account is remembered in its place.
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        #expect(await lab.carrier.tokens.count == 2)
    }

    @Test("A refused album, which leaves no picture, is no obstacle, and a picture that was taken arrives")
    func avatars() async throws {
        for avatar in [nil, [0xFF, 0xD8] as [UInt8]] {
            let lab = try FaceLab()
            var person = ScriptedFaceStage.Person()
            person.avatar = avatar
            _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage(person))
            #expect(await lab.service.account?.avatar == avatar)
        }
    }

    @Test("A refused camera is told as such, and nothing has been asked of the challenge")
    func camera() async throws {
        for (reply, situation) in [(FaceReply.cameraDenied, Situation.cameraDenied), (.cameraFailed, .cameraFailed)] {
            let lab = try FaceLab(account: FaceLab.known)
            var person = ScriptedFaceStage.Person()
            person.camera = reply
            let stage = ScriptedFaceStage(person)
            #expect(await lab.situation(.logIn(), stage) == situation)
            #expect(await !lab.service.requests.contains(.challenge))
            #expect(await stage.notices.last == .ended(situation))
        }
    }

    @Test(
        """
        Somebody who says no to the consent, to the authorisation, or closes the screen has cancelled, and nothing is \
        kept
        """
    )
    func declining() async throws {
        var people = [ScriptedFaceStage.Person](repeating: .init(), count: 3)
        people[0].consents = false
        people[1].authorizes = false
        people[2].leavesCamera = true
        for person in people {
            let lab = try FaceLab()
            #expect(await lab.situation(.logIn(), ScriptedFaceStage(person)) == .userCancelled)
            #expect(await lab.service.account == nil)
            #expect(lab.vault.read() == nil)
        }
    }

    @Test("A failed attempt is explained and may be tried again, until none is left")
    func retries() async throws {
        let lab = try FaceLab(account: FaceLab.known)
        await lab.service.play(.fails(.challengeFailed, sentence: "movement_missing"), .passes)
        let stage = ScriptedFaceStage()
        _ = try await lab.engine.run(.logIn(), on: stage)
        #expect(await stage.questions.map(\.kind) == ["camera", "retry movement_missing 2"])

        let other = try FaceLab(account: FaceLab.known)
        let play = ScriptedFaceService.Play.fails(.faceDiffers, sentence: "other_person")
        await other.service.play(play, play, play)
        let stranger = ScriptedFaceStage()
        #expect(await other.situation(.logIn(), stranger) == .faceDiffers)
        #expect(await stranger.questions.map(\.kind) == ["camera", "retry other_person 2", "retry other_person 1"])
        #expect(await !other.engine.isAuthorized)
    }

    @Test("An app may allow fewer attempts than the server, and never more")
    func attempts() async throws {
        for (allowed, questions) in [(0, 0), (1, 0), (2, 1), (3, 2), (9, 2)] {
            let lab = try FaceLab(account: FaceLab.known)
            let play = ScriptedFaceService.Play.fails(.faceDiffers, sentence: "other_person")
            await lab.service.play(play, play, play)
            let stage = ScriptedFaceStage()
            #expect(await error { try await lab.engine.run(.logIn(), attempts: allowed, on: stage) } == .faceDiffers)
            #expect(await stage.questions.map(\.kind).filter { $0.hasPrefix("retry") }.count == questions)
        }
    }

    @Test("The time of a challenge ends it, whatever the server asks for")
    func time() async throws {
        let lab = try FaceLab(account: FaceLab.known)
        await lab.service.play(.asksForMore(hint: "too_dark"))
        var person = ScriptedFaceStage.Person()
        person.patience = 0
        let stage = TimedStage(ScriptedFaceStage(person)) { lab.pass(.seconds(10)) }
        #expect(await error { try await lab.engine.run(.logIn(), on: stage) } == .userCancelled)
        #expect(await stage.stage.questions.last?.kind == "retry too_late 2")
        #expect(
            await stage.stage.notices.contains { if case .due(let due) = $0 { due.hint == "too_dark" } else { false } })
    }

    @Test("A second session beside the first is refused")
    func second() async throws {
        let lab = try FaceLab(number: "13800000000")
        let waiting = FakePresenter(.waits)
        let first = Task { await error { try await lab.engine.run(.logIn(), on: ScriptedFaceStage(page: waiting)) } }
        await waiting.shown()
        #expect(await lab.situation(.logIn(), ScriptedFaceStage()) == .alreadyRunning)
        first.cancel()
        #expect(await first.value == .cancelledByApp)
    }

    @Test("Verifying and reading attributes need somebody who is logged in")
    func identity() async throws {
        let lab = try FaceLab(account: FaceLab.known)
        #expect(await lab.situation(.attributes, ScriptedFaceStage()) == .attributesDenied)
        #expect(await lab.situation(.verify, ScriptedFaceStage()) == .notAuthorized)
        #expect(await lab.service.requests.isEmpty)
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        #expect(try await lab.engine.run(.verify, on: ScriptedFaceStage()) == .verified)
        guard case .attributes(let values) = try await lab.engine.run(.attributes, on: ScriptedFaceStage()) else {
            return #expect(Bool(false))
        }
        #expect(values[.age] == .number("26.85"))
    }

    @Test("Binding ties the app's own uid, and says when account or uid belong to somebody else")
    func binding() async throws {
        let lab = try FaceLab(account: FaceLab.known)
        #expect(await lab.situation(.bind(uid: "another"), ScriptedFaceStage()) == .accountBoundElsewhere)
        await lab.service.take(uid: "taken")
        #expect(await lab.situation(.bind(uid: "taken"), ScriptedFaceStage()) == .uidTaken)
        #expect(await lab.situation(.bind(uid: "user-1", phone: "13900000000"), ScriptedFaceStage()) == .numberDiffers)
        let fresh = try FaceLab()
        let info = FaceUserInfo(email: "ming@example.com")
        guard
            case .loggedIn(let user) = try await fresh.engine.run(
                .bind(uid: "user-7", userInfo: info), on: ScriptedFaceStage())
        else { return #expect(Bool(false)) }
        #expect(user.uid == "user-7" && !user.isRandomUID && user.userInfo.email == "ming@example.com")
    }
}

/// The situation that a call ended in.
func error<Value: Sendable>(_ call: @Sendable () async throws -> Value) async -> Situation {
    do {
        _ = try await call()
        return .success
    } catch {
        return (error as? BenjiError)?.situation ?? .internalError
    }
}

/// A stage on which time passes with every picture.
struct TimedStage: FaceStage {
    let stage: ScriptedFaceStage
    let pass: @Sendable () -> Void

    init(_ stage: ScriptedFaceStage, pass: @escaping @Sendable () -> Void) {
        self.stage = stage
        self.pass = pass
    }

    var language: String { stage.language }
    func numberPage() async -> any AuthorizationPresenter { await stage.numberPage() }
    func answer(_ question: FaceQuestion) async -> FaceReply { await stage.answer(question) }
    func tell(_ notice: FaceNotice) async { await stage.tell(notice) }
    func frames(atMost count: Int) async -> [FaceFrame]? {
        pass()
        return await stage.frames(atMost: count)
    }
}
