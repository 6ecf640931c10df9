import Testing

@testable import Endpoints

/// The documents' promises match the code.
@Suite("OpenID Connect's documents")
struct OpenIDDocumentsTests {
    @Test("the OpenAPI document has exactly the paths and methods that exist")
    func paths() async throws {
        try await OpenIDWorld.visit { world in
            let routes =
                OpenIDEndpoints(service: world.provider, pages: OpenIDWorld.pages, sightings: world).browserRoutes
                + OpenIDEndpoints.serverRoutes(world.provider)
            let described = try Documents.operations("openid")
            #expect(described == Documents.operations(routes))
        }
    }
}
