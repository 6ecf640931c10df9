import BenjiClient
import OneTapShell

extension OneLogin {
    /// Spells the end of a login. A token ends what ``OneLoginPro`` keeps.
    class func delivery(
        _ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) -> @MainActor (CallResult) -> Void {
        let shell = shell
        return { result in
            if case .token = result.value { shell.stopKeeping() }
            completion?(spell(result))
        }
    }

    /// Logs in on a page of the caller's.
    class func logIn(
        on page: any AuthorizationPresenter, _ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) {
        shell.start(.login(page), deliver: delivery(completion))
    }

    class func spell(_ result: CallResult) -> [AnyHashable: Any] {
        OneLoginResults.spell(result, appID: shell.appID ?? "", isPro: isPro).dictionary
    }
}
