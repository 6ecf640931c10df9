package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Registers an app. Answers it with its keys, this once. A developer's new app is one of theirs from then on, and is
/// answered once an operator has allowed it.
package struct CreateApp: Order {
    package static let name = "app.create"
    package static let route = OrderRoute.post("/apps")
    package static let summary =
        "Register an app; its keys are shown this once. A developer's new app is one of theirs, and waits until an "
        + "operator allows it."
    package static let answer = "App"
    package static let fields =
        AppSetting.fields(isChange: false) + [
            OrderField("id", .app, "The id that the app already has elsewhere; drawn if it is absent."),
            OrderField("allowed", .flag, "Whether it is on the allow-list."),
            OrderField("oneKey", .flag, "One key for phones and server, as with other vendors."),
        ]
    package static let roles: Set<Role> = [.operator, .developer]
    package static let isForAllDevelopers = true
    /// How many apps a developer can have who makes them.
    package static let appsOfADeveloper = 20

    package var registration: Apps.Registration
    package var operatorsPart: String? { registration.operatorsPart }

    package init(_ registration: Apps.Registration) { self.registration = registration }

    package static let usual = OrderForm.usual(CreateApp(Apps.Registration(name: "")), without: ["name"])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        registration = Apps.Registration(name: "")
        registration.id = try container.decodeIfPresent(AppID.self, forKey: MemberName("id"))
        registration.allowed = try container.decode(Bool.self, forKey: MemberName("allowed"))
        registration.hasOneKey = try container.decode(Bool.self, forKey: MemberName("oneKey"))
        for setting in AppSetting.all where setting == .name || container.contains(MemberName(setting.name)) {
            let value = try container.decode(setting.shape, forKey: MemberName(setting.name))
            if setting == .wideAddresses { registration.acceptsWideAddresses = value == true }
            try setting.set(value, of: &registration.app)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encodeIfPresent(registration.id?.rawValue, forKey: MemberName("id"))
        try container.encode(registration.allowed, forKey: MemberName("allowed"))
        try container.encode(registration.hasOneKey, forKey: MemberName("oneKey"))
        for setting in AppSetting.all where setting != .wideAddresses {
            try container.encode(setting.read(registration.app), forKey: MemberName(setting.name))
        }
        try container.encode(registration.acceptsWideAddresses, forKey: MemberName(AppSetting.wideAddresses.name))
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let uses: [AppKeyUse] = registration.hasOneKey ? [.package] : [.package, .server]
        guard context.caller.role == .developer else {
            return context.json(try await context.apps.register(registration, by: context.note), showing: uses)
        }
        var registration = registration
        registration.allowed = false
        let (store, developer) = (context.store, context.caller.name)
        var hasRoom = true
        let app = try await context.apps.register(registration, by: context.note) { app, line throws(StoreError) in
            hasRoom = try await store.createApp(app, of: developer, atMost: Self.appsOfADeveloper, audit: line)
        }
        guard hasRoom else {
            throw Refusal(
                .tooManyRequests,
                "a developer makes \(Self.appsOfADeveloper) apps at most; an operator makes further ones")
        }
        return context.json(app, showing: uses)
    }
}

extension Apps.Registration {
    /// The first member of it that only an operator may set, as the command line spells it: see
    /// ``AppChanges/operatorsPart``.
    fileprivate var operatorsPart: String? {
        if id != nil { return "id" }
        if hasOneKey { return "one-key" }
        if acceptsWideAddresses { return AppSetting.wideAddresses.option }
        let usual = Apps.Registration(name: app.name).app
        return AppSetting.all.first { $0.decider != .developer && $0.read(app) != $0.read(usual) }?.option
    }
}

extension AppSetting {
    /// The members of an order that registers or changes an app.
    /// - Parameter isChange: whether the order may add to lists and remove from them.
    fileprivate static func fields(isChange: Bool) -> [OrderField] {
        all.map { setting in
            var shape = setting.shape
            if isChange, case .list(let element, _) = shape { shape = .change(of: element) }
            return OrderField(
                setting.name, shape, isRequired: setting == .name && !isChange, setting.help.english)
        }
    }
}

/// All apps, by id; a developer's own ones.
package struct ListApps: Order {
    package static let name = "app.list"
    package static let route = OrderRoute.get("/apps")
    package static let summary = "All apps; a developer's own ones."
    package static let answer = "Apps"
    package static let roles = Set(Role.allCases)
    package static let changes = false
    package static let isForAllDevelopers = true

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let shown = try await context.apps.all().filter { context.caller.sees($0.id) }
        return .array(shown.map { $0.json(now: context.now) })
    }
}

/// One app, without its keys, and when each of them was used last.
package struct ShowApp: Order {
    package static let name = "app.show"
    package static let route = OrderRoute.get("/apps/{id}")
    package static let summary = "One app, without its keys."
    package static let answer = "App"
    package static let fields: [OrderField] = [.id]
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.apps.find(id)
        return context.json(app, try await context.usages(of: id))
    }
}

/// Changes the named settings of an app and keeps the others.
package struct ChangeApp: ChangeOrder {
    package static let name = "app.set"
    package static let route = OrderRoute.patch("/apps/{id}")
    package static let summary = "Change what is named; the rest stays."
    package static let answer = "App"
    package static let fields =
        [.id] + AppSetting.fields(isChange: true) + [
            OrderField(
                "clear", .list(.words(AppSetting.all.filter(\.isClearable).map(\.clearName))),
                "Settings that get no value, or the policy's.")
        ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var changes: AppChanges
    package var operatorsPart: String? { changes.operatorsPart }

    package init(_ id: AppID, _ changes: AppChanges) {
        self.id = id
        self.changes = changes
    }

    package static let usual = OrderForm.usual(AppChanges())

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        var answeredEverywhere = false
        let usages = try await context.usages(of: id)
        let app = try await context.apps.change(
            id, by: context.note, acceptingWideAddresses: changes.acceptsWideAddresses
        ) { record throws(Refusal) in
            answeredEverywhere = record.openIDFromAnywhere
            let before = record
            try changes.apply(to: &record)
            if context.caller.role == .developer { try AppChanges.checkLives(from: before, to: record) }
        }
        let answer = context.json(app, usages)
        guard answeredEverywhere, !app.record.openIDFromAnywhere, case .object(let members) = answer else {
            return answer
        }
        // The caller named an address, and may not know that this ended the right.
        return .object(members + [JSON.Member("openIDFromAnywhereEnded", true)])
    }
}

/// Puts an app into another state, or takes it out again.
package protocol AppStateOrder: Order {
    var id: AppID { get }
    func apply(to app: inout AppRecord, now: Timestamp) throws(Refusal)
}

extension AppStateOrder {
    package static var answer: String { "App" }
    package static var fields: [OrderField] { [.id] }
    package static var roles: Set<Role> { [.operator] }
    package var app: AppID? { id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let now = context.now
        let usages = try await context.usages(of: id)
        let app = try await context.apps.change(id, by: context.note) { record throws(Refusal) in
            try apply(to: &record, now: now)
        }
        return context.json(app, usages)
    }
}

/// Stops an app: from the next request on nothing is answered to its phones and servers.
package struct SuspendApp: AppStateOrder {
    package static let name = "app.suspend"
    package static let route = OrderRoute.post("/apps/{id}/suspend")
    package static let summary = "Stop an app: nothing is answered to its phones and servers from the next request on."
    package var id: AppID
    package init(_ id: AppID) { self.id = id }
    package func apply(to app: inout AppRecord, now: Timestamp) { app.suspended = true }
}

/// Lets a suspended app go on. Its earlier credentials count again if they have not expired.
package struct ResumeApp: AppStateOrder {
    package static let name = "app.resume"
    package static let route = OrderRoute.post("/apps/{id}/resume")
    package static let summary = "Let a suspended app go on."
    package var id: AppID
    package init(_ id: AppID) { self.id = id }
    package func apply(to app: inout AppRecord, now: Timestamp) { app.suspended = false }
}

/// Puts an app on the allow-list, or takes it off: only apps on it are answered.
package struct AllowApp: AppStateOrder {
    package static let name = "app.allow"
    package static let route = OrderRoute.post("/apps/{id}/allow")
    package static let summary = "Put an app on the allow-list, or take it off."
    package static let fields: [OrderField] = [
        .id,
        OrderField("isAllowed", .flag),
    ]
    package var id: AppID
    package var isAllowed: Bool

    package static var usual: [JSON.Member] { [JSON.Member("isAllowed", true)] }

    package init(_ id: AppID, isAllowed: Bool = true) {
        self.id = id
        self.isAllowed = isAllowed
    }

    package func apply(to app: inout AppRecord, now: Timestamp) { app.allowed = isAllowed }
}

/// Stops an app for good: it gets no answer from the next request on. After some days its keys, its OpenID client and
/// its permissions are removed. Evidence and users' face bindings stay. Its id is never reused, because people's
/// openIds are derived from it.
package struct DeleteApp: AppStateOrder {
    package static let name = "app.delete"
    package static let route = OrderRoute.post("/apps/{id}/delete")
    package static let summary = "Stop an app for good; it is erased after some days."
    package static let fields: [OrderField] = [
        .id,
        OrderField("afterDays", .integer(0...365), "How long it can be taken back."),
    ]
    package static let days = 0...365
    package static let usualDays = 30

    package var id: AppID
    /// How long the deletion can be taken back (``KeepApp``).
    package var afterDays: Int

    package static var usual: [JSON.Member] { [JSON.Member("afterDays", .integer(usualDays))] }

    package init(_ id: AppID, afterDays: Int = Self.usualDays) {
        self.id = id
        self.afterDays = afterDays
    }

    package func apply(to app: inout AppRecord, now: Timestamp) throws(Refusal) {
        guard Self.days.contains(afterDays) else {
            throw Refusal(.parameterInvalid, "after-days: \(Self.days.lowerBound) to \(Self.days.upperBound)")
        }
        guard app.deletedAfter == nil else {
            throw Refusal(.parameterInvalid, "the app is being deleted already; to name another time, keep it first")
        }
        app.deletedAfter = now + .seconds(Int64(afterDays) * 86400)
    }
}

/// Takes back that an app is deleted, as long as that can be done.
package struct KeepApp: AppStateOrder {
    package static let name = "app.keep"
    package static let route = OrderRoute.post("/apps/{id}/keep")
    package static let summary = "Take back that an app is deleted."
    package var id: AppID
    package init(_ id: AppID) { self.id = id }

    package func apply(to app: inout AppRecord, now: Timestamp) throws(Refusal) {
        guard let end = app.deletedAfter else { throw Refusal(.parameterInvalid, "the app is not being deleted") }
        guard now < end else {
            throw Refusal(.parameterInvalid, "the time is over in which the deletion could be taken back")
        }
        app.deletedAfter = nil
    }
}

extension OrderContext {
    /// When each of an app's keys was used last. An order that changes the app asks for it first: nothing may fail
    /// after the change.
    func usages(of app: AppID) async throws(Refusal) -> [AppKeyUsage] { try await apps.usages(of: app) }

    /// The description of an app, with the keys in `new` in clear: those that were made just now.
    func json(_ app: RegisteredApp, _ usages: [AppKeyUsage] = [], showing new: [AppKeyUse] = []) -> JSON {
        guard case .object(var members) = app.record.json(usages, now: now) else { return .null }
        var shown: [JSON.Member] = []
        if new.contains(.package) { shown.append(JSON.Member("key", .string(app.key.reveal()))) }
        if new.contains(.server) { shown.append(JSON.Member("serverSecret", .string(app.serverSecret.reveal()))) }
        members.insert(contentsOf: shown, at: 1)
        return .object(members)
    }
}
