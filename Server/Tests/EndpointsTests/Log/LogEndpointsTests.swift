import BenjiProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Store
import Testing

@_spi(Server) @testable import Authority
@testable import Endpoints
@testable import ServerHTTP

@Suite("The public log over HTTP")
struct LogEndpointsTests {
    private static let root = "/log/v1"

    private func served(_ body: (Router<EndpointContext>, AuthorityWorld) async throws -> Void) async throws {
        let world = try await AuthorityWorld()
        for _ in 0..<3 { _ = try await world.redeem(nil, try await world.token().token) }
        _ = try await world.authority.appendToLog()
        let router = PublicServer.router("server", routes: LogEndpoints(authority: world.authority).routes)
        try await body(router, world)
        await world.end()
    }

    private func hashes(_ json: JSON?) -> [[UInt8]] {
        (json?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { Base64URL.decode($0) } }
    }

    @Test("A follower has head, key, leaves and proofs, and each holds; nothing in them is a number or an app")
    func follower() async throws {
        try await served { router, world in
            let head = try await Exchange.send(router, .get, "\(Self.root)/sth")
            #expect(head.headers[.cacheControl] == "public, max-age=1")
            let keys = try await Exchange.send(router, .get, "\(Self.root)/keys")
            let signed = try LogHead(
                verifying: try #require(head.json["head"]?.stringValue), log: world.vault.installation,
                keys: ConsentReceipt.keys(in: keys.json))
            #expect(signed.size == 6 && head.json["size"] == .integer(6))
            let entries = try await Exchange.send(router, .get, "\(Self.root)/entries?start=0&end=6")
            let leaves = hashes(entries.json["hashes"])
            var tree = MerkleTree.Growth()
            for leaf in leaves { tree.append(leaf) }
            #expect(tree.root == signed.root)
            let hash = Base64URL.encode(leaves[4])
            let inclusion = try await Exchange.send(router, .get, "\(Self.root)/inclusion?hash=\(hash)&tree_size=6")
            #expect(inclusion.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(
                MerkleTree.isIncluded(
                    leaves[4], at: try #require(inclusion.json["index"]?.integerValue), in: 6,
                    proof: hashes(inclusion.json["path"]), root: signed.root))
            let consistency = try await Exchange.send(router, .get, "\(Self.root)/consistency?first=4&second=6")
            var former = MerkleTree.Growth()
            for leaf in leaves.prefix(4) { former.append(leaf) }
            #expect(
                MerkleTree.isConsistent(
                    (4, former.root), (6, signed.root), proof: hashes(consistency.json["consistency"])))
            for answer in [head, keys, entries, inclusion, consistency] {
                #expect(!answer.body.contains("13800000001") && !answer.body.contains(world.app.record.id.rawValue))
            }
        }
    }

    @Test(
        "What is asked wrongly is refused, and no answer to it is kept on the way",
        arguments: [
            "entries", "entries?start=0", "entries?start=0&end=7", "entries?start=2&end=1", "entries?start=-1&end=1",
            "entries?start=0&end=1&end=2", "entries?start=0&end=1&more=1", "entries?start=00&end=1",
            "entries?start=+0&end=1", "entries?start=0&end=9223372036854775808", "entries?start=%zz&end=1",
            "consistency?first=3&second=2", "consistency?first=1&second=7", "inclusion?hash=AA&tree_size=1",
            "inclusion?hash=!&tree_size=1", "sth?x=1",
        ])
    func wrong(_ asked: String) async throws {
        try await served { router, _ in
            let answer = try await Exchange.send(router, .get, "\(Self.root)/\(asked)")
            #expect(answer.status == .badRequest)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("A leaf that is not in the log, or not in a log of this size, is not found")
    func unknown() async throws {
        try await served { router, world in
            let last = try #require(try await (world.store as any Store).logLeaves(from: 5, limit: 1).first)
            for (hash, size) in [(Array(repeating: UInt8(1), count: 32), 6), (last.hash, 5)] {
                let answer = try await Exchange.send(
                    router, .get, "\(Self.root)/inclusion?hash=\(Base64URL.encode(hash))&tree_size=\(size)")
                #expect(answer.status == .notFound)
            }
        }
    }

    @Test(
        "One address has 600 questions in ten minutes answered, in whichever form; others, and later ones, are answered"
    )
    func limit() async throws {
        try await served { router, world in
            func ask(_ path: String, from peer: String) async throws -> Exchange {
                try await Exchange.send(router, .get, "\(Self.root)/\(path)", from: (peer, 1))
            }
            for place in 0..<600 {
                let answer = try await ask(place % 2 == 0 ? "sth" : "entries", from: "2001:db8::\(place % 9 + 1)")
                #expect(answer.status == (place % 2 == 0 ? .ok : .badRequest))
            }
            for path in ["sth", "keys", "entries?start=0&end=6", "consistency"] {
                let answer = try await ask(path, from: "2001:db8::ffff")
                #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "1")
                #expect(answer.headers[.cacheControl] == "no-store")
            }
            #expect(try await ask("sth", from: "2001:db8:0:1::1").status == .ok)
            world.clock.advance(by: .seconds(1))
            #expect(try await ask("sth", from: "2001:db8::1").status == .ok)
        }
    }

    @Test("docs/openapi/log.yaml has each address and no other")
    func documented() async throws {
        try await served { _, world in
            let described = try Documents.operations("log")
            #expect(Documents.operations(LogEndpoints(authority: world.authority).routes) == described)
        }
    }
}
