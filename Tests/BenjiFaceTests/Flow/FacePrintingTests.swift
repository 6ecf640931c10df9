import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Testing

@Suite struct FacePrintingTests {
    @Test(
        "Nothing that prints or dumps who logged in, what an app asked for or what the phone keeps shows what it holds")
    func descriptions() async throws {
        let lab = try FaceLab()
        let (phone, uid) = ("13800000000", "user-77")
        let info = FaceUserInfo(name: "小林", email: "lin@example.com")
        let outcome = try await lab.engine.run(
            .bind(uid: uid, phone: phone, userInfo: info), on: ScriptedFaceStage())
        guard case .loggedIn(let user) = outcome else { return #expect(Bool(false)) }
        let memory = FaceEngine.remembered(in: lab.vault)
        let access = try #require(memory.access)
        #expect(memory.uid == uid && user.userInfo.phone == "138****0000")
        let kept: [Any] = [
            user, outcome, FaceGoal.bind(uid: uid, phone: phone, userInfo: info), FaceGoal.logIn(phone: phone), memory,
            access, FaceProfile(name: "小明", avatar: [0xFF, 0xD8]), FaceReply.profile(FaceProfile(name: "小明")),
            FaceFrame(milliseconds: 125, picture: [0xFF, 0xD8, 0x11]),
        ]
        for value in kept {
            var text = "\(value) \(String(reflecting: value)) \([value])"
            dump(value, to: &text)
            let secrets = [
                phone, uid, "小林", "小明", "lin@example.com", user.openID, user.authorizationCode, "255", "0xFF",
                access.grant.accessToken, access.grant.refreshToken, memory.remembered ?? "none",
            ]
            for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
        }
    }
}
