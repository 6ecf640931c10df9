import BenjiClient
import OneTapShell

extension GeYanSdk {
    /// Spells the end of a login. A token ends what ``GyOneLoginPro`` keeps.
    static func delivery(
        _ shell: OneTapShell, as release: GeYanResults.Release = .document, _ callback: GyVerifyCallback?
    ) -> @MainActor (CallResult) -> Void {
        { result in
            if case .token = result.value { shell.stopKeeping() }
            callback?(GeYanResults.spell(result, release).dictionary)
        }
    }

    /// Logs in on a page of the caller's.
    static func logIn(
        on page: any AuthorizationPresenter, _ shell: OneTapShell, as release: GeYanResults.Release = .document,
        _ callback: GyVerifyCallback?
    ) {
        shell.start(.login(page), deliver: delivery(shell, as: release, callback))
    }
}
