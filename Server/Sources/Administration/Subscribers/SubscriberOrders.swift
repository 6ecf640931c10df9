package import Authority
@_spi(Server) package import BenjiProtocol
package import Requests
import Store

/// Shows a number's row of the register, and counts the records about its holder. Names them by row and mask.
package struct ShowSubscriber: Order {
    package static let name = "subscriber.show"
    package static let route = OrderRoute.post("/subscribers/show")
    package static let summary = "What is kept about whoever has a number, by kind; the audit log notes the look."
    package static let answer = "Subscriber"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator, .support]
    package static let changes = false

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let row = try await context.look(at: number)
        let counts = try await context.stored { store throws(StoreError) in
            try await store.subscriberCounts(row.id)
        }
        return .object([
            "subscription": .integer(row.id), "number": .string(context.shown(number)), "register": row.json,
            "kept": counts.json, "rememberedConsents": try await context.rememberedConsents(of: row),
        ])
    }
}

extension OrderContext {
    /// The consents to logins without a page that hold now.
    fileprivate func rememberedConsents(of row: SubscriptionRecord) async throws(Refusal) -> JSON {
        let now = now
        let consents = try await stored { store throws(StoreError) in
            try await store.rememberedConsents(of: row.reference, at: now)
        }
        return .array(consents.map(\.json))
    }
}

/// Exports the records about a number's present holder, for that person. They exclude hashes of credentials, keys, and
/// the face itself. Reads the whole ledger.
package struct ExportSubscriber: Order {
    package static let name = "subscriber.export"
    package static let route = OrderRoute.post("/subscribers/export")
    package static let summary = "Everything that is kept about whoever has a number; the audit log notes the look."
    package static let answer = "SubscriberExport"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator]
    package static let changes = false

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let row = try await context.look(at: number)
        let records = try await context.stored { store throws(StoreError) in
            try await store.subscriberRecords(row.id, epoch: row.epoch)
        }
        var logins: [JSON] = []
        for login in records.traces {
            let events = try await context.authority.traceEvents(login.trace)
            logins.append(
                .object([
                    "trace": .string(login.trace.rawValue), "app": .string(login.app.rawValue),
                    "steps": .array(
                        events.map { event in
                            .object([
                                "at": .integer(event.at.milliseconds), "step": .string(event.step),
                                "situation": .string(event.situation.rawValue),
                            ])
                        }),
                ]))
        }
        return .object([
            "exportedAt": .integer(context.now.milliseconds), "number": .string(context.shown(number)),
            "register": row.json,
            "apps": .array(try await apps(row, records, context)), "logins": .array(logins),
            "consents": .array(records.consents.map(\.json)), "ledger": .array(records.ledger.map(\.json)),
            "deviceKeys": .array(
                records.familiarKeys.map { key in
                    .object([
                        "app": .string(key.appID.rawValue), "thumbprint": .string(key.deviceKey),
                        "seenAt": .integer(key.seenAt.milliseconds),
                    ])
                }),
            "credentials": .array(
                records.credentials.map { given in
                    .object([
                        "kind": .string(given.kind), "app": .string(given.appID.rawValue),
                        "issuedAt": given.issuedAt.map { .integer($0.milliseconds) },
                        "expiresAt": .integer(given.expiresAt.milliseconds),
                    ])
                }),
            "rememberedConsents": try await context.rememberedConsents(of: row),
            "callbackEvents": .array(records.callbackEvents.map(\.exportJSON)),
            "face": records.faceAccount.flatMap { context.describesFace($0, records.faceBindings) } ?? .null,
        ])
    }

    /// The apps that something is kept of, with what they know the person as.
    private func apps(
        _ row: SubscriptionRecord, _ records: SubscriberRecords, _ context: OrderContext
    ) async throws(Refusal) -> [JSON] {
        let used = Set(
            records.traces.map(\.app) + records.consents.map(\.appID) + records.ledger.map(\.appID)
                + records.familiarKeys.map(\.appID) + records.credentials.map(\.appID)
                + records.faceBindings.map(\.appID))
        let known = try await context.stored { store throws(StoreError) in try await store.apps() }
        return known.filter { used.contains($0.id) }.map { app in
            .object([
                "app": .string(app.id.rawValue), "name": .string(app.shownName),
                "openId": .string(context.authority.vault.openID(row, app: app.id)),
                "pcid": .string(context.authority.vault.pseudonym(row, app: app.id)),
            ])
        }
    }
}

/// Erases a number's holder: their row of the register with the sealed number, and every record that names it. Consents
/// stay as anonymous evidence of the pages shown. Apps see a new person in the number's next login.
package struct EraseSubscriber: Order {
    package static let name = "subscriber.erase"
    package static let route = OrderRoute.post("/subscribers/erase")
    package static let summary = "Forget whoever has a number."
    package static let answer = "SubscriberErased"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator]

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard let row = try await context.subscription(of: number) else { return try await finish(context) }
        let known = try await context.stored { store throws(StoreError) in try await store.apps() }
        let vault = context.authority.vault
        let (note, now) = (context.note, context.now)
        let erasure = SubscriberErasure(
            of: row, openIDs: known.map { vault.openID(row, app: $0.id) }, mark: vault.erasureMark(of: number), at: now
        ) { counts in
            note.entry(
                at: now, subject: "subscription \(row.id)", from: .object(["kept": counts.json]), to: .object([]))
        }
        let done = try await context.storedOfHolder { store throws(StoreError) in
            try await store.eraseSubscriber(erasure)
        }
        return .object([
            "subscription": .integer(row.id), "erased": done.counts.json, "isFinished": .bool(done.isForgotten),
            "cleansFiles": .bool(context.store.cleansFiles),
        ])
    }

    /// The order was given before about this number, and may not have come to its end.
    private func finish(_ context: OrderContext) async throws(Refusal) -> JSON {
        let (now, mark) = (context.now, context.authority.vault.erasureMark(of: number))
        func unfinished() async throws(Refusal) -> Int64? {
            try await context.stored { store throws(StoreError) in try await store.unfinishedErasure(mark) }
        }
        guard let row = try await unfinished() else {
            throw OrderContext.numberUnknown
        }
        _ = try await context.stored { store throws(StoreError) in
            try await store.finishErasures(at: now, patience: .zero)
        }
        try await context.append(
            context.note.entry(at: now, subject: "subscription \(row), whose erasure had broken off"))
        return .object([
            "erased": .object([]), "isFinished": .bool(try await unfinished() == nil),
            "cleansFiles": .bool(context.store.cleansFiles),
        ])
    }
}

extension OrderContext {
    /// The row of a number. The audit log has a line before other data is read, also for a number without a holder.
    fileprivate func look(at number: PhoneNumber) async throws(Refusal) -> SubscriptionRecord {
        guard let row = try await subscription(of: number) else {
            try await noteLook(subject: "a number that nobody has")
            throw Self.numberUnknown
        }
        try await noteLook(subject: "subscription \(row.id)")
        return row
    }
}

extension SubscriptionRecord {
    fileprivate var json: JSON {
        .object([
            "carrier": .string(carrier.rawValue), "holderSince": .integer(epochStartedAt.milliseconds),
            "simChangedAt": .integer(simChangedAt.milliseconds), "lastSeenAt": .integer(lastSeenAt.milliseconds),
        ])
    }
}

extension [SubscriberPart: Int] {
    /// Each kind of which there is something.
    var json: JSON {
        .object(
            SubscriberPart.allCases.compactMap { part in
                guard let count = self[part], count > 0 else { return nil }
                return JSON.Member(part.rawValue, .integer(count))
            })
    }
}
