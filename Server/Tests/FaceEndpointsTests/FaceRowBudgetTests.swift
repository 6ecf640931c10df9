import BenjiFaceProtocol
import FaceMatching
import HTTPTypes
import Hummingbird
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import FaceAccounts
@testable import FaceEndpoints
@testable import ServerHTTP

/// As `PhoneRowBudgetTests`, at the routes of face login. One number may prefetch five times in ten minutes, and an
/// account may begin as often as on a server: thirty times.
@Suite("What an hour at the routes of face login leaves in the database", .serialized)
struct FaceRowBudgetTests {
    private typealias Way = RowBudgetWay<SuperIDWalk>

    private static let people: [Way] = [
        Way("POST \(FacePath.appToken.rawValue)", "any address, with a new key each time") { walk in
            return {
                let signer = SoftwareDeviceSigner()
                let id = SystemRandomSource().alphanumerics(22)
                let request = FaceAppTokenRequest(
                    appID: walk.world.app.record.id, bundleID: AuthorityWorld.bundle,
                    appKeyProof: AppKeyProof.make(
                        appKey: walk.world.app.key.reveal(), appID: walk.world.app.record.id, proofID: id,
                        keyThumbprint: signer.publicKey.thumbprint))
                _ = try await walk.post(
                    FacePath.appToken.rawValue, request.json.serialized, id: id, by: signer)
            }
        },
        Way("POST \(FacePath.begin.rawValue)", "a phone whose app is attested, by one tap each time") { walk in
            return { _ = try? await walk.begin(.login, .oneTap(try await walk.oneTap())) }
        },
        Way(
            "POST \(FacePath.finish.rawValue)", "the holder of an account, who logs in by face each time",
            growing: ["face_credential", "trace_event"]
        ) { walk in
            let remembered = try await walk.enrol().remembered
            return {
                guard let begun = try? await walk.begin(.login, .remembered(remembered)) else { return }
                _ = try? await walk.show(WrittenFace.owner, in: begun.session)
                _ = try? await walk.finish(begun)
            }
        },
    ]

    /// Each route, by somebody with a key of his own and nothing else.
    private static func strangers(_ routes: [EndpointRoute], at place: String) -> [Way] {
        routes.map { route in
            let (method, path) = (route.method, route.path)
            return Way("\(method.rawValue) \(path)", place) { walk in
                let responder = PublicServer.router("any", routes: [route])
                let real = path.replacing("{id}", with: "x")
                return {
                    guard FacePath(rawValue: path) == nil else {
                        _ = try? await walk.post(path, Array("{}".utf8), by: SoftwareDeviceSigner())
                        return
                    }
                    _ = try await Exchange.send(
                        responder, method, real, headers: [.contentType: "application/json"],
                        body: method == .get ? [] : Array("{}".utf8), from: ("198.51.100.9", 40_001))
                }
            }
        }
    }

    private static func visit<Value>(_ body: (SuperIDWalk) async throws -> Value) async throws -> Value {
        let walk = try await SuperIDWalk(limit: 5)
        let result: Result<Value, any Error>
        do { result = .success(try await body(walk)) } catch { result = .failure(error) }
        await walk.world.end()
        return try result.get()
    }

    private static func left(_ way: Way, calls: Int) async throws -> Leftovers {
        try await visit { walk in
            let call = try await way.prepare(walk)
            return try await RowBudget.play(walk.world, calls: calls, call)
        }
    }

    @Test("each route of face login leaves what the report says")
    func face() async throws {
        let (device, server) = try await Self.visit { ($0.deviceRoutes, $0.serverRoutes) }
        let strangers =
            Self.strangers(device, at: "any address, without an account")
            + Self.strangers(server, at: "any address, without a secret")
        let idle = try await Self.visit { walk in try await RowBudget.play(walk.world, calls: 0) {} }
        var lines: [RowBudgetReport.Line] = []
        for (ways, part) in [(Self.people, 1), (strangers, 6)] {
            for way in ways {
                let left = try await Self.left(way, calls: RowBudget.calls / part).more(than: idle)
                let more = try await Self.left(way, calls: RowBudget.moreCalls / part).more(than: idle)
                #expect(
                    more.grown(since: left).isSubset(of: way.growing),
                    "\(way.route), \(way.words): half as many calls again leave more for longer than a day")
                lines += RowBudgetReport.lines(way.route, way.words, left)
            }
        }
        let differences = try RowBudgetReport.differences("face", lines)
        #expect(differences == [])
    }
}
