package import BenjiProtocol
package import Requests
package import Store

/// New keys beside old ones, the end of old ones, and a second key for apps that have one.
extension Apps {
    /// Gives an app a new key of one use.
    ///
    /// - Parameters:
    ///   - use: ``AppKeyUse/package`` or ``AppKeyUse/server``.
    ///   - overlap: how long the previous key, and its copy among the server secrets, stays valid.
    @discardableResult
    package func rotateKey(
        _ use: AppKeyUse = .package, of id: AppID, keeping overlap: KeyOverlap = .untilRetired, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        let text = newKey()
        return try await change(id, by: note) { record throws(Refusal) in
            var keys = record.keys(for: use)
            guard !keys.isEmpty else { throw Self.hasOneKey(id) }
            try keys.rotate(
                to: seal(text, use, version: keys.nextVersion, of: id), keeping: overlap, now: clock.now,
                noun: use.noun)
            record.replaceKeys(of: use, by: keys)
            if use == .package { try endCopies(in: &record) }
        }
    }

    /// Ends a key of an app at once: the one of that version, or all but the newest. Its copy among the server secrets
    /// ends with it.
    @discardableResult
    package func retireKey(
        _ use: AppKeyUse = .package, of id: AppID, version: Int? = nil, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        try await change(id, by: note) { record throws(Refusal) in
            var keys = record.keys(for: use)
            guard !keys.isEmpty else { throw Self.hasOneKey(id) }
            try keys.retire(version, now: clock.now, noun: use.noun)
            record.replaceKeys(of: use, by: keys)
            if use == .package { try endCopies(in: &record) }
        }
    }

    /// Ends the copies of app keys among the server secrets (``splitKeys(of:keeping:)``) with the keys themselves. A
    /// key that leaked from a package must not stay a server secret.
    private func endCopies(in record: inout AppRecord) throws(Refusal) {
        let (id, now) = (record.id, clock.now)
        let before = record.keys(for: .server)
        guard before.contains(where: \.isInPackage) else { return }
        var keys: [AppKey: AppKeyRecord] = [:]
        for key in record.keys(for: .package).accepted(at: now) { keys[try open(key, of: id)] = key }
        var secrets: [AppKeyRecord] = []
        for var secret in before {
            if secret.isInPackage {
                guard let key = keys[try open(secret, of: id)] else { continue }
                if let end = key.acceptedUntil { secret.acceptedUntil = min(secret.acceptedUntil ?? end, end) }
            }
            secrets.append(secret)
        }
        guard secrets == before || secrets.accepted(at: now).contains(where: { !$0.isInPackage }) else {
            throw Refusal(
                .parameterInvalid,
                "the app's server has nothing else to sign with; give it a secret first: benji app rotate-secret \(id)")
        }
        record.replaceKeys(of: .server, by: secrets)
    }

    /// Gives an app with one key a server secret. What phones carry stays as it is.
    ///
    /// - Parameter overlap: how long its server may still sign with the app keys. Each ends as a secret when it ends as
    ///   an app key, if that is earlier.
    @discardableResult
    package func splitKeys(
        of id: AppID, keeping overlap: KeyOverlap = .untilRetired, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        let text = newKey()
        return try await change(id, by: note) { record throws(Refusal) in
            guard record.keys(for: .server).isEmpty else {
                throw Refusal(.parameterInvalid, "the app has a server secret already")
            }
            var secrets: [AppKeyRecord] = []
            for key in record.keys(for: .package).accepted(at: clock.now).reversed() {
                var copy = try seal(
                    open(key, of: id).reveal(), .server, version: secrets.nextVersion, of: id, isInPackage: true)
                copy.createdAt = key.createdAt
                copy.acceptedUntil = key.acceptedUntil
                secrets.insert(copy, at: 0)
            }
            try secrets.begin(
                with: seal(text, .server, version: secrets.nextVersion, of: id), keeping: overlap, now: clock.now)
            record.replaceKeys(of: .server, by: secrets)
        }
    }

    private static func hasOneKey(_ id: AppID) -> Refusal {
        Refusal(
            .parameterInvalid,
            "the app has one key for phones and server; give it a server secret first: benji app split-keys \(id)")
    }
}

extension AppKeyUse {
    /// In messages.
    package var noun: String {
        switch self {
        case .package: "app key"
        case .server: "server secret"
        case .openID: "client secret"
        case .callback: "callback secret"
        }
    }
}

extension AppRecord {
    mutating func replaceKeys(of use: AppKeyUse, by present: [AppKeyRecord]) {
        keys = (keys.filter { $0.use != use } + present).sorted { ($0.use, $1.version) < ($1.use, $0.version) }
    }
}
