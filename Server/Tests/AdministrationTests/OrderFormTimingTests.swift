import Administration
import BenjiProtocol
import Testing

@Suite("Orders are read in time", .serialized)
struct OrderFormTimingTests {
    @Test("an order with very many members is read in time that grows as their number does")
    func manyMembers() throws {
        func time(_ count: Int) throws -> Duration {
            let media = JSON.object((0..<count).map { JSON.Member("\($0)", "") })
            let members: [JSON.Member] = [JSON.Member("id", "300000000001"), JSON.Member("media", media)]
            return try (0..<3).map { _ in
                try ContinuousClock().measure { _ = try OrderForm.read(ChangeOpenIDClient.self, members) }
            }.min() ?? .zero
        }
        // Sixteen times the members took 256 times as long where each was looked for among all.
        let few = try time(1000)
        #expect(try time(16_000) < few * 80)
    }
}
