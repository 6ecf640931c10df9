#if Face
import ServerRuntime
import Authority
import BenjiClient
import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import Endpoints
import FaceAccounts
import FaceEndpoints
import FaceMatching
import Foundation
import Gateway
import Sandbox
import Store

/// Face login in the demo. A browser on this machine is a phone there: its connections come from 127.0.0.1, and the
/// packet core says who holds that address.
struct DemoFace {
    /// The page, and the number that the browser has.
    var page: String
    var number: PhoneNumber

    /// The browser's address.
    private static let address = "127.0.0.1"

    /// The effect of `--face`, or its requirement. Looks for the models without reading them.
    static var invitation: String {
        FileManager.default.fileExists(atPath: FaceFolder.models().path)
            ? "with face login in your browser, before its camera"
            : "with face login, once its models are there: make face-models"
    }

    /// The demo's note about its own assurance.
    static let weakness =
        "here a number is enough at net, because no attester vouches for a browser: a real service asks for net+app "
        + "(face.least-assurance)"

    /// Switches face login on. A browser earns `net` and no more, so the demo asks for no more.
    static func prepare(_ configuration: inout ServerConfiguration) throws {
        let models = FaceFolder.models()
        if let problem = models.problem { throw CommandFailure("face login is not available here: \(problem)") }
        configuration.face = ServerConfiguration.Face(
            terms: FaceTerms(version: "1", title: "人脸信息处理规则", url: "https://id.example/face-terms"), models: models,
            engines: 1, policy: .standard, leastAssurance: .net)
        guard let pool = IPPrefix(address + "/32"), !configuration.networkElements.isEmpty else { return }
        configuration.networkElements[0].pools.append(pool)
    }

    /// Registers an app with face login and gives the browser a number.
    static func set(_ stage: DemoStage) async throws -> DemoFace {
        let bundle = "com.example.face"
        var registration = Apps.Registration(name: "Face Demo")
        registration.bundleIDs = [bundle]
        let installation = stage.installation
        let app = try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
        _ = try await installation.faceAccounts.opt(
            app.record.id, in: [.face, .faceAttributes], by: .machineUser("app.face.set"))
        guard let number = PhoneNumber("13800000005"), let address = InternetAddress(address) else {
            throw ConfigurationError(key: "demo", problem: "its own numbers cannot be read")
        }
        let sim = VirtualSIM(number: number, imsi: "460000000000005", carrier: .mobile)
        _ = try await stage.phones[0].core.attach(sim, at: address)
        return DemoFace(
            page:
                "\(stage.deviceURL.origin)\(FacePages.accountPath)?app=\(app.record.id)&bundle=\(bundle)"
                + "#key=\(app.key.reveal())",
            number: number)
    }
}
#else
import BenjiProtocol

/// Face login in the demo: there is none in this build.
enum DemoFace {
    static let invitation = "with face login, in a build that has it"
    static let weakness = ""

    var page: String { switch self {} }
    var number: PhoneNumber { switch self {} }

    static func prepare(_ configuration: inout ServerConfiguration) throws { throw CommandFailure(FaceParts.absence) }
    static func set(_ stage: DemoStage) throws -> DemoFace { throw CommandFailure(FaceParts.absence) }
}
#endif
