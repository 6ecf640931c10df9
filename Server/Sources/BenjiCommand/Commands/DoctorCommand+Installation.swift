import Authority
import BenjiProtocol
import Foundation
import Logging
import PKCS11
import Requests
import ServerRuntime
import Store
import StoreSQLite

/// The findings about files and ports.
extension DoctorCommand {
    static func examinePorts(_ configuration: ServerConfiguration) -> [Finding] {
        configuration.listeners.map { name, address in
            let subject = "\(name) listener"
            if let problem = address.bindingProblem(isUDP: name == .accounting) {
                return Finding(
                    subject: subject, verdict: .warning,
                    text: "\(address) cannot be bound: \(problem)")
            }
            return Finding(subject: subject, verdict: .good, text: "\(address) is free")
        }
    }

    /// Settings that work and are dangerous.
    static func exposed(_ configuration: ServerConfiguration) -> [Finding] {
        configuration.warnings.map { Finding(subject: "configuration", verdict: .wrong, text: $0) }
    }

    /// The master keys, found once for all findings about them: an HSM takes its time, and counts wrong PINs.
    static func findKeys(
        _ configuration: ServerConfiguration, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FoundKeys {
        FoundKeys { () throws(MasterKeyError) in
            configuration.role == .gateway
                ? nil : try MasterKeySource.find(configuration, environment: environment)
        }
    }

    /// `nil` if there are none.
    typealias FoundKeys = Result<MasterKeySource?, MasterKeyError>

    /// The data directory and the master key.
    static func examineFiles(
        _ configuration: ServerConfiguration, _ keys: FoundKeys,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> [Finding] {
        let place = "\(configuration.absoluteDataDirectory) (from \(configuration.dataOrigin))"
        var findings = [
            permissions(
                of: configuration.dataDirectory, subject: "data directory", place: place,
                missing: "does not exist; benji serve or benji init makes it")
        ]
        guard configuration.role != .gateway else { return findings }
        let subject = "master key"
        findings += examineWrappingKeys(configuration)
        do {
            let directory = try DataDirectory(configuration)
            if !directory.hasDatabase {
                try directory.refuseRemains(
                    finishing: false, hasKeyElsewhere: MasterKeySource.isGiven(environment))
                findings.append(
                    Finding(
                        subject: "installation", verdict: .warning,
                        text:
                            "there is none in \(place) yet, so most was not looked at; begin it with: benji "
                            + "init\(configuration.options)"
                    ))
            }
            if let source = try keys.get() {
                let problem = await keyProblem(source, configuration)
                findings.append(
                    Finding(subject: subject, verdict: problem == nil ? .good : .wrong, text: problem ?? source.name))
                let ring = await ring(configuration)
                findings += try examineKeeping(of: source, ring, configuration)
                if problem == nil { findings += formerKeys(source, ring, configuration) }
                findings += formerKeyFiles(ring, configuration)
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
            // A fault of a wrapping key has a line of its own.
            if !findings.contains(where: { $0.verdict == .wrong && error.problem.hasSuffix($0.text) }) {
                findings.append(Finding(subject: subject, verdict: .wrong, text: error.problem))
            }
        } catch {
            let isOfDatabase = (error as? CommandFailure)?.cause is StoreError
            findings.append(
                Finding(
                    subject: isOfDatabase ? "database" : "data directory", verdict: .wrong, text: ErrorText.of(error)))
        }
        return findings
    }

    /// The keys in HSMs, tried on random bytes.
    private static func examineWrappingKeys(_ configuration: ServerConfiguration) -> [Finding] {
        [configuration.wrappingKey, configuration.formerWrappingKey].compactMap { $0 }.map { uri in
            let subject = "wrapping key"
            do throws(MasterKeyError) {
                let weak = try PKCS11Key(uri).examine()
                guard weak.isEmpty else {
                    return Finding(
                        subject: subject, verdict: .warning,
                        text:
                            "\(uri.name) \(weak.joined(separator: " and ")), so it protects less than it could; make "
                            + "another one with: "
                            + "benji keys new-wrapping-key")
                }
                return Finding(subject: subject, verdict: .good, text: "\(uri.name), wraps and unwraps")
            } catch { return Finding(subject: subject, verdict: .wrong, text: error.problem) }
        }
    }

    /// Whether master keys are kept as the configuration states. An operator who removes the setting of the former
    /// wrapping key must know that no key needs it any more.
    private static func examineKeeping(
        of source: MasterKeySource, _ ring: MasterKeyRing?, _ configuration: ServerConfiguration
    ) throws(MasterKeyError) -> [Finding] {
        func warning(_ text: String) -> Finding { Finding(subject: "master key", verdict: .warning, text: text) }
        let kept = try source.keeper.kept()
        var findings: [Finding] = []
        if configuration.wrappingKey != nil, !(source.keeper is MasterKeyFile),
            kept.contains(where: { $0.wrappedBy == nil })
        {
            findings.append(
                warning(
                    "comes in clear from \(source.name), so master-key.wrapping-key does not wrap it; put it into "
                        + "\(configuration.absoluteMasterKeyPath) instead, with mode 0600"))
        }
        for (index, entry) in kept.enumerated() where !entry.isKeptAsNew {
            let state = ring?.keys.first { $0.check == entry.key.check }?.state
            // The line of former keys names these.
            if state == .retired { continue }
            let name = "key \(index + 1) of \(kept.count), id \(entry.key.id.text)"
            let danger =
                entry.wrappedBy.map {
                    "\(source.name) holds a key that only master-key.former-wrapping-key (\($0)) opens (\(name)), so "
                        + "nothing starts "
                        + "without that setting"
                } ?? "\(source.name) holds a key in clear (\(name)), which master-key.wrapping-key does not protect"
            let remedy =
                state == nil && ring?.current != nil
                ? "nothing is sealed under it, and no rotation takes it: take it out there"
                : "restart benji serve if it does not know the settings yet, then run: benji keys "
                    + "rotate\(configuration.options)"
            findings.append(warning("\(danger); \(remedy)"))
        }
        return findings
    }

    /// Why a key, or none, does not do for the database; `nil` if it does, or if the database cannot tell.
    private static func keyProblem(_ source: MasterKeySource?, _ configuration: ServerConfiguration) async -> String? {
        guard let store = store(configuration) else { return nil }
        let fit = try? await store.closing {
            try await MasterKeyVerification.judge(source?.keys ?? [], of: source?.keeper, store: $0.store)
        }
        guard fit == .doesNotFit else { return nil }
        let database = configuration.databaseName
        return source.map { MasterKeyError.doesNotFit($0.name, database: database).problem }
            ?? MasterKeyError.missing(configuration.masterKeyPath, database: database).problem
    }

    /// The database's record of its keys; `nil` if it cannot be read.
    private static func ring(_ configuration: ServerConfiguration) async -> MasterKeyRing? {
        guard let store = store(configuration) else { return nil }
        return try? await store.closing { try await $0.store.masterKeyRing() }
    }

    /// The database for a look at it; `nil` if there is none of this version.
    private static func store(_ configuration: ServerConfiguration) -> OpenStore? {
        guard (try? configuration.hasDatabase) == true, (try? OpenStore.isCurrent(configuration)) == true else {
            return nil
        }
        return try? OpenStore.forLooking(configuration, logger: Logger(label: "benji"))
    }

    /// Keys that should have been removed: anyone who finds them can read earlier backups.
    private static func formerKeys(
        _ source: MasterKeySource, _ ring: MasterKeyRing?, _ configuration: ServerConfiguration
    ) -> [Finding] {
        func warning(_ text: String) -> Finding { Finding(subject: "master key", verdict: .warning, text: text) }
        var findings: [Finding] = []
        let isFile = source.keeper is MasterKeyFile
        if !isFile, access(configuration.masterKeyPath, F_OK) == 0 {
            findings.append(
                warning(
                    "\(configuration.masterKeyPath) lies beside the database and is not used, because the keys come "
                        + "from "
                        + "\(source.name); move it away from the database"))
        }
        let retired = ring.map { MasterKeyVerification.retired(among: source.keys, $0) } ?? []
        guard !retired.isEmpty else { return findings }
        let remedy =
            isFile
            ? "benji keys rotate\(configuration.options) takes it out, and puts a new key in the place of the present "
                + "one"
            : "take it out there"
        return findings + [
            warning(
                "\(source.name) still holds \(retired.map(\.text).joined(separator: ", ")), under which nothing is "
                    + "sealed any more: "
                    + remedy)
        ]
    }

    /// Files that rotations have left for earlier backups.
    private static func formerKeyFiles(_ ring: MasterKeyRing?, _ configuration: ServerConfiguration) -> [Finding] {
        MasterKeyFile(path: configuration.masterKeyPath).formerKeyFiles().map { file in
            let subject = "former key"
            guard DataDirectory.isOpenToOthers(file.path) != true else {
                return Finding(
                    subject: subject, verdict: .wrong,
                    text: "\(file.path): others may read it; run: chmod 600 \(file.path)")
            }
            let known = ring?.keys.first { $0.check.id == file.id }
            let use =
                switch known?.state {
                case .retired?: "opens backups made before \(known?.retiredAt?.dateText ?? "its rotation")"
                case .current?, .outgoing?: "holds a key that is in use (again), and earlier backups belong to it"
                case nil: "holds a key that this database does not know"
                }
            return Finding(
                subject: subject, verdict: .hint,
                text:
                    "\(file.path) \(use)\(file.isWrapped ? ", with the HSM whose key wrapped it" : ""). \(file.advice)")
        }
    }

    /// The database: what it must be like, and what it holds. Nothing of it is changed.
    ///
    /// - Parameter serving: whether a server is to connect with this configuration, and not the tables' owner alone.
    static func examineStore(
        _ configuration: ServerConfiguration, _ keys: FoundKeys, serving: Bool = false
    ) async -> [Finding] {
        // `examineFiles` reports why it cannot be looked into.
        guard configuration.role != .gateway, let hasDatabase = try? configuration.hasDatabase else { return [] }
        do throws(StoreError) {
            let known = try OpenStore.examine(configuration)
            let warnings = (known.warnings + (serving ? known.ofServer : [])).map {
                Finding(subject: "database", verdict: .warning, text: $0)
            }
            let advice = known.advice.map { [Finding(subject: "database", verdict: .hint, text: $0)] } ?? []
            return await warnings + examineContents(configuration, keys, hasDatabase: hasDatabase) + advice
        } catch {
            return [Finding(subject: "database", verdict: .wrong, text: error.detail)]
        }
    }

    /// The tables, looked at with the key.
    private static func examineContents(
        _ configuration: ServerConfiguration, _ keys: FoundKeys, hasDatabase: Bool
    ) async -> [Finding] {
        func finding(_ verdict: Finding.Verdict, _ text: String) -> Finding {
            Finding(subject: "database", verdict: verdict, text: text)
        }
        let path = configuration.databasePath
        func damaged(_ problem: String) -> Finding {
            finding(
                .wrong,
                "\(path) is damaged (\(problem)): stop benji serve and bring a backup back with "
                    + "benji restore\(configuration.options) FILE, which moves \(path)-wal and \(path)-shm away too: "
                    + "they belong to "
                    + "the database that is replaced")
        }
        do {
            guard hasDatabase else { return [finding(.good, "none yet; benji serve or benji init makes it")] }
            if configuration.postgres == nil, let problem = try SQLiteStore.damage(path: path) {
                return [damaged(problem)]
            }
            // A server of the earlier version may be using it now.
            guard try OpenStore.isCurrent(configuration) else {
                let remedy =
                    configuration.postgres == nil
                    ? "the next start brings it forward: make a backup before"
                    : "make a dump, and run benji migrate as the owner of the tables; a start as the owner does the "
                        + "same"
                return [finding(.warning, "of an earlier version, and not opened; \(remedy)")]
            }
            // The check of the key reports this.
            guard let key = try? keys.get(), await keyProblem(key, configuration) == nil
            else { return [finding(.warning, "is whole; what it holds was not looked at, for want of its master key")] }
            return try await Installation.look(configuration, key: key) { installation in
                let apps = try await installation.authority.apps.all()
                for app in apps {
                    do throws(Refusal) { _ = try await installation.authority.apps.find(app.id) } catch {
                        return [finding(.wrong, "app \(app.id.rawValue): \(error.detail)")]
                    }
                }
                let floor = configuration.face?.leastAssurance
                let unfinished = try await installation.store.unfinishedErasures()
                let hindrance =
                    configuration.postgres == nil
                    ? "a reader, or the disk" : "a reader, or that the owner of the tables must run benji store vacuum"
                let erasures =
                    unfinished == 0
                    ? []
                    : [
                        finding(
                            .warning,
                            "\(unfinished) erased subscriber\(unfinished == 1 ? "'s" : "s'") bytes may still be in its "
                                + "files: benji serve tries every minute to take them out, and logs what is in the "
                                + "way: \(hindrance)"
                        )
                    ]
                let state = configuration.postgres == nil ? "opens, is whole" : "\(configuration.databaseName) opens"
                var findings =
                    [finding(.good, "\(state), \(Terminal.counted(apps.count, "app")), keys open")] + erasures
                findings += try await Self.examineClock(installation.store)
                findings += try await installation.store.examineRows().map { finding(.wrong, $0) }
                for app in apps {
                    findings += Self.examine(app, faceFloor: floor, at: SystemWallClock().now)
                    guard let client = try await installation.store.openIDClient(app.id) else { continue }
                    findings += Self.examine(client, configuration)
                }
                return findings
            }
        } catch let error as StoreError
            where error.code == .corrupt && !error.detail.contains("newer") && configuration.postgres == nil
        {
            return [damaged(error.detail)]
        } catch {
            return [finding(.wrong, ErrorText.of(error))]
        }
    }

    /// Compares this machine's clock with the database's, if the database is on another machine.
    static func examineClock(
        _ store: any Store, clock: any WallClock = SystemWallClock()
    ) async throws(StoreError) -> [Finding] {
        let asked = clock.now
        guard let time = try await store.serverTime() else { return [] }
        return [finding(of: ClockComparison(asked: asked, answered: clock.now, other: time))]
    }

    static func finding(of comparison: ClockComparison) -> Finding {
        let text = comparison.text(ClockWatch.name)
        switch comparison.verdict() {
        case .good: return Finding(subject: "clock", verdict: .good, text: "agrees with the database's")
        case .warning: return Finding(subject: "clock", verdict: .warning, text: text)
        case .unfit: return Finding(subject: "clock", verdict: .wrong, text: "\(text); a server here is not ready")
        }
    }

    /// Settings of an app's record that are weaker than necessary, or do not work.
    /// - Parameter faceFloor: the assurance that a one-tap token needs to tie a face; `nil` if face login is off.
    static func examine(_ app: AppRecord, faceFloor: Assurance?, at now: Timestamp) -> [Finding] {
        var warnings: [String] = []
        if app.hasOneKey(at: now) {
            warnings.append(
                "one key: what is in the phone's package may also sign what the server sends; run: \(app.oneKeyRemedy)")
        }
        if app.serverAddresses.isEmpty, !app.openIDFromAnywhere {
            warnings.append(
                "no server address, so nothing is answered to its server; run: benji app set \(app.id) "
                    + "--add-server-address …"
            )
        }
        if !app.wideServerAddresses.isEmpty {
            warnings.append(
                "so many strangers may be in \(app.wideServerAddresses.joined(separator: ", ")) that it hardly tells "
                    + "the server; "
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
    /// Why no face can be tied to a number at this app although it may log people in by face, and the remedy.
    /// - Parameter floor: as of ``DoctorCommand/examine(_:faceFloor:at:)``.
    func faceProblem(floor: Assurance?) -> String? {
        guard capabilities.contains(.face) else { return nil }
        return Self.faceProblem(hasAttester: takesAttestations, leastAssurance: leastAssurance, floor: floor)
    }

    /// The same of an app that may log people in by face.
    static func faceProblem(hasAttester: Bool, leastAssurance: Assurance, floor: Assurance?) -> String? {
        guard !hasAttester, let floor else { return nil }
        let needed = max(floor, leastAssurance)
        guard needed > .net else { return nil }
        return
            "may log people in by face, but nobody can tie his face to his number: that needs \(needed.rawValue), and "
            + "without "
            + "an attester no phone earns it; name one at app create (--attester), or set face.least-assurance: net"
    }
}
