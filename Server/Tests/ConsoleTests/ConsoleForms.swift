import Administration
import Authority
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store

/// The request that one button of the console sends.
struct ConsoleForm: Sendable {
    /// As the router has it.
    let route: String
    let path: String
    /// The order that it gives; `nil` for what everybody may do with their own account.
    let order: (any Order.Type)?
    var fields: [String: String] = [:]
    /// The body, in the place of fields.
    var json: String?

    /// Whether the store has something else afterwards.
    var changes: Bool { order != ShowPolicy.self }
}

/// The requests of people who have signed in: each button of each route that is more than a page to look at. An
/// operator can send them all in this order.
struct ConsoleForms {
    typealias Button = (action: String, order: any Order.Type, fields: [String: String])

    let app: AppID
    /// Submissions of the app's that wait: one to approve and withdraw, one to refuse.
    let pages: (Int64, Int64)
    /// A developer of another app, with a phone bound.
    let person: String

    var all: [ConsoleForm] {
        var all = appForms
        all += callbackForms
        all += webLoginForms
        all += teamForms
        all += pageForms
        all += peopleForms
        all += installationForms
        return all + ownForms
    }

    /// The routes of forms without a session's token, which visitors send before they have signed in.
    static let strangers = ["sign-in", "invitation", "account", "second"].map { "/console/\($0)" }

    private func form(
        _ path: String, _ order: (any Order.Type)?, _ fields: [String: String] = [:], page: Int64 = 0,
        action: String = "", json: String? = nil
    ) -> ConsoleForm {
        let route = "/console\(path)"
        let sent = route.replacing("{id}", with: app.rawValue).replacing("{number}", with: "\(page)")
            .replacing("{name}", with: person).replacing("{action}", with: action)
        return ConsoleForm(route: route, path: sent, order: order, fields: fields, json: json)
    }

    private func forms(_ path: String, page: Int64 = 0, _ buttons: [Button]) -> [ConsoleForm] {
        buttons.map { form("\(path)/{action}", $0.order, $0.fields, page: page, action: $0.action) }
    }

    private var appForms: [ConsoleForm] {
        let keys: [Button] = [
            ("split-keys", SplitAppKeys.self, [:]), ("rotate-key", RotateAppKey.self, ["overlap": "until-retired"]),
            ("retire-key", RetireAppKey.self, ["use": "server", "version": "1"]),
            ("rotate-secret", RotateAppKey.self, ["overlap": "until-retired"]),
        ]
        let states: [Button] = [
            ("suspend", SuspendApp.self, [:]), ("resume", ResumeApp.self, [:]), ("allow", AllowApp.self, [:]),
        ]
        let terms = ["reference": "2026-117", "currency": "CNY", "rate-released": "0.045"]
        return [
            form("/apps", CreateApp.self, ["name": "Forged"]),
            form("/apps/{id}/settings", ChangeApp.self, ["was.bundles": "", "bundles": "evil.example"]),
            form("/apps/{id}/contract", SetContract.self, terms), form("/apps/{id}/contract/end", EndContract.self),
        ] + forms("/apps/{id}/orders", keys + states)
    }

    private var callbackForms: [ConsoleForm] {
        forms(
            "/apps/{id}/callback",
            [
                ("set", SetCallback.self, ["url": "https://evil.example/", "events": "login.released"]),
                ("test", TestCallback.self, [:]), ("rotate-secret", RotateCallbackSecret.self, [:]),
                ("replay", ReplayDeliveries.self, [:]), ("remove", RemoveCallback.self, [:]),
            ])
    }

    private var webLoginForms: [ConsoleForm] {
        let client = [
            "was.redirectURIs": "", "redirectURIs": "https://evil.example/callback",
            "agreement": "https://evil.example/a", "privacy": "https://evil.example/p",
        ]
        return [form("/apps/{id}/login", ChangeOpenIDClient.self, client)]
            + forms(
                "/apps/{id}/login",
                [
                    ("rotate-secret", RotateClientSecret.self, ["overlap": "7"]),
                    ("retire-secret", RetireClientSecret.self, ["version": "1"]),
                    ("remove", RemoveOpenIDClient.self, [:]),
                ])
    }

    private var teamForms: [ConsoleForm] {
        forms(
            "/apps/{id}/team",
            [
                ("invite", InviteToTeam.self, ["name": "eve"]), ("add", AddToTeam.self, ["person": person]),
                ("remove", RemoveFromTeam.self, ["person": person]),
            ])
    }

    private var pageForms: [ConsoleForm] {
        let page = StartPage.fullScreen.text(agreement: "https://evil.example/a", privacy: "https://evil.example/p")
        return [form("/apps/{id}/design/submit", SubmitPage.self, json: page)]
            + forms(
                "/pages/{number}", page: pages.0,
                [
                    ("approve", ApprovePage.self, ["reason": "looks right"]),
                    ("withdraw", WithdrawPage.self, ["app": app.rawValue]),
                ])
            + forms("/pages/{number}", page: pages.1, [("refuse", RefusePage.self, ["reason": "offends"])])
    }

    private var peopleForms: [ConsoleForm] {
        [form("/people", GrantAdmin.self, ["name": "eve", "role": "operator"])]
            + forms(
                "/people/{name}",
                [
                    ("remove-phone", RemoveAdminPhone.self, [:]), ("renew", RenewAdmin.self, [:]),
                    ("revoke", RevokeAdmin.self, [:]),
                ])
    }

    private var installationForms: [ConsoleForm] {
        let number = AuthorityWorld.number.e164
        return [
            form("/sessions/show", ShowSession.self, ["address": "10.0.0.1"]),
            form("/policy/check", ShowPolicy.self, ["policy": CarrierPolicy.standard.json.text]),
        ]
            + forms(
                "/numbers",
                [
                    ("show", ShowNumber.self, ["number": number]),
                    ("port", PortNumber.self, ["number": number, "carrier": "unicom"]),
                    ("reassign", ReassignNumber.self, ["number": number]),
                ])
            + forms(
                "/keys",
                [
                    ("rotate", RotateMasterKey.self, [:]), ("rotate-receipt", RotateReceiptKey.self, [:]),
                    ("rotate-id-tokens", RotateIDTokenKeys.self, [:]),
                ])
    }

    /// Signing out comes last.
    private var ownForms: [ConsoleForm] {
        [
            form("/phone", nil, ["password": ConsoleWorld.password]), form("/phone/remove", nil),
            form("/sign-out", nil),
        ]
    }
}
