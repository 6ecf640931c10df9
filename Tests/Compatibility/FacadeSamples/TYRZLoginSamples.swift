import TYRZLogin

/// The samples of TYRZLogin's document.
@MainActor struct TYRZLoginSamples {
    let appID: String
    let appKey: String
    private let successCode = "103000"

    func run() async {
        await withCheckedContinuation { continuation in loginimplicit { continuation.resume() } }
        await withCheckedContinuation { continuation in showImplicitLogin { continuation.resume() } }
    }

    private func loginimplicit(_ end: @escaping @MainActor () -> Void) {
        TYRZLogin.loginImplicitly(
            withAppId: appID, appkey: appKey, capaId: "200", capaIdTime: "", scene: "scene"
        ) { sender in
            self.show(sender)
            end()
        }
    }

    private func showImplicitLogin(_ end: @escaping @MainActor () -> Void) {
        TYRZLogin.loginImplicitly { sender in
            self.show(sender)
            end()
        }
    }

    private func show(_ sender: Any) {
        var result = sender as? [AnyHashable: Any] ?? [:]
        let resultCode = result["resultCode"] as? String
        result["result"] = resultCode == successCode ? "获取token成功" : "获取token失败"
        FacadeSamples.log("showInfo", result)
    }
}
