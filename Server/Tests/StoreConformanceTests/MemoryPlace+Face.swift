import BenjiProtocol
import Store

/// The faces of a ``MemoryPlace``.
struct MemoryFaces {
    var accounts: [Int64: FaceAccountRecord] = [:]
    var next: Int64 = 1
    var bindings: [FaceBindingRecord] = []
    var credentials: [CredentialHash: Credential] = [:]
    /// The last revision of a binding.
    var revision: Int64 = 0
    /// Accounts without a binding, since when.
    var unbound: [Int64: Timestamp] = [:]
    var groups: [FaceGroupRecord] = []
    var members: [String: Set<Int64>] = [:]

    struct Credential {
        var record: FaceCredential
        var spent = false
        var revoked = false
        var ending: FaceEnding?
    }

    func binding(_ account: Int64, _ app: AppID) -> FaceBindingRecord? {
        bindings.first { $0.account == account && $0.appID == app }
    }

    func owner(_ uid: String, _ app: AppID) -> FaceBindingRecord? {
        bindings.first { $0.uid == uid && $0.appID == app }
    }

    func member(_ openID: String, _ app: AppID) -> Int64? {
        bindings.first { $0.openID == openID && $0.appID == app }?.account
    }

    func group(_ id: String, _ app: AppID) -> FaceGroupRecord? { groups.first { $0.id == id && $0.appID == app } }

    /// Ends the credentials of an account, for one app or for all.
    mutating func end(_ account: Int64, app: AppID? = nil, _ ending: FaceEnding) {
        for (hash, found) in credentials
        where found.record.account == account && !found.spent && (app == nil || found.record.appID == app) {
            credentials[hash]?.revoked = true
            credentials[hash]?.ending = found.ending ?? ending
        }
    }

    mutating func erase(_ account: Int64, telling moment: Timestamp?) {
        accounts[account] = nil
        unbound[account] = nil
        bindings.removeAll { $0.account == account }
        if let moment { end(account, FaceEnding(.erased, at: moment)) }
        credentials = credentials.filter {
            $0.value.record.account != account || moment != nil && $0.value.ending != nil
        }
        for (hash, found) in credentials where found.record.account == account {
            let end = (moment ?? found.record.expiresAt) + FaceEnding.memory
            credentials[hash]?.record.expiresAt = min(found.record.expiresAt, end)
        }
        for group in members.keys { members[group]?.remove(account) }
    }
}

extension MemoryPlace {
    private func isPresent(_ account: FaceAccountRecord) -> Bool {
        flaw == .keepsFacesOfOldOwners
            || subscriptions.contains { $0.id == account.subscription && $0.epoch == account.epoch }
    }

    private func isProven(_ account: FaceAccountRecord) -> Bool {
        isPresent(account)
            && (flaw == .keepsFaceLoginsOfOldSIMs || presentSIM(of: account)?.simGeneration == account.simGeneration
                || flaw == .keepsFacesOfOldOwners)
    }

    private func presentSIM(of account: FaceAccountRecord) -> SubscriptionRecord? {
        subscriptions.first { $0.id == account.subscription && $0.epoch == account.epoch }
    }

    func faceAccount(_ subscription: Int64, _ epoch: Int32) -> FaceAccountRecord? {
        faces.accounts.values.first { $0.subscription == subscription && $0.epoch == epoch }
    }

    func finish(_ login: FaceLoginWrite) async -> FaceLoginOutcome {
        var present: Int64?
        switch login.account {
        case .new(let record):
            guard isProven(record) else { return .accountGone }
            if faceAccount(record.subscription, record.epoch) != nil { return .accountExists }
            await gap(.enrolsInTwoSteps)
        case .known(let id, _, let simGeneration):
            guard let found = faces.accounts[id], isPresent(found),
                presentSIM(of: found)?.simGeneration == simGeneration || flaw == .opensByOldSIMs
            else { return .accountGone }
            if found.isFrozen, flaw != .ignoresFreezing { return .accountFrozen }
            present = id
        }
        let bound = present.flatMap { faces.binding($0, login.binding.appID) }
        guard bound?.revision == login.present || flaw == .ignoresWhatWasRead else { return .bindingChanged }
        if let owner = faces.owner(login.binding.uid, login.binding.appID), owner.account != present {
            return .uidTaken
        }
        let account: Int64
        switch login.account {
        case .new(var record):
            account = faces.next
            faces.next += 1
            record.id = account
            record.revision = 1
            faces.accounts[account] = record
        case .known(let id, let terms, let simGeneration):
            account = id
            if faces.accounts[id]?.simGeneration != simGeneration {
                faces.accounts[id]?.simGeneration = simGeneration
                faces.accounts[id]?.revision += 1
                if flaw != .bringsBackLoginsOfOldSIMs {
                    faces.end(id, FaceEnding(.sim, at: login.binding.verifiedAt))
                }
            }
            if faces.accounts[id]?.terms != terms, flaw != .keepsTheYesToOldTerms {
                for index in faces.bindings.indices where faces.bindings[index].account == id {
                    faces.bindings[index].groupsAgreedAt = nil
                    faces.bindings[index].revision += 1
                }
            }
            faces.accounts[id]?.terms = terms
            if flaw != .erasesWhoCameBack { faces.unbound[id] = nil }
        }
        var binding = login.binding
        binding.account = account
        let kept = faces.binding(account, binding.appID)
        if let kept {
            let isChanged = kept.uid != binding.uid || binding.groupsAgreedAt != nil
            binding.revision = kept.revision + (isChanged ? 1 : 0)
            binding.uidSince = kept.uid == binding.uid ? kept.uidSince : binding.authorizedAt
        } else {
            faces.revision += flaw == .countsAuthorisationsFromOne ? 0 : 1000
            binding.revision = faces.revision + 1
            binding.uidSince = binding.authorizedAt
        }
        binding.groupsAgreedAt = binding.groupsAgreedAt ?? kept?.groupsAgreedAt
        binding.authorizedAt = kept?.authorizedAt ?? binding.authorizedAt
        if flaw != .forgetsWhatTheAppSaid { binding.sealedInfo = binding.sealedInfo ?? kept?.sealedInfo }
        faces.bindings.removeAll { $0.account == account && $0.appID == binding.appID }
        faces.bindings.append(binding)
        for var credential in login.credentials {
            credential.account = account
            if credential.kind == .remembered {
                for (hash, old) in faces.credentials
                where old.record.kind == .remembered && old.record.account == account
                    && old.record.appID == credential.appID && old.record.deviceKey == credential.deviceKey
                {
                    faces.credentials[hash]?.revoked = true
                }
            }
            faces.credentials[credential.hash] = .init(record: credential)
        }
        return .done(account: account)
    }

    private func holding(_ credential: FaceCredential) -> FaceHolding? {
        guard let account = faces.accounts[credential.account], isProven(account) else { return nil }
        return FaceHolding(
            credential: credential, account: account, binding: faces.binding(account.id, credential.appID))
    }

    func lookUp(_ hash: CredentialHash) -> FaceCredentialLookup {
        guard let found = faces.credentials[hash] else { return .unknown }
        if found.spent { return .spent(found.record) }
        guard !found.revoked, let holding = holding(found.record) else {
            return .revoked(found.record, ending(found))
        }
        return .live(holding)
    }

    private func ending(_ found: MemoryFaces.Credential) -> FaceEnding? {
        if flaw == .tellsNobody { return nil }
        if let ending = found.ending { return ending }
        guard let account = faces.accounts[found.record.account], let row = presentSIM(of: account),
            row.simGeneration != account.simGeneration
        else { return nil }
        return FaceEnding(.sim, at: row.simChangedAt)
    }

    func remembers(_ deviceKey: String, _ app: AppID, _ now: Timestamp) -> Bool {
        faces.credentials.values.contains { found in
            found.record.kind == .remembered && found.record.deviceKey == deviceKey && found.record.appID == app
                && (!found.revoked && now < found.record.expiresAt || flaw == .remembersWhoLeft)
        }
    }

    func exchange(_ ask: FaceExchange) async -> FaceExchangeOutcome {
        guard let found = faces.credentials[ask.hash], found.record.kind == ask.kind, found.record.appID == ask.appID,
            found.record.deviceKey == ask.deviceKey || flaw == .takesAnyDevice
        else { return .unknown }
        let record = found.record
        if found.spent { return .alreadySpent(record) }
        if ask.now >= record.expiresAt { return .expired(record) }
        guard !found.revoked, let holding = holding(record), holding.binding != nil else {
            return .revoked(record, ending(found))
        }
        if holding.account.isFrozen, flaw != .ignoresFreezing { return .frozen(record) }
        await gap(.renewsInTwoSteps)
        faces.credentials[ask.hash]?.spent = true
        for var next in ask.next {
            next.account = record.account
            next.family = record.family
            faces.credentials[next.hash] = .init(record: next)
        }
        return .spent(holding)
    }

    func revokeFaces(family: Int64) {
        for (hash, found) in faces.credentials where found.record.family == family && !found.spent {
            if found.record.kind != .remembered { faces.credentials[hash]?.revoked = true }
        }
    }

    func changeUID(
        _ account: Int64, _ app: AppID, _ revision: Int64, _ uid: String, _ moment: Timestamp
    ) async -> FaceUIDOutcome {
        guard let binding = faces.binding(account, app), isRead(binding, revision) else { return .outdated }
        if let owner = faces.owner(uid, app), owner.account != account { return .taken }
        await gap(.changesUIDsInTwoSteps)
        await gap(.comparesBindingsInTwoSteps)
        change(account, app, nil) {
            if $0.uid != uid || flaw == .datesUIDsAnew { $0.uidSince = moment }
            $0.uid = uid
            $0.isRandomUID = false
            $0.revision += 1
        }
        return .changed
    }

    private func isRead(_ binding: FaceBindingRecord, _ revision: Int64?) -> Bool {
        revision == nil || binding.revision == revision || flaw == .ignoresRevisionsOfBindings
    }

    @discardableResult
    func change(
        _ account: Int64, _ app: AppID, _ revision: Int64?, _ change: (inout FaceBindingRecord) -> Void
    ) -> Bool {
        guard let index = faces.bindings.firstIndex(where: { $0.account == account && $0.appID == app }),
            isRead(faces.bindings[index], revision)
        else { return false }
        change(&faces.bindings[index])
        return true
    }

    func noteVerified(_ account: Int64, _ app: AppID, _ revision: Int64, _ at: Timestamp) -> Bool {
        guard let found = faces.accounts[account], isProven(found), !found.isFrozen || flaw == .verifiesFrozenFaces
        else { return false }
        return change(account, app, revision) { $0.verifiedAt = max($0.verifiedAt, at) }
    }

    func cancel(
        _ account: Int64, _ app: AppID, _ revision: Int64, _ moment: Timestamp, keepsAccount: Bool
    ) -> FaceCancelOutcome {
        guard let binding = faces.binding(account, app), isRead(binding, revision) else { return .outdated }
        faces.end(account, app: app, FaceEnding(.cancelled, at: moment))
        faces.bindings.removeAll { $0.account == account && $0.appID == app }
        let isLast = !faces.bindings.contains { $0.account == account }
        if isLast, !keepsAccount || flaw == .erasesByTheLastCancelling, flaw != .keepsFacesOfNobody {
            faces.erase(account, telling: moment)
            return .erased
        }
        for group in faces.groups where group.appID == app { faces.members[group.id]?.remove(account) }
        guard isLast, keepsAccount else { return .cancelled }
        faces.unbound[account] = moment
        return .unbound
    }

    private func refusal(_ account: Int64, _ revision: Int64?) -> FaceAccountOutcome? {
        guard let found = faces.accounts[account] else { return .gone }
        return revision == nil || found.revision == revision || flaw == .ignoresRevisionsOfAccounts ? nil : .outdated
    }

    func freeze(_ account: Int64, _ revision: Int64?, _ frozen: FaceFreezing?) async -> FaceAccountOutcome {
        if let refusal = refusal(account, revision) { return refusal }
        await gap(.freezesInTwoSteps)
        faces.accounts[account]?.frozen = frozen
        faces.accounts[account]?.revision += 1
        return .done
    }

    func erase(_ account: Int64, _ revision: Int64?, _ moment: Timestamp) -> FaceAccountOutcome {
        if let refusal = refusal(account, revision) { return refusal }
        faces.erase(account, telling: moment)
        return .done
    }

    func eraseOutdated(_ moment: Timestamp, _ limit: Int) -> Int {
        let outdated = faces.accounts.values.filter { account in
            let isDue = faces.unbound[account.id].map { $0 < moment || flaw == .erasesUnboundFacesEarly } ?? false
            return !isPresent(account) || isDue && (!account.isFrozen || flaw == .erasesFrozenFaces)
        }.prefix(limit)
        for account in outdated { faces.erase(account.id, telling: nil) }
        return outdated.count
    }

    func deleteFaceCredentials(before moment: Timestamp, limit: Int) -> Int {
        let old = faces.credentials.filter { $0.value.record.expiresAt < moment }.prefix(limit)
        for (hash, _) in old { faces.credentials[hash] = nil }
        return old.count
    }

    func put(_ group: FaceGroupRecord, limit: Int) -> Bool {
        guard faces.groups.filter({ $0.appID == group.appID }).count < limit else { return false }
        faces.groups.append(group)
        return true
    }

    func changeGroup(_ id: String, _ app: AppID, tag: String?, info: String?) async -> FaceGroupRecord? {
        guard var group = faces.groups.first(where: { $0.id == id && $0.appID == app }) else { return nil }
        await gap(.changesGroupsInTwoSteps)
        guard let index = faces.groups.firstIndex(where: { $0.id == id && $0.appID == app }) else { return nil }
        if flaw != .changesGroupsInTwoSteps { group = faces.groups[index] }
        if let tag { group.tag = tag }
        if let info { group.info = info }
        faces.groups[index] = group
        return group
    }

    func removeGroup(_ id: String, _ app: AppID) -> Bool {
        guard faces.group(id, app) != nil else { return false }
        faces.groups.removeAll { $0.id == id }
        faces.members[id] = nil
        return true
    }

    func add(_ openID: String, to group: String, _ app: AppID, limit: Int) -> FaceMembershipOutcome {
        guard faces.group(group, app) != nil || flaw == .sharesGroupsBetweenApps else { return .groupUnknown }
        guard let account = faces.member(openID, app) else { return .personUnknown }
        if faces.members[group]?.contains(account) == true { return .added }
        guard faces.members[group, default: []].count < limit else { return .full }
        faces.members[group, default: []].insert(account)
        return .added
    }

    func remove(_ openID: String, from group: String, _ app: AppID) -> Bool {
        guard faces.group(group, app) != nil, let account = faces.member(openID, app) else { return false }
        return faces.members[group]?.remove(account) != nil
    }

    func leaveGroups(_ account: Int64, _ app: AppID, _ revision: Int64) -> Bool {
        let isLeft = change(account, app, revision) {
            if flaw != .keepsTheYesOfWhoLeaves { $0.groupsAgreedAt = nil }
            $0.revision += 1
        }
        guard isLeft else { return false }
        for group in faces.groups where group.appID == app { faces.members[group.id]?.remove(account) }
        return true
    }

    func groups(of account: Int64, _ app: AppID) -> [FaceGroupRecord] {
        faces.groups.filter { $0.appID == app && faces.members[$0.id]?.contains(account) == true }
    }

    func members(_ group: String, _ app: AppID) -> [FaceGroupMember] {
        guard faces.group(group, app) != nil || flaw == .sharesGroupsBetweenApps else { return [] }
        return faces.members[group, default: []].sorted().compactMap { id in
            guard let account = faces.accounts[id], !account.isFrozen || flaw == .findsFrozenFaces, isProven(account),
                let binding = flaw == .findsByAnotherAppsYes
                    ? faces.bindings.first(where: { $0.account == id }) : faces.binding(id, app)
            else { return nil }
            return FaceGroupMember(
                account: id, subscription: account.subscription, epoch: account.epoch, sealedKey: account.sealedKey,
                sealedTemplate: account.sealedTemplate, terms: account.terms, openID: binding.openID,
                groupsAgreedAt: binding.groupsAgreedAt)
        }
    }
}

extension MemoryStore {
    func faceAccount(subscription: Int64, epoch: Int32) async throws(StoreError) -> FaceAccountRecord? {
        try await opened().faceAccount(subscription, epoch)
    }
    func faceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceBindingRecord? {
        try await opened().faces.binding(account, app)
    }
    func faceBinding(uid: String, app: AppID) async throws(StoreError) -> FaceBindingRecord? {
        try await opened().faces.owner(uid, app)
    }
    func finishFaceLogin(_ login: FaceLoginWrite) async throws(StoreError) -> FaceLoginOutcome {
        try await opened().finish(login)
    }
    func faceCredential(_ hash: CredentialHash) async throws(StoreError) -> FaceCredentialLookup {
        try await opened().lookUp(hash)
    }
    func exchangeFaceCredential(_ exchange: FaceExchange) async throws(StoreError) -> FaceExchangeOutcome {
        try await opened().exchange(exchange)
    }
    func revokeFaceCredentials(family: Int64) async throws(StoreError) {
        try await opened().revokeFaces(family: family)
    }
    func changeFaceUID(
        account: Int64, app: AppID, revision: Int64, to uid: String, at: Timestamp
    ) async throws(StoreError) -> FaceUIDOutcome { try await opened().changeUID(account, app, revision, uid, at) }
    func changeFaceInfo(
        account: Int64, app: AppID, revision: Int64, to info: Sealed?
    ) async throws(StoreError) -> Bool { try await opened().change(account, app, revision) { $0.sealedInfo = info } }
    func noteFaceVerified(
        account: Int64, app: AppID, revision: Int64, at: Timestamp
    ) async throws(StoreError) -> Bool { try await opened().noteVerified(account, app, revision, at) }
    func cancelFaceBinding(
        account: Int64, app: AppID, revision: Int64, at: Timestamp, keepsAccount: Bool
    ) async throws(StoreError) -> FaceCancelOutcome {
        try await opened().cancel(account, app, revision, at, keepsAccount: keepsAccount)
    }
    func remembersFaceDevice(_ deviceKey: String, app: AppID, now: Timestamp) async throws(StoreError) -> Bool {
        try await opened().remembers(deviceKey, app, now)
    }
    func setFaceAccount(
        _ account: Int64, revision: Int64?, frozen: FaceFreezing?, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome {
        let place = try opened()
        let outcome = await place.freeze(account, revision, frozen)
        if outcome == .done { try await place.note(audit) }
        return outcome
    }
    func eraseFaceAccount(
        _ account: Int64, revision: Int64?, at: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome {
        let place = try opened()
        let outcome = await place.erase(account, revision, at)
        if outcome == .done { try await place.note(audit) }
        return outcome
    }
    func eraseOutdatedFaceAccounts(
        unboundBefore moment: Timestamp, limit: Int
    ) async throws(StoreError) -> Int { try await opened().eraseOutdated(moment, limit) }
    func faceCounts() async throws(StoreError) -> FaceCounts {
        let faces = try await opened().faces
        return FaceCounts(
            accounts: faces.accounts.count, frozen: faces.accounts.values.filter(\.isFrozen).count,
            bindings: faces.bindings.count)
    }
    func putFaceGroup(_ group: FaceGroupRecord, limit: Int) async throws(StoreError) -> Bool {
        try await opened().put(group, limit: limit)
    }
    func faceGroup(_ id: String, app: AppID) async throws(StoreError) -> FaceGroupRecord? {
        try await opened().faces.group(id, app)
    }
    func faceGroups(app: AppID, tag: String?) async throws(StoreError) -> [FaceGroupRecord] {
        try await opened().faces.groups.filter { $0.appID == app && (tag == nil || $0.tag == tag) }
    }
    func changeFaceGroup(
        _ id: String, app: AppID, tag: String?, info: String?
    ) async throws(StoreError) -> FaceGroupRecord? {
        try await opened().changeGroup(id, app, tag: tag, info: info)
    }
    func removeFaceGroup(_ id: String, app: AppID) async throws(StoreError) -> Bool {
        try await opened().removeGroup(id, app)
    }
    func addFaceGroupMember(
        openID: String, to group: String, app: AppID, limit: Int
    ) async throws(StoreError) -> FaceMembershipOutcome { try await opened().add(openID, to: group, app, limit: limit) }
    func removeFaceGroupMember(openID: String, from group: String, app: AppID) async throws(StoreError) -> Bool {
        try await opened().remove(openID, from: group, app)
    }
    func leaveFaceGroups(account: Int64, app: AppID, revision: Int64) async throws(StoreError) -> Bool {
        try await opened().leaveGroups(account, app, revision)
    }
    func faceGroups(of account: Int64, app: AppID) async throws(StoreError) -> [FaceGroupRecord] {
        try await opened().groups(of: account, app)
    }
    func faceGroupMembers(_ group: String, app: AppID) async throws(StoreError) -> [FaceGroupMember] {
        try await opened().members(group, app)
    }
    func faceGroupOpenIDs(_ group: String, app: AppID) async throws(StoreError) -> [String] {
        try await opened().members(group, app).map(\.openID)
    }
    func faceGroupMember(
        _ account: Int64, of group: String, app: AppID
    ) async throws(StoreError) -> FaceGroupMember? {
        try await opened().members(group, app).first { $0.account == account }
    }
}
