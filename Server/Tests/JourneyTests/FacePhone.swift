import BenjiClient
import BenjiFaceProtocol
import BenjiPolicy
import Sandbox
import ServerTestKit
import Store

@testable import Authority
@_spi(Server) @testable import BenjiProtocol

/// A phone with one-tap login and face login in one app: what SuperID's SDK is on a real one.
struct FacePhone: Sendable {
    let signer = SoftwareDeviceSigner()
    let engine: LoginEngine
    private let phone: VirtualPhone
    private let app: RegisteredApp
    private let server: ServerURL

    init(_ phone: VirtualPhone, app: RegisteredApp, server: ServerURL) {
        self.phone = phone
        self.app = app
        self.server = server
        engine = LoginEngine(
            configuration: LoginEngine.Configuration(
                appID: app.record.id, appKey: app.key.reveal(), bundleID: JourneyWorld.bundle, server: server,
                dialect: .superid, timeout: Patience.deadline),
            transport: phone.transport, keyStore: MemoryDeviceKeyStore(signer))
    }

    /// Sends a signed request and returns the answer, whatever it is.
    func post(
        _ path: FacePath, _ body: [UInt8], id: String = SystemRandomSource().alphanumerics(22),
        type: String = "application/json"
    ) async throws -> JSON {
        let url = try server.appending(path: path.rawValue)
        let proof = DeviceProof(
            id: id, method: "POST", url: url.text, issuedAt: SystemWallClock().now, body: body, localAddress: nil,
            key: signer.publicKey)
        var headers: HeaderFields = ["Content-Type": type]
        headers[DeviceProof.headerName] = try proof.signed(by: signer)
        let answer = try await phone.transport.send(
            TransportRequest(method: "POST", url: url, headers: headers, body: body), timeout: Patience.deadline)
        return try JSON(parsing: answer.body)
    }

    func appToken() async throws -> JSON {
        let id = SystemRandomSource().alphanumerics(22)
        let request = FaceAppTokenRequest(
            appID: app.record.id, bundleID: JourneyWorld.bundle,
            appKeyProof: AppKeyProof.make(
                appKey: app.key.reveal(), appID: app.record.id, proofID: id,
                keyThumbprint: signer.publicKey.thumbprint))
        return try await post(.appToken, request.json.serialized, id: id)
    }

    func consent(to begun: FaceBeginResponse) throws -> String {
        guard let terms = begun.terms else { return "" }
        let content = ConsentContent(
            drawnBy: .benji, language: "zh-Hans", policyVersion: terms.version,
            texts: [.init(.title, terms.title), .init(.loginButton, "同意")],
            links: [.init(title: terms.title, url: terms.url)], initiallyTicked: false)
        let now = SystemWallClock().now
        return try ConsentRecord(
            appID: app.record.id, trace: begun.trace, scrip: begun.session, nonce: begun.nonce, content: content,
            sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now
        ).signed(by: signer)
    }
}
