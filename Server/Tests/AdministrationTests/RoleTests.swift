import Administration
import Authority
import BenjiProtocol
import Requests
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Who may give which order")
struct RoleTests {
    private static let trace = TraceID(rawValue: String(repeating: "0", count: 32))!

    /// One order of each type, about an app where it is about one.
    static func samples(_ app: AppID, subscriber: PhoneNumber = AuthorityWorld.otherNumber) -> [any Order] {
        var named = AppChanges()
        named[list: .bundles] = ListChange(adding: ["com.example.other"])
        var client = OpenIDClientChanges()
        client.redirectURIs = ListChange(["https://shop.example/callback"])
        let number = AuthorityWorld.number
        #if Face
        let face: [any Order] = [
            CountFaceAccounts(), FreezeFaceAccount(number), ThawFaceAccount(number), EraseFaceAccount(number),
            GrantFaceLogin(app), WithdrawFaceLogin(app),
        ]
        #else
        let face: [any Order] = []
        #endif
        return [
            CreateApp(Apps.Registration(name: "new")), ListApps(), ShowApp(app), ChangeApp(app, named),
            SuspendApp(app), ResumeApp(app), AllowApp(app), DeleteApp(app), KeepApp(app),
            RotateAppKey(app, .server, keeping: .none), RetireAppKey(app, .server), SplitAppKeys(app, keeping: .none),
            ListAudit(AuditFilter(app: app)), ShowTrace(trace, app: app), FindTraces(TraceFilter(app: app)),
            ListLedger(app), CountLogins(app), CountAllLogins(), Statement(app, year: 2026, month: 11),
            ShowConsents(trace, app: app),
            ShowOpenIDClient(app), ChangeOpenIDClient(app, client), RotateClientSecret(app, keeping: .none),
            RetireClientSecret(app), RemoveOpenIDClient(app), RotateIDTokenKeys(), ShowNumber(number),
            ReassignNumber(number), PortNumber(number, to: .unicom), ShowSession("10.0.0.1"),
            GrantAdmin("new", .support), RenewAdmin("other-admin"), RevokeAdmin("other-admin"),
            RemoveAdminPhone("other-admin"), ListAdmins(),
            ListTeam(app), InviteToTeam(app, "new"), AddToTeam(app, "other-admin"), RemoveFromTeam(app, "other-admin"),
            ShowSubscriber(subscriber), ExportSubscriber(subscriber), EraseSubscriber(subscriber),
            ExportTrace(trace, app: app), WithdrawConsent(subscriber, to: app),
            ShowKeys(), RotateMasterKey(), RotateReceiptKey(),
            SubmitPage(app, "{}"), ListPages(app), ShowPage(1, app: app), ApprovePage(7), RefusePage(7),
            WithdrawPage(7, app: app), ListPolicies(), ShowPolicy(),
            ShowCallback(app), SetCallback(app, url: "https://shop.example/events"), RotateCallbackSecret(app),
            TestCallback(app), ListDeliveries(app), ReplayDeliveries(app), RemoveCallback(app),
            ListAttestedKeys(app), RevokeAttestedKey(app, "key"), ShowLog(), VerifyLog(), ProveLog(subscriber),
            ShowContract(app), ListContract(app),
            SetContract(app, reference: "2026-117", currency: "CNY", rates: ["released": "0.045"]), EndContract(app),
        ] + face
    }

    /// The orders of each role; an operator gives all of them.
    static let allowed: [Role: Set<String>] = [
        .support: [
            "app.list", "app.show", "app.openid.show", "trace.show", "trace.find", "trace.export", "login.count",
            "login.count-all", "consent.show", "number.show", "session.show", "subscriber.show", "log.show",
            "face.count", "page.list", "page.show", "policy.list", "policy.show", "app.callback.show",
            "app.callback.deliveries",
        ],
        .auditor: [
            "app.list", "app.show", "app.openid.show", "audit.list", "trace.show", "trace.find", "trace.export",
            "login.count", "login.count-all", "app.team.list", "ledger.list",
            "ledger.statement", "consent.show", "face.count", "admin.list", "keys.show",
            "log.show", "log.verify",
            "page.list", "page.show", "policy.list", "policy.show", "app.callback.show", "app.callback.deliveries",
            "app.contract.show", "app.contract.list", "app.attested-key.list",
        ],
        .developer: [
            "app.create", "app.list", "app.show", "app.set", "app.rotate-key", "app.retire-key", "app.split-keys",
            "audit.list",
            "trace.show", "trace.find", "trace.export", "login.count", "ledger.list", "ledger.statement",
            "consent.show", "log.show",
            "app.openid.show",
            "app.openid.set", "app.openid.rotate-secret", "app.openid.retire-secret", "page.submit", "page.list",
            "page.show", "page.withdraw", "app.callback.show", "app.callback.set", "app.callback.remove",
            "app.callback.rotate-secret", "app.callback.test", "app.callback.deliveries", "app.callback.replay",
            "app.contract.show", "app.contract.list", "app.attested-key.list", "app.attested-key.revoke",
            "app.team.list", "app.team.invite", "app.team.add", "app.team.remove",
        ],
    ]

    /// Orders that only look and leave a line all the same: they look at what concerns a person.
    private static let notedLooks: Set<String> = [
        "consent.show", "number.show", "session.show", "subscriber.show", "log.prove", "subscriber.export",
    ]

    @Test("the samples hold each order that there is")
    func complete() {
        let names = Self.samples(AppID(rawValue: "300000000001")!).map { type(of: $0).name }
        #expect(names.sorted() == Orders.all.map { $0.name }.sorted())
        #expect(Set(names).count == names.count, "two orders have one name")
    }

    @Test(
        "an order outside of a role is refused as not permitted, with one line in the audit log and nothing else",
        arguments: Role.allCases)
    func roles(role: Role) async throws {
        let world = try await AdministrationWorld()
        for order in Self.samples(world.app) {
            let name = type(of: order).name
            let before = try await world.lines().count
            let app = try await world.world.store.app(world.app)
            let refused = try await world.refused(order, by: world.caller(role, apps: [world.app]))
            let isAllowed = role == .operator || Self.allowed[role]?.contains(name) == true
            #expect((refused != .orderNotPermitted) == isAllowed, "\(name) by \(role)")
            let lines = try await world.lines()
            let leavesLine = type(of: order).changes || Self.notedLooks.contains(name)
            #expect(lines.count - before == (isAllowed && !leavesLine ? 0 : 1), "\(name) by \(role)")
            guard !isAllowed else { continue }
            #expect(lines.first?.outcome == .orderNotPermitted && lines.first?.role == role.rawValue)
            #expect(try await world.world.store.app(world.app) == app, "\(name) by \(role)")
        }
        await world.end()
    }

    @Test("a developer gives no order about another's app, if there is one or not, and lists only their own")
    func othersApps() async throws {
        let world = try await AdministrationWorld()
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        let developer = world.caller(.developer, apps: [other])
        for app in [world.app, world.unknown] {
            for order in Self.samples(app) where order.app != nil {
                #expect(try await world.refused(order, by: developer) == .orderNotPermitted, "\(type(of: order).name)")
            }
        }
        #expect(try await world.refused(ListAudit(), by: developer) == .orderNotPermitted)
        do { _ = try await world.order(ListAudit(), by: developer) } catch {
            #expect("\(error)".contains("--app"), "who may give it about an app of theirs is told so: \(error)")
        }
        let listed = try await world.order(ListApps(), by: developer).arrayValue ?? []
        #expect(listed.map { $0["id"]?.stringValue } == [other.rawValue])
        await world.end()
    }

    /// Each member of a change: what sets it, and whether a developer may.
    static let members: [(name: String, isDevelopers: Bool, set: @Sendable (inout AppChanges) -> Void)] = [
        ("name", false, { $0[.name] = "renamed" }),
        ("bundles", true, { $0[list: .bundles] = ListChange(["com.example.other"]) }),
        ("serverAddresses", true, { $0[list: .serverAddresses] = ListChange(["198.51.100.7"]) }),
        ("wideAddresses", false, { $0[.wideAddresses] = true }),
        ("openIDFromAnywhere", false, { $0[.openIDFromAnywhere] = true }),
        ("capabilities", false, { $0[list: .capabilities] = ListChange(adding: ["sim-swap"]) }),
        ("rsaPublicKey", true, { $0[.rsaPublicKey] = "PEM" }), ("sign", true, { $0[.sign] = "md5" }),
        ("dailyQuota", false, { $0[.dailyQuota] = 1_000_000 }),
        ("leastAssurance", false, { $0[.leastAssurance] = "net" }),
        ("workflow", false, { $0[.workflow] = "one-tap" }),
        ("attesters", false, { $0[list: .attesters] = ListChange(adding: ["{}"]) }),
        ("appleTeam", false, { $0[.appleTeam] = "A1B2C3D4E5" }),
        ("developmentKeys", false, { $0[.developmentKeys] = true }),
        ("scripLifetime", true, { $0[.scripLifetime] = 60 }), ("tokenLifetime", true, { $0[.tokenLifetime] = 60 }),
        ("requestTimeTolerance", false, { $0[.requestTimeTolerance] = 60 }),
        ("numberWithoutPage", false, { $0[.numberWithoutPage] = true }),
        ("phonesWithoutKey", false, { $0[.phonesWithoutKey] = true }),
        ("unsignedRequests", false, { $0[.unsignedRequests] = true }),
        ("requiresPageReview", false, { $0[.requiresPageReview] = false }),
        ("approvedContent", false, { $0[list: .approvedContent] = ListChange(["digest"]) }),
        ("owner", false, { $0[.owner] = "Group" }),
        ("sourceIDs", false, { $0[list: .sourceIDs] = ListChange(["1"]) }),
        ("cleared", true, { $0.cleared = [.rsaPublicKey] }),
    ]

    @Test("each member of a change is said to be a developer's or the operator's, and is kept to that")
    func operatorsPart() async throws {
        #expect(Set(Self.members.map(\.name)) == Set(AppSetting.all.map(\.name)).union(["cleared"]))
        for member in Self.members {
            var changes = AppChanges()
            member.set(&changes)
            #expect((changes.operatorsPart == nil) == member.isDevelopers, "\(member.name)")
        }
        for clearable in AppSetting.all.filter(\.isClearable) {
            var changes = AppChanges()
            changes.cleared = [clearable]
            let isDevelopers = [.rsaPublicKey, .scripLifetime, .tokenLifetime].contains(clearable)
            #expect((changes.operatorsPart == nil) == isDevelopers, "\(clearable)")
        }
        let world = try await AdministrationWorld()
        let before = try await world.world.store.app(world.app)
        var changes = AppChanges()
        changes[list: .bundles] = ListChange(["com.example.other"])
        changes[.dailyQuota] = 1_000_000
        let developer = world.caller(.developer, apps: [world.app])
        #expect(try await world.refused(ChangeApp(world.app, changes), by: developer) == .orderNotPermitted)
        #expect(try await world.world.store.app(world.app) == before)
        await world.end()
    }

    @Test("who may not give an order any more is refused, also under the name of a request that was carried out")
    func formerRequest() async throws {
        let world = try await AdministrationWorld()
        func suspend(by role: Role) async throws(Refusal) -> JSON {
            try await world.administration.perform(
                SuspendApp(world.app), by: world.caller(role), request: OrderRequest(key: "k", digest: [1]))
        }
        _ = try await suspend(by: .operator)
        #expect(try await suspend(by: .operator)["alreadyCarriedOut"] != nil)
        #expect(try await refusal { _ = try await suspend(by: .support) } == .orderNotPermitted)
        #expect(try await world.lines().first?.outcome == .orderNotPermitted)
        await world.end()
    }

    @Test("a look for a former request that fails does not hide why the order is refused")
    func failingLook() async throws {
        let world = try await AdministrationWorld()
        try await world.database("ALTER TABLE audit RENAME TO elsewhere")
        let error = await #expect(throws: Refusal.self) {
            try await world.administration.perform(
                SuspendApp(world.app), by: world.caller(), reason: "two\nlines",
                request: OrderRequest(key: "k", digest: [1]))
        }
        #expect(error?.situation == .parameterInvalid && error?.detail.hasPrefix("reason: ") == true)
        await world.end()
    }
}
