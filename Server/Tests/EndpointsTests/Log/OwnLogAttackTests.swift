@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Sightings
import Store
import Testing

@_spi(Server) @testable import Authority
@testable import Endpoints
@testable import Requests
@testable import ServerHTTP

/// Another app on the phone, or a guest of its hotspot: it calls from the phone's address, and knows the number's mask.
@Suite("Attacks on a person's own log")
struct OwnLogAttackTests {
    private static let form: HTTPFields = [
        .contentType: "application/x-www-form-urlencoded", .secFetchSite: "same-origin", .acceptLanguage: "en",
    ]

    /// A gateway that sees the same phone for every caller.
    private struct Phone: SightingSource {
        var sighting: Sighting
        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> { .success(sighting) }
    }

    /// The page without the defence: any caller from the phone's address gets the file of a proof.
    private struct NaivePage {
        let authority: Authority

        func endpoints(_ sightings: any SightingSource) -> OwnLogEndpoints {
            OwnLogEndpoints(sightings: sightings, listing: list, proving: prove)
        }

        @Sendable private func list(
            before: Int64?, sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> JSON {
            let (_, row) = try await authority.acceptedSighting(sighting)
            return .array(try await authority.logEvidence(of: row, before: before, limit: 30).map(\.json))
        }

        @Sendable private func prove(
            leaf: Int64, number: PhoneNumber, sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> JSON {
            let found = try await list(before: leaf + 1, sighting: sighting).arrayValue?.first
            return found ?? .object([])
        }
    }

    /// It checks the number, and each node counts the wrong ones for itself.
    private actor NaiveNode {
        var wrong = 0
        func tells(_ typed: PhoneNumber) -> Bool? {
            guard wrong < Authority.ownLogTries else { return nil }
            guard typed != AuthorityWorld.number else { return true }
            wrong += 1
            return false
        }
    }

    /// All numbers that match the mask in a prefetch's answer.
    private static let candidates = (0...9999).map { tail in
        let digits = String(tail)
        return PhoneNumber("1380000" + String(repeating: "0", count: 4 - digits.count) + digits)!
    }

    /// The number for which a file holds, if somebody has what it takes to try.
    private func found(in file: JSON) -> PhoneNumber? {
        guard let input = file["leaf"]?.stringValue.flatMap({ LogInput(parsing: $0) }),
            let salt = file["salt"]?.stringValue.flatMap({ Base64URL.decode($0) })
        else { return nil }
        return Self.candidates.first { LogInput.commitment(to: $0, salt: salt) == input.commitment }
    }

    private func logged() async throws -> AuthorityWorld {
        let world = try await AuthorityWorld()
        _ = try await world.redeem(nil, try await world.token().token)
        _ = try await world.authority.appendToLog()
        return world
    }

    private func ask(_ world: AuthorityWorld, _ body: String, at naive: NaivePage? = nil) async throws -> Exchange {
        let phone = Phone(sighting: world.sighting())
        let endpoints =
            naive?.endpoints(phone) ?? OwnLogEndpoints(authority: world.authority, sightings: phone)
        let routes = endpoints.routes
        return try await Exchange.send(
            PublicServer.router("device", routes: routes), .post, "/log/mine", headers: Self.form,
            body: Array(body.utf8))
    }

    @Test(
        """
        whoever calls from the phone's address gets no salt to try numbers against, and after five numbers nothing at \
        all
        """
    )
    func tryingNumbers() async throws {
        let world = try await logged()
        let salts = try await world.authority.logEvidence(
            of: try #require(try await (world.store as any Store).subscription(world.subscription.subscription)),
            limit: 9
        ).map { Base64URL.encode($0.salt) }
        #expect(salts.count == 2)
        for body in ["", "proof=0", "proof=1", "before=1", "proof=0&number=", "proof=1&number=13800009999"] {
            let answer = try await ask(world, body)
            #expect(answer.body.contains("<main>") && !salts.contains { answer.body.contains($0) }, "\(body)")
        }
        for tail in 0..<4 {
            let answer = try await ask(world, "proof=0&number=138000099\(10 + tail)")
            #expect(answer.body.contains("not this phone&#39;s number"))
        }
        for node in [world, world.restarted()] {
            let right = try await ask(node, "proof=0&number=13800000001")
            #expect(
                right.status == .tooManyRequests && found(in: (try? JSON(parsing: right.body)) ?? .object([])) == nil)
        }
        #expect(try await ask(world, "").body.contains("Shop"), "the list is there all the same")
        world.clock.advance(by: .seconds(86400))
        let owner = try await ask(world, "proof=0&number=13800000001")
        #expect(found(in: owner.json) == AuthorityWorld.number, "the next day its owner has it")

        let naive = try await ask(world, "proof=0&number=13800009999", at: NaivePage(authority: world.authority))
        #expect(found(in: naive.json) == AuthorityWorld.number, "the double must fall")
        await world.end()
    }

    @Test("of many numbers that are typed at once at two nodes five are told to be wrong, and none to be right")
    func atOnce() async throws {
        let world = try await logged()
        let nodes = [world, world.restarted()]
        let sighting = Result<Sighting, SightingRefusal>.success(world.sighting())
        let told = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (place, number) in Self.candidates.suffix(40).enumerated() {
                group.addTask {
                    let situation = try await refusal {
                        _ = try await nodes[place % 2].authority.ownLogProof(of: 0, number: number, sighting: sighting)
                    }
                    return situation == .numberDiffers
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(told == 5)
        #expect(
            try await refusal {
                _ = try await world.authority.ownLogProof(of: 0, number: AuthorityWorld.number, sighting: sighting)
            } == .tooManyRequests)

        let naive = [NaiveNode(), NaiveNode()]
        var naivelyTold = 0
        for (place, number) in Self.candidates.suffix(40).enumerated() {
            if await naive[place % 2].tells(number) == false { naivelyTold += 1 }
        }
        #expect(naivelyTold > 5, "the double must fall")
        await world.end()
    }
}
