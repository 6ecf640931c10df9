import Authority
import BenjiProtocol
import Logging
import ServerHTTP

#if Face
import FaceAccounts
import FaceEndpoints
import FaceMatching
#endif

/// The parts that face login adds to a server.
struct FaceParts: Sendable {
    /// The routes for phones, given the scheme that they use.
    var deviceRoutes: @Sendable (_ scheme: String) -> [EndpointRoute]
    /// The routes for apps' servers.
    var serverRoutes: [EndpointRoute]
    /// Forgets sessions that were not finished in time.
    var forgetExpired: @Sendable () -> Void

    /// The message of a build without the trait `Face` wherever face login is requested.
    static let absence = "this build of benji has no face login (docs/face.md, \"Without face login\")"
}

#if Face
extension ServerAssembly {
    /// Face login, if it is switched on. Without models it is there and says that it is not available: everything else
    /// works.
    func faceLogin(_ installation: Installation) async -> FaceParts? {
        guard let face = configuration.face else { return nil }
        let analyzer: any FaceAnalyzer
        do {
            analyzer = try await LocalFaceAnalyzer(models: face.models, policy: face.policy, engines: face.engines)
        } catch {
            logger.warning("face login is not available", metadata: ["reason": "\(error.detail)"])
            analyzer = UnavailableFaceAnalyzer(error.detail)
        }
        let challenges = FaceChallenges(
            analyzer: analyzer, policy: face.policy, clock: clock, random: SystemRandomSource())
        var settings = FaceProvider.Configuration(terms: face.terms)
        settings.leastAssurance = face.leastAssurance
        let provider = FaceProvider(
            configuration: settings, authority: installation.authority, store: installation.store,
            analyzer: analyzer, challenges: challenges)
        let publicURLs = configuration.publicURLs
        return FaceParts(
            deviceRoutes: { [clock] scheme in
                FaceEndpoints(service: provider, clock: clock, publicURLs: publicURLs, derivedScheme: scheme).routes
                    + FacePages().accountRoutes
            },
            serverRoutes: SuperIDServerEndpoints(provider: provider).routes,
            forgetExpired: { provider.forgetExpired() })
    }
}

extension Installation {
    /// Face accounts as their operator sees them.
    var faceAccounts: FaceAccounts { FaceAccounts(authority: authority, store: store) }
}
#else
extension ServerAssembly {
    /// This build has no face login, and a configuration that switches it on is refused.
    func faceLogin(_ installation: Installation) async -> FaceParts? { nil }
}
#endif
