import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Testing

/// The app's own groups: the yes to being found there, and looking.
@Suite struct FaceGroupTests {
    private func lab(_ account: ScriptedFaceService.Account? = nil) async throws -> FaceLab {
        let lab = try FaceLab(account: account)
        await lab.service.add(group: "g1", finding: "open-0000")
        await lab.service.add(group: "g2", finding: nil)
        return lab
    }

    private func person(joins: Bool) -> ScriptedFaceStage.Person {
        var person = ScriptedFaceStage.Person()
        person.joinsGroups = joins
        return person
    }

    private func asked(_ lab: FaceLab, joins: Bool = false, engine: FaceEngine? = nil) async throws -> [String] {
        let stage = ScriptedFaceStage(person(joins: joins))
        _ = try await (engine ?? lab.engine).run(.logIn(), on: stage)
        return await stage.questions.map(\.kind)
    }

    @Test("Being found is asked last, by itself, and the yes is a consent of its own that names the app")
    func yes() async throws {
        let lab = try await lab()
        #expect(
            try await asked(lab, joins: true) == ["consent", "camera", "profile", "authorization", "groups groups-1"])
        let versions = try await lab.service.consents.map {
            try CompactJWS(parsing: $0).payload["content"]?["policyVersion"]
        }
        #expect(versions == ["face-1", "app-1", "groups-1"])
        #expect(await lab.service.account?.joinsGroups == true)
        #expect(try await asked(lab) == ["camera"])
    }

    @Test("A no is no obstacle, and is not asked again of the person who gave it, also after the app was started anew")
    func no() async throws {
        let lab = try await lab()
        #expect(try await asked(lab).last == "groups groups-1")
        #expect(await lab.service.consents.count == 2)
        #expect(await lab.service.account?.joinsGroups == false)
        #expect(try await asked(lab) == ["camera"])
        #expect(try await asked(lab, engine: lab.restarted()) == ["camera"])
        await lab.engine.askAboutGroups()
        #expect(try await asked(lab, joins: true) == ["camera", "groups groups-1"])
        #expect(await lab.service.account?.joinsGroups == true)
    }

    @Test("A no is not carried over to whoever proves a number on the same phone")
    func another() async throws {
        let lab = try await lab()
        _ = try await asked(lab)
        await lab.service.change { $0 = nil }
        #expect(try await asked(lab).last == "groups groups-1")
    }

    @Test("Whoever leaves is found no more, and is not asked again by the next login")
    func leaving() async throws {
        let lab = try await lab()
        _ = try await asked(lab, joins: true)
        try await lab.engine.leaveGroups()
        #expect(await lab.service.account?.joinsGroups == false)
        #expect(try await asked(lab, joins: true) == ["camera"])
        await lab.engine.logOut()
        #expect(await error { try await lab.engine.leaveGroups() } == .notAuthorized)
    }

    @Test("Closing the screen at that question gives the login up")
    func closing() async throws {
        let lab = try await lab()
        let stage = LeavingStage(ScriptedFaceStage())
        #expect(await error { try await lab.engine.run(.logIn(), on: stage) } == .userCancelled)
        #expect(await lab.service.account == nil)
    }

    @Test("An app without groups asks nobody, and a verification never does")
    func elsewhere() async throws {
        let plain = try FaceLab(account: FaceLab.known)
        #expect(try await asked(plain) == ["camera"])
        let lab = try await lab(FaceLab.known)
        _ = try await asked(lab)
        await lab.engine.askAboutGroups()
        let stage = ScriptedFaceStage()
        #expect(try await lab.engine.run(.verify, on: stage) == .verified)
        #expect(await stage.questions.map(\.kind) == ["camera"])
    }

    @Test("A search needs nobody logged in, asks for its own consent before the camera, and names one person or none")
    func search() async throws {
        let lab = try await lab()
        for (group, found) in [("g1", "open-0000"), ("g2", nil)] as [(String, String?)] {
            let stage = ScriptedFaceStage()
            #expect(try await lab.engine.run(.search(group: group), on: stage) == .found(openID: found))
            #expect(await stage.questions.map(\.kind) == ["search consent", "camera"])
        }
        let paths = await lab.service.requests.filter { $0 != .frames }
        #expect(
            paths == [
                .appToken, .searchBegin, .consent, .challenge, .search, .searchBegin, .consent, .challenge, .search,
            ])
        // Found is not logged in.
        #expect(lab.vault.read() == nil)
        #expect(await lab.carrier.tokens.isEmpty)
    }

    @Test(
        "A search without the yes, past its attempts, in another's group or by an app without groups ends in its code")
    func failing() async throws {
        let lab = try await lab()
        var unwilling = ScriptedFaceStage.Person()
        unwilling.consents = false
        #expect(await lab.situation(.search(group: "g1"), ScriptedFaceStage(unwilling)) == .userCancelled)
        #expect(await !lab.service.requests.contains(.challenge))
        let play = ScriptedFaceService.Play.fails(.challengeFailed, sentence: "not_live")
        await lab.service.play(play, play, play)
        #expect(await lab.situation(.search(group: "g1"), ScriptedFaceStage()) == .challengeFailed)
        #expect(await !lab.service.requests.contains(.search))
        #expect(await lab.situation(.search(group: "g9"), ScriptedFaceStage()) == .groupUnknown)
        #expect(await (try FaceLab()).situation(.search(group: "g1"), ScriptedFaceStage()) == .capabilityMissing)
    }
}

/// A person who closes the screen when they are asked about groups.
private struct LeavingStage: FaceStage {
    let stage: ScriptedFaceStage

    init(_ stage: ScriptedFaceStage) { self.stage = stage }

    var language: String { stage.language }
    func numberPage() async -> any AuthorizationPresenter { await stage.numberPage() }
    func answer(_ question: FaceQuestion) async -> FaceReply {
        if case .groups = question { return .left }
        return await stage.answer(question)
    }
    func tell(_ notice: FaceNotice) async { await stage.tell(notice) }
    func frames(atMost count: Int) async -> [FaceFrame]? { await stage.frames(atMost: count) }
}
