// Face accounts over the authority: who has one, which apps may know them, how they log in, and how all of it ends. It
// knows no HTTP and no SQL; what a face looks like is FaceMatching's business. Begin with `FaceProvider.swift`.
package import Authority
@_spi(Server) package import BenjiProtocol
package import Requests
package import Store

/// Face accounts as their operator sees them: by number, and never a face.
package struct FaceAccounts: Sendable {
    /// How long an account stays whose last authorisation was taken back by an access token alone.
    package static let keptUnbound = Authority.keptUnboundFaces

    private let store: any FaceStore & RegisterStore
    private let vault: Vault
    private let apps: Apps
    private let clock: any WallClock

    package init(authority: Authority, store: any FaceStore & RegisterStore) {
        self.store = store
        vault = authority.vault
        apps = authority.apps
        clock = authority.clock
    }

    /// How many there are.
    package func counts() async throws(Refusal) -> FaceCounts {
        do { return try await store.faceCounts() } catch { throw Refusal(error) }
    }

    /// Freezes or thaws the account of a number's present holder. `false` if they have none.
    package func setFrozen(
        _ frozen: Bool, _ number: PhoneNumber, by note: OrderNote
    ) async throws(Refusal) -> Bool {
        guard let account = try await account(of: number) else { return false }
        // An order holds whatever the account is now.
        let freezing = frozen ? FaceFreezing(at: clock.now, by: .operator) : nil
        do {
            return try await store.setFaceAccount(
                account.id, revision: nil, frozen: freezing, audit: entry(note, account)) == .done
        } catch { throw Refusal(error) }
    }

    /// Erases the account of a number's present holder, for every app. `false` if they have none.
    package func erase(_ number: PhoneNumber, by note: OrderNote) async throws(Refusal) -> Bool {
        guard let account = try await account(of: number) else { return false }
        do {
            return try await store.eraseFaceAccount(
                account.id, revision: nil, at: clock.now, audit: entry(note, account)) == .done
        } catch { throw Refusal(error) }
    }

    private func entry(_ note: OrderNote, _ account: FaceAccountRecord) -> AuditEntry {
        note.entry(at: clock.now, subject: "face account of subscription \(account.subscription)")
    }

    private func account(of number: PhoneNumber) async throws(Refusal) -> FaceAccountRecord? {
        do throws(StoreError) {
            guard let row = try await vault.subscription(of: number, in: store) else { return nil }
            return try await store.faceAccount(subscription: row.id, epoch: row.epoch)
        } catch { throw Refusal(error) }
    }

    /// Returns the data kept about an account, for its holder. Of the face it states only whether a template exists.
    package func description(of account: FaceAccountRecord, _ bindings: [FaceBindingRecord]) -> JSON {
        let key = try? AccountKey(of: account, vault: vault)
        let profile = (try? key?.open(account.sealedProfile, purpose: FaceProfile.purpose)).flatMap {
            try? FaceProfile($0)
        }
        return .object([
            "since": .integer(account.createdAt.milliseconds),
            "hasTemplate": .bool(!account.sealedTemplate.bytes.isEmpty),
            "terms": .string(account.terms), "frozen": .bool(account.isFrozen),
            "name": (profile?.name).map { .string($0) },
            "picture": (profile?.avatarURL).map { .string($0) },
            "apps": .array(
                bindings.map { binding in
                    let info = binding.sealedInfo.flatMap { try? key?.open($0, purpose: FaceProvider.infoPurpose) }
                    return .object([
                        "app": .string(binding.appID.rawValue), "uid": .string(binding.uid),
                        "openId": .string(binding.openID), "authorizedAt": .integer(binding.authorizedAt.milliseconds),
                        "faceSeenAt": .integer(binding.verifiedAt.milliseconds),
                        "groupsAgreedAt": binding.groupsAgreedAt.map { .integer($0.milliseconds) },
                        "info": info.flatMap { try? JSON(parsing: $0) },
                    ])
                }),
        ])
    }

    /// Enables face login for an app, or changes the app's face capabilities. A value of `nil` changes nothing.
    package func grant(_ app: AppID, attributes: Bool?, groups: Bool?, by note: OrderNote) async throws(Refusal)
        -> AppRecord
    {
        try await apps.change(app, by: note) { record in
            record.capabilities.insert(.face)
            for (capability, wanted) in [(Capability.faceAttributes, attributes), (.faceGroups, groups)] {
                switch wanted {
                case true?: record.capabilities.insert(capability)
                case false?: record.capabilities.remove(capability)
                case nil: break
                }
            }
        }.record
    }

    /// Lets an app have face login, with what else is granted to it and nothing more; `nil` takes it away.
    package func opt(_ app: AppID, in granted: Set<Capability>?, by note: OrderNote) async throws(Refusal) -> AppRecord
    {
        let faces: Set<Capability> = [.face, .faceAttributes, .faceGroups]
        let wanted = granted.map { $0.intersection(faces).union([.face]) } ?? []
        return try await apps.change(app, by: note) {
            $0.capabilities = $0.capabilities.subtracting(faces).union(wanted)
        }.record
    }
}
