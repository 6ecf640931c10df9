import BenchmarkPhones
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import RADIUS
import Sandbox

/// Phones of a house's subscribers, with device keys that they keep over all logins.
///
/// Phones sign before the clock runs, and all take a step before any takes the next.
struct Phones {
    private let house: House
    private let phones: [SigningPhone]

    /// Announces `count` phones to the house's gateway.
    init(_ count: Int, of house: House) async throws {
        self.house = house
        guard let loopback = InternetAddress("127.0.0.1"), let secret = SharedSecret(Installation.secret) else {
            throw BenchmarkFailure("no gateway")
        }
        let client = try await AccountingClient(
            gateway: loopback, port: house.installation.accounting, secret: secret)
        let core = VirtualPacketCore(name: "pgw-1.example", client: client)
        var phones: [SigningPhone] = []
        for index in 0..<count {
            guard let address = InternetAddress("127.8.\(1 + index / 250).\(1 + index % 250)") else {
                throw BenchmarkFailure("too many phones")
            }
            let number = House.number(index)
            _ = try await core.attach(
                VirtualSIM(number: number, imsi: House.imsi(index), carrier: .mobile), at: address)
            phones.append(SigningPhone(at: address, number: number))
        }
        await client.close()
        self.phones = phones
    }

    /// Every phone logs in once to an app that chance chooses, so many at the same time: prefetch, authorize, and the
    /// app's server redeems. Phones make a connection for each request. Microseconds of processor time of the server
    /// for a login.
    func logIn(connections: Int) throws -> Double {
        let installation = house.installation
        let apps = phones.map { _ in House.identity(of: house.apps.randomElement()!) }
        let deviceURL = installation.deviceURL
        let device = HTTPLoad(port: installation.device, connections: connections)
        let server = HTTPLoad(port: installation.server, connections: connections)
        var time = 0.0

        func step(_ load: HTTPLoad, _ requests: [HTTPLoad.Request]) throws -> [[UInt8]] {
            var answers: [[UInt8]] = []
            time += try house.processorTime(of: phones.count) { answers = try load.exchange(requests) }
            return answers
        }

        let offers = try step(device, zip(phones, apps).map { try $0.prefetch($1, at: deviceURL) }).map {
            try PrefetchResponse(JSON(parsing: $0))
        }
        let authorizations = try phones.indices.map {
            try phones[$0].authorize(apps[$0], offers[$0], at: deviceURL)
        }
        let tokens = try step(device, authorizations).map { try AuthorizeResponse(JSON(parsing: $0)).token }
        try server.open()
        let answers = try step(server, zip(tokens, apps).map { $1.redemption(of: $0) })
        guard try answers.map(AppIdentity.number) == phones.map(\.number) else {
            throw BenchmarkFailure("a phone is taken for another")
        }
        return time
    }
}
