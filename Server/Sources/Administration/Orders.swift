/// The list of all orders, for whatever goes through them: routes, documents, tests.
package enum Orders {
    package static let all: [any Order.Type] =
        [
            CreateApp.self, ListApps.self, ShowApp.self, ChangeApp.self, SuspendApp.self, ResumeApp.self, AllowApp.self,
            DeleteApp.self, KeepApp.self, RotateAppKey.self, RetireAppKey.self, SplitAppKeys.self, ListAudit.self,
            ShowTrace.self, FindTraces.self, CountLogins.self, CountAllLogins.self, ListLedger.self, Statement.self,
            ShowConsents.self,
            WithdrawConsent.self,
            ShowOpenIDClient.self, ChangeOpenIDClient.self, RotateClientSecret.self, RetireClientSecret.self,
            RemoveOpenIDClient.self, RotateIDTokenKeys.self, ShowNumber.self, ReassignNumber.self, PortNumber.self,
            ShowSession.self,
            GrantAdmin.self, RenewAdmin.self, RevokeAdmin.self, RemoveAdminPhone.self,
            ListAdmins.self, ListTeam.self, InviteToTeam.self, AddToTeam.self, RemoveFromTeam.self,
            ShowSubscriber.self, ExportSubscriber.self, EraseSubscriber.self, ExportTrace.self,
            ShowKeys.self, RotateMasterKey.self, RotateReceiptKey.self,
            SubmitPage.self, ListPages.self, ShowPage.self, ApprovePage.self, RefusePage.self, WithdrawPage.self,
            ListPolicies.self, ShowPolicy.self,
            ShowCallback.self, SetCallback.self, RemoveCallback.self, RotateCallbackSecret.self, TestCallback.self,
            ListDeliveries.self, ReplayDeliveries.self,
            ListAttestedKeys.self, RevokeAttestedKey.self,
            ShowLog.self, VerifyLog.self, ProveLog.self,
            ShowContract.self, ListContract.self, SetContract.self, EndContract.self,
        ] + face

    /// Logged acts of the installation itself, or of a person who is no admin yet.
    private static let ownNames = [
        "app.callback.stop", "app.erase", "console.accept", "console.bind-phone", "console.pause",
        "console.remove-phone", "console.sign-in", "installation.restore",
        "policy.change", "rows.seal",
    ]

    /// The order names that a line of the audit log can have, in alphabetical order.
    package static let names = (all.map { $0.name } + ownNames).sorted()

    #if Face
    private static let face: [any Order.Type] = [
        CountFaceAccounts.self, FreezeFaceAccount.self, ThawFaceAccount.self, EraseFaceAccount.self,
        GrantFaceLogin.self, WithdrawFaceLogin.self,
    ]
    #else
    private static let face: [any Order.Type] = []
    #endif
}
