import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting

/// A phone with face login, a scripted carrier for its number and a scripted service for its face.
struct FaceLab {
    let clock = ManualClock()
    let wallClock = ManualWallClock()
    let carrier: ScriptedCarrier
    let service: ScriptedFaceService
    let vault = MemoryFaceVault()
    let engine: FaceEngine
    private let keys = MemoryDeviceKeyStore()

    /// - Parameter way: the transport between the phone and the service.
    init(
        number: String = "13800000000", account: ScriptedFaceService.Account? = nil,
        attestation: (any AttestationProvider)? = nil, way: (ScriptedFaceService) -> any Transport = { $0 }
    ) throws {
        carrier = ScriptedCarrier(number: number, clock: clock)
        service = ScriptedFaceService(account: account, clock: clock)
        engine = try Self.engine(carrier, way(service), keys, vault, clock, wallClock, attestation)
    }

    /// The same phone after a restart of the app.
    func restarted() throws -> FaceEngine { try Self.engine(carrier, service, keys, vault, clock, wallClock) }

    private static func engine(
        _ carrier: ScriptedCarrier, _ service: any Transport, _ keys: MemoryDeviceKeyStore,
        _ vault: MemoryFaceVault, _ clock: ManualClock, _ wallClock: ManualWallClock,
        _ attestation: (any AttestationProvider)? = nil
    ) throws -> FaceEngine {
        let login = LoginEngine.Configuration(
            appID: AppID(rawValue: "300000000001")!, appKey: "key", bundleID: "com.example.app",
            server: try ServerURL("https://gateway.example"))
        return FaceEngine(
            configuration: .init(login: login), cellular: carrier, transport: service, keyStore: keys, vault: vault,
            attestation: attestation, wallClock: wallClock, clock: clock)
    }

    /// Time passes, on both clocks.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wallClock.advance(by: duration)
    }

    /// Somebody who has used this app before.
    static var known: ScriptedFaceService.Account {
        var account = ScriptedFaceService.Account()
        (account.name, account.hasFace, account.isAuthorized, account.uid) = ("小明", true, true, "user-1")
        account.isRandomUID = false
        return account
    }

    func situation(_ goal: FaceGoal, _ stage: ScriptedFaceStage) async -> Situation {
        do {
            _ = try await engine.run(goal, on: stage)
            return .success
        } catch {
            return error.situation
        }
    }
}

/// Keeps the answers of one address until a test lets them go on.
actor SlowWay: Transport {
    private let service: ScriptedFaceService
    private let path: FacePath
    private var kept: [CheckedContinuation<Void, Never>] = []
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ service: ScriptedFaceService, keeping path: FacePath) {
        self.service = service
        self.path = path
    }

    nonisolated func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        let response = try await service.send(request, timeout: timeout)
        if request.url.path == path.rawValue {
            await withCheckedContinuation { continuation in
                kept.append(continuation)
                waiting?.resume()
                waiting = nil
            }
        }
        return response
    }

    /// Until an answer is kept.
    func isKeeping() async {
        if kept.isEmpty { await withCheckedContinuation { waiting = $0 } }
    }

    func letGo() {
        for continuation in kept { continuation.resume() }
        kept = []
    }
}

extension FaceQuestion {
    /// Which question it is, without what it says.
    var kind: String {
        switch self {
        case .consent: "consent"
        case .searchConsent: "search consent"
        case .groups(let app): "groups \(app.version)"
        case .authorization: "authorization"
        case .profile: "profile"
        case .camera: "camera"
        case .retry(let sentence, let left): "retry \(sentence) \(left)"
        }
    }
}
