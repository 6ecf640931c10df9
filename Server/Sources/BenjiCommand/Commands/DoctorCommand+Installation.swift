import Authority
import BenjiProtocol
import Foundation
import Logging
import Store
import StoreSQLite

/// What doctor says of files and ports.
extension DoctorCommand {
    static func examinePorts(_ configuration: ServerConfiguration) -> [Finding] {
        configuration.listeners.map { name, address in
            let subject = "\(name) listener"
            if let problem = address.bindingProblem(isUDP: name == .accounting) {
                return Finding(
                    subject: subject, verdict: .warning,
                    text: "\(address) cannot be bound: \(problem). Is benji running already?")
            }
            return Finding(subject: subject, verdict: .good, text: "\(address) is free")
        }
    }

    /// What is set in a way that works and is dangerous.
    static func exposed(_ configuration: ServerConfiguration) -> [Finding] {
        configuration.warnings.map { Finding(subject: "configuration", verdict: .wrong, text: $0) }
    }

    /// The data directory and the master key.
    static func examineFiles(
        _ configuration: ServerConfiguration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> [Finding] {
        let place = "\(configuration.absoluteDataDirectory) (from \(configuration.dataOrigin))"
        var findings = [
            permissions(
                of: configuration.dataDirectory, subject: "data directory", place: place,
                missing: "does not exist; benji serve or benji init makes it")
        ]
        guard configuration.role != .gateway else { return findings }
        let subject = "master key"
        do {
            let directory = try DataDirectory(configuration)
            if !directory.hasDatabase {
                try directory.refuseRemains(
                    finishing: false, hasKeyElsewhere: environment[MasterKeySource.variable] != nil)
                findings.append(
                    Finding(
                        subject: "installation", verdict: .warning,
                        text:
                            "there is none in \(place) yet, so most was not looked at; begin it with: benji init\(configuration.options)"
                    ))
            }
            if let source = try MasterKeySource.find(configuration, environment: environment) {
                let problem = await keyProblem(source, configuration)
                findings.append(
                    Finding(subject: subject, verdict: problem == nil ? .good : .wrong, text: problem ?? source.name))
            } else if directory.hasDatabase {
                let problem = await keyProblem(nil, configuration)
                findings.append(
                    Finding(
                        subject: subject, verdict: problem == nil ? .warning : .wrong,
                        text: problem ?? "\(configuration.masterKeyPath) is missing, and the database holds nothing yet"
                    ))
            } else {
                findings.append(
                    Finding(
                        subject: subject, verdict: .good,
                        text: "none yet; benji serve or benji init makes it; back it up then"))
            }
        } catch let error as MasterKeyError {
            findings.append(Finding(subject: subject, verdict: .wrong, text: error.problem))
        } catch {
            findings.append(Finding(subject: "data directory", verdict: .wrong, text: ErrorText.of(error)))
        }
        return findings
    }

    /// Why a key, or none, does not do for the database; `nil` if it does, or if the database cannot tell.
    private static func keyProblem(_ source: MasterKeySource?, _ configuration: ServerConfiguration) async -> String? {
        guard (try? configuration.hasDatabase) == true,
            (try? SQLiteStore.hasCurrentSchema(path: configuration.databasePath)) == true,
            let store = try? SQLiteStore(lookingAt: configuration.databasePath, logger: Logger(label: "benji"))
        else { return nil }
        let fit = try? await MasterKeyFit.judge(source.map { Vault(masterKey: $0.key) }, store: store)
        await store.close()
        guard fit == .doesNotFit else { return nil }
        let database = configuration.databasePath
        return source.map { MasterKeyError.doesNotFit($0.name, database: database).problem }
            ?? MasterKeyError.missing(configuration.masterKeyPath, database: database).problem
    }

    /// The database, looked at with the key. Nothing of it is changed.
    static func examineStore(
        _ configuration: ServerConfiguration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> [Finding] {
        guard configuration.role != .gateway else { return [] }
        func finding(_ verdict: Finding.Verdict, _ text: String) -> Finding {
            Finding(subject: "database", verdict: verdict, text: text)
        }
        let path = configuration.databasePath
        func damaged(_ problem: String) -> Finding {
            finding(
                .wrong,
                "\(path) is damaged (\(problem)): stop benji serve and bring a backup back with "
                    + "benji restore\(configuration.options) FILE, which moves \(path)-wal and \(path)-shm away too: they belong to "
                    + "the database that is replaced")
        }
        do {
            // The check of the data directory reports this.
            guard let hasDatabase = try? configuration.hasDatabase else { return [] }
            guard hasDatabase else { return [finding(.good, "none yet; benji serve or benji init makes it")] }
            if let problem = try SQLiteStore.damage(path: path) { return [damaged(problem)] }
            // A server of the earlier version may be using it now.
            guard try SQLiteStore.hasCurrentSchema(path: path) else {
                return [
                    finding(
                        .warning,
                        "of an earlier version, and not opened; the next start brings it forward: make a backup before")
                ]
            }
            // The check of the key reports this.
            guard let key = try? MasterKeySource.find(configuration, environment: environment),
                await keyProblem(key, configuration) == nil
            else { return [finding(.warning, "is whole; what it holds was not looked at, for want of its master key")] }
            return try await Installation.look(configuration, key: key) { installation in
                let apps = try await installation.authority.apps.all()
                for app in apps {
                    do throws(Refusal) { _ = try await installation.authority.apps.find(app.id) } catch {
                        return [finding(.wrong, "app \(app.id.rawValue): \(error.detail)")]
                    }
                }
                let floor = configuration.face?.leastAssurance
                return [finding(.good, "opens, is whole, \(apps.count) apps, keys open")]
                    + apps.flatMap { Self.examine($0, faceFloor: floor, at: SystemWallClock().now) }
            }
        } catch let error as StoreError where error.code == .corrupt && !error.detail.contains("newer") {
            return [damaged(error.detail)]
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
        if app.serverAddresses.isEmpty, !app.openIDFromAnywhere {
            warnings.append(
                "no server address, so nothing is answered to its server; run: benji app set \(app.id) --add-server-address …"
            )
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
        guard let isOpen = DataDirectory.isOpenToOthers(path) else {
            return Finding(subject: subject, verdict: .good, text: "\(place) \(missing)")
        }
        guard !isOpen else {
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
        return
            "may log people in by face, but nobody can tie his face to his number: that needs \(needed.rawValue), and without "
            + "an attester no phone earns it; name one at app create (--attester), or set face.least-assurance: net"
    }
}
