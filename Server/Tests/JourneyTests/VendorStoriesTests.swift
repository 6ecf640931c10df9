import BenjiClient
import BenjiPolicy
import Sandbox
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import ServerRuntime

/// An app that came from OneLogin or GeYan, with the id that it shipped with and no key in the phone.
private struct VendorApp {
    static let bundle = "com.example.moved"
    static let oneLoginID = "b41a959b5cac4dd1277183e074630945"
    static let geYanID = "oCRdOzLa9S8Jyf3hVbpYa5"

    let world: JourneyWorld
    let app: RegisteredApp
    let server: ServerURL

    init(
        _ world: JourneyWorld, id: String, change: (inout Apps.Registration) -> Void = { _ in }
    ) async throws {
        self.world = world
        var registration = Apps.Registration(name: "Moved")
        registration.id = AppID(rawValue: id)
        registration.bundleIDs = [Self.bundle]
        registration.serverAddresses = ["127.0.2.1"]
        registration.attesters = [world.platform.publicKey.text]
        registration.phonesWithoutKey = true
        change(&registration)
        app = try await world.installation.authority.apps.register(registration)
        server = try ServerURL("http://127.0.0.1:\(await world.server.ports.port(.server))")
    }

    func engine(on phone: VirtualPhone, dialect: Dialect) -> LoginEngine {
        phone.install(
            LoginEngine.Configuration(
                appID: app.record.id, appKey: nil, bundleID: Self.bundle, server: world.deviceURL, dialect: dialect,
                timeout: Patience.deadline))
    }

    func oneLogin(from source: String = "127.0.2.1", key: String? = nil) throws -> OneLoginClient {
        OneLoginClient(
            server: server, appID: app.record.id, serverSecret: key ?? app.serverSecret.reveal(),
            source: try #require(InternetAddress(source)))
    }

    func geYan(from source: String = "127.0.2.1") throws -> GeYanClient {
        GeYanClient(
            server: server, appID: app.record.id, masterSecret: app.serverSecret.reveal(),
            source: try #require(InternetAddress(source)))
    }
}

@Suite("Stories of apps that came from other vendors", .serialized)
struct VendorStoriesTests {
    private static let address = "127.20.0.2"

    @Test("An app from OneLogin logs in with its id alone, and its server gets the number once, in clear or encrypted")
    func oneLogin() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let moved = try await VendorApp(world, id: VendorApp.oneLoginID)
            let engine = moved.engine(on: world.phone(Self.address), dialect: .onelogin)
            let first = try await engine.logIn(with: ScriptedPerson())
            let client = try moved.oneLogin()
            #expect(
                try await client.checkPhone(first.token, process: first.trace).result == world.sims[0].number.national)
            #expect(try await client.checkPhone(first.token, process: first.trace).code == "12101")

            let second = try await engine.logIn(with: ScriptedPerson())
            #expect(second.trace != first.trace, "a scrip of this dialect counts once, so each login has its own name")
            let cipher = try #require(ZeroVectorCipher(appKey: moved.app.serverSecret.reveal(), keyBytes: 32))
            let answer = try await client.checkPhone(second.token, process: second.trace, encrypts: true)
            #expect(answer.result == (try cipher.encrypt(world.sims[0].number.national)))

            let id = moved.app.record.id
            let ledger = try await world.installation.store.ledgerEntries(app: id, limit: 9)
            #expect(ledger.map(\.interface) == ["check_phone", "check_phone"], "each answer is billed once")
        }
    }

    @Test(
        "A process id opens no other login's token, and neither does another app, key or address; then it still counts")
    func strangers() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let moved = try await VendorApp(world, id: VendorApp.oneLoginID)
            let engine = moved.engine(on: world.phone(Self.address), dialect: .onelogin)
            let token = try await engine.logIn(with: ScriptedPerson())
            let other = try await engine.logIn(with: ScriptedPerson())
            let client = try moved.oneLogin()
            #expect(try await client.checkPhone(token.token, process: other.trace).code == "12200")
            #expect(
                try await client.checkPhone(token.token, process: TraceID(random: SystemRandomSource())).code == "12200"
            )
            let nobody = CredentialGrammar.token.make(random: SystemRandomSource())
            #expect(try await client.checkPhone(nobody, process: token.trace).code == "12200")
            #expect(
                try await client.checkPhone(nobody, process: TraceID(random: SystemRandomSource())).code == "12100")
            #expect(
                try await moved.oneLogin(from: "127.0.3.1").checkPhone(token.token, process: token.trace).code
                    == "12007")
            #expect(
                try await moved.oneLogin(key: "guess").checkPhone(token.token, process: token.trace).code == "12109")
            #expect(
                try await client.checkGateway(token.token, process: token.trace, number: "13800000000").code == "3200",
                "a login token does not answer a verification")
            #expect(try await client.checkPhone(token.token, process: token.trace).code == "200")
        }
    }

    @Test("OnePass answers whether a number is the phone's own, once, and never names it")
    func onePass() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let moved = try await VendorApp(world, id: VendorApp.oneLoginID)
            let engine = moved.engine(on: world.phone(Self.address), dialect: .onelogin)
            let client = try moved.oneLogin()
            for (number, expected) in [(world.sims[0].number, "0"), (world.sims[1].number, "1")] {
                let token = try await engine.verificationToken()
                #expect(try await client.checkPhone(token.token, process: token.trace).code == "12200")
                let answer = try await client.checkGateway(token.token, process: token.trace, number: number.national)
                #expect(answer.result == expected)
                let again = try await client.checkGateway(token.token, process: token.trace, number: number.national)
                #expect(again.code == "3105")
            }
        }
    }

    @Test("An app from GeYan logs in with its id alone, and each form of the server call gets the number as it should")
    func geYan() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let moved = try await VendorApp(world, id: VendorApp.geYanID) { $0.unsignedRequests = true }
            let engine = moved.engine(on: world.phone(Self.address), dialect: .geyan)
            let client = try moved.geYan()
            let number = world.sims[0].number.national
            let cipher = try #require(ZeroVectorCipher(appKey: moved.app.serverSecret.reveal(), keyBytes: 16))
            for (form, expected) in [
                (.longSign, number), (.unsigned, number), (.shortSign, try cipher.encrypt(number)),
            ] as [(GeYanClient.Form, String)] {
                let login = try await engine.logIn(with: ScriptedPerson())
                let stranger = try await moved.geYan(from: "127.0.3.1").getNumber(
                    login.token, process: login.trace, form: form)
                #expect(stranger.code == "40031")
                let answer = try await client.getNumber(
                    login.token, process: form == .shortSign ? nil : login.trace, form: form)
                #expect(answer.number == expected)
                #expect(try await client.getNumber(login.token, process: login.trace, form: form).code == "60001")
            }
        }
    }

    @Test("Without a key in the phone an app that asks for more than net is served by attested phones only")
    func assurance() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let moved = try await VendorApp(world, id: VendorApp.oneLoginID) { $0.leastAssurance = .netApp }
            let phone = world.phone(Self.address)
            let login = try await moved.engine(on: phone, dialect: .onelogin).logIn(with: ScriptedPerson())
            #expect(login.assurance >= .netApp)
            let script = DeviceScript(server: world.deviceURL, transport: phone.transport)
            await #expect {
                _ = try await script.prefetch(
                    appID: moved.app.record.id, appKey: nil, bundleID: VendorApp.bundle)
            } throws: { ($0 as? DeviceFailure)?.situation == .assuranceTooLow }
        }
    }
}
