import BenjiProtocol
import Store

extension StoreConformance {
    static let faces: [StorePromise] = [
        StorePromise("a face login that enrols is found whole: account, binding and credentials") { scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription)
            let found = try await scenario.store.faceAccount(subscription: subscription.id, epoch: subscription.epoch)
            var expected = scenario.faceAccount(subscription)
            expected.id = account
            expected.revision = found?.revision ?? 0
            try expect(found, is: expected, "the account")
            var binding = scenario.faceBinding("uid")
            binding.account = account
            binding.revision = try await scenario.faceRevision(account)
            try expect(
                try await scenario.store.faceBinding(account: account, app: Scenario.app), is: binding, "by account")
            try expect(try await scenario.store.faceBinding(uid: "uid", app: Scenario.app), is: binding, "by uid")
            try expect(
                try await scenario.store.faceBinding(uid: "uid", app: Scenario.otherApp) == nil, "another app's")
            var access = scenario.faceCredential("access")
            access.account = account
            try expect(
                try await scenario.store.faceCredential(access.hash),
                is: .live(ActiveFaceCredential(credential: access, account: expected, binding: binding)),
                "the access token")
        },
        StorePromise("of 32 that enrol one number one makes the account") { scenario in
            let subscription = try await scenario.subscription()
            let outcomes = try await race(32) { position in
                try await scenario.store.finishFaceLogin(
                    scenario.faceLogin(
                        .new(scenario.faceAccount(subscription)), uid: "uid\(position)", label: "\(position)"))
            }
            let done = outcomes.filter { if case .done = $0 { true } else { false } }
            try expect(done.count, is: 1, "accounts made")
            try expect(outcomes.filter { $0 == .accountExists }.count, is: 31, "refused")
        },
        StorePromise("a uid belongs to one account of an app, whoever asks and however") { scenario in
            let first = try await scenario.enrol(try await scenario.subscription(1), uid: "one", label: "1")
            let second = try await scenario.enrol(try await scenario.subscription(2), uid: "two", label: "2")
            func change(_ account: Int64, app: AppID = Scenario.app) async throws -> FaceUIDOutcome {
                let revision = try await scenario.faceRevision(account)
                return try await scenario.store.changeFaceUID(
                    account: account, app: app, revision: revision, to: "one", at: Scenario.now)
            }
            try expect(try await change(second), is: .taken, "another's uid")
            try expect(try await change(first), is: .changed, "one's own")
            try expect(try await change(first, app: Scenario.otherApp), is: .outdated, "an app that is not authorised")
            let login = scenario.faceLogin(
                .known(second, terms: "1", simGeneration: 1), uid: "one", label: "3",
                present: try await scenario.faceRevision(second))
            try expect(try await scenario.store.finishFaceLogin(login), is: .uidTaken, "a login")
            try expect(
                try await scenario.store.faceCredential(login.credentials[0].hash), is: .unknown,
                "what a refused login would have issued")
            let elsewhere = scenario.faceLogin(
                .known(second, terms: "1", simGeneration: 1), uid: "one", label: "4", app: Scenario.otherApp)
            try expect(
                try await scenario.store.finishFaceLogin(elsewhere), is: .done(account: second), "another app's uid")
        },
        StorePromise("of 32 accounts that want one uid one gets it") { scenario in
            var accounts: [Int64] = []
            for number in 1...32 {
                let subscription = try await scenario.subscription(number)
                accounts.append(try await scenario.enrol(subscription, uid: "u\(number)", label: "\(number)"))
            }
            var revisions: [Int64] = []
            for account in accounts { revisions.append(try await scenario.faceRevision(account)) }
            let outcomes = try await race(32) { [accounts, revisions] position in
                try await scenario.store.changeFaceUID(
                    account: accounts[position], app: Scenario.app, revision: revisions[position], to: "the one",
                    at: Scenario.now)
            }
            try expect(outcomes.filter { $0 == .changed }.count, is: 1, "changed")
            try expect(outcomes.filter { $0 == .taken }.count, is: 31, "taken")
        },
        StorePromise("a face login is refused when the binding is another than was read, and changes nothing") {
            scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "one")
            let read = try await scenario.faceRevision(account)
            for present in [nil, read - 1, read + 1] {
                let login = scenario.faceLogin(
                    .known(account, terms: "2", simGeneration: 1), uid: "three", label: "late", present: present)
                try expect(
                    try await scenario.store.finishFaceLogin(login), is: .bindingChanged, "read: \(present ?? 0)")
            }
            let binding = try await scenario.store.faceBinding(account: account, app: Scenario.app)
            try expect(binding?.uid, is: "one", "the uid")
        },
        StorePromise("of 32 that spend one refresh token one gets the next, and it is of the same family") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription())
            let refresh = scenario.faceCredential("refresh", .refresh)
            let outcomes = try await race(32) { position in
                try await scenario.store.exchangeFaceCredential(
                    scenario.faceExchange(refresh, next: [scenario.faceCredential("next\(position)", family: 99)]))
            }
            var winners: [Int] = []
            for (position, outcome) in outcomes.enumerated() {
                if case .spent = outcome { winners.append(position) }
            }
            try expect(winners.count, is: 1, "winners")
            var next = scenario.faceCredential("next\(winners[0])")
            next.account = account
            guard case .live(let holding) = try await scenario.store.faceCredential(next.hash) else {
                throw PromiseBroken("the winner's token is not there", #fileID)
            }
            try expect(holding.credential, is: next, "the winner's token")
        },
        StorePromise("a face credential of another kind, app or device key is unknown and stays unspent") { scenario in
            _ = try await scenario.enrol(try await scenario.subscription())
            let refresh = scenario.faceCredential("refresh", .refresh)
            var wrong = scenario.faceExchange(refresh)
            wrong.kind = .code
            try expect(try await scenario.store.exchangeFaceCredential(wrong), is: .unknown, "another kind")
            wrong = scenario.faceExchange(refresh)
            wrong.appID = Scenario.otherApp
            try expect(try await scenario.store.exchangeFaceCredential(wrong), is: .unknown, "another app")
            for key in ["stolen", nil] {
                wrong = scenario.faceExchange(refresh)
                wrong.deviceKey = key
                try expect(try await scenario.store.exchangeFaceCredential(wrong), is: .unknown, "another device key")
            }
            try await scenario.expectSpendable(refresh)
        },
        StorePromise("a face credential is valid one millisecond before it expires and not at that moment") {
            scenario in
            _ = try await scenario.enrol(try await scenario.subscription())
            let refresh = scenario.faceCredential("refresh", .refresh)
            let outcome = try await scenario.store.exchangeFaceCredential(
                scenario.faceExchange(refresh, now: refresh.expiresAt))
            guard case .expired = outcome else { throw PromiseBroken("at that moment: \(outcome)", #fileID) }
            try await scenario.expectSpendable(refresh, now: refresh.expiresAt - .milliseconds(1))
        },
        StorePromise("a frozen face account keeps everything and lets nothing be spent or finished") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "uid")
            let refresh = scenario.faceCredential("refresh", .refresh)
            let freezing = FaceFreezing(at: Scenario.now, by: .holder)
            func set(_ account: Int64, _ frozen: FaceFreezing?) async throws -> FaceAccountOutcome {
                try await scenario.store.setFaceAccount(account, revision: nil, frozen: frozen)
            }
            try expect(try await set(account, freezing), is: .done, "freezing")
            guard case .live(let holding) = try await scenario.store.faceCredential(refresh.hash) else {
                throw PromiseBroken("freezing ended a refresh token", #fileID)
            }
            try expect(holding.account.frozen, is: freezing, "who froze it, and when")
            guard case .frozen = try await scenario.store.exchangeFaceCredential(scenario.faceExchange(refresh)) else {
                throw PromiseBroken("a refresh token of a frozen account was spent", #fileID)
            }
            let login = scenario.faceLogin(
                .known(account, terms: "1", simGeneration: 1), uid: "uid", label: "2",
                present: try await scenario.faceRevision(account))
            try expect(try await scenario.store.finishFaceLogin(login), is: .accountFrozen, "a login")
            try expect(try await scenario.store.faceCounts().frozen, is: 1, "frozen accounts")
            try expect(try await set(account, nil), is: .done, "thawing")
            try await scenario.expectSpendable(refresh)
            try expect(try await set(account + 1, freezing), is: .gone, "nobody's account")
        },
        StorePromise("revoking a family ends its face credentials, and not the remembered account") { scenario in
            _ = try await scenario.enrol(try await scenario.subscription())
            try await scenario.store.revokeFaceCredentials(family: 1)
            for (label, kind) in [("access", FaceCredential.Kind.access), ("refresh", .refresh)] {
                let found = try await scenario.store.faceCredential(scenario.faceCredential(label, kind).hash)
                guard case .revoked = found else { throw PromiseBroken("\(label): \(found)", #fileID) }
            }
            guard case .live = try await scenario.store.faceCredential(Scenario.hash("remembered")) else {
                throw PromiseBroken("the remembered account was ended", #fileID)
            }
        },
        StorePromise("cancelling one app's binding leaves the others, and the last one erases the account") {
            scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription, uid: "one")
            let other = scenario.faceLogin(
                .known(account, terms: "1", simGeneration: 1), uid: "two", label: "other", app: Scenario.otherApp)
            _ = try await scenario.store.finishFaceLogin(other)
            let revisions = [
                try await scenario.faceRevision(account),
                try await scenario.faceRevision(account, app: Scenario.otherApp),
            ]
            func cancel(_ app: AppID, _ revision: Int64) async throws -> FaceCancelOutcome {
                try await scenario.store.cancelFaceBinding(
                    account: account, app: app, revision: revision, at: Scenario.now, keepsAccount: false)
            }
            try expect(try await cancel(Scenario.app, revisions[0]), is: .cancelled, "the first")
            guard case .revoked(_, let ending) = try await scenario.store.faceCredential(Scenario.hash("access")) else {
                throw PromiseBroken("its access token still holds", #fileID)
            }
            try expect(ending, is: FaceEnding(.cancelled, at: Scenario.now), "what ended it")
            guard case .live = try await scenario.store.faceCredential(other.credentials[0].hash) else {
                throw PromiseBroken("the other app's access token was ended", #fileID)
            }
            try expect(try await cancel(Scenario.app, revisions[0]), is: .outdated, "again")
            try expect(try await cancel(Scenario.otherApp, revisions[1]), is: .erased, "the last")
            try await scenario.expectErased(subscription)
        },
        StorePromise(
            "an account that no app knows stays as long as it was to stay, unless an app knows it again or it is frozen"
        ) { scenario in
            func sweep(_ seconds: Int64) async throws -> Int {
                try await scenario.store.eraseOutdatedFaceAccounts(
                    unboundBefore: Scenario.now + .seconds(seconds), limit: 9)
            }
            func cancel(_ account: Int64, at seconds: Int64) async throws {
                let outcome = try await scenario.store.cancelFaceBinding(
                    account: account, app: Scenario.app, revision: try await scenario.faceRevision(account),
                    at: Scenario.now + .seconds(seconds), keepsAccount: true)
                try expect(outcome, is: .unbound, "cancelling the last binding")
            }
            let subscription = try await scenario.subscription(1)
            let account = try await scenario.enrol(subscription, uid: "one", label: "1")
            try expect(try await sweep(9), is: 0, "erased while an app knows it")
            try await cancel(account, at: 10)
            guard
                case .revoked(_, FaceEnding(.cancelled, at: Scenario.now + .seconds(10))) =
                    try await scenario.store.faceCredential(Scenario.hash("access1"))
            else { throw PromiseBroken("what the app was given still holds, or is not told why", #fileID) }
            try expect(try await sweep(10), is: 0, "erased at once")
            // Somebody logs in again.
            let login = scenario.faceLogin(
                .known(account, terms: "1", simGeneration: 1), uid: "one", label: "2")
            try expect(try await scenario.store.finishFaceLogin(login), is: .done(account: account), "logging in")
            try expect(try await sweep(99), is: 0, "erased though an app knows it again")
            try await cancel(account, at: 20)
            let freezing = FaceFreezing(at: Scenario.now, by: .operator)
            _ = try await scenario.store.setFaceAccount(account, revision: nil, frozen: freezing)
            try expect(try await sweep(99), is: 0, "erased while it is frozen")
            _ = try await scenario.store.setFaceAccount(account, revision: nil, frozen: nil)
            try expect(try await sweep(20), is: 0, "erased early")
            try expect(try await sweep(21), is: 1, "erased when its time is over")
            try await scenario.expectErased(subscription)
        },
        StorePromise("an install that remembers an account is known by its device key, to that app, until that ends") {
            scenario in
            func isKnown(
                _ key: String = "thumbprint", to app: AppID = Scenario.app, at seconds: Int64 = 0
            ) async throws -> Bool {
                try await scenario.store.remembersFaceDevice(key, app: app, now: Scenario.now + .seconds(seconds))
            }
            try expect(try await isKnown(), is: false, "before it enrolled")
            let account = try await scenario.enrol(try await scenario.subscription())
            try expect(try await isKnown(), is: true, "after it enrolled")
            try expect(try await isKnown("another"), is: false, "another key")
            try expect(try await isKnown(to: Scenario.otherApp), is: false, "to another app")
            try expect(try await isKnown(at: 600), is: false, "after what it remembers has expired")
            _ = try await scenario.store.cancelFaceBinding(
                account: account, app: Scenario.app, revision: try await scenario.faceRevision(account),
                at: Scenario.now, keepsAccount: true)
            try expect(try await isKnown(), is: false, "after the authorisation was cancelled")
        },
        StorePromise(
            "an erased face account is gone, its devices are told for thirty days, and the number may enrol anew"
        ) { scenario in
            let subscription = try await scenario.subscription()
            let account = try await scenario.enrol(subscription, uid: "one")
            func erase() async throws -> FaceAccountOutcome {
                try await scenario.store.eraseFaceAccount(account, revision: nil, at: Scenario.now)
            }
            try expect(try await erase(), is: .done, "erasing")
            try expect(try await erase(), is: .gone, "erasing again")
            try await scenario.expectErased(subscription)
            for (label, kind) in [("refresh", FaceCredential.Kind.refresh), ("remembered", .remembered)] {
                let erased = FaceEnding(.erased, at: Scenario.now)
                let found = try await scenario.store.faceCredential(Scenario.hash(label))
                guard case .revoked(_, erased) = found else { throw PromiseBroken("\(label): \(found)", #fileID) }
                guard
                    case .revoked(_, erased) = try await scenario.store.exchangeFaceCredential(
                        scenario.faceExchange(scenario.faceCredential(label, kind)))
                else { throw PromiseBroken("the \(label) was spent, or is not told why", #fileID) }
            }
            _ = try await scenario.store.deleteExpiredCredentials(
                before: Scenario.now + FaceEnding.memory + .milliseconds(1), limit: 9)
            try expect(
                try await scenario.store.faceCredential(Scenario.hash("remembered")), is: .unknown, "it is forgotten")
            let anew = try await scenario.enrol(subscription, uid: "one", label: "anew")
            try expect(anew != account, "an account's number was used again")
        },
        StorePromise("a face account ends with its epoch: nothing of it holds, and it is erased when that is asked for")
        {
            scenario in
            let old = try await scenario.subscription(1)
            _ = try await scenario.enrol(old, uid: "one", label: "")
            _ = try await scenario.enrol(try await scenario.subscription(2), uid: "two", label: "2")
            try await scenario.change(1) { $0.epoch += 1 }
            guard case .revoked = try await scenario.store.faceCredential(Scenario.hash("access")) else {
                throw PromiseBroken("the old owner's access token holds", #fileID)
            }
            guard
                case .revoked = try await scenario.store.exchangeFaceCredential(
                    scenario.faceExchange(scenario.faceCredential("refresh", .refresh)))
            else { throw PromiseBroken("the old owner's refresh token was spent", #fileID) }
            let late = scenario.faceLogin(.new(scenario.faceAccount(old)), uid: "three", label: "3")
            try expect(try await scenario.store.finishFaceLogin(late), is: .accountGone, "enrolling the old epoch")
            try expect(
                try await scenario.store.eraseOutdatedFaceAccounts(unboundBefore: Scenario.now, limit: 9), is: 1,
                "erased")
            try expect(
                try await scenario.store.eraseOutdatedFaceAccounts(unboundBefore: Scenario.now, limit: 9), is: 0,
                "erased again")
            try await scenario.expectErased(old)
            try expect(try await scenario.store.faceCounts().accounts, is: 1, "the other account")
        },
        StorePromise("logging in again ends what the install remembered before, and nothing that another remembers") {
            scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "uid")
            let present = try await scenario.faceRevision(account)
            for (label, key) in [("b", "other phone"), ("c", "thumbprint")] {
                var login = scenario.faceLogin(
                    .known(account, terms: "1", simGeneration: 1), uid: "uid", label: label, present: present)
                for index in login.credentials.indices { login.credentials[index].deviceKey = key }
                _ = try await scenario.store.finishFaceLogin(login)
            }
            let states = try await ["", "b", "c"].asyncMap {
                try await scenario.store.faceCredential(Scenario.hash("remembered\($0)")).word
            }
            try expect(states, is: ["revoked", "live", "live"], "remembered accounts")
        },
        StorePromise("a face group is its app's alone, up to the limits, and forgets who has cancelled") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(1), uid: "one", label: "1")
            _ = try await scenario.enrol(try await scenario.subscription(2), uid: "two", label: "2")
            var group = FaceGroupRecord(
                id: "g", appID: Scenario.app, name: "名", tag: "t", info: "{}", createdAt: Scenario.now)
            try expect(try await scenario.store.putFaceGroup(group, limit: 1), is: true, "the first group")
            var second = group
            second.id = "h"
            try expect(try await scenario.store.putFaceGroup(second, limit: 1), is: false, "one over the limit")
            try expect(try await scenario.store.faceGroup("g", app: Scenario.app), is: group, "the group")
            try expect(try await scenario.store.faceGroup("g", app: Scenario.otherApp) == nil, "another app's")
            try expect(try await scenario.store.faceGroups(app: Scenario.app, tag: "t"), is: [group], "by its tag")
            try expect(try await scenario.store.faceGroups(app: Scenario.app, tag: "x"), is: [], "by another tag")
            func add(_ openID: String, app: AppID = Scenario.app, limit: Int = 1) async throws -> FaceMembershipOutcome
            {
                try await scenario.store.addFaceGroupMember(openID: openID, to: "g", app: app, limit: limit)
            }
            try expect(try await add("open one"), is: .added, "a member")
            try expect(try await add("open one"), is: .added, "the same again")
            try expect(try await add("open two"), is: .full, "one over the limit")
            try expect(try await add("open three", limit: 9), is: .personUnknown, "a stranger")
            try expect(try await add("open one", app: Scenario.otherApp), is: .groupUnknown, "another app")
            let others = try await scenario.store.faceGroupMembers("g", app: Scenario.otherApp)
            try expect(others.isEmpty, "another app sees the members")
            try expect(
                try await scenario.store.faceGroupMembers("g", app: Scenario.app).map(\.openID), is: ["open one"],
                "members")
            func change(_ app: AppID = Scenario.app, tag: String? = nil) async throws -> FaceGroupRecord? {
                try await scenario.store.changeFaceGroup("g", app: app, tag: tag, info: "{\"a\":1}")
            }
            group.info = "{\"a\":1}"
            try expect(try await change(Scenario.otherApp) == nil, "changing another's")
            try expect(try await change(), is: group, "what is not given")
            group.tag = "u"
            try expect(try await change(tag: "u"), is: group, "what is given")
            try expect(try await scenario.store.faceGroup("g", app: Scenario.app), is: group, "the changed group")
            _ = try await scenario.store.cancelFaceBinding(
                account: account, app: Scenario.app, revision: try await scenario.faceRevision(account),
                at: Scenario.now, keepsAccount: true)
            try expect(
                try await scenario.store.faceGroupMembers("g", app: Scenario.app).isEmpty, "who cancelled is found")
            try expect(
                try await scenario.store.removeFaceGroup("g", app: Scenario.otherApp), is: false, "removing another's")
            try expect(try await scenario.store.removeFaceGroup("g", app: Scenario.app), is: true, "removing")
            try expect(try await change() == nil, "changing what was removed")
            try expect(try await scenario.store.faceGroup("g", app: Scenario.app) == nil, "a change brings it back")
        },
        StorePromise("a yes to being found in groups outlives logins, and ends with leaving them") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(1), uid: "one", label: "1")
            func binding() async throws -> FaceBindingRecord? {
                try await scenario.store.faceBinding(account: account, app: Scenario.app)
            }
            func logIn(_ agreedAt: Timestamp?, _ label: String) async throws {
                guard var binding = try await binding() else { return }
                binding.groupsAgreedAt = agreedAt
                let write = FaceLoginWrite(
                    account: .known(account, terms: "1", simGeneration: 1), consents: [], binding: binding,
                    present: binding.revision,
                    credentials: [])
                try expect(try await scenario.store.finishFaceLogin(write), is: .done(account: account), label)
            }
            try expect(try await binding()?.groupsAgreedAt == nil, "agreed by default")
            try await logIn(Scenario.now, "a login with a yes")
            try await logIn(nil, "a login without")
            try expect(try await binding()?.groupsAgreedAt, is: Scenario.now, "the yes")
            let group = FaceGroupRecord(
                id: "g", appID: Scenario.app, name: "g", tag: "", info: "{}", createdAt: Scenario.now)
            _ = try await scenario.store.putFaceGroup(group, limit: 1)
            _ = try await scenario.store.addFaceGroupMember(
                openID: "open one", to: "g", app: Scenario.app, limit: 1)
            let revision = try await scenario.faceRevision(account)
            for (app, read) in [(Scenario.otherApp, revision), (Scenario.app, revision - 1)] {
                let isLeft = try await scenario.store.leaveFaceGroups(account: account, app: app, revision: read)
                try expect(isLeft, is: false, "leaving another app's, or by another record")
            }
            try expect(
                try await scenario.store.faceGroupMembers("g", app: Scenario.app).count, is: 1, "members before")
            let left = try await scenario.store.leaveFaceGroups(
                account: account, app: Scenario.app, revision: revision)
            try expect(left, is: true, "leaving")
            try expect(try await scenario.store.faceGroupMembers("g", app: Scenario.app).isEmpty, "who left is found")
            try expect(try await binding()?.groupsAgreedAt == nil, "the yes outlives leaving")
        },
        StorePromise("new terms end every yes to being found in groups, in every app") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "one")
            func logIn(_ app: AppID, terms: String, isAgreed: Bool, _ label: String) async throws {
                let present = try await scenario.store.faceBinding(account: account, app: app)
                var write = scenario.faceLogin(
                    .known(account, terms: terms, simGeneration: 1), uid: "one", app: app)
                (write.present, write.credentials) = (present?.revision, [])
                write.binding.groupsAgreedAt = isAgreed ? Scenario.now : nil
                try expect(try await scenario.store.finishFaceLogin(write), is: .done(account: account), label)
            }
            func agreed() async throws -> [Bool] {
                var agreed: [Bool] = []
                for app in [Scenario.app, Scenario.otherApp] {
                    let binding = try await scenario.store.faceBinding(account: account, app: app)
                    agreed.append(binding?.groupsAgreedAt != nil)
                }
                return agreed
            }
            try await logIn(Scenario.app, terms: "1", isAgreed: true, "a yes")
            try await logIn(Scenario.otherApp, terms: "1", isAgreed: true, "another")
            try expect(try await agreed(), is: [true, true], "under the first terms")
            try await logIn(Scenario.app, terms: "2", isAgreed: false, "new terms")
            try expect(try await agreed(), is: [false, false], "under new terms")
            try await logIn(Scenario.otherApp, terms: "3", isAgreed: true, "newer terms, with a yes")
            try expect(try await agreed(), is: [false, true], "a yes to these terms")
        },
        StorePromise("a login keeps when the app was authorised, and what it has said if it says nothing new") {
            scenario in
            let account = try await scenario.enrol(try await scenario.subscription(), uid: "one")
            func binding() async throws -> FaceBindingRecord? {
                try await scenario.store.faceBinding(account: account, app: Scenario.app)
            }
            let first = Sealed(bytes: [8])
            let revision = try await scenario.faceRevision(account)
            _ = try await scenario.store.changeFaceInfo(
                account: account, app: Scenario.app, revision: revision, to: first)
            var write = scenario.faceLogin(
                .known(account, terms: "1", simGeneration: 1), uid: "one", label: "2", present: revision)
            write.binding.sealedInfo = nil
            write.binding.authorizedAt = Scenario.now + .seconds(9)
            try expect(try await scenario.store.finishFaceLogin(write), is: .done(account: account), "a login")
            try expect(try await binding()?.sealedInfo, is: first, "what was said before")
            try expect(try await binding()?.authorizedAt, is: Scenario.now, "when it was authorised")
            write.binding.sealedInfo = Sealed(bytes: [9])
            write.credentials = []
            try expect(try await scenario.store.finishFaceLogin(write), is: .done(account: account), "another")
            try expect(try await binding()?.sealedInfo, is: Sealed(bytes: [9]), "what is new")
            try expect(try await binding()?.revision, is: revision, "what a login leaves")
        },
        StorePromise("a face is noted as seen for an app that is authorised, while the account holds") { scenario in
            let account = try await scenario.enrol(try await scenario.subscription(1), uid: "one")
            let later = Scenario.now + .seconds(9)
            let revision = try await scenario.faceRevision(account)
            func note(_ app: AppID = Scenario.app, read: Int64? = nil) async throws -> Bool {
                try await scenario.store.noteFaceVerified(
                    account: account, app: app, revision: read ?? revision, at: later)
            }
            func freeze(_ frozen: Bool) async throws {
                _ = try await scenario.store.setFaceAccount(
                    account, revision: nil, frozen: frozen ? FaceFreezing(at: Scenario.now, by: .operator) : nil)
            }
            try expect(try await note(Scenario.otherApp), is: false, "another app")
            try expect(try await note(read: revision + 1), is: false, "another authorisation")
            try await freeze(true)
            try expect(try await note(), is: false, "frozen")
            let before = try await scenario.store.faceBinding(account: account, app: Scenario.app)
            try expect(before?.verifiedAt, is: Scenario.now, "nothing was noted")
            try await freeze(false)
            try expect(try await note(), is: true, "thawed")
            let after = try await scenario.store.faceBinding(account: account, app: Scenario.app)
            try expect(after?.verifiedAt, is: later, "when it was seen")
            try await scenario.change(1) { $0.epoch += 1 }
            try expect(try await note(), is: false, "an old owner's")
        },
        StorePromise("who is found in a group is found as this app knows them, and only while the account holds") {
            scenario in
            let subscription = try await scenario.subscription(1)
            // Another app knows them too, first and under another name.
            var first = scenario.faceLogin(.new(scenario.faceAccount(subscription)), uid: "a", app: Scenario.otherApp)
            first.binding.groupsAgreedAt = Scenario.now
            guard case .done(let account) = try await scenario.store.finishFaceLogin(first) else {
                throw PromiseBroken("enrolling", #fileID)
            }
            _ = try await scenario.store.finishFaceLogin(
                scenario.faceLogin(.known(account, terms: "2", simGeneration: 1), uid: "b", label: "2"))
            for (id, app) in [("g", Scenario.app), ("h", Scenario.app), ("i", Scenario.otherApp)] {
                let group = FaceGroupRecord(
                    id: id, appID: app, name: id, tag: "", info: "{}", createdAt: Scenario.now)
                _ = try await scenario.store.putFaceGroup(group, limit: 9)
            }
            func add(_ openID: String, _ group: String, _ app: AppID) async throws {
                let outcome = try await scenario.store.addFaceGroupMember(
                    openID: openID, to: group, app: app, limit: 9)
                try expect(outcome, is: .added, group)
            }
            try await add("open b", "g", Scenario.app)
            try await add("open a", "i", Scenario.otherApp)
            let expected = FaceGroupMember(
                account: account, subscription: subscription.id, epoch: subscription.epoch,
                sealedKey: Sealed(bytes: [1, 2]), sealedTemplate: Sealed(bytes: [3]), terms: "2", openID: "open b",
                groupsAgreedAt: nil)
            func members() async throws -> [FaceGroupMember] {
                try await scenario.store.faceGroupMembers("g", app: Scenario.app)
            }
            func member(_ group: String, _ app: AppID = Scenario.app) async throws -> FaceGroupMember? {
                try await scenario.store.faceGroupMember(account, of: group, app: app)
            }
            func openIDs(_ app: AppID = Scenario.app) async throws -> [String] {
                try await scenario.store.faceGroupOpenIDs("g", app: app)
            }
            try expect(try await members(), is: [expected], "members")
            try expect(try await openIDs(), is: ["open b"], "their openIds")
            try expect(try await openIDs(Scenario.otherApp), is: [], "another app's")
            try expect(try await member("g"), is: expected, "one of them")
            try expect(try await member("h") == nil, "in a group that they are not in")
            try expect(try await member("g", Scenario.otherApp) == nil, "in another app's group")
            try expect(
                try await scenario.store.faceGroups(of: account, app: Scenario.app).map(\.id), is: ["g"], "their groups"
            )
            let freezing = FaceFreezing(at: Scenario.now, by: .operator)
            _ = try await scenario.store.setFaceAccount(account, revision: nil, frozen: freezing)
            try expect(try await members(), is: [], "a frozen account is found")
            try expect(try await openIDs(), is: [], "a frozen account is listed")
            try expect(try await member("g") == nil, "one that is frozen")
            _ = try await scenario.store.setFaceAccount(account, revision: nil, frozen: nil)
            try expect(try await members(), is: [expected], "thawed")
            try await scenario.change(1) { $0.simGeneration += 1 }
            try expect(try await members(), is: [], "who has not proven the number by the present SIM is found")
            try await scenario.change(1) { $0.epoch += 1 }
            try expect(try await members(), is: [], "an old owner is found")
        },
        StorePromise("deleting expired credentials takes those of faces too, and no valid one") { scenario in
            _ = try await scenario.enrol(try await scenario.subscription())
            let access = scenario.faceCredential("access")
            let gone = try await scenario.store.deleteExpiredCredentials(
                before: access.expiresAt + .milliseconds(1), limit: 9)
            try expect(gone, is: 1, "deleted")
            try expect(try await scenario.store.faceCredential(access.hash), is: .unknown, "the expired one")
            try await scenario.expectSpendable(scenario.faceCredential("refresh", .refresh))
        },
    ]
}

extension FaceCredentialLookup {
    /// The answer without its record.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .live: "live"
        case .spent: "spent"
        case .revoked: "revoked"
        }
    }
}
