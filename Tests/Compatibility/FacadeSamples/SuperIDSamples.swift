import BenjiClient
import BenjiFace
import BenjiProtocol
import BenjiTesting
import Foundation
import SuperIDSDK

/// The samples of SuperID's document, with pictures from a folder in the place of the camera.
@MainActor final class SuperIDSamples: NSObject, SuperIDDelegate {
    private let appID: String
    private let appSecret: String
    private let pictures: PictureStage
    private var heard: CheckedContinuation<Void, Never>?

    init(appID: String, appSecret: String, pictures: PictureStage) {
        self.appID = appID
        self.appSecret = appSecret
        self.pictures = pictures
    }

    func run() async {
        // 4.2
        SuperID.sharedInstance().registerApp(withAppID: appID, withAppSecret: appSecret)
        // 5.3
        let superIdSdk = SuperID.sharedInstance()
        superIdSdk.delegate = self
        await call { superIdSdk.queryCurrentUserAuthorizationState(withUid: "SuperID_1") }
        await session(.attributes)
        await session(.loginWithNumber("+85291234567"))
        await session(.login)
        guard superIdSdk.isAppAuth() else { return }
        await call { superIdSdk.updateAppUid("SuperID_1") }
        await call {
            superIdSdk.updateAppUserInfo(["name": "xxx", "email": "xxxx@gmail.com", "avatar": "http://xxxxxx"])
        }
        await call { superIdSdk.queryCurrentUserAuthorizationState(withUid: "SuperID_1") }
        await session(.attributes)
        // Later releases.
        await session(.verification(attempts: 3))
        await call {
            SuperID.queryCurrentUserAuthorizationState(withOpenId: SuperID.getSIDUserInfoData()["openId"] as? String)
        }
        superIdSdk.appUserLogoutCurrentAccount()
        await session(.login)
        while let group = readLine() { await search(group) }
        await call { superIdSdk.userCancelAuthorization() }
    }

    private func call(_ call: () -> Void) async {
        await withCheckedContinuation { continuation in
            heard = continuation
            call()
        }
    }

    private func session(_ kind: SuperIDSession.Kind) async {
        let session: SuperIDSession
        do throws(BenjiError) { session = try SuperIDSession(kind) } catch {
            return FacadeSamples.log("refused", ["situation": error.situation.rawValue])
        }
        await withCheckedContinuation { continuation in
            heard = continuation
            Task { await session.run(on: pictures) }
        }
    }

    private func search(_ group: String) async {
        do throws(BenjiError) {
            let session = try SuperIDSession(.search(source: appID, group: group))
            let outcome = try await session.engine.result(of: session.goal, on: pictures).get()
            guard case .found(let openID) = outcome else { return FacadeSamples.log("search", [:]) }
            FacadeSamples.log("search", openID.map { ["found": $0] } ?? [:])
        } catch {
            FacadeSamples.log("search", ["situation": error.situation.rawValue])
        }
    }

    private func hear(_ what: String, _ info: [AnyHashable: Any]?, _ error: (any Error)?, _ more: [String: Any] = [:]) {
        var said: [AnyHashable: Any] = more
        if let info { said["info"] = info }
        if let error = error as NSError? { said["code"] = error.code }
        FacadeSamples.log(what, said)
        heard?.resume()
        heard = nil
    }

    func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?
    ) { hear("login", userInfo, error, uid.map { ["uid": $0] } ?? [:]) }

    func superID(_ sender: SuperID, faceVerifyResponse state: SIDFACEVerifyState) {
        hear("verified", nil, nil, ["state": state.rawValue])
    }

    func superID(_ sender: SuperID, userDidFinishCancelAuthorization error: (any Error)?) {
        hear("cancel", nil, error)
    }

    func superID(
        _ sender: SuperID, userDidFinishGetFaceFeatureWithFeatureInfo featureInfo: [AnyHashable: Any]?,
        error: (any Error)?
    ) { hear("feature", featureInfo, error) }

    func superID(_ sender: SuperID, queryCurrentUserAuthorizationStateResponse state: SIDUserAuthorizationState) {
        hear("state", nil, nil, ["state": state.rawValue])
    }

    func superID(_ sender: SuperID, updateAppUserInfoStateResponse state: SIDUserUpdateResponseState) {
        hear("user info", nil, nil, ["state": state.rawValue])
    }

    func superID(_ sender: SuperID, updateAppUidResponse state: SIDUserUpdateResponseState) {
        hear("uid", nil, nil, ["state": state.rawValue])
    }
}
