import Authority
import BenjiClient
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Endpoints
import Foundation
import Gateway
import Logging
import RADIUS
import Requests
import Sandbox
import ServerRuntime
import Store

/// Plays a recorded login on a server of its own, with the faults that it met, and returns the result.
struct Replay {
    let recording: LoginRecording
    var policy: CarrierPolicy = .standard

    private static let bundle = "com.example.replay"
    private static let coreAddress = "127.0.1.78"
    private static let appServerAddress = "127.0.2.78"
    private static let phoneAddress = "127.78.0.2"
    private static let otherAddress = "127.78.0.3"
    private static let pool = "127.78.0.0/16"
    /// Longer than the life of credentials that are to expire.
    private static let expiry: Duration = .milliseconds(1200)

    /// The steps that the sandbox's login left.
    func perform() async throws -> [LoginRecording.Step] {
        guard policy.carriers[recording.carrier] != nil else {
            throw CommandFailure(
                "the policy has no carrier \(recording.carrier.rawValue); name the file that has its record with "
                    + "--policy"
            )
        }
        return try await ScratchFolder.use(in: nil) { folder in
            var logger = Logger(label: "benji")
            logger.logLevel = .error
            var world = try DemoStage.configuration(dataDirectory: folder, ports: (0, 0, 0, 0))
            world.policy = policy
            world.gatewayName = "replay"
            guard let secret = SharedSecret(Hexadecimal.encode(SystemRandomSource().bytes(16))),
                let source = IPPrefix("\(Self.coreAddress)/32"), let pool = IPPrefix(Self.pool)
            else { throw CommandFailure("the sandbox's network cannot be made") }
            world.networkElements = [
                NetworkAccessServer(
                    name: "replay", sources: [source], secret: secret, domain: world.gatewayDomain, pools: [pool],
                    carrier: recording.carrier, country: policy.carriers[recording.carrier]?.country ?? "CN",
                    interimInterval: .seconds(3600))
            ]
            return try await ServerAssembly(configuration: world, metrics: { "" }, logger: logger).whileServing {
                try await play(on: $0, secret)
            }
        }
    }

    private func ends(in situation: Situation) -> Bool { recording.steps.contains { $0.situation == situation } }

    private func play(on server: AssembledServer, _ secret: SharedSecret) async throws -> [LoginRecording.Step] {
        guard let installation = server.installation else { throw CommandFailure("the sandbox has no database") }
        let platform = PlatformAttester()
        var registration = Apps.Registration(name: "Replay")
        registration.bundleIDs = [Self.bundle]
        registration.serverAddresses = [Self.appServerAddress]
        registration.attesters = [platform.publicKey.text]
        registration.capabilities = recording.capabilities
        // The recording has what the app asks for now. A login that ended for too little assurance began when the app
        // asked for less.
        registration.leastAssurance = ends(in: .assuranceTooLow) ? .net : recording.leastAssurance
        registration.legacyNumberWithoutPage = recording.releasesNumberWithoutPage
        if ends(in: .scripExpired) { registration.scripLifetime = 1 }
        if ends(in: .tokenExpired) { registration.tokenLifetime = 1 }
        let app = try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
        guard let loopback = InternetAddress("127.0.0.1"), let core = InternetAddress(Self.coreAddress),
            let address = InternetAddress(Self.phoneAddress), let other = InternetAddress(Self.otherAddress),
            let appServer = InternetAddress(Self.appServerAddress)
        else { throw CommandFailure("the sandbox's addresses cannot be read") }
        let network = VirtualPacketCore(
            name: "replay",
            client: try await AccountingClient(
                gateway: loopback, port: await server.ports.port(.accounting), secret: secret, source: core))
        let sims = try [try sim(1), try sim(2)]
        _ = try await network.attach(sims[0], at: address)
        let phone = VirtualPhone(name: "replay", address: address, platform: platform)
        let device = try ServerURL("http://127.0.0.1:\(await server.ports.port(.device))")
        let script = DeviceScript(server: device, transport: phone.transport)
        let elsewhere = VirtualPhone(name: "other", address: other, platform: platform).transport
        let player = ReplayPlayer(
            recording: recording, installation: installation, app: app, bundle: Self.bundle, phone: phone,
            network: network,
            sims: sims, otherAddress: other, script: script,
            thief: DeviceScript(server: device, transport: phone.transport),
            away: DeviceScript(server: device, transport: elsewhere, signer: script.signer),
            client: OperatorClient(
                server: try ServerURL("http://127.0.0.1:\(await server.ports.port(.server))"), appID: app.record.id,
                serverSecret: app.serverSecret.reveal(), source: appServer), expiry: Self.expiry)
        return try await player.play()
    }

    /// A subscriber of the recorded carrier, with a number that the carrier's country could have.
    private func sim(_ number: Int) throws(CommandFailure) -> VirtualSIM {
        let network = policy.carriers[recording.carrier]?.networks.sorted().first ?? "46000"
        let country = policy.carriers[recording.carrier]?.country ?? "CN"
        guard let own = CallingNumber.examples(of: country, count: number).dropFirst(number - 1).first else {
            throw CommandFailure("no mobile number of the country \(country) is known to the sandbox")
        }
        let rest = String(repeating: "0", count: 14 - network.utf8.count)
        return VirtualSIM(number: own, imsi: "\(network)\(rest)\(number)", carrier: recording.carrier)
    }
}

/// One login, step by step as it was recorded.
private struct ReplayPlayer {
    let recording: LoginRecording
    let installation: Installation
    let app: RegisteredApp
    let bundle: String
    let phone: VirtualPhone
    let network: VirtualPacketCore
    let sims: [VirtualSIM]
    let otherAddress: InternetAddress
    let script: DeviceScript
    /// Has another device key.
    let thief: DeviceScript
    /// Has the phone's device key, and the address of another person's phone.
    let away: DeviceScript
    let client: OperatorClient
    let expiry: Duration

    private var id: AppID { app.record.id }

    func play() async throws -> [LoginRecording.Step] {
        var first: PrefetchResponse?
        // With the scrip and nonce that came last.
        var current: PrefetchResponse?
        var token: String?
        // A login with a page has a consent, given or missing.
        let purpose: TokenPurpose =
            recording.steps.contains {
                $0.name == "consent" || [.consentMissing, .consentInvalid].contains($0.situation)
            }
            ? .login : recording.capabilities.contains(.verification) ? .verification : .login
        for step in recording.steps {
            switch step.name {
            case "prefetch":
                let answer = try await tried { try await prefetch(step.situation) }
                first = first ?? answer
                current = answer ?? current
            case "authorize":
                // The recorded login showed a used scrip: show the first one again.
                guard let shown = step.situation == .scripReused ? first : current else { break }
                guard let answer = try await tried({ try await authorize(shown, purpose, step.situation) }) else {
                    break
                }
                if let scrip = answer.scrip, let nonce = answer.nonce {
                    current?.scrip = scrip
                    current?.nonce = nonce
                }
                token = answer.token
            case let name where LoginRecording.redeems(name):
                guard let token else { break }
                try await prepareRedeeming(step.situation)
                let number = step.situation == .numberDiffers ? sims[1].number : sims[0].number
                switch ServerAPIEndpoints.Path(rawValue: name) {
                case .redeem: _ = try await client.redeem(token)
                case .verify: _ = try await client.compare(token, number: number)
                case .app, nil:
                    if name == "loginTokenValidate" {
                        _ = try await client.loginTokenValidate(token)
                    } else {
                        _ = try await client.verify(token, number: number)
                    }
                }
            default: break
            }
        }
        guard let trace = try await trace(first) else { return [] }
        return try await installation.store.traceEvents(trace).map {
            LoginRecording.Step(party: $0.party, name: $0.step, situation: $0.situation)
        }
    }

    /// `nil` if the server refused; what it said is in the trace.
    private func tried<Answer>(_ body: () async throws -> Answer) async throws -> Answer? {
        do { return try await body() } catch is DeviceFailure { return nil }
    }

    /// The login's trace; of one that ended with the first request, the app's only one.
    private func trace(_ first: PrefetchResponse?) async throws -> TraceID? {
        if let first { return first.trace }
        return try await installation.store.traces(TraceFilter(app: id), limit: 1).first?.trace
    }

    private func attestation(_ script: DeviceScript, _ situation: Situation) throws -> String? {
        switch situation {
        case .attestationInvalid: return "no attestation"
        case .assuranceTooLow: return nil
        default:
            guard recording.leastAssurance > .net else { return nil }
            return try phone.attestation(
                for: script.signer.publicKey, appID: id, bundleID: bundle,
                challenge: installation.authority.attestationChallenge(for: id))
        }
    }

    private func prefetch(_ situation: Situation) async throws -> PrefetchResponse {
        if situation == .assuranceTooLow { try await change { $0.leastAssurance = .sim } }
        return try await script.prefetch(
            appID: id, appKey: app.key.reveal(), bundleID: bundle, attestation: try attestation(script, situation))
    }

    private func authorize(
        _ prefetched: PrefetchResponse, _ purpose: TokenPurpose, _ situation: Situation
    ) async throws -> AuthorizeResponse {
        switch situation {
        case .appSuspended: try await change { $0.suspended = true }
        case .appNotAllowed: try await change { $0.allowed = false }
        case .assuranceTooLow: try await change { $0.leastAssurance = .sim }
        case .capabilityMissing:
            try await change { $0.capabilities.remove(purpose == .login ? .login : .verification) }
        case .scripExpired: try await Task.sleep(for: expiry)
        case .subscriptionMismatch: _ = try await network.attach(sims[1], at: otherAddress)
        case .addressStale:
            _ = try await installation.register.reassign(
                sims[0].number, at: SystemWallClock().now, by: .machineUser("number.reassign"))
        default: break
        }
        let script =
            switch situation {
            case .scripStolen: thief
            case .subscriptionMismatch: away
            default: script
            }
        var consent: String?
        if purpose == .login, situation != .consentMissing {
            consent = try (situation == .consentInvalid ? thief : script).consent(to: prefetched, appID: id)
        }
        return try await script.authorize(
            appID: id, scrip: prefetched.scrip, purpose: purpose, consent: consent,
            attestation: try attestation(script, situation))
    }

    private func prepareRedeeming(_ situation: Situation) async throws {
        switch situation {
        case .tokenExpired: try await Task.sleep(for: expiry)
        case .assuranceTooLow: try await change { $0.leastAssurance = .sim }
        case .subscriptionChanged:
            _ = try await installation.register.port(
                sims[0].number, to: sims[0].carrier, at: SystemWallClock().now, by: .machineUser("number.port"))
        case .quotaExceeded: try await change { $0.dailyQuota = 0 }
        default: break
        }
    }

    private func change(_ change: @escaping @Sendable (inout AppRecord) -> Void) async throws {
        _ = try await installation.authority.apps.change(id, by: .machineUser("app.set")) { record throws(Refusal) in
            change(&record)
        }
    }
}
