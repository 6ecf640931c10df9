import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let life: [StorePromise] = [
        StorePromise("an open store passes its own check") { scenario in
            do { try await scenario.store.check() } catch { throw PromiseBroken("check: \(error)", #fileID) }
        },
        StorePromise(name: "what was answered survives closing and opening again") { factory in
            let store = try await factory()
            let before = Scenario(store: store, factory: factory)
            let subscription = try await before.subscription()
            let spent = try await before.issue(before.token("spent", of: subscription))
            let unspent = try await before.issue(before.token("unspent", of: subscription))
            let scrip = before.scrip("s", of: subscription)
            try await store.insertScrip(scrip)
            try await store.createApp(
                AppRecord(
                    id: Scenario.app, name: "app", keys: [], capabilities: [.login], bundleIDs: [],
                    serverAddresses: [], createdAt: Scenario.now))
            _ = try await before.redeem(spent, message: "m")
            let event = TraceEvent(
                trace: Scenario.trace(1), at: Scenario.now, party: .device, step: "prefetch", situation: .success,
                detail: "")
            try await store.appendTraceEvents([event])
            await store.close()

            let reopened = try await factory()
            let after = Scenario(store: reopened, factory: factory)
            do {
                try expect(try await reopened.subscription(subscription.id), is: subscription, "the subscription")
                try expect(try await reopened.app(Scenario.app)?.name, is: "app", "the app")
                try expect(try await reopened.scrip(scrip.hash), is: .current(scrip), "the scrip")
                try expect(try await after.redeem(spent, message: "m2"), is: .alreadySpent(spent), "the spent token")
                try expect(try await after.redeem(spent, message: "m").word, is: "messageReplayed", "the name")
                try expect(try await reopened.billed(app: Scenario.app, day: Scenario.day), is: 1, "the bill")
                try expect(try await reopened.ledgerEntries(app: Scenario.app, limit: 9).count, is: 1, "the ledger")
                try expect(try await reopened.traceEvents(Scenario.trace(1)), is: [event], "the trace")
                try await after.expectUnspent(unspent, message: "m3", after: "closing")
            } catch {
                await reopened.close()
                throw error
            }
            await reopened.close()
        },
        StorePromise(name: "what is in flight when the store closes is done or refused, never half of both") {
            factory in
            let store = try await factory()
            let scenario = Scenario(store: store, factory: factory)
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<64 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            let spent = try await race(65) { [tokens] position -> Bool in
                if position == 32 {
                    await store.close()
                    return false
                }
                let index = position < 32 ? position : position - 1
                do {
                    return try await scenario.redeem(tokens[index], message: "m\(index)").isSpent
                } catch let error as StoreError where error.code == .unavailable {
                    return false
                }
            }
            let reopened = try await factory()
            let billed = try await reopened.billed(app: Scenario.app, day: Scenario.day)
            await reopened.close()
            try expect(billed, is: spent.count { $0 }, "answers billed, against those that were given")
        },
        StorePromise(name: "after closing everything is unavailable, and closing again is harmless") { factory in
            let store = try await factory()
            let scenario = Scenario(store: store, factory: factory)
            let subscription = try await scenario.subscription()
            let token = scenario.token("t", of: subscription)
            await store.close()
            await store.close()
            let app = AppRecord(
                id: Scenario.app, name: "app", keys: [], capabilities: [], bundleIDs: [],
                serverAddresses: [], createdAt: Scenario.now)
            let event = TraceEvent(
                trace: Scenario.trace(1), at: Scenario.now, party: .device, step: "", situation: .success, detail: "")
            let calls: [(String, @Sendable () async throws -> Void)] = [
                ("check", { try await store.check() }),
                ("createApp", { try await store.createApp(app) }),
                ("updateApp", { try await store.updateApp(app) }),
                ("app", { _ = try await store.app(Scenario.app) }),
                ("apps", { _ = try await store.apps() }),
                ("noteKeyUsages", { try await store.noteKeyUsages([]) }),
                ("keyUsages", { _ = try await store.keyUsages(of: Scenario.app) }),
                ("app(withSourceID:)", { _ = try await store.app(withSourceID: "a") }),
                ("subscription", { _ = try await store.subscription(1) }),
                (
                    "subscription(numberIndex:)",
                    {
                        _ = try await store.subscription(numberIndex: Scenario.numberIndex(1))
                    }
                ),
                ("changeSubscriptions", { _ = try await scenario.subscription() }),
                ("insertScrip", { try await store.insertScrip(scenario.scrip("s", of: subscription)) }),
                ("scrip", { _ = try await store.scrip(Scenario.hash("s")) }),
                ("revokeScrips", { try await store.revokeScrips(family: 1) }),
                (
                    "revokeCredentials",
                    {
                        try await store.revokeCredentials(bindings: [BindingID(rawValue: 1)], at: Scenario.now)
                    }
                ),
                (
                    "issueToken",
                    {
                        _ = try await store.issueToken(scenario.request(token, scrip: Scenario.hash("s")))
                    }
                ),
                ("token", { _ = try await store.token(token.hash) }),
                (
                    "deleteExpiredCredentials",
                    {
                        _ = try await store.deleteExpiredCredentials(before: Scenario.now, limit: 1)
                    }
                ),
                (
                    "deleteExpiredPages",
                    {
                        _ = try await store.deleteExpiredPages(Scenario.now..<Scenario.now + .seconds(1), limit: 1)
                    }
                ),
                ("deleteExpiredScrips", { _ = try await store.deleteExpiredScrips(before: Scenario.now, limit: 1) }),
                (
                    "isFamiliar",
                    {
                        _ = try await store.isFamiliar(
                            deviceKey: "key", app: Scenario.app, subscription: subscription.reference)
                    }
                ),
                ("forgetFamiliarKeys", { _ = try await store.forgetFamiliarKeys(since: Scenario.now, limit: 1) }),
                ("settle", { _ = try await scenario.guess(subscription, isRight: true) }),
                ("deleteGuesses", { _ = try await store.deleteGuesses(before: Scenario.now, limit: 1) }),
                ("issueSMSCode", { _ = try await scenario.send(Scenario.smsCode(1)) }),
                ("noteSubmission", { try await store.noteSubmission(.notTaken, of: Scenario.smsCode(1).id) }),
                ("trySMSCode", { _ = try await scenario.show(Scenario.smsCode(1)) }),
                ("delivery", { _ = try await store.delivery(of: Scenario.smsCode(1).id) }),
                ("deleteSMSCodes", { _ = try await store.deleteSMSCodes(before: Scenario.now, limit: 1) }),
                ("issueSMSUpstream", { _ = try await scenario.give(Scenario.smsUpstream(1)) }),
                ("noteSMSUpstream", { _ = try await scenario.arrive(Scenario.smsUpstream(1), from: 1) }),
                ("standing", { _ = try await scenario.ask(Scenario.smsUpstream(1)) }),
                ("spendSMSUpstream", { _ = try await scenario.spend(Scenario.smsUpstream(1)) }),
                ("deleteSMSUpstream", { _ = try await store.deleteSMSUpstream(before: Scenario.now, limit: 1) }),
                ("redeem", { _ = try await scenario.redeem(token, message: "m") }),
                ("ledgerEntries", { _ = try await store.ledgerEntries(app: Scenario.app, limit: 1) }),
                ("ledgerCounts", { _ = try await store.ledgerCounts(app: Scenario.app, days: 1...2) }),
                ("sumLedger", { _ = try await store.sumLedger(limit: 1) }),
                ("billed", { _ = try await store.billed(app: Scenario.app, day: 1) }),
                (
                    "deleteExpiredMessages",
                    {
                        _ = try await store.deleteExpiredMessages(before: Scenario.now, limit: 1)
                    }
                ),
                ("appendTraceEvents", { try await store.appendTraceEvents([event]) }),
                ("traceEvents", { _ = try await store.traceEvents(Scenario.trace(1)) }),
                ("appsWithDueEvents", { _ = try await store.appsWithDueEvents(at: Scenario.now) }),
                ("outboxCounts", { _ = try await store.outboxCounts() }),
                ("deleteTraceEvents", { _ = try await store.deleteTraceEvents(before: Scenario.now, limit: 1) }),
            ]
            for (name, call) in calls { try await expectFailure(.unavailable, "\(name) after close", call) }
        },
    ]
}
