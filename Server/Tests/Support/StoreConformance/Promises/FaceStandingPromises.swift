import BenjiProtocol
import Store

extension StoreConformance {
    /// The validity of a record between its read and its write, and the SIM of a face account.
    static let faceStanding: [StorePromise] = [
        StorePromise("a replaced SIM ends what a face account has given out, and the account stays with its face") {
            scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription, uid: "one")
            let changedAt = Scenario.now + .seconds(7)
            try await scenario.change { row in
                row.simGeneration += 1
                row.simChangedAt = changedAt
            }
            let ending = FaceEnding(.sim, at: changedAt)
            for label in ["access", "refresh", "remembered"] {
                let found = try await scenario.store.faceCredential(Scenario.hash(label))
                guard case .revoked(_, ending) = found else { throw PromiseBroken("\(label): \(found)", #fileID) }
            }
            guard
                case .revoked(_, ending) = try await scenario.store.exchangeFaceCredential(
                    scenario.faceExchange(scenario.faceCredential("refresh", .refresh)))
            else { throw PromiseBroken("a refresh token outlived the SIM", #fileID) }
            let isNoted = try await scenario.store.noteFaceVerified(
                account: account, app: Scenario.app, revision: try await scenario.faceRevision(account), at: changedAt)
            try expect(isNoted, is: false, "a face that was seen for an access that is over")
            try expect(
                try await scenario.store.eraseOutdatedFaceAccounts(unboundBefore: Scenario.now, limit: 9), is: 0,
                "erased")
            let kept = try await scenario.store.faceAccount(subscription: subscription.id, epoch: subscription.epoch)
            try expect(kept?.id, is: account, "the account")
        },
        StorePromise("a login by the new SIM opens a face account again, and nothing of the old SIM comes back with it")
        {
            scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription, uid: "one")
            try await scenario.change { $0.simGeneration += 1 }
            let present = try await scenario.faceRevision(account)
            func logIn(_ simGeneration: Int32, _ label: String) async throws -> FaceLoginOutcome {
                var login = scenario.faceLogin(
                    .known(account, terms: "1", simGeneration: simGeneration), uid: "one", label: label,
                    present: present)
                for index in login.credentials.indices { login.credentials[index].deviceKey = label }
                return try await scenario.store.finishFaceLogin(login)
            }
            try expect(try await logIn(1, "late"), is: .accountGone, "a login that began before the change")
            try expect(try await scenario.store.faceCredential(Scenario.hash("accesslate")), is: .unknown, "its token")
            let late = scenario.faceAccount(subscription)
            let enrolment = try await scenario.store.finishFaceLogin(
                scenario.faceLogin(.new(late), uid: "two", label: "enrolled late"))
            try expect(enrolment, is: .accountGone, "enrolling by the old SIM")
            try expect(try await logIn(2, "new"), is: .done(account: account), "a login by the new SIM")
            guard case .live(let holding) = try await scenario.store.faceCredential(Scenario.hash("accessnew")) else {
                throw PromiseBroken("the new access token does not hold", #fileID)
            }
            try expect(holding.account.simGeneration, is: 2, "the account's SIM")
            for label in ["access", "refresh", "remembered"] {
                let found = try await scenario.store.faceCredential(Scenario.hash(label))
                guard case .revoked(_, let ending) = found else { throw PromiseBroken("\(label): \(found)", #fileID) }
                try expect(ending?.cause, is: .sim, "what ended the \(label)")
            }
        },
        StorePromise("what was decided by a face account that has changed since changes nothing") { scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription, uid: "one")
            func read() async throws -> FaceAccountRecord? {
                try await scenario.store.faceAccount(subscription: subscription.id, epoch: subscription.epoch)
            }
            let freezing = FaceFreezing(at: Scenario.now, by: .holder)
            let first = try await read()?.revision
            let set = try await scenario.store.setFaceAccount(account, revision: first, frozen: freezing)
            try expect(set, is: .done, "by the record as it is")
            for frozen in [nil, freezing] {
                let outcome = try await scenario.store.setFaceAccount(account, revision: first, frozen: frozen)
                try expect(outcome, is: .outdated, "by the record of before")
            }
            let erased = try await scenario.store.eraseFaceAccount(account, revision: first, at: Scenario.now)
            try expect(erased, is: .outdated, "erasing by the record of before")
            try expect(try await read()?.frozen, is: freezing, "what stays")
            _ = try await scenario.store.setFaceAccount(account, revision: nil, frozen: nil)
            let thawed = try await read()?.revision
            try await scenario.change { $0.simGeneration += 1 }
            let login = scenario.faceLogin(
                .known(account, terms: "1", simGeneration: 2), uid: "one", label: "2",
                present: try await scenario.faceRevision(account))
            _ = try await scenario.store.finishFaceLogin(login)
            let late = try await scenario.store.eraseFaceAccount(account, revision: thawed, at: Scenario.now)
            try expect(late, is: .outdated, "erasing by the record of another SIM")
        },
        StorePromise("of 32 changes of one face account that read the same record one is made") { scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription)
            let read = try await scenario.store.faceAccount(subscription: subscription.id, epoch: subscription.epoch)
            let outcomes = try await race(32) { position in
                try await scenario.store.setFaceAccount(
                    account, revision: read?.revision,
                    frozen: FaceFreezing(at: Scenario.now + .seconds(Int64(position)), by: .operator))
            }
            try expect(outcomes.filter { $0 == .done }.count, is: 1, "made")
            try expect(outcomes.filter { $0 == .outdated }.count, is: 31, "refused")
        },
        StorePromise("of 32 changes of one binding that read the same record one is made") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "one")
            let read = try await scenario.faceRevision(account)
            let outcomes = try await race(32) { position in
                try await scenario.store.changeFaceUID(
                    account: account, app: Scenario.app, revision: read, to: "uid\(position)", at: Scenario.now)
            }
            try expect(outcomes.filter { $0 == .changed }.count, is: 1, "made")
            try expect(outcomes.filter { $0 == .outdated }.count, is: 31, "refused")
        },
        StorePromise("an authorisation that was given anew is not changed by what was decided by the one before") {
            scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "one")
            // Another app's, so that the account stays.
            _ = try await scenario.store.finishFaceLogin(
                scenario.faceLogin(
                    .known(account, terms: "1", simGeneration: 1), uid: "one", label: "o", app: Scenario.otherApp))
            let old = try await scenario.faceRevision(account)
            _ = try await scenario.store.cancelFaceBinding(
                account: account, app: Scenario.app, revision: old, at: Scenario.now, keepsAccount: true)
            // In the same millisecond, under the same uid.
            _ = try await scenario.store.finishFaceLogin(
                scenario.faceLogin(.known(account, terms: "1", simGeneration: 1), uid: "one", label: "n"))
            let uid = try await scenario.store.changeFaceUID(
                account: account, app: Scenario.app, revision: old, to: "two", at: Scenario.now)
            try expect(uid, is: .outdated, "its uid")
            let info = try await scenario.store.changeFaceInfo(
                account: account, app: Scenario.app, revision: old, to: Sealed(bytes: [9]))
            try expect(info, is: false, "what the app has said")
            let cancelled = try await scenario.store.cancelFaceBinding(
                account: account, app: Scenario.app, revision: old, at: Scenario.now, keepsAccount: true)
            try expect(cancelled, is: .outdated, "cancelling it")
            let login = scenario.faceLogin(
                .known(account, terms: "1", simGeneration: 1), uid: "one", label: "late", present: old)
            try expect(try await scenario.store.finishFaceLogin(login), is: .bindingChanged, "a login")
            let binding = try await scenario.store.faceBinding(account: account, app: Scenario.app)
            try expect(binding?.uid, is: "one", "the uid")
            try expect(binding?.sealedInfo, is: Sealed(bytes: [7]), "what stays said")
        },
        StorePromise("an account's uid is known with the time since when it has it") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "one")
            func since() async throws -> Timestamp? {
                try await scenario.store.faceBinding(account: account, app: Scenario.app)?.uidSince
            }
            try expect(try await since(), is: Scenario.now, "the first")
            let later = Scenario.now + .seconds(9)
            for uid in ["one", "two"] {
                _ = try await scenario.store.changeFaceUID(
                    account: account, app: Scenario.app, revision: try await scenario.faceRevision(account), to: uid,
                    at: later)
                try expect(try await since(), is: uid == "one" ? Scenario.now : later, uid)
            }
        },
        StorePromise("of many changes of one face group's tag and info at once none undoes another") { scenario in
            let group = FaceGroupRecord(
                id: "g", appID: Scenario.app, name: "g", tag: "", info: "{}", createdAt: Scenario.now)
            _ = try await scenario.store.putFaceGroup(group, limit: 1)
            for round in 0..<8 {
                _ = try await race(8) { position in
                    try await scenario.store.changeFaceGroup(
                        "g", app: Scenario.app, tag: position % 2 == 0 ? "\(round)" : nil,
                        info: position % 2 == 0 ? nil : "{\"round\":\(round)}")
                }
                let found = try await scenario.store.faceGroup("g", app: Scenario.app)
                try expect(found?.tag, is: "\(round)", "the tag")
                try expect(found?.info, is: "{\"round\":\(round)}", "the info")
            }
        },
    ]
}
