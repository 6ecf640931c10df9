import Authority
import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import RADIUS
import Sandbox
import Store

/// Phones of a house's subscribers, with device keys that they keep over all logins.
///
/// What a phone signs is signed before the clock runs, and everybody takes a step before anybody takes the next.
struct Phones {
    private struct Phone {
        var signer = SoftwareDeviceSigner()
        var address: InternetAddress
        var number: PhoneNumber
    }

    private let house: House
    private let phones: [Phone]

    /// Announces `count` phones to the house's gateway.
    init(_ count: Int, of house: House) async throws {
        self.house = house
        guard let loopback = InternetAddress("127.0.0.1"), let secret = SharedSecret(Installation.secret) else {
            throw BenchmarkFailure("no gateway")
        }
        let client = try await AccountingClient(
            gateway: loopback, port: house.installation.accounting, secret: secret)
        let core = VirtualPacketCore(name: "pgw-1.example", client: client)
        var phones: [Phone] = []
        for index in 0..<count {
            guard let address = InternetAddress("127.8.\(1 + index / 250).\(1 + index % 250)") else {
                throw BenchmarkFailure("too many phones")
            }
            let number = House.number(index)
            _ = try await core.attach(
                VirtualSIM(number: number, imsi: House.imsi(index), carrier: .mobile), at: address)
            phones.append(Phone(address: address, number: number))
        }
        await client.close()
        self.phones = phones
    }

    /// Every phone logs in once to an app that chance chooses, so many at the same time: prefetch, authorize, and the app's
    /// server redeems. Phones make a connection for each request. Microseconds of processor time of the server for a login.
    func logIn(connections: Int) throws -> Double {
        let installation = house.installation
        let apps = phones.map { _ in house.apps.randomElement()! }
        let device = HTTPLoad(port: installation.device, connections: connections)
        let server = HTTPLoad(port: installation.server, connections: connections)
        var time = 0.0

        func step(_ load: HTTPLoad, _ requests: [HTTPLoad.Request]) throws -> [[UInt8]] {
            var answers: [[UInt8]] = []
            time += try house.processorTime(of: phones.count) { answers = try load.exchange(requests) }
            return answers
        }

        let offers = try step(device, zip(phones, apps).map(prefetch)).map { try PrefetchResponse(JSON(parsing: $0)) }
        let authorizations = try phones.indices.map { try authorize(phones[$0], apps[$0], offers[$0]) }
        let tokens = try step(device, authorizations).map { try AuthorizeResponse(JSON(parsing: $0)).token }
        try server.open()
        let answers = try step(
            server,
            zip(tokens, apps).map { try House.redemption($0, of: $1.record.id, secret: $1.serverSecret.reveal()) })
        guard try answers.map(House.number) == phones.map(\.number) else {
            throw BenchmarkFailure("a phone is taken for another")
        }
        return time
    }

    private func prefetch(_ phone: Phone, _ app: RegisteredApp) throws -> HTTPLoad.Request {
        try signed(.prefetch, by: phone) { id in
            PrefetchRequest(
                appID: app.record.id, bundleID: Installation.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: app.key.reveal(), appID: app.record.id, proofID: id,
                    keyThumbprint: phone.signer.publicKey.thumbprint), dialect: .device
            ).json
        }
    }

    private func authorize(
        _ phone: Phone, _ app: RegisteredApp, _ offer: PrefetchResponse
    ) throws -> HTTPLoad.Request {
        let script = DeviceScript(
            server: try ServerURL(house.installation.deviceURL), transport: CurlTransport(), signer: phone.signer)
        let consent = try script.consent(to: offer, appID: app.record.id)
        return try signed(.authorize, by: phone) { _ in
            AuthorizeRequest(appID: app.record.id, scrip: offer.scrip, purpose: .login, consent: consent).json
        }
    }

    private func signed(
        _ path: DevicePath, by phone: Phone, _ request: (String) throws -> JSON
    ) throws -> HTTPLoad.Request {
        let id = Base64URL.encode(SystemRandomSource().bytes(16))
        let body = try request(id).serialized
        let proof = DeviceProof(
            id: id, method: "POST", url: house.installation.deviceURL + path.rawValue, issuedAt: SystemWallClock().now,
            body: body, localAddress: nil, key: phone.signer.publicKey)
        return HTTPLoad.Request(
            path.rawValue, headers: ["DPoP: \(try proof.signed(by: phone.signer))"], body: body, source: phone.address)
    }
}
