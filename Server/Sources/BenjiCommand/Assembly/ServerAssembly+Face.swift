import Authority
import BenjiProtocol
import FaceMatching
import Logging

extension ServerAssembly {
    /// Face login, if it is switched on. Without models it is there and says that it is not available: everything else
    /// works.
    static func faceProvider(
        _ installation: Installation, clock: any WallClock, logger: Logger
    ) async -> FaceProvider? {
        guard let face = installation.configuration.face else { return nil }
        let analyzer: any FaceAnalyzer
        do {
            analyzer = try await LocalFaceAnalyzer(models: face.models, policy: face.policy, engines: face.engines)
        } catch {
            logger.warning("face login is not available", metadata: ["reason": "\(error.detail)"])
            analyzer = UnavailableFaceAnalyzer(error.detail)
        }
        let challenges = FaceChallengeDesk(
            analyzer: analyzer, policy: face.policy, clock: clock, random: SystemRandomSource())
        var configuration = FaceProvider.Configuration(terms: face.terms)
        configuration.leastAssurance = face.leastAssurance
        return FaceProvider(
            configuration: configuration, authority: installation.authority,
            analyzer: analyzer, challenges: challenges)
    }
}
