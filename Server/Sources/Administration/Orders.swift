/// The list of all orders, for whatever goes through them: routes, documents, tests.
package enum Orders {
    package static let all: [any Order.Type] = [
        CreateApp.self, ListApps.self, ShowApp.self, ChangeApp.self, SuspendApp.self, ResumeApp.self, AllowApp.self,
        DeleteApp.self, KeepApp.self, RotateAppKey.self, RetireAppKey.self, SplitAppKeys.self, ListAudit.self,
        ShowTrace.self, FindTraces.self, ListLedger.self, Statement.self, ShowConsents.self,
    ]
}
