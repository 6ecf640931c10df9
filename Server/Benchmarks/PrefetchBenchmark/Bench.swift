import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import RADIUS
import Sandbox

/// Phones that have not been heard of before, one after the other.
final class Bench {
    /// Microseconds, medians of one measurement.
    struct Measurement {
        var cold: Double
        var repeated: Double
        var cached: Double
    }

    private let installation: Installation
    private let configuration: LoginEngine.Configuration
    private let secret: SharedSecret
    private let gateway: InternetAddress
    /// Phones that have been used.
    private var used = 0

    init(_ installation: Installation, app: (id: String, key: String, serverSecret: String)) throws {
        guard let id = AppID(rawValue: app.id), let secret = SharedSecret(Installation.secret),
            let gateway = InternetAddress("127.0.0.1")
        else { throw BenchmarkFailure("no app") }
        (self.installation, self.secret, self.gateway) = (installation, secret, gateway)
        configuration = LoginEngine.Configuration(
            appID: id, appKey: app.key, bundleID: Installation.bundle, server: try ServerURL(installation.deviceURL))
    }

    /// Gives so many phones their addresses.
    func announce(_ count: Int) async throws {
        let client = try await AccountingClient(gateway: gateway, port: installation.accounting, secret: secret)
        let core = VirtualPacketCore(name: "pgw-1.example", client: client)
        for index in 0..<count {
            guard let number = PhoneNumber("\(13_800_000_000 + index)"), let address = address(of: index) else {
                throw BenchmarkFailure("too many phones")
            }
            let sim = VirtualSIM(number: number, imsi: "46000\(1_000_000_000 + index)", carrier: .mobile)
            _ = try await core.attach(sim, at: address)
        }
    }

    private func address(of index: Int) -> InternetAddress? {
        InternetAddress("127.8.\(1 + index / 250).\(1 + index % 250)")
    }

    func measure(_ count: Int) async throws -> Measurement {
        var (cold, repeated, cached): ([Double], [Double], [Double]) = ([], [], [])
        for index in used..<(used + count) {
            guard let address = address(of: index) else { throw BenchmarkFailure("too many phones") }
            let transport = CurlTransport(.init(egress: .sourceAddress(address)))
            let keyStore = MemoryDeviceKeyStore()
            func engine() -> LoginEngine {
                LoginEngine(configuration: configuration, transport: transport, keyStore: keyStore)
            }
            let first = engine()
            cold.append(try await microseconds(first, fromMemory: false))
            repeated.append(try await microseconds(engine(), fromMemory: false))
            let asked = try installation.metric("benji_http_requests_total", #"listener="device""#)
            cached.append(try await microseconds(first, fromMemory: true))
            guard asked > 0, try installation.metric("benji_http_requests_total", #"listener="device""#) == asked else {
                throw BenchmarkFailure("the server was asked for what the phone remembers")
            }
        }
        used += count
        return Measurement(
            cold: Figures(cold).median, repeated: Figures(repeated).median, cached: Figures(cached).median)
    }

    private func microseconds(_ engine: LoginEngine, fromMemory: Bool) async throws -> Double {
        let start = ContinuousClock.now
        let summary = try await engine.prefetch()
        let time = (ContinuousClock.now - start).inSeconds * 1e6
        guard summary.fromMemory == fromMemory else { throw BenchmarkFailure("a prefetch came from the wrong place") }
        return time
    }
}
