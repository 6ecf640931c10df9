package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Lets somebody give orders over the admin interface. Answers their token, this once; with a certificate there is
/// none.
package struct GrantAdmin: Order {
    package static let name = "admin.grant"
    package static let route = OrderRoute.post("/admins")
    package static let summary = "Let somebody give orders; their token or invitation is shown this once."
    package static let answer = "Admin"
    package static let fields: [OrderField] = [
        OrderField("name", .text(pattern: #"^[a-z0-9._-]{1,64}$"#), isRequired: true, "As the audit log names them."),
        OrderField("role", .words(Role.self, schema: "Role"), isRequired: true),
        OrderField("apps", .list(.app)),
        OrderField("seesNumbers", .flag),
        OrderField("days", .integer(1...366), "Until the credential ends."),
        OrderField(
            "certificate", .text(pattern: #"^[0-9A-Fa-f]{64}$"#),
            "SHA-256 of a client certificate's public key (SubjectPublicKeyInfo in DER), in hexadecimal; a token is "
                + "made if it is absent."
        ),
        OrderField(
            "console", .flag,
            "They sign in to the console, by an invitation that is answered in the token's place. Not with a "
                + "certificate."
        ),
    ]
    package static let roles: Set<Role> = [.operator]
    package static let usual = [
        JSON.Member("apps", .array([])), JSON.Member("seesNumbers", false), JSON.Member("days", .integer(usualDays)),
        JSON.Member("console", false),
    ]
    /// How long a credential may live.
    package static let days = 1...366
    package static let usualDays = 90

    /// As the audit log is to name them: 1 to 64 lower-case letters, digits, dots, hyphens and underscores.
    package var name: String
    package var role: Role
    /// At least one for a developer, none for other roles. A developer who signs in to the console may have none yet.
    package var apps: [AppID]
    package var seesNumbers: Bool
    /// Until the credential ends.
    package var days: Int
    /// The SHA-256 of a client certificate's public key (SubjectPublicKeyInfo in DER), in hexadecimal; `nil` for a
    /// token.
    package var certificate: String?
    /// Whether they sign in to the console, by an invitation that is answered in the token's place.
    package var console: Bool

    package init(
        _ name: String, _ role: Role, apps: [AppID] = [], seesNumbers: Bool = false, days: Int = Self.usualDays,
        certificate: String? = nil, console: Bool = false
    ) {
        self.console = console
        self.name = name
        self.role = role
        self.apps = apps
        self.seesNumbers = seesNumbers
        self.days = days
        self.certificate = certificate
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try Admins.check(name: name)
        guard role == .developer ? console || !apps.isEmpty : apps.isEmpty else {
            throw Refusal(.parameterInvalid, "apps: a developer has at least one, and nobody else has any")
        }
        guard !seesNumbers || context.caller.seesNumbers else {
            throw Refusal(.orderNotPermitted, "seesNumbers: you do not see numbers yourself")
        }
        for app in apps { try await context.checkExists(app) }
        let credential = try AdminCredential(
            certificate: certificate, toConsole: console, random: context.authority.random)
        let record = AdminRecord(
            name: name, role: role.rawValue, apps: Set(apps), seesNumbers: seesNumbers, kind: credential.kind,
            credential: credential.hash, createdAt: context.now, expiresAt: try Admins.end(days, from: context.now))
        let line = context.note.entry(at: context.now, subject: "admin \(name)", to: record.json)
        do throws(StoreError) { try await context.store.createAdmin(record, audit: line) } catch {
            throw OrderContext.refusal(
                error,
                taken:
                    "name: there is or was an admin of this name, or with this certificate; give another name, or "
                    + "renew the one "
                    + "that there is")
        }
        return record.json(with: credential.token)
    }
}

/// Gives an admin a new credential, also one that was revoked or has expired. The credential before ends at once.
package struct RenewAdmin: Order {
    package static let name = "admin.renew"
    package static let route = OrderRoute.post("/admins/{name}/renew")
    package static let summary = "Give an admin a new credential; the one before ends at once."
    package static let answer = "Admin"
    package static let fields: [OrderField] = [
        OrderField("name", .text(pattern: #"^[a-z0-9._-]{1,64}$"#), "As the audit log names them."),
        OrderField("days", .integer(1...366), "Until the credential ends."),
        OrderField(
            "certificate", .text(pattern: #"^[0-9A-Fa-f]{64}$"#),
            "SHA-256 of a client certificate's public key (SubjectPublicKeyInfo in DER), in hexadecimal; a token is "
                + "made if it is absent."
        ),
        OrderField(
            "console", .flag,
            "They sign in to the console, by an invitation that is answered in the token's place. Not with a "
                + "certificate."
        ),
    ]
    package static let roles: Set<Role> = [.operator]
    package static let usual = [
        JSON.Member("days", .integer(GrantAdmin.usualDays)), JSON.Member("console", false),
    ]

    package var name: String
    package var days: Int
    /// See ``GrantAdmin/certificate``.
    package var certificate: String?
    /// See ``GrantAdmin/console``.
    package var console: Bool

    package init(
        _ name: String, days: Int = GrantAdmin.usualDays, certificate: String? = nil, console: Bool = false
    ) {
        self.console = console
        self.name = name
        self.days = days
        self.certificate = certificate
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let before = try await context.admin(name)
        guard !before.seesNumbers || context.caller.seesNumbers else {
            throw Refusal(.orderNotPermitted, "this admin sees numbers, and you do not")
        }
        let credential = try AdminCredential(
            certificate: certificate, toConsole: console, random: context.authority.random)
        var record = before
        record.kind = credential.kind
        record.credential = credential.hash
        record.expiresAt = try Admins.end(days, from: context.now)
        record.revokedAt = nil
        try await context.update(record, from: before)
        return record.json(with: credential.token)
    }
}

/// Ends an admin's credential at once.
package struct RevokeAdmin: Order {
    package static let name = "admin.revoke"
    package static let route = OrderRoute.post("/admins/{name}/revoke")
    package static let summary = "End an admin's credential at once."
    package static let answer = "Admin"
    package static let fields: [OrderField] = [
        OrderField("name", .text(pattern: #"^[a-z0-9._-]{1,64}$"#), "As the audit log names them.")
    ]
    package static let roles: Set<Role> = [.operator]

    package var name: String

    package init(_ name: String) { self.name = name }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let before = try await context.admin(name)
        guard before.revokedAt == nil else { throw Refusal(.parameterInvalid, "this admin was revoked before") }
        var record = before
        record.revokedAt = context.now
        try await context.update(record, from: before)
        return record.json
    }
}

/// All admins, by name, and when each was here last.
package struct ListAdmins: Order {
    package static let name = "admin.list"
    package static let route = OrderRoute.get("/admins")
    package static let summary = "All admins, and when each was here last."
    package static let answer = "Admins"
    package static let roles: Set<Role> = [.operator, .auditor]
    package static let changes = false

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let admins = try await context.stored { store throws(StoreError) in try await store.admins() }
        let phones = try await context.stored { store throws(StoreError) in try await store.consolePhones() }
        return .array(admins.map { admin in admin.json(phone: phones.first { $0.admin == admin.name }) })
    }
}

/// Lets an admin's own phone sign them in to the console no more. They go on with the code of their authenticator app.
package struct RemoveAdminPhone: Order {
    package static let name = "admin.remove-phone"
    package static let route = OrderRoute.post("/admins/{name}/remove-phone")
    package static let summary = "Let an admin's own phone sign them in to the console no more."
    package static let answer = "Admin"
    package static let fields: [OrderField] = [
        OrderField("name", .text(pattern: #"^[a-z0-9._-]{1,64}$"#), "As the audit log names them.")
    ]
    package static let roles: Set<Role> = [.operator]

    package var name: String

    package init(_ name: String) { self.name = name }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let admin = try await context.admin(name)
        let line = context.note.entry(at: context.now, subject: "admin \(name)")
        let isRemoved = try await context.stored { store throws(StoreError) in
            try await store.removePhone(of: name, audit: line)
        }
        guard isRemoved else { throw Refusal(.parameterInvalid, "this admin has no phone bound to the console") }
        return admin.json
    }
}

extension OrderContext {
    fileprivate func admin(_ name: String) async throws(Refusal) -> AdminRecord {
        try Admins.check(name: name)
        guard let record = try await stored({ store throws(StoreError) in try await store.admin(named: name) }) else {
            throw Refusal(.notFound, "no admin has this name; see: benji admin list")
        }
        return record
    }

    fileprivate func update(_ record: AdminRecord, from before: AdminRecord) async throws(Refusal) {
        let line = note.entry(at: now, subject: "admin \(record.name)", from: before.json, to: record.json)
        let isThere: Bool
        do throws(StoreError) { isThere = try await store.updateAdmin(record, audit: line) } catch {
            throw Self.refusal(error, taken: "certificate: another admin has it")
        }
        guard isThere else { throw Refusal(.notFound, "no admin has this name; see: benji admin list") }
    }

    /// - Parameter taken: the message if the store already has such a record.
    fileprivate static func refusal(_ error: StoreError, taken: String) -> Refusal {
        error.code == .alreadyExists ? Refusal(.parameterInvalid, taken) : Refusal(error)
    }
}

extension AdminRecord {
    /// The members that are shown and logged of an admin: no credential.
    var json: JSON { json(with: nil) }

    func json(with token: String? = nil, phone: ConsolePhone? = nil) -> JSON {
        .object([
            "name": .string(name),
            (kind == .invitation ? "invitation" : "token"): token.map { .string($0) }, "role": .string(role),
            "apps": .array(apps.map(\.rawValue).sorted().map { .string($0) }), "seesNumbers": .bool(seesNumbers),
            "credential": .string(kind.rawValue), "createdAt": .integer(createdAt.milliseconds),
            "expiresAt": .integer(expiresAt.milliseconds), "revokedAt": revokedAt.map { .integer($0.milliseconds) },
            "lastUsed": lastUsedDay.map { .string(CalendarDay(number: $0).description) },
            "phoneBoundAt": phone.map { .integer($0.boundAt.milliseconds) },
            "phoneUsedAt": phone?.usedAt.map { .integer($0.milliseconds) },
        ])
    }
}
