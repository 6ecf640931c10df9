import BenjiProtocol
import Store

extension StoreConformance {
    static let apps: [StorePromise] = [
        StorePromise("every field of an app is kept, the empty ones too") { scenario in
            let full = sampleApp(1, sourceIDs: ["b", "a"])
            let bare = AppRecord(
                id: Scenario.otherApp, name: "", keys: [], capabilities: [], bundleIDs: [],
                serverAddresses: [], createdAt: Scenario.now)
            try await scenario.store.createApp(full)
            try await scenario.store.createApp(bare)
            try expect(try await scenario.store.app(full.id), is: full, "an app with everything")
            try expect(try await scenario.store.app(bare.id), is: bare, "an app with nothing")
            try expect(try await scenario.store.app(Scenario.appID(3)) == nil, "an unknown app is found")
        },
        StorePromise("apps are listed by id") { scenario in
            for number in [3, 1, 2] { try await scenario.store.createApp(sampleApp(number)) }
            try expect(try await scenario.store.apps().map(\.id), is: (1...3).map(Scenario.appID), "the list")
        },
        StorePromise("a taken id or source id is refused and leaves the first app as it was") { scenario in
            let first = sampleApp(1, sourceIDs: ["one"])
            try await scenario.store.createApp(first)
            var again = sampleApp(1)
            again.name = "other"
            try await expectFailure(.alreadyExists, "a second app with one id") { [again] in
                try await scenario.store.createApp(again)
            }
            try await expectFailure(.alreadyExists, "a second app with one source id") {
                try await scenario.store.createApp(sampleApp(2, sourceIDs: ["two", "one"]))
            }
            try expect(try await scenario.store.app(first.id), is: first, "the first app")
            try expect(try await scenario.store.app(Scenario.otherApp) == nil, "a refused app was made")
            try expect(try await scenario.store.app(withSourceID: "two") == nil, "a refused source id was kept")
        },
        StorePromise("of 16 that make one app at once, one succeeds") { scenario in
            let made = try await race(16) { position -> Bool in
                do {
                    var app = sampleApp(1)
                    app.name = "maker \(position)"
                    try await scenario.store.createApp(app)
                    return true
                } catch let error as StoreError where error.code == .alreadyExists {
                    return false
                }
            }
            try expect(made.count { $0 }, is: 1, "makers")
            let name = try await scenario.store.app(Scenario.app)?.name
            try expect(name, is: made.firstIndex(of: true).map { "maker \($0)" }, "whose app it is")
        },
        StorePromise("an update replaces the whole record, source ids included; without the app it fails as not found")
        { scenario in
            try await expectFailure(.notFound, "updating nothing") { try await scenario.store.updateApp(sampleApp(1)) }
            try await scenario.store.createApp(sampleApp(1, sourceIDs: ["one", "two"]))
            try await scenario.store.createApp(sampleApp(2, sourceIDs: ["three"]))
            var changed = sampleApp(1, sourceIDs: ["two", "four"])
            changed.name = "changed"
            changed.suspended = true
            changed.rsaPublicKey = nil
            changed.dailyQuota = nil
            changed.phonesWithoutKey = false
            changed.unsignedRequests = false
            changed.openIDFromAnywhere = false
            changed.keys.removeFirst()
            try await scenario.store.updateApp(changed)
            changed.revision = 2
            try expect(try await scenario.store.app(Scenario.app), is: changed, "the app, and its second revision")
            try expect(try await scenario.store.app(withSourceID: "four")?.id, is: Scenario.app, "a new source id")
            try expect(try await scenario.store.app(withSourceID: "two")?.id, is: Scenario.app, "a kept source id")
            try expect(try await scenario.store.app(withSourceID: "one") == nil, "a dropped source id is found")
            try expect(try await scenario.store.app(withSourceID: "three")?.id, is: Scenario.otherApp, "another's")
            var thief = changed
            thief.sourceIDs = ["three"]
            try await expectFailure(.alreadyExists, "taking another app's source id") { [thief] in
                try await scenario.store.updateApp(thief)
            }
            try expect(try await scenario.store.app(Scenario.app), is: changed, "the app after the refusal")
            try expect(try await scenario.store.app(withSourceID: "four")?.id, is: Scenario.app, "its source id")
        },
        StorePromise("an app that was changed since it was read is left as it is, and the change fails as outdated") {
            scenario in
            try await scenario.store.createApp(sampleApp(1, sourceIDs: ["one"]))
            let read = sampleApp(1, sourceIDs: ["one"])
            var rotated = read
            rotated.keys[0].sealed = Sealed(bytes: [9])
            try await scenario.withAnother { [rotated] another in try await another.updateApp(rotated) }
            rotated.revision += 1
            var late = read
            late.name = "late"
            late.keys = []
            late.sourceIDs = ["two"]
            for revision in [read.revision, read.revision + 2, 0] {
                late.revision = revision
                try await expectFailure(.outdated, "a change of revision \(revision)") { [late] in
                    try await scenario.store.updateApp(late)
                }
            }
            try expect(try await scenario.store.app(Scenario.app), is: rotated, "the app")
            try expect(try await scenario.store.app(withSourceID: "two") == nil, "a refused source id was kept")
        },
        StorePromise("of 16 that change one app at once, each reading again when it was outdated, none is lost") {
            scenario in
            try await scenario.store.createApp(sampleApp(1))
            _ = try await race(16) { position in
                while true {
                    guard var app = try await scenario.store.app(Scenario.app) else { return }
                    app.bundleIDs.append("bundle \(position)")
                    do { return try await scenario.store.updateApp(app) } catch let error as StoreError {
                        guard error.code == .outdated else { throw error }
                    }
                }
            }
            let app = try await scenario.store.app(Scenario.app)
            try expect(app?.bundleIDs.count, is: sampleApp(1).bundleIDs.count + 16, "changes that are there")
            try expect(app?.revision, is: 17, "the revision")
        },
        StorePromise("apps are to be erased from the moment on that they name, while they have a key") {
            scenario in
            for number in 1...4 {
                var app = sampleApp(number)
                app.sourceIDs = []
                if number < 4 { app.deletedAfter = Scenario.now + .seconds(Int64(number)) }
                if number == 1 { app.keys = [] }
                try await scenario.store.createApp(app)
            }
            func due(_ moment: Timestamp) async throws -> [AppID] { try await scenario.store.appsToErase(at: moment) }
            let second = Scenario.now + .seconds(2)
            try expect(try await due(second - .milliseconds(1)), is: [], "before any moment")
            try expect(try await due(second), is: [Scenario.appID(2)], "at the moment")
            try expect(
                try await due(Scenario.now + .seconds(1_000_000)), is: [2, 3].map(Scenario.appID), "after all of them")
        },
        StorePromise("an entry of a contract stays as it was first written, and others come after it") { scenario in
            let terms = ContractTerms(
                reference: "2026-117 \"框架\"", until: 20_271_231, currency: "CNY",
                rates: [.released: Amount(millionths: 45_000), .differs: .zero], dailyLimit: 1, monthlyLimit: 2,
                dailyLimitPerNumber: 3)
            let bare = ContractTerms(reference: "b", currency: "EUR", rates: [.sent: Amount(millionths: 1)])
            let entries = [
                ContractEntry(number: 1, from: 20_261_201, terms: terms, addedAt: Scenario.now),
                ContractEntry(number: 2, from: 20_270_101, terms: bare, addedAt: Scenario.now + .seconds(1)),
                ContractEntry(number: 3, from: 20_280_101, terms: nil, addedAt: Scenario.now + .seconds(2)),
            ]
            var app = sampleApp(1)
            app.contract = Array(entries.prefix(1))
            try await scenario.store.createApp(app)
            app.contract[0].terms = bare
            app.contract += entries.dropFirst()
            try await scenario.store.updateApp(app)
            try expect(try await scenario.store.app(Scenario.app)?.contract, is: entries, "the entries")
            app.revision = 2
            app.contract = []
            try await scenario.store.updateApp(app)
            try expect(try await scenario.store.app(Scenario.app)?.contract, is: entries, "after a change without them")
            try await scenario.store.createApp(sampleApp(2))
            try expect(try await scenario.store.apps().map(\.contract), is: [entries, []], "the list")
        },
        StorePromise("the latest day of each key's use is kept, and no use is a change of the app") { scenario in
            func usage(_ day: Int32, _ version: Int = 1, _ use: AppKeyUse = .server, app: AppID = Scenario.app)
                -> AppKeyUsage
            {
                AppKeyUsage(appID: app, use: use, version: version, day: day)
            }
            let app = sampleApp(1)
            try await scenario.store.createApp(app)
            try await scenario.store.noteKeyUsages([
                usage(20_261_118), usage(20_261_119, 2), usage(20_261_117, 1, .package),
                usage(1, app: Scenario.otherApp),
            ])
            try await scenario.store.noteKeyUsages([usage(20_261_120), usage(20_261_116, 2)])
            try await scenario.store.noteKeyUsages([])
            try expect(
                try await scenario.store.keyUsages(of: Scenario.app),
                is: [usage(20_261_117, 1, .package), usage(20_261_120), usage(20_261_119, 2)], "the days")
            try expect(try await scenario.store.app(Scenario.app), is: app, "the app")
        },
    ]
}

func sampleApp(_ number: Int, sourceIDs: [String] = []) -> AppRecord {
    AppRecord(
        id: Scenario.appID(number), name: "应用 \"\(number)\"",
        keys: [
            AppKeyRecord(use: .package, version: 11, sealed: Sealed(bytes: [0, 1, 255]), createdAt: Scenario.now),
            AppKeyRecord(
                use: .package, version: 9, sealed: Sealed(bytes: []), createdAt: nil,
                acceptedUntil: Scenario.now + .seconds(1)),
            AppKeyRecord(use: .server, sealed: Sealed(bytes: [2]), createdAt: Scenario.now, isInPackage: true),
        ],
        suspended: false, allowed: false, capabilities: [.login, .verification], bundleIDs: ["cn.example.b", "a,b"],
        serverAddresses: ["192.0.2.0/24", "2001:db8::/32"], openIDFromAnywhere: true,
        rsaPublicKey: "-----BEGIN PUBLIC KEY-----\n",
        signAlgorithm: .rsa, dailyQuota: 1000, leastAssurance: .netApp, workflow: .oneTapThenSMS,
        attesters: [#"{"kty":"EC"}"#], appleTeam: "A1B2C3D4E5", takesDevelopmentKeys: true,
        scripLifetime: 60, tokenLifetime: 61, requestTimeTolerance: 62, legacyNumberWithoutPage: true,
        phonesWithoutKey: true, unsignedRequests: true, requiresPageReview: true, approvedContent: ["digest"],
        sourceIDs: sourceIDs, owner: "商城集团",
        createdAt: Scenario.now)
}
