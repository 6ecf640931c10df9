package import BenjiProtocol

/// Somebody among whose apps an app is.
package struct TeamMember: Hashable, Sendable {
    package var admin: AdminRecord
    /// Whether they have chosen a password at the console.
    package var hasAccount: Bool

    package init(_ admin: AdminRecord, hasAccount: Bool) {
        self.admin = admin
        self.hasAccount = hasAccount
    }

    /// Whether they can give orders at a moment: their credential counts, and if it is an invitation, they have taken
    /// it.
    package func isIn(at moment: Timestamp) -> Bool {
        admin.isValid(at: moment) && (admin.kind != .invitation || hasAccount)
    }
}

/// A change of who has an app.
package struct TeamChange: Sendable {
    package enum Kind: Sendable {
        /// Lets in somebody new, who has this app alone.
        case invite(AdminRecord)
        case add(String)
        case remove(String)
    }

    package var app: AppID
    package var kind: Kind
    /// The developer who orders it, who must have the app still; `nil` if an operator does.
    package var developer: String?
    /// Whether the caller sees phone numbers. A caller who does not adds no person who does.
    package var seesNumbers: Bool
    package var at: Timestamp
    /// How many people an app has at most, apart from those whose credential has ended.
    package var seats: Int
    /// The role of people who have apps. Only they are added or removed.
    package var role: String
    /// Lines of the audit log that count as invitations, by the order's name, since when, and how many there may be.
    package var invitations: (order: String, since: Timestamp, limit: Int)

    package init(
        app: AppID, _ kind: Kind, by developer: String?, seesNumbers: Bool, at moment: Timestamp, seats: Int,
        role: String, invitations: (order: String, since: Timestamp, limit: Int)
    ) {
        self.app = app
        self.kind = kind
        self.developer = developer
        self.seesNumbers = seesNumbers
        at = moment
        self.seats = seats
        self.role = role
        self.invitations = invitations
    }

    /// The person who is added or removed; `nil` for an invitation.
    package var person: String? {
        switch kind {
        case .invite: nil
        case .add(let name), .remove(let name): name
        }
    }
}

/// The outcome of a change of a team. Only ``done`` changed anything.
package enum TeamOutcome: String, Sendable {
    case done
    /// The caller does not have the app any more.
    case notOnTeam
    /// No person of this name can be added, or has the app. Also returned if they share no app with the caller.
    case nobody
    case isThere
    case seesNumbers
    case isFull
    case tooManyInvitations
    /// A developer's order would leave no member who can give orders.
    case last
}

extension TeamChange {
    /// Decides about this change by the state at the moment of the write.
    ///
    /// - Parameters:
    ///   - team: all who have the app.
    ///   - caller: the record of ``developer``.
    ///   - named: the record of ``person``.
    ///   - invited: how many lines of the audit log ``invitations`` counts.
    package func outcome(
        team: [TeamMember], caller: AdminRecord?, named: AdminRecord?, invited: Int
    ) -> TeamOutcome {
        if developer != nil {
            guard let caller, caller.isValid(at: at), caller.apps.contains(app) else { return .notOnTeam }
        }
        let isFull = team.count { $0.admin.isValid(at: at) } >= seats
        switch kind {
        case .invite:
            guard invited < invitations.limit else { return .tooManyInvitations }
            return isFull ? .isFull : .done
        case .add:
            guard let named, named.role == role, named.isValid(at: at) else { return .nobody }
            if let caller, named.apps.isDisjoint(with: caller.apps) { return .nobody }
            guard !named.apps.contains(app) else { return .isThere }
            guard seesNumbers || !named.seesNumbers else { return .seesNumbers }
            return isFull ? .isFull : .done
        case .remove(let name):
            guard let named, named.role == role, named.apps.contains(app) else { return .nobody }
            guard developer == nil || team.contains(where: { $0.admin.name != name && $0.isIn(at: at) }) else {
                return .last
            }
            return .done
        }
    }
}

/// Keeps who has which app.
package protocol TeamStore: Sendable {
    /// The people who have an app, by name; also those whose credential has ended.
    func team(of app: AppID) async throws(StoreError) -> [TeamMember]
    /// Changes a team, in one commit with its line of the audit log, if
    /// ``TeamChange/outcome(team:caller:named:invited:)`` allows it for the state then.
    ///
    /// - Throws: ``StoreError/Code/alreadyExists`` if there is an admin with the name or credential of who is invited.
    func changeTeam(_ change: TeamChange, audit: AuditEntry) async throws(StoreError) -> TeamOutcome
}
