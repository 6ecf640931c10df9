import Foundation

@testable import SuperIDSDK

/// Writes down what the later releases tell a delegate.
@MainActor final class LaterHearer: NSObject, SuperIDDelegate {
    private(set) var all: [String] = []
    private(set) var info: [AnyHashable: Any]?
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Waits until more than `count` calls were received, and returns the first of those.
    func next(after count: Int) async -> String {
        if all.count <= count { await withCheckedContinuation { waiting.append((count, $0)) } }
        return all[count]
    }

    private func hear(_ words: String, _ info: [AnyHashable: Any]? = nil, _ error: (any Error)? = nil) {
        MainActor.assertIsolated()
        self.info = info
        all.append(words + ((error as NSError?).map { " \($0.code)" } ?? ""))
        for waiter in waiting where all.count > waiter.count { waiter.continuation.resume() }
        waiting.removeAll { all.count > $0.count }
    }

    func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?
    ) { hear("login \(openId ?? "nobody")", userInfo, error) }

    func superID(_ sender: SuperID, faceVerifyResponse state: SIDFACEVerifyState) { hear("verified \(state.rawValue)") }

    func superID(_ sender: SuperID, getAppTokenResponse state: SIDGetAppTokenState) {
        hear("app token \(state.rawValue)")
    }

    func superID(
        _ sender: SuperID, sidDidFinishCreatUserWithInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?
    ) { hear("created \(openId ?? "nobody")", userInfo, error) }

    func superID(
        _ sender: SuperID, updateSuperIDAccountResponse state: SIDUpdateAccountState,
        updateInfo info: [AnyHashable: Any]?
    ) { hear("account \(state.rawValue)", info) }

    func superID(_ sender: SuperID, queryCurrentUserAuthorizationStateResponse state: SIDUserAuthorizationState) {
        hear("state \(state.rawValue)")
    }

    func superID(_ sender: SuperID, updateAppUserInfoStateResponse state: SIDUserUpdateResponseState) {
        hear("user info \(state.rawValue)")
    }

    func superID(_ sender: SuperID, userDidFinishCancelAuthorization error: (any Error)?) {
        hear("cancelled", nil, error)
    }
}
