import Authority
import BenjiClient
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Foundation
import Gateway
import Logging
import RADIUS
import Sandbox
import ServerRuntime
import Store
import StoreSQLite

/// A login on a server of a backup's copy, from accounting to redemption.
struct Rehearsal {
    let configuration: ServerConfiguration
    let file: String
    var scratch: String?
    /// The master keys that open the file. The copy's folder gets none of its own that a killed run would leave behind.
    var keys: MasterKeySource?

    /// The findings, in order. They name no person.
    typealias Findings = [(name: String, text: String)]

    private static let bundle = "com.example.rehearsal"
    private static let coreAddress = "127.0.1.77"
    private static let appServerAddress = "127.0.2.77"
    private static let phoneAddress = "127.77.0.2"
    private static let pool = "127.77.0.0/16"

    func perform() async throws -> Findings {
        try await ScratchFolder.use(in: scratch) { folder in
            let copy = "\(folder)/\(DataDirectory.database)"
            try ScratchFolder.copy(file, to: copy)
            return try await serve(folder)
        }
    }

    private func serve(_ folder: String) async throws -> Findings {
        var logger = Logger(label: "benji")
        logger.logLevel = .error
        var world = try DemoStage.configuration(dataDirectory: folder, ports: (0, 0, 0, 0))
        world.policy = configuration.policy
        world.gatewayName = "rehearsal"
        // However old the backup is, its subscribers are who they were.
        world.quarantine = .seconds(100 * 365 * 86400)
        let (sim, known) = try await subscriber(world, logger)
        guard let secret = SharedSecret(Hexadecimal.encode(SystemRandomSource().bytes(16))) else {
            throw CommandFailure("no secret could be drawn")
        }
        world.networkElements = [
            NetworkAccessServer(
                name: "rehearsal", sources: [try prefix(Self.coreAddress)], secret: secret, domain: world.gatewayDomain,
                pools: [try prefix(Self.pool)], carrier: sim.carrier,
                country: world.policy.carriers[sim.carrier]?.country ?? "CN", interimInterval: .seconds(3600))
        ]
        let assembly = ServerAssembly(configuration: world, metrics: { "" }, logger: logger, keys: keys)
        return try await assembly.whileServing { try await logIn($0, sim: sim, known: known, secret: secret) }
    }

    /// The subscriber whose phone it is: one of the backup if there is any.
    private func subscriber(
        _ world: ServerConfiguration, _ logger: Logger
    ) async throws -> (sim: VirtualSIM, known: SubscriptionRecord?) {
        try await Installation.use(world, beginning: true, logger: logger, keys: keys) { installation in
            guard let known = try await installation.store.anySubscription(),
                world.policy.carriers[known.carrier] != nil
            else { return (VirtualSIM.demonstration[0], nil) }
            let number = try installation.vault.number(of: known)
            let network = world.policy.carriers[known.carrier]?.networks.sorted().first ?? "46000"
            let digits = SystemRandomSource().bytes(15 - network.utf8.count).map { String($0 % 10) }.joined()
            return (VirtualSIM(number: number, imsi: network + digits, carrier: known.carrier), known)
        }
    }

    private func logIn(
        _ server: AssembledServer, sim: VirtualSIM, known: SubscriptionRecord?, secret: SharedSecret
    ) async throws -> Findings {
        guard let installation = server.installation else { throw CommandFailure("the copy's server has no database") }
        // Those that were erased have no keys.
        let apps = try await installation.authority.apps.all()
        for app in apps { _ = try await installation.authority.apps.find(app.id) }
        var findings = [(name: "apps' keys", text: "\(apps.count) apps, all of their keys open")]

        var registration = Apps.Registration(name: "Rehearsal")
        registration.bundleIDs = [Self.bundle]
        registration.serverAddresses = [Self.appServerAddress]
        let platform = PlatformAttester()
        registration.attesters = [platform.publicKey.text]
        let app = try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
        let core = VirtualPacketCore(
            name: "rehearsal",
            client: try await AccountingClient(
                gateway: try address("127.0.0.1"), port: await server.ports.port(.accounting), secret: secret,
                source: try address(Self.coreAddress)))
        _ = try await core.attach(sim, at: try address(Self.phoneAddress))
        let phone = VirtualPhone(name: "rehearsal", address: try address(Self.phoneAddress), platform: platform)
        let engine = phone.install(
            LoginEngine.Configuration(
                appID: app.record.id, appKey: app.key.reveal(), bundleID: Self.bundle,
                server: try ServerURL("http://127.0.0.1:\(await server.ports.port(.device))")))
        let login: LoginToken
        do { login = try await engine.logIn(with: ScriptedPerson()) } catch {
            throw CommandFailure("the phone could not log in: \(error.situation.rawValue), \(error.detail)")
        }
        let whose =
            known == nil
            ? "with a number of its own, for the backup has no subscribers" : "as a subscriber of the backup"
        findings.append((name: "phone", text: "logged in \(whose), for an app made in the copy"))
        if let known {
            guard login.openID == installation.vault.openID(known, app: app.record.id) else {
                throw CommandFailure("the phone logged in, but not as the subscriber whose number it has")
            }
            findings.append((name: "openId", text: "the one that the backup's register gives this subscriber"))
        }
        let appServer = OperatorClient(
            server: try ServerURL("http://127.0.0.1:\(await server.ports.port(.server))"), appID: app.record.id,
            serverSecret: app.serverSecret.reveal(), source: try address(Self.appServerAddress))
        let answer = try await appServer.loginTokenValidate(login.token)
        guard answer.code == "103000", answer.body["msisdn"]?.stringValue == sim.number.national else {
            throw CommandFailure("the token was not redeemed for the phone's number: \(answer.code)")
        }
        let again = try await appServer.loginTokenValidate(login.token).code
        guard again != "103000" else { throw CommandFailure("the token could be redeemed twice") }
        findings.append(
            (name: "token", text: "redeemed for the phone's number, and refused the second time (\(again))"))
        return findings
    }

    private func address(_ text: String) throws(CommandFailure) -> InternetAddress {
        guard let address = InternetAddress(text) else { throw CommandFailure("\(text) is no address") }
        return address
    }

    private func prefix(_ text: String) throws(CommandFailure) -> IPPrefix {
        guard let prefix = IPPrefix(text) else { throw CommandFailure("\(text) is no block of addresses") }
        return prefix
    }
}
