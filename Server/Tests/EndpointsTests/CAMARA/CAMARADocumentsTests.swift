import Catalogue
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

@Suite("CAMARA's documents")
struct CAMARADocumentsTests {
    @Test("the OpenAPI document has exactly the operations that exist")
    func operations() async throws {
        try await OpenIDWorld.visit { world in
            let routes = CAMARAEndpoints(provider: world.provider).routes
            let described = try Documents.operations("camara")
            #expect(described == Documents.operations(routes))
        }
    }

    @Test("the OpenAPI document and the page name every code that an answer can carry")
    func codes() throws {
        let codes = Set(Situation.all.compactMap { ResultCodes.code(for: $0, in: .camara)?.code })
        #expect(codes.count == 20)
        for document in [try Documents.text("openapi/camara.yaml"), try Documents.text("camara.md")] {
            let words = Set(document.split { !($0.isLetter || $0 == "_" || $0 == ".") }.map(String.init))
            #expect(codes.subtracting(words) == [])
        }
    }
}
