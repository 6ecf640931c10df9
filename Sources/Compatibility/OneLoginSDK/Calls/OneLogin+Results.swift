import BenjiClient
import OneTapShell

extension OneLogin {
    /// Logs in on a page. A token ends what ``OneLoginPro`` keeps.
    class func logIn(
        on page: any AuthorizationPresenter, _ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) {
        let shell = shell
        shell.start(.login(page)) { result in
            if case .token = result.value { shell.stopKeeping() }
            completion?(spell(result))
        }
    }

    class func spell(_ result: CallResult) -> [AnyHashable: Any] {
        OneLoginResults.spell(result, appID: shell.appID ?? "", isPro: isPro).dictionary
    }
}
