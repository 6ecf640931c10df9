public import BenjiProtocol
public import Store

/// New keys beside old ones, the end of old ones, and a second key for apps that have one.
extension Apps {
    /// Gives an app a new key of one use.
    ///
    /// - Parameters:
    ///   - use: ``AppKeyUse/package`` or ``AppKeyUse/server``.
    ///   - overlap: what becomes of the key before.
    public func rotateKey(
        _ use: AppKeyUse = .package, of id: AppID, keeping overlap: KeyOverlap = .untilRetired
    ) async throws(Refusal) -> RegisteredApp {
        let text = newKey()
        return try await change(id) { record throws(Refusal) in
            var keys = record.keys(for: use)
            guard !keys.isEmpty else { throw Self.hasOneKey(id) }
            try keys.rotate(
                to: seal(text, use, version: keys.nextVersion, of: id), keeping: overlap, now: clock.now,
                noun: use.noun)
            record.replaceKeys(of: use, by: keys)
        }
    }

    /// Ends a key of an app at once: the one of that version, or all but the newest.
    @discardableResult
    public func retireKey(
        _ use: AppKeyUse = .package, of id: AppID, version: Int? = nil
    ) async throws(Refusal) -> RegisteredApp {
        try await change(id) { record throws(Refusal) in
            var keys = record.keys(for: use)
            guard !keys.isEmpty else { throw Self.hasOneKey(id) }
            try keys.retire(version, now: clock.now, noun: use.noun)
            record.replaceKeys(of: use, by: keys)
        }
    }

    /// Gives an app with one key a server secret. What phones carry stays as it is.
    ///
    /// - Parameter overlap: how long its server may still sign with the app key.
    public func splitKeys(of id: AppID, keeping overlap: KeyOverlap = .untilRetired) async throws(Refusal)
        -> RegisteredApp
    {
        let text = newKey()
        return try await change(id) { record throws(Refusal) in
            guard record.keys(for: .server).isEmpty else {
                throw Refusal(.parameterInvalid, "the app has a server secret already")
            }
            var secrets: [AppKeyRecord] = []
            if let key = record.keys(for: .package).accepted(at: clock.now).first {
                var copy = try seal(open(key, of: id).reveal(), .server, version: 1, of: id, isInPackage: true)
                copy.createdAt = key.createdAt
                secrets = [copy]
            }
            try secrets.rotate(
                to: seal(text, .server, version: secrets.nextVersion, of: id), keeping: overlap, now: clock.now,
                noun: AppKeyUse.server.noun)
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
    var noun: String {
        switch self {
        case .package: "app key"
        case .server: "server secret"
        case .openID: "client secret"
        }
    }
}

extension AppRecord {
    fileprivate mutating func replaceKeys(of use: AppKeyUse, by present: [AppKeyRecord]) {
        keys = (keys.filter { $0.use != use } + present).sorted { ($0.use, $1.version) < ($1.use, $0.version) }
    }
}
