internal import Authority
internal import BenjiProtocol
internal import Foundation
internal import Store
internal import StoreSQLite

/// What doctor says of files and ports.
extension DoctorCommand {
    static func examinePorts(_ configuration: ServerConfiguration) -> [Finding] {
        [
            ("device listener", configuration.device, false), ("server listener", configuration.server, false),
            ("admin listener", configuration.admin, false), ("accounting listener", configuration.accounting, true),
        ].map { subject, address, isUDP in
            if let problem = address.bindingProblem(isUDP: isUDP) {
                Finding(
                    subject: subject, verdict: .warning,
                    text: "\(address) cannot be bound: \(problem). Is benji running already?")
            } else {
                Finding(subject: subject, verdict: .good, text: "\(address) is free")
            }
        }
    }

    /// What is set in a way that works and is dangerous.
    static func exposed(_ configuration: ServerConfiguration) -> [Finding] {
        configuration.warnings.map { Finding(subject: "configuration", verdict: .wrong, text: $0) }
    }

    /// The data directory and the master key.
    static func examineFiles(
        _ configuration: ServerConfiguration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [Finding] {
        let place = "\(configuration.absoluteDataDirectory) (from \(configuration.dataOrigin))"
        var findings = [
            permissions(
                of: configuration.dataDirectory, subject: "data directory", place: place,
                missing: "does not exist; benji serve or benji init makes it")
        ]
        guard configuration.role != .gateway else { return findings }
        let subject = "master key"
        do {
            if let source = try MasterKeySource.find(configuration, environment: environment) {
                findings.append(Finding(subject: subject, verdict: .good, text: source.name))
            } else if configuration.hasDatabase {
                // Whether the database needs it, its own finding says.
                findings.append(
                    Finding(subject: subject, verdict: .warning, text: "\(configuration.masterKeyPath) is missing"))
            } else {
                findings.append(
                    Finding(
                        subject: subject, verdict: .good,
                        text: "none yet; benji serve or benji init makes it; back it up then"))
            }
        } catch {
            findings.append(Finding(subject: subject, verdict: .wrong, text: error.problem))
        }
        return findings
    }

    /// The database, opened with the key.
    static func examineStore(_ configuration: ServerConfiguration) async -> [Finding] {
        guard configuration.role != .gateway else { return [] }
        func finding(_ verdict: Finding.Verdict, _ text: String) -> Finding {
            Finding(subject: "database", verdict: verdict, text: text)
        }
        guard configuration.hasDatabase else {
            return [finding(.good, "none yet; benji serve or benji init makes it")]
        }
        do {
            // A server of the earlier version may be using it now.
            guard try SQLiteStore.hasCurrentSchema(path: configuration.databasePath) else {
                let environment = ProcessInfo.processInfo.environment
                guard try MasterKeySource.find(configuration, environment: environment) != nil else {
                    throw MasterKeyError.missing(configuration.masterKeyPath, database: configuration.databasePath)
                }
                return [
                    finding(
                        .warning,
                        "of an earlier version, and not opened; the next start brings it forward: make a backup before")
                ]
            }
            return try await Installation.use(configuration) { installation in
                try await installation.store.check()
                let apps = try await installation.store.apps()
                for app in apps {
                    do throws(Refusal) { _ = try await installation.authority.apps.find(app.id) } catch {
                        return [finding(.wrong, "app \(app.id.rawValue): \(error.detail)")]
                    }
                }
                let floor = configuration.face?.leastAssurance
                return [finding(.good, "opens, writes, \(apps.count) apps, keys open")]
                    + apps.flatMap { Self.examine($0, faceFloor: floor, at: SystemWallClock().now) }
            }
        } catch {
            return [finding(.wrong, ErrorText.of(error))]
        }
    }

    /// What an app's record allows that is weaker than it need be, or will not work.
    /// - Parameter faceFloor: what a one-tap token must be worth that ties a face to a number; `nil` where face login is off.
    static func examine(_ app: AppRecord, faceFloor: Assurance?, at now: Timestamp) -> [Finding] {
        var warnings: [String] = []
        if app.hasOneKey(at: now) {
            warnings.append(
                "one key: what is in the phone's package may also sign what the server sends; run: \(app.oneKeyRemedy)")
        }
        if !app.wideServerAddresses.isEmpty {
            warnings.append(
                "so many strangers may be in \(app.wideServerAddresses.joined(separator: ", ")) that it hardly tells the server; "
                    + "run: benji app set \(app.id) --server-address …")
        }
        if let problem = app.faceProblem(floor: faceFloor) { warnings.append(problem) }
        return warnings.map { Finding(subject: "app \(app.id)", verdict: .warning, text: $0) }
    }

    private static func permissions(of path: String, subject: String, place: String, missing: String) -> Finding {
        // Not `stat`: which module owns its structure depends on what the compiler saw first.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
            return Finding(subject: subject, verdict: .good, text: "\(place) \(missing)")
        }
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o077 == 0 else {
            return Finding(
                subject: subject, verdict: .wrong, text: "\(path): others may read it; run: chmod go-rwx \(path)")
        }
        return Finding(subject: subject, verdict: .good, text: place)
    }
}

extension AppRecord {
    /// Why nobody can tie a face to his number at this app although it may log people in by face, and what to do.
    /// - Parameter floor: as of ``DoctorCommand/examine(_:faceFloor:at:)``.
    func faceProblem(floor: Assurance?) -> String? {
        guard capabilities.contains(.face), attesters.isEmpty, let floor else { return nil }
        let needed = max(floor, leastAssurance)
        guard needed > .net else { return nil }
        return "may log people in by face, but nobody can tie his face to his number: that needs \(needed.rawValue), and without "
            + "an attester no phone earns it; name one at app create (--attester), or set face.least-assurance: net"
    }
}
